/**
 * The studio over a large run: time until the index is there, and of every kind of question that pages ask.
 *
 *     npm run bench -- studio [RECORDS] [WORKSPACE]
 *
 * The run is made of the quick start's: its tasks and answers many times over, each under an id and a question of its own.
 * It stays in WORKSPACE, where one is named, to be looked at: hopscope studio --workspace WORKSPACE.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
	cpSync,
	createWriteStream,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorkbench } from "#workbench";

const wanted = Number(process.argv[2] ?? 100_000);
const given = process.argv[3];
const dir = given ?? mkdtempSync(join(tmpdir(), "hopscope-studio-"));
const run = `large-${wanted}`;
if (!existsSync(join(dir, "runs", run))) await makeRun();

const bench = openWorkbench(dir);
const studio = await timed("open the studio", () => bench.openStudio({}));
await timed("index it (first time)", () => studio.rows(run, { where: "", sort: "", offset: 0, limit: 100 }));
await studio.close();
const again = await bench.openStudio({});
const page = (query) => again.rows(run, { where: "", sort: "", offset: 0, limit: 100, ...query });
await timed("first page, index on disk", () => page({}));
await timed("filter: outcome and hop", () => page({ where: "outcome:wrong hop2:misread" }));
await timed("filter: a word", () => page({ where: "railway" }));
await timed("filter: a text recorded anywhere", () => page({ where: '"Kurumoch"' }));
await timed("sort by steps", () => page({ sort: "-steps" }));
await timed("sort by question", () => page({ sort: "question" }));
await timed("page 900", () => page({ offset: 90_000 }));
const { rows } = await page({ where: "outcome:wrong" });
const from = { task: rows[0].task, repeat: rows[0].repeat };
await timed("one task", () => again.task(run, from));
await timed("next failure", () => again.next(run, { where: "", sort: "", from, step: 1, failures: true }));
await timed("the run's page", () => again.run(run));
const { rss } = process.memoryUsage();
console.log(`memory ${Math.round(rss / 1e6)} MB`);
await again.close();
if (given === undefined) rmSync(dir, { recursive: true, force: true });

async function timed(what, doing) {
	const started = performance.now();
	const result = await doing();
	console.log(`${what.padEnd(34)} ${(performance.now() - started).toFixed(0).padStart(7)} ms`);
	return result;
}

async function makeRun() {
	const made = await openWorkbench(dir).quickstart({});
	const id = made.data.runs.find(({ agent }) => agent.name === "extractive").id;
	const source = join(dir, "runs", id);
	const lines = (file) => readFileSync(file, "utf8").trim().split("\n");
	const tasks = lines(join(dir, "benchmarks/atlas/tasks.jsonl")).map((line) => JSON.parse(line));
	const records = lines(join(source, "records.jsonl")).map((line) => JSON.parse(line));
	const repeats = 5;
	const copies = Math.ceil(wanted / repeats / tasks.length);
	const benchmark = join(dir, "benchmarks", run);
	mkdirSync(benchmark, { recursive: true });
	cpSync(join(dir, "benchmarks/atlas/images"), join(benchmark, "images"), { recursive: true });
	const many = Array.from({ length: copies }, (_, copy) =>
		tasks.map((task) => ({ ...task, id: `${task.id}-${copy}`, question: `${task.question} (${copy})` })),
	).flat();
	const text = `${many.map((task) => JSON.stringify(task)).join("\n")}\n`;
	writeFileSync(join(benchmark, "tasks.jsonl"), text);
	const hash = createHash("sha256").update(text).digest("hex");
	const about = JSON.parse(readFileSync(join(dir, "benchmarks/atlas/benchmark.json"), "utf8"));
	writeFileSync(join(benchmark, "benchmark.json"), JSON.stringify({ ...about, name: run, tasks: many.length, hash }));
	const folder = join(dir, "runs", run);
	mkdirSync(folder, { recursive: true });
	const manifest = JSON.parse(readFileSync(join(source, "run.json"), "utf8"));
	const over = { name: run, hash, folder: `../../benchmarks/${run}` };
	writeFileSync(
		join(folder, "run.json"),
		JSON.stringify({ ...manifest, id: run, benchmark: over, tasks: many.map((task) => task.id), repeats }),
	);
	const out = createWriteStream(join(folder, "records.jsonl"));
	let left = wanted;
	for (let repeat = 0; repeat < repeats; repeat++)
		for (let copy = 0; copy < copies; copy++)
			for (const record of records) {
				if (left-- <= 0) break;
				const line = JSON.stringify({ ...record, task: `${record.task}-${copy}`, repeat });
				if (!out.write(`${line}\n`)) await once(out, "drain");
			}
	out.end();
	await once(out, "finish");
}
