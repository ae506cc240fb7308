/** What the engine itself costs: tasks a second with an agent that does nothing, every record flushed to disk. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBenchmark, writeBenchmark } from "#benchmarks";
import { Setting } from "#domain";
import { executeRun, planRun } from "#runs";

const count = 2000;
const dir = await mkdtemp(join(tmpdir(), "hopscope-bench-"));
const answer = { type: "string", value: "x", accepted: ["x"] };
const hop = (id, needs) => ({ id, question: "?", modality: "text", needs, evidence: [`e-${id}`], answer });
const tasks = Array.from({ length: count }, (_, index) => ({
	id: `task-${String(index).padStart(5, "0")}`,
	question: "Which?",
	images: [],
	answer,
	chain: { hops: [hop("a", []), hop("b", [{ hop: "a", role: "bridge" }])], sink: "b" },
	tags: { language: "en" },
	source: "bench",
	rights: "none",
}));
const about = { name: "bench", title: "Bench", description: "", licence: "none", sources: [], knowledge: "none" };
await writeBenchmark(join(dir, "benchmark"), { manifest: about, tasks, card: "" });
const benchmark = await openBenchmark(join(dir, "benchmark"));
const knowledge = { dir, manifest: { name: "none", hash: "0".repeat(64) } };
const results = ["e-a", "e-x", "e-b"].map((id, index) => ({ id, score: 1, rank: index + 1 }));
const step = (index) => ({ index, call: { tool: "text_search", arguments: {}, valid: true }, results, ms: 0 });
const usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
const agent = {
	name: "nothing",
	version: "1",
	summary: "",
	needs: { model: "none", gold: false },
	answer: async () => ({
		steps: [step(0), step(1)],
		answer: "x",
		abstained: false,
		stop: "answered",
		usage,
		ms: 0,
		messages: [],
	}),
};
for (const concurrency of [1, 8]) {
	const manifest = planRun({ agent, setting: Setting.parse({ name: "k3" }), benchmark, knowledge });
	const started = performance.now();
	for await (const _ of executeRun({
		dir: join(dir, manifest.id),
		manifest,
		agent,
		benchmark,
		knowledge,
		concurrency,
	}));
	const seconds = (performance.now() - started) / 1000;
	console.log(`run, concurrency ${concurrency}: ${Math.round(count / seconds)} tasks/s`);
}
await rm(dir, { recursive: true, force: true });
