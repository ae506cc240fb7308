/**
 * Runs over a queue with everything that can break breaking: workers are killed and stopped, the queue's server dies and
 * comes back, the run itself is killed and resumed. Every process is a real one.
 */
import type { ChildProcess } from "node:child_process";
import { cpSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import type { RunRecord } from "#domain";
import { atlasFixture } from "./atlas.ts";
import { type Ended, start, temporaryFolder } from "./command-line.ts";
import { makeTowns } from "./support/commands.ts";
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
	const atlas = await atlasFixture();
	const workspace = join(root, "atlas");
	cpSync(atlas.workspace.dir, workspace, { recursive: true, filter: (source) => !/[/\\]runs([/\\]|$)/.test(source) });
	const workers = Array.from({ length: 4 }, () => command(workspace, "worker", "--queue", server.url));
	const run = ["run", "-b", "atlas", "-a", "extractive", "--json"];
	const alone = await command(workspace, ...run, "--name", "alone").ended;
	const many = await command(workspace, ...run, "--name", "many", "--queue", server.url).ended;
	for (const { child } of workers) child.kill("SIGTERM");
	const ended = await Promise.all(workers.map(({ ended }) => ended));
	expect([alone.code, many.code], many.err).toEqual([0, 0]);
	const [one, four] = [await recordsOf(workspace, "alone"), await recordsOf(workspace, "many")];
	expect(one.length).toBeGreaterThan(400);
	expect(comparable(four)).toEqual(comparable(one));
	expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
	const scores = async (name: string) => (await readFile(join(workspace, "runs", name, "scores.jsonl"), "utf8")).trim();
	const rows = async (name: string) => (await scores(name)).split("\n").sort().join("\n").replaceAll(`"${name}"`, "");
	expect(await rows("many")).toEqual(await rows("alone"));
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
