/**
 * An agent of your own on a knowledge base and a benchmark of your own, scored hop by hop.
 *
 * Run it with `npm run build && node --experimental-strip-types examples/your-own-agent.ts` on Node 22 or newer, or
 * look at test/examples.test.ts, which runs it on every Node.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type Agent,
	buildKnowledge,
	executeRun,
	openBenchmark,
	openKnowledge,
	openRun,
	openWorkspace,
	planRun,
	readSources,
	reportData,
	Setting,
	type Step,
	scoreRun,
	type Task,
	terminalReport,
	writeBenchmark,
} from "hopscope";

/** Searches once with the question and answers with the last word of the best passage: simple, and often wrong. */
const lastWord: Agent = {
	name: "last-word",
	version: "1",
	summary: "one search, then the last word of the best passage",
	needs: { model: "none", gold: false },
	async answer(view, { tools, setting }) {
		const started = performance.now();
		const { results } = await tools.text_search({ query: view.question, k: setting.k });
		const answer = results[0]?.text.trim().split(/\s+/).at(-1)?.replace(/\W+$/, "") ?? null;
		const ms = performance.now() - started;
		const step: Step = {
			index: 0,
			call: { tool: "text_search", arguments: { query: view.question }, valid: true },
			results: results.map(({ id, score, rank }) => ({ id, score, rank })),
			ms,
		};
		const usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
		return { steps: [step], answer, abstained: answer === null, stop: "answered", usage, ms, messages: [] };
	},
};

export async function main(say: (text: string) => void): Promise<number | null> {
	const folder = await mkdtemp(join(tmpdir(), "hopscope-example-"));
	try {
		const workspace = openWorkspace(join(folder, "workspace"));
		const source = join(folder, "inventors.jsonl");
		const passages = [
			{ id: "ada", title: "Ada", text: "Ada built the first windmill of Northport." },
			{ id: "northport", title: "Northport", text: "The river that flows through Northport is the Silver." },
			{ id: "southport", title: "Southport", text: "The river that flows through Southport is the Amber." },
		];
		await writeFile(source, passages.map((passage) => JSON.stringify(passage)).join("\n"));
		await readSources([source], { dir: workspace.corpus("rivers"), name: "rivers" }, { onProblem: () => {} });
		await buildKnowledge(workspace.corpus("rivers"), workspace.knowledge("rivers"), { name: "rivers" });
		const knowledge = await openKnowledge(workspace.knowledge("rivers"));

		const idOf = async (title: string) => {
			const [found] = await knowledge.search({ text: title, target: "passage", k: 1 });
			return found ? [found.id] : [];
		};
		const text = (value: string) => ({ type: "string" as const, value, accepted: [value] });
		const task: Task = {
			id: "river-of-the-windmill",
			question: "Which river flows through the town where Ada built a windmill?",
			images: [],
			answer: text("Silver"),
			chain: {
				hops: [
					{
						id: "town",
						question: "Where did Ada build a windmill?",
						modality: "text",
						needs: [],
						evidence: await idOf("Ada windmill"),
						answer: text("Northport"),
					},
					{
						id: "river",
						question: "Which river flows through Northport?",
						modality: "text",
						needs: [{ hop: "town", role: "bridge" }],
						evidence: await idOf("river Northport"),
						answer: text("Silver"),
					},
				],
				sink: "river",
			},
			tags: { language: "en" },
			source: "example",
			rights: "Apache-2.0",
		};
		const about = {
			name: "rivers",
			title: "Rivers",
			description: "One task.",
			licence: "Apache-2.0",
			sources: [],
			knowledge: "rivers",
		};
		await writeBenchmark(workspace.benchmark("rivers"), { manifest: about, tasks: [task], card: "# Rivers\n" });
		const benchmark = await openBenchmark(workspace.benchmark("rivers"));

		const manifest = planRun({ agent: lastWord, setting: Setting.parse({ name: "k3" }), benchmark, knowledge });
		const dir = workspace.run(manifest.id);
		for await (const event of executeRun({ dir, manifest, agent: lastWord, benchmark, knowledge }))
			if (event.event === "task-end") say(`${event.task}: ${event.stop}`);
		const run = await openRun(dir);
		const rows = await scoreRun(run, benchmark);
		const { evidence, file } = knowledge;
		const data = await reportData([
			{ manifest, tasks: benchmark.tasks, records: run.records, rows, benchmarkDir: benchmark.dir, evidence, file },
		]);
		say(terminalReport(data));
		knowledge.close();
		return data.runs[0]?.metrics.hps.value ?? null;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
