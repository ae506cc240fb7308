/**
 * The studio over large runs: time until the index is there, of every kind of question that pages ask, and of the frames
 * in which lists are scrolled, where the system has a Chromium.
 *
 *     npm run bench -- studio [RECORDS] [WORKSPACE]
 *
 * The run is made of the quick start's: its tasks and answers many times over, each under an id and a question of its own;
 * a second one has the same records with some answers made right and others wrong, to be compared with it. They stay in
 * WORKSPACE, where one is named, to be looked at: hopscope studio --workspace WORKSPACE.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
	cpSync,
	createReadStream,
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
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { startStudio } from "#server";
import { openWorkbench } from "#workbench";

const scrolledFrames = 400;
const wanted = Number(process.argv[2] ?? 100_000);
const given = process.argv[3];
const dir = given ?? mkdtempSync(join(tmpdir(), "hopscope-studio-"));
const run = `large-${wanted}`;
const other = `${run}-other`;
if (!existsSync(join(dir, "runs", run))) await makeRun();
if (!existsSync(join(dir, "runs", other))) await makeOther();

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
await again.rows(other, { where: "", sort: "", offset: 0, limit: 100 });
const both = [run, other];
const compared = (query) => again.comparedRows(both, { where: "", sort: "", offset: 0, limit: 100, ...query });
await timed("compare: first page of the list", () => compared({}));
await timed("compare: filter by a flip", () => compared({ where: "flip:right-wrong" }));
await timed("compare: sort by a difference", () => compared({ sort: "-diff.steps" }));
await timed("compare: differences (first time)", () => again.compare(both));
await scroll();
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

/** Scrolls the lists in a browser by 120 pixels a frame: how long frames take, and how long the page works in each. */
async function scroll() {
	const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
	if (executablePath === undefined) return;
	const server = await startStudio(again, { port: 0 });
	const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
	for (const [name, address] of [
		["tasks", `/runs/${run}/tasks`],
		["compared tasks", `/compare?runs=${run},${other}`],
	]) {
		const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
		await page.goto(`${server.url}#${address}`);
		await page.locator("[role=grid]:not([aria-busy=true]) [role=row] a").first().waitFor({ timeout: 120_000 });
		await page.waitForTimeout(1000);
		const session = await page.context().newCDPSession(page);
		// other work of the machine is none of the page's
		await session.send("Performance.enable", { timeDomain: "threadTicks" });
		const worked = async () =>
			(await session.send("Performance.getMetrics")).metrics.find((one) => one.name === "TaskDuration").value;
		const before = await worked();
		const frames = (await page.evaluate(scrolled, scrolledFrames)).sort((a, b) => a - b);
		const busy = (1000 * ((await worked()) - before)) / frames.length;
		const at = (share) => frames[Math.floor(share * frames.length)].toFixed(0);
		console.log(
			`scroll ${name}: ${at(0.5)} ms a frame, p95 ${at(0.95)}, p99 ${at(0.99)}; ${busy.toFixed(1)} ms of work`,
		);
		await page.close();
	}
	await browser.close();
	await server.close();
}

/** In the page: milliseconds of each frame, scrolled by 120 pixels. */
async function scrolled(count) {
	const list = document.querySelector("[role=grid][data-list]") ?? document.scrollingElement;
	const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
	const took = [];
	let last = await frame();
	for (let at = 0; at < count; at++) {
		list.scrollTop += 120;
		const now = await frame();
		took.push(now - last);
		last = now;
	}
	return took;
}

/** The same records with every third answer made right, and every third wrong. */
async function makeOther() {
	const [from, to] = [join(dir, "runs", run), join(dir, "runs", other)];
	const manifest = JSON.parse(readFileSync(join(from, "run.json"), "utf8"));
	const tasks = join(from, manifest.benchmark.folder, "tasks.jsonl");
	const right = new Map();
	for await (const line of createInterface({ input: createReadStream(tasks) })) {
		const { id, answer } = JSON.parse(line);
		right.set(id, answer.value);
	}
	mkdirSync(to, { recursive: true });
	writeFileSync(
		join(to, "run.json"),
		JSON.stringify({ ...manifest, id: other, agent: { ...manifest.agent, name: "other" } }),
	);
	const out = createWriteStream(join(to, "records.jsonl"));
	let place = 0;
	for await (const line of createInterface({ input: createReadStream(join(from, "records.jsonl")) })) {
		const record = JSON.parse(line);
		const third = place++ % 3;
		if (third < 2) record.trajectory.answer = third === 0 ? right.get(record.task) : "nowhere";
		if (!out.write(`${JSON.stringify(record)}\n`)) await once(out, "drain");
	}
	out.end();
	await once(out, "finish");
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
