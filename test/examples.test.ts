import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorkbench, type Workbench } from "hopscope";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseRetriever } from "../examples/choose-a-retriever.ts";
import { makeBenchmark } from "../examples/make-a-benchmark.ts";
import { runProtocols } from "../examples/run-a-protocol.ts";
import { trainingData } from "../examples/training-data.ts";
import { runOwnAgent } from "../examples/your-own-agent.ts";
import { scriptedServer, writeLands, writeSources } from "./frozen-world.ts";
import { longTest } from "./long.ts";

const root = mkdtempSync(join(tmpdir(), "hopscope-examples-"));
const documents = ["records.jsonl", "emblems"].map((name) => join(root, "documents", name));
let bench: Workbench;
let server: Awaited<ReturnType<typeof scriptedServer>>;
beforeAll(async () => {
	server = await scriptedServer();
	bench = openWorkbench(join(root, "workspace"), { environment: { OPENAI_API_KEY: "none" } });
	await writeSources(join(root, "documents"));
	await writeLands(bench.workspace.benchmark("lands"));
	await bench.index(documents, { name: "lands" });
});
afterAll(async () => {
	await server.close();
	rmSync(root, { recursive: true, force: true });
});

test("an example has at most twenty lines of code", () => {
	const long = readdirSync("examples")
		.filter((name) => name.endsWith(".ts"))
		.map((name) => [name, readFileSync(join("examples", name), "utf8").replace(/\/\*\*.*?\*\//gs, "")] as const)
		.filter(([, text]) => text.split("\n").filter((line) => line.trim() !== "").length > 20);
	expect(long.map(([name]) => name)).toEqual([]);
});

longTest("an engineer sees which encoder and agent go best with private documents", async () => {
	const { best, pairs } = await chooseRetriever(bench, documents, "lands", {
		encoders: ["none", "characters"],
		agents: ["retrieve", "extractive"],
	});
	expect([...best].sort()).toEqual([
		"extractive over by-characters",
		"extractive over by-none",
		"retrieve over by-characters",
		"retrieve over by-none",
	]);
	expect(pairs).toHaveLength(6);
	expect(pairs[0]?.metrics.map(({ metric }) => metric)).toContain("hps");
});

longTest("a researcher compares two protocols, and a trainer makes data of their runs", async () => {
	const model = `openai:m@${server.url}`;
	const { runs, accuracy, slices } = await runProtocols(bench, "lands", model, ["tagged", "single-step"]);
	expect(accuracy).toMatchObject({ difference: { value: expect.closeTo(0.433, 2), low: expect.closeTo(0.013, 2) } });
	expect(slices.every(({ slice }) => slice === "topology")).toBe(true);
	const [tagged = "", ...others] = runs;
	const data = await trainingData(bench, [tagged, ...others], join(root, "training"));
	expect(data.examples).toBeGreaterThan(0);
	expect(data.rewarded).toBeGreaterThan(0);
});

longTest("an author makes a benchmark of tables and sees its bounds", async () => {
	const made = await makeBenchmark(bench, "moons", "examples/tables", join(root, "phrases.yaml"));
	expect(made).toMatchObject({ tasks: 20, ceiling: 1, floor: 0 });
	expect(Object.values(made.counts).reduce((sum, count) => sum + count, 0)).toBe(made.findings.length);
});

longTest("an agent of one's own is scored hop by hop", async () => {
	const { data, manifest } = await runOwnAgent(bench, "lands");
	expect(manifest.agent).toMatchObject({ name: "last-word", version: "1" });
	expect(data.runs[0]).toMatchObject({ expected: 10, scored: 10 });
	expect(data.runs[0]?.metrics.hps.value).toBeGreaterThan(0);
});
