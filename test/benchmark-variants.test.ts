import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBenchmark, statesAnswer } from "#benchmarks";
import { openKnowledge } from "#knowledge";
import { type ReplyServer, replyServer } from "#models";
import { textReading } from "../src/workbench/text-reading.ts";
import { longTest } from "./long.ts";
import { commandsOn, makeTowns } from "./support/commands.ts";

const real = "../shared/data/morehopqa/morehopqa_150.json";
/** Half a minute: a search for every hop of 150 tasks. The towns above are the short form. */
let workspace: string;
let server: ReplyServer;
const hopscope = commandsOn(() => workspace);
const benchmark = (name: string) => openBenchmark(join(workspace, "benchmarks", name));

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-variants-"));
	process.env.OPENAI_API_KEY ??= "none";
	server = await replyServer(() => JSON.stringify({ answer: "400" }));
	await makeTowns(workspace, {
		towns: 8,
		more(n) {
			const answer = { type: "string", value: `${n}00`, accepted: [`${n}00`] };
			const question = `How many inhabitants has Town ${n}?`;
			const hop = { id: "h1", question, modality: "text", needs: [], evidence: [`town#${n}`], answer };
			return { chain: { hops: [hop], sink: "h1" } };
		},
	});
});
afterAll(async () => {
	await server.close();
	await rm(workspace, { recursive: true, force: true });
});

describe("hopscope benchmark swap", () => {
	test("writes a benchmark over a knowledge base of its own, where reading gives the new answers", async () => {
		const strict = await hopscope("benchmark", "swap", "towns", "--to", "swapped");
		expect(strict.code).toBe(1);
		expect(strict.err).toContain("--same-answers");
		const { code, err, json } = await hopscope(
			...["benchmark", "swap", "towns", "--to", "swapped", "--same-answers", "--json"],
		);
		expect(code, err).toBe(0);
		expect(json()).toMatchObject({ benchmark: "swapped", tasks: 8, of: 8, passages: 8, refused: [] });
		const { tasks, manifest } = await benchmark("swapped");
		expect(manifest.knowledge).toBe("swapped");
		const knowledge = await openKnowledge(join(workspace, "knowledge/swapped"));
		try {
			for (const task of tasks) {
				const town = /Town \d/.exec(task.question)?.[0];
				expect(`${town?.slice(5)}00`).not.toBe(task.answer.value);
				const held = await knowledge.evidence(task.chain?.hops[0]?.evidence[0] ?? "");
				expect(held).toMatchObject({ title: town, text: `${town} has ${task.answer.value} inhabitants.` });
			}
		} finally {
			await knowledge.close();
		}
		expect((await hopscope("run", "-b", "swapped", "-a", "gold-replay", "--json")).code).toBe(0);
	});

	test("refuses its own name and one that is taken", async () => {
		const swap = (...args: string[]) => hopscope("benchmark", "swap", "towns", "--same-answers", ...args);
		expect(await swap("--to", "towns", "--force")).toMatchObject({ code: 2 });
		expect(await swap("--to", "swapped")).toMatchObject({ code: 2 });
		expect(await swap("--to", "dry", "--dry-run")).toMatchObject({ code: 0 });
		expect(existsSync(join(workspace, "benchmarks/dry"))).toBe(false);
	});
});

test("hopscope benchmark twins: what states the hop is gone, and declining is right", async () => {
	const { code, err, json } = await hopscope("benchmark", "twins", "towns", "--to", "twins", "--json");
	expect(code, err).toBe(0);
	expect(json()).toMatchObject({ benchmark: "twins", tasks: 8, removed: 8, evidence: 0, refused: [] });
	const { tasks } = await benchmark("twins");
	expect(tasks[0]).toMatchObject({ id: "t0", cluster: "t0", answer: { type: "none" }, tags: { without: "h1" } });
});

describe("hopscope benchmark distractors", () => {
	test("writes contexts, and leaves out what a model answers from distractors alone", async () => {
		const made = (await hopscope("benchmark", "distractors", "towns", "--count", "3", "--json")).json();
		expect(made).toMatchObject({ benchmark: "towns-distractors", handedOut: 8, distractors: 24, probe: null });
		const { tasks } = await benchmark("towns-distractors");
		expect(tasks[0]?.context).toHaveLength(4);
		expect(tasks[0]?.context).toContain("town#0");
		const { code, err, json } = await hopscope(
			...["benchmark", "distractors", "towns", "--to", "probed", "--count", "3", "--json"],
			...["--model", `openai:gpt@${server.url}`],
		);
		expect(code, err).toBe(0);
		expect(json().probe).toMatchObject({ answered: ["t4"], faults: [] });
		const probed = await benchmark("probed");
		expect(probed.tasks.filter(({ context }) => !context).map(({ id }) => id)).toEqual(["t4"]);
	});
});

describe.skipIf(!existsSync(real))("over MoreHopQA", () => {
	beforeAll(async () => {
		expect((await hopscope("import", "morehopqa", real, "--json")).code).toBe(0);
	});

	longTest("swap: what cannot be is told, and every new answer stands in its evidence", async () => {
		const args = ["benchmark", "swap", "morehopqa", "--to", "morehopqa-swapped", "--same-answers", "--json"];
		const swap = (await hopscope(...args)).json();
		expect(swap.tasks + swap.refused.length).toBe(150);
		expect(swap.tasks).toBeGreaterThan(10);
		const before = new Map((await benchmark("morehopqa")).tasks.map((task) => [task.id, task]));
		const { tasks } = await benchmark("morehopqa-swapped");
		const knowledge = await openKnowledge(join(workspace, "knowledge/morehopqa-swapped"));
		try {
			for (const task of tasks) {
				expect(task.question).not.toBe(before.get(task.id)?.question);
				for (const hop of task.chain?.hops ?? []) {
					if (hop.evidence.length === 0) continue;
					const held = await Promise.all(hop.evidence.map((id) => knowledge.evidence(id)));
					const texts = held.flatMap((one) => (one?.kind === "passage" ? [`${one.title}\n${one.text}`] : []));
					expect(texts.some((text) => statesAnswer(text, hop.answer, textReading, "en"))).toBe(true);
				}
			}
		} finally {
			await knowledge.close();
		}
	});

	longTest("twins: no passage that is left states the hop that is gone", async () => {
		const twins = (
			await hopscope("benchmark", "twins", "morehopqa", "--to", "morehopqa-twins", "--depth", "15", "--json")
		).json();
		expect(twins.tasks).toBeGreaterThan(100);
		expect(twins.tasks + twins.refused.length).toBe(150);
		const { tasks } = await benchmark("morehopqa-twins");
		const knowledge = await openKnowledge(join(workspace, "knowledge/morehopqa-twins"));
		try {
			for (const task of tasks) {
				expect(task.answer.type).toBe("none");
				const { evidence } = twins.without[task.id];
				expect(await knowledge.missing(evidence)).toEqual(evidence);
				expect(await knowledge.missing(task.supporting ?? [])).toEqual([]);
			}
		} finally {
			await knowledge.close();
		}
	});

	longTest("distractors: of 150 tasks each has four that state none of its hops", async () => {
		const made = (await hopscope("benchmark", "distractors", "morehopqa", "--count", "4", "--json")).json();
		expect(made).toMatchObject({ tasks: 150, handedOut: 150, distractors: 600, none: [] });
	});
});
