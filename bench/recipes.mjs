/**
 * What the stage engine costs: made-up items of two hops (seeded) through every rule check to `items.jsonl`, with the
 * memory that it takes. `npm run bench -- recipes [items]`, 100,000 where not given.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { fakeKnowledge } from "#knowledge";
import { each, gate, newItem, rules, runBuild, source, stringAnswer } from "#recipes";
import { sha256 } from "#store";

const count = Number(process.argv[2] ?? 100_000);
const towns = 1000;

const passage = (n) => ({
	...{ kind: "passage", id: `p${n}`, document: `d${n}`, title: `Town ${n}`, language: "en", form: "prose" },
	...{ text: `Town ${n}.`, sha256: sha256(`${n}`), provenance: { source: "bench" } },
});
const names = "Arden Bellac Corvin Delmar Estra Fenwick Galena Harrow Isolde Jarrow Kestrel Lindow Marlow Norden".split(
	" ",
);

const written = {
	...{ kind: "compose", name: "write", version: 1, output: z.custom() },
	run({ n }, context) {
		const { pick, integer } = context.random(n);
		const [town, river, sea] = [`${pick(names)} ${n}`, `${pick(names)} River ${n}`, `${pick(names)} Sea`];
		const at = integer(towns);
		const hop = (id, question, answer, needs, evidence) => ({
			...{ id, question, modality: "text", needs, evidence: [evidence], answer: stringAnswer(answer) },
		});
		const chain = {
			hops: [
				hop("h1", `Which river flows through ${town}?`, river, [], `p${at}`),
				hop(
					"h2",
					`Into which sea does the ${river} flow?`,
					sea,
					[{ hop: "h1", role: "bridge" }],
					`p${(at + 1) % towns}`,
				),
			],
			sink: "h2",
		};
		// every fifth gives its answer away, so that rules have something to find
		const question = `Into which sea does the river that flows through ${town} flow${n % 5 === 0 ? `, the ${sea}` : ""}?`;
		return [
			{ is: "piece", piece: newItem({ question, answer: stringAnswer(sea), chain, by: "bench" }, context.recipe) },
		];
	},
};

const recipe = {
	...{
		name: "bench",
		version: "1",
		title: "Bench",
		description: "",
		paper: "",
		params: z.object({}),
		roles: {},
		needs: [],
	},
	build: () =>
		source({ name: "numbers", version: 1 }, function* () {
			for (let n = 0; n < count; n += 1) yield { id: String(n), n };
		})
			.to(each(written))
			.to(gate(Object.values(rules))),
};

const memory = () => process.memoryUsage().rss / 2 ** 20;
const dir = mkdtempSync(join(tmpdir(), "hopscope-bench-recipes-"));
try {
	const knowledge = fakeKnowledge(Array.from({ length: towns }, (_, n) => passage(n)));
	const inputs = { knowledge, async *evidence() {} };
	const seen = [];
	const cpu = process.cpuUsage();
	const started = performance.now();
	const { funnel } = await runBuild(recipe, inputs, dir, {
		models: {},
		onProgress: ({ accepted }) => seen.push([accepted, memory()]),
	});
	const seconds = (performance.now() - started) / 1000;
	const { user, system } = process.cpuUsage(cpu);
	const highest = (part) => Math.round(Math.max(...part.map(([, size]) => size)));
	const half = Math.floor(seen.length / 2);
	console.log(
		`${count.toLocaleString("en")} items through ${Object.keys(rules).length} rules: ${seconds.toFixed(1)} s (processor ${((user + system) / 1e6).toFixed(1)} s), ${funnel.accepted.toLocaleString("en")} accepted, ${Math.round(statSync(join(dir, "items.jsonl")).size / 2 ** 20)} MiB written`,
	);
	console.log(
		`memory at most ${highest(seen.slice(0, half))} MiB in the first half, ${highest(seen.slice(half))} MiB in the second`,
	);
	for (const { stage, in: came, dropped } of funnel.rows)
		if (Object.keys(dropped).length > 0) console.log(`${stage}: ${came} in, ${JSON.stringify(dropped)}`);
} finally {
	rmSync(dir, { recursive: true, force: true });
}
