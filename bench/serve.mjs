/**
 * What serving costs: latency and throughput of `hopscope serve` over the Atlas, a process of its own, asked by this one
 * as Search-R1's clients do, at 1 and at 120 requests at once and in batches, beside the same queries searched in this
 * process without HTTP. `node bench/serve.mjs [workspace]`: the Atlas is made there (30 s) where it is not yet, in a
 * temporary folder where none is named. Needs a build (npm run build).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openBenchmark } from "#benchmarks";
import { openKnowledge } from "#knowledge";
import { openWorkspace } from "#store";
import { openWorkbench } from "#workbench";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const named = process.argv[2];
const folder = named ?? (await mkdtemp(join(tmpdir(), "hopscope-bench-serve-")));
const workspace = openWorkspace(folder);
await openWorkbench(folder).openSample();
const { tasks } = await openBenchmark(workspace.benchmark("atlas"));
const queries = tasks.flatMap(({ chain }) => chain.hops.map(({ question }) => question));
const k = 3;

/** Asks `count` times, `concurrency` at once; milliseconds of each and of all together. */
async function measure(label, { count, concurrency, perRequest = 1 }, ask) {
	const times = [];
	let next = 0;
	let failed = 0;
	const started = performance.now();
	await Promise.all(
		Array.from({ length: concurrency }, async () => {
			for (let index = next++; index < count; index = next++) {
				const asked = Array.from(
					{ length: perRequest },
					(_, at) => queries[(index * perRequest + at) % queries.length],
				);
				const begun = performance.now();
				if (!(await ask(asked))) failed += 1;
				times.push(performance.now() - begun);
			}
		}),
	);
	const seconds = (performance.now() - started) / 1000;
	times.sort((a, b) => a - b);
	const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(1);
	console.log(
		`${label}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, ${Math.round((count * perRequest) / seconds)} queries/s, ${failed} failed, n ${count}`,
	);
}

async function measureInProcess() {
	const knowledge = await openKnowledge(workspace.knowledge("atlas"));
	const ask = async ([text]) => {
		const results = await knowledge.search({ text, target: "passage", k });
		await Promise.all(results.map(({ id }) => knowledge.evidence(id)));
		return true;
	};
	await measure("warming", { count: 200, concurrency: 4 }, ask);
	await measure("in process, with the texts, 1 at once", { count: 600, concurrency: 1 }, ask);
	await measure("in process, with the texts, 4 at once", { count: 1200, concurrency: 4 }, ask);
	await knowledge.close();
}

async function measureServed() {
	const main = join(root, "dist/cli/main.js");
	const child = spawn(process.execPath, [main, "serve", "-w", folder, "-n", "atlas", "--port", "0", "--json"], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const [line] = await once(createInterface(child.stdout), "line");
	const { url } = JSON.parse(line);
	const ask = async (asked) => {
		const response = await fetch(`${url}/retrieve`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ queries: asked, topk: k, return_scores: true }),
		});
		const { result } = await response.json();
		return response.ok && result.length === asked.length;
	};
	await measure("warming", { count: 200, concurrency: 4 }, ask);
	await measure("served, 1 at once", { count: 600, concurrency: 1 }, ask);
	await measure("served, 120 at once", { count: 3600, concurrency: 120 }, ask);
	await measure("served, batches of 512, 1 at once", { count: 4, concurrency: 1, perRequest: 512 }, ask);
	child.kill("SIGTERM");
	const [code] = await once(child, "exit");
	console.log(`the server ended with exit code ${code}`);
}

try {
	await measureInProcess();
	await measureServed();
} finally {
	if (named === undefined) await rm(folder, { recursive: true, force: true });
}
