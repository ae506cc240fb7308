// @module-tag long
/**
 * Runs over a queue with everything that can break breaking: workers are killed and stopped, the queue's server dies and
 * comes back, the run itself is killed and resumed. Every process is a real one.
 */
import type { ChildProcess } from "node:child_process";
import { cpSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import type { RunManifest, RunRecord, Verdict } from "#domain";
import { replyServer } from "#models";
import { atlasFixture } from "./atlas.ts";
import { type Ended, start, temporaryFolder } from "./command-line.ts";
import { makeTowns } from "./support/commands.ts";
import { line, pagesOf } from "./support/corpus/pdf-pages.ts";
import { type NatsServer, natsServer, queueTest } from "./support/nats-server.ts";

const root = temporaryFolder();
let server: NatsServer;
let agent: { url: string; asked: Map<string, number>; close(): void };
const children = new Set<ChildProcess>();
beforeAll(async () => {
	agent = await slowProgram(600);
});
afterAll(async () => {
	for (const child of children) child.kill("SIGKILL");
	agent?.close();
	await server?.remove();
});

/** A program that answers every task with its id after about so long, and counts how often each was asked. */
async function slowProgram(ms: number): Promise<typeof agent> {
	const asked = new Map<string, number>();
	const http: Server = createServer((request, response) => {
		let body = "";
		request.on("data", (chunk) => {
			body += chunk;
		});
		request.on("end", async () => {
			const { task } = JSON.parse(body) as { task: { id: string } };
			asked.set(task.id, (asked.get(task.id) ?? 0) + 1);
			await wait(ms * (0.5 + Math.random()));
			response.end(`${JSON.stringify({ final: { answer: task.id } })}\n`);
		});
	});
	await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
	const { port } = http.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/answer`, asked, close: () => http.close() };
}

/** A command in a process of its own, on a workspace. */
function command(workspace: string, ...args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
	const started = start([...args, "--workspace", workspace]);
	children.add(started.child);
	return started;
}

/** Ends workers as a cluster does, and what they said. */
function stopped(workers: readonly ReturnType<typeof command>[]): Promise<Ended[]> {
	for (const { child } of workers) child.kill("SIGTERM");
	return Promise.all(workers.map(({ ended }) => ended));
}

async function recordsOf(workspace: string, run: string): Promise<RunRecord[]> {
	const text = await readFile(join(workspace, "runs", run, "records.jsonl"), "utf8").catch(() => "");
	return text
		.split("\n")
		.filter((line) => line.endsWith("}"))
		.map((line) => JSON.parse(line) as RunRecord);
}

/** Records in the order of their tasks, without what differs from one time to the next. */
const comparable = (records: RunRecord[]) =>
	records
		.map(({ at: _, trajectory, ...record }) => ({
			...record,
			trajectory: { ...trajectory, ms: 0, steps: trajectory.steps.map((step) => ({ ...step, ms: 0 })) },
		}))
		.sort((a, b) => (a.task < b.task ? -1 : 1));

queueTest("four workers give the records of the Atlas that one process gives", async () => {
	server = await natsServer();
	const workspace = await atlasIn("atlas");
	const workers = Array.from({ length: 4 }, () => command(workspace, "worker", "--queue", server.url));
	const run = ["run", "-b", "atlas", "-a", "extractive", "--json"];
	const alone = await command(workspace, ...run, "--name", "alone").ended;
	const many = await command(workspace, ...run, "--name", "many", "--queue", server.url).ended;
	const ended = await stopped(workers);
	expect([alone.code, many.code], many.err).toEqual([0, 0]);
	const [one, four] = [await recordsOf(workspace, "alone"), await recordsOf(workspace, "many")];
	expect(one.length).toBeGreaterThan(400);
	expect(comparable(four)).toEqual(comparable(one));
	expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
	const scores = async (name: string) => (await readFile(join(workspace, "runs", name, "scores.jsonl"), "utf8")).trim();
	const rows = async (name: string) => (await scores(name)).split("\n").sort().join("\n").replaceAll(`"${name}"`, "");
	expect(await rows("many")).toEqual(await rows("alone"));
});

/** A workspace of its own with the Atlas, without its runs. */
async function atlasIn(name: string): Promise<string> {
	const atlas = await atlasFixture();
	const workspace = join(root, name);
	cpSync(atlas.workspace.dir, workspace, { recursive: true, filter: (source) => !/[/\\]runs([/\\]|$)/.test(source) });
	return workspace;
}

queueTest("four workers intervene and judge on the Atlas as one process does", async () => {
	server ??= await natsServer();
	const workspace = await atlasIn("altered");
	const said = { reason: "so", equivalent: true, relevant: [], support: "part" };
	const model = await replyServer(() => JSON.stringify(said));
	const names = ["base-alone", "base-many"];
	for (const name of names) {
		const { code, err } = await command(workspace, "run", "-b", "atlas", "-a", "extractive", "--name", name).ended;
		expect(code, err).toBe(0);
	}
	const workers = Array.from({ length: 4 }, () => command(workspace, "worker", "--queue", server.url));
	const asked: [string[], string[]] = [
		["--all-tasks", "--tasks", "60", "--only", "oracle-plan,oracle-retrieval,oracle-reading", "--distractors", "3"],
		["--times", "1", "--no-cache", "-m", `openai:judge@${model.url}`],
	];
	for (const [index, verb] of ["intervene", "judge"].entries())
		for (const name of names) {
			const queue = name === "base-many" ? ["--queue", server.url] : [];
			const { code, err } = await command(workspace, verb, name, ...(asked[index] ?? []), "--json", ...queue).ended;
			expect(code, err).toBe(0);
		}
	const ended = await stopped(workers);
	await model.close();
	expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
	const reruns = await Promise.all(names.map((name) => rerunsOf(workspace, name)));
	expect(reruns[0]?.map(([, records]) => records.length)).toEqual([60, 60, 60, 60]);
	expect(reruns[1]).toEqual(reruns[0]);
	const verdicts = await Promise.all(names.map((name) => verdictsOf(workspace, name)));
	expect(verdicts[0]?.length).toBeGreaterThan(400);
	expect(verdicts[1]).toEqual(verdicts[0]);
	process.stdout.write(
		`${JSON.stringify({ reruns: reruns[1]?.length, verdicts: verdicts[1]?.length, calls: model.requests.length })}\n`,
	);
});

/** The records of a run's interventions, by what each is. */
async function rerunsOf(workspace: string, base: string): Promise<[string, unknown[]][]> {
	const found: [string, unknown[]][] = [];
	for (const id of await readdir(join(workspace, "runs"))) {
		const text = await readFile(join(workspace, "runs", id, "run.json"), "utf8");
		const { intervention } = JSON.parse(text) as RunManifest;
		if (intervention?.of === base)
			found.push([JSON.stringify(intervention.what), comparable(await recordsOf(workspace, id))]);
	}
	return found.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The verdicts on a run, in one order, without what differs from one time to the next. */
async function verdictsOf(workspace: string, run: string): Promise<unknown[]> {
	const text = await readFile(join(workspace, "runs", run, "verdicts.jsonl"), "utf8");
	return text
		.trim()
		.split("\n")
		.map((line) => ({ ...(JSON.parse(line) as Verdict), at: "", ms: 0 }))
		.sort((a, b) => (a.task < b.task ? -1 : 1));
}

queueTest("whatever is killed, an index over a queue is the one that one process makes", async () => {
	server ??= await natsServer();
	const workspace = join(root, "reading");
	const documents = join(root, "documents");
	for (const folder of [workspace, documents]) await mkdir(folder, { recursive: true });
	const count = 60;
	for (let n = 0; n < count; n += 1) {
		const page = (at: number) =>
			`${line(`Document ${n}, page ${at}`, 60, 780, 18)}\n${line(`It holds ${n * at}.`, 60, 740)}`;
		await writeFile(join(documents, `document-${n}.pdf`), pagesOf(Array.from({ length: 40 }, (_, at) => page(at))));
	}
	await writeFile(join(documents, "broken.pdf"), "%PDF-1.7 nothing");
	const index = (name: string, ...more: string[]) =>
		command(workspace, "index", documents, "--name", name, "--page-images", "72", "--json", ...more);
	const alone = await index("alone").ended;
	const worker = () =>
		command(workspace, "worker", "--queue", server.url, "--sources", documents, "--concurrency", "2");
	const workers = Array.from({ length: 4 }, worker);
	const overQueue = ["--queue", server.url, "--queue-lease", "3"];
	const isRead = async () => {
		const names = await readdir(join(workspace, "corpora", ".many.reading", "sheaves")).catch(() => []);
		return names.filter((name) => name.endsWith(".jsonl")).length;
	};
	let many = index("many", ...overQueue);
	const kills = { worker: 0, server: 0, command: 0 };
	for (const share of [0.1, 0.3, 0.5, 0.7]) {
		while ((await isRead()) < share * count && many.child.exitCode === null) await wait(50);
		if (many.child.exitCode !== null) break;
		kills.worker += 1;
		const [hit] = workers.splice(0, 1);
		hit?.child.kill("SIGKILL");
		workers.push(worker());
		if (share === 0.3) {
			kills.server += 1;
			await server.kill();
			await wait(500);
			await server.start();
		}
		if (share !== 0.5) continue;
		kills.command += 1;
		many.child.kill("SIGKILL");
		await many.ended;
		many = index("many", ...overQueue);
	}
	const ended = await many.ended;
	await stopped(workers);
	process.stdout.write(`${JSON.stringify({ documents: count, kills })}\n`);
	expect([alone.code, ended.code], ended.err).toEqual([0, 0]);
	const [one, other] = [alone, ended].map(({ out }) => JSON.parse(out) as { hash: string; knowledge: string });
	expect(other).toEqual({ ...one, knowledge: "many" });
	const read = (name: string, file: string) => readFile(join(workspace, "corpora", name, file), "utf8");
	for (const file of ["evidence.jsonl", "documents.jsonl"])
		expect(await read("many", file)).toEqual(await read("alone", file));
	expect(kills).toEqual({ worker: 4, server: 1, command: 1 });
});

queueTest("whatever is killed, stopped or restarted, every task has exactly one final record", async () => {
	server ??= await natsServer();
	const towns = 500;
	const workspace = join(root, "faults");
	await mkdir(workspace);
	await makeTowns(workspace, { towns });
	const worker = () => command(workspace, "worker", "--queue", server.url, "--concurrency", "4");
	const workers = [worker(), worker(), worker()];
	const first = ["run", "-b", "towns", "-a", agent.url, "--name", "faults"];
	const overQueue = ["--queue", server.url, "--queue-lease", "3", "--json"];
	let run = command(workspace, ...first, ...overQueue);
	let isOver = false;
	const watched = (of: typeof run) =>
		void of.ended.then(({ code }) => {
			if (of === run && code !== null) isOver = true;
		});
	watched(run);
	const done = async () => (await recordsOf(workspace, "faults")).length;
	while ((await done()) < 20 && !isOver) await wait(200);
	const counts = { "worker killed": 0, "worker stopped": 0, "server killed": 0, "run killed": 0 };
	const faults: (keyof typeof counts)[] = [
		...(["worker killed", "worker stopped", "worker killed", "server killed", "run killed"] as const),
		...(["worker killed", "worker stopped", "worker killed", "server killed", "worker killed"] as const),
	];
	for (const [index, fault] of faults.entries()) {
		if (isOver) break;
		counts[fault] += 1;
		const at = index % workers.length;
		const hit = workers[at] as (typeof workers)[number];
		if (fault === "worker killed") {
			hit.child.kill("SIGKILL");
			workers[at] = worker();
		} else if (fault === "worker stopped") {
			hit.child.kill("SIGSTOP");
			await wait(6000);
			hit.child.kill("SIGCONT");
		} else if (fault === "server killed") {
			await server.kill();
			await wait(1000);
			await server.start();
		} else {
			run.child.kill("SIGKILL");
			await run.ended;
			run = command(workspace, "run", "--resume", "faults", ...overQueue);
			watched(run);
		}
		await wait(2500);
	}
	const last = await run.ended;
	for (const { child } of workers) child.kill("SIGTERM");
	const over = await Promise.all(workers.map(({ ended }) => ended));
	const records = await recordsOf(workspace, "faults");
	const asked = [...agent.asked.values()];
	const late = over.reduce((sum, { err }) => sum + err.split("came too late").length - 1, 0);
	const told = {
		...counts,
		tasks: towns,
		records: records.length,
		errors: records.filter(({ trajectory }) => trajectory.stop === "error").length,
		asked: asked.reduce((sum, one) => sum + one, 0),
		"asked more than once": asked.filter((one) => one > 1).length,
		"late answers refused": late,
	};
	process.stdout.write(`${JSON.stringify(told)}\n`);
	expect(last.code, last.err).toBe(0);
	expect(records.map(({ task }) => task).sort()).toEqual(Array.from({ length: towns }, (_, n) => `t${n}`).sort());
	expect(records.every(({ task, trajectory }) => trajectory.answer === task)).toBe(true);
	expect(Object.values(counts).every((count) => count > 0)).toBe(true);
});
