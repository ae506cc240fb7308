import { mkdtemp, readFile, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Agent } from "#agents";
import type { Benchmark } from "#benchmarks";
import type { RunManifest, RunRecord } from "#domain";
import {
	executeRun,
	openJobs,
	planRun,
	type RunEvent,
	runKind,
	type WorkCounts,
	workerQueue,
	workersOf,
	workFor,
} from "#runs";
import { longQueueTest, type NatsServer, natsServer, queueTest } from "../../../test/support/nats-server.ts";
import { agentOf, answered, emptyKnowledge, tinyBenchmark } from "../../../test/support/runs.ts";
import { type Broker, openBroker } from "./broker.ts";
import { subjects } from "./messages.ts";
import { createPlaces } from "./places.ts";
import { jobToken, runToken } from "./run-jobs.ts";
import { sharedLimits } from "./shared-limits.ts";

const count = 20;
let root: string;
let benchmark: Benchmark;
let server: NatsServer | undefined;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-queue-"));
	benchmark = await tinyBenchmark(root, count);
});
afterAll(async () => {
	await server?.remove();
	await rm(root, { recursive: true, force: true });
});

const manner = { timeout: 60_000 };
const plan = (agent: Agent) =>
	planRun({ agent, setting: { name: "default", k: 3 }, benchmark, knowledge: emptyKnowledge(root) });

/** A run over the queue, to its end: its events and what was said. */
async function coordinate(
	manifest: RunManifest,
	agent: Agent,
	options: Partial<Parameters<typeof executeRun>[0]> & { lease?: number; at?: NatsServer } = {},
): Promise<{ events: RunEvent[]; end: Extract<RunEvent, { event: "run-end" }>; said: string[]; records: RunRecord[] }> {
	server ??= await natsServer();
	const said: string[] = [];
	const { lease = 1000, at = server, ...rest } = options;
	const dir = join(root, "runs", manifest.id);
	const workers = workersOf({ queue: at.url, lease, say: (message) => said.push(message) });
	const queue = workerQueue(workers, manner);
	const events: RunEvent[] = [];
	const knowledge = emptyKnowledge(root);
	const parts = { dir, manifest, agent, benchmark, knowledge, queue, concurrency: 64, ...rest };
	for await (const event of executeRun(parts)) events.push(event);
	const lines = (await readFile(join(dir, "records.jsonl"), "utf8")).split("\n").filter(Boolean);
	const end = events.at(-1) as Extract<RunEvent, { event: "run-end" }>;
	return { events, end, said, records: lines.map((line) => JSON.parse(line) as RunRecord) };
}

/** A worker with an agent of its own; `stop` ends it and says what it did. */
async function startWorker(
	agent: Agent,
	{ concurrency = 4, open, queue }: { concurrency?: number; open?: () => never; queue?: string } = {},
) {
	server ??= await natsServer();
	const stop = new AbortController();
	const said: string[] = [];
	const counts = workFor({
		queue: queue ?? server.url,
		concurrency,
		signal: stop.signal,
		say: (message) => said.push(message),
		kinds: [
			runKind(
				async ({ manifest }) =>
					open?.() ?? openJobs({ manifest, agent, benchmark, knowledge: emptyKnowledge(root), timeout: 60_000 }),
			),
		],
	});
	return {
		said,
		async stop(): Promise<WorkCounts> {
			stop.abort();
			return counts;
		},
	};
}

const instant = (onTask: (task: string) => void = () => {}, usage?: Parameters<typeof answered>[1]) =>
	agentOf(({ id }) => {
		onTask(id);
		return answered(id, usage);
	});

async function direct(): Promise<Broker> {
	server ??= await natsServer();
	return openBroker({ queue: server.url, say: () => {} });
}

const finished = (records: RunRecord[]) => records.map(({ task }) => task).sort();
const everyTask = () => benchmark.tasks.map(({ id }) => id);

test("a job that may end its worker has it to itself, and nobody overtakes it", async () => {
	const places = createPlaces(2);
	const entered: string[] = [];
	const enter = async (name: string, alone = false) => {
		const leave = await places.enter({ alone });
		entered.push(name);
		return leave;
	};
	const [first, second] = [await enter("a"), await enter("b")];
	const lone = enter("alone", true);
	const behind = enter("c");
	first();
	await Promise.resolve();
	expect(entered).toEqual(["a", "b"]);
	second();
	(await lone)();
	(await behind)();
	expect([entered, places.running()]).toEqual([["a", "b", "alone", "c"], 0]);
});

/** What stands before a server: shut, it lets nothing through and tells nobody; it ends connections where `isFine` says no. */
async function doorTo({ port }: URL, isFine: (data: Buffer) => boolean = () => true) {
	const sockets = new Set<Socket>();
	const door = createServer((socket) => {
		const onward = connect(Number(port), "127.0.0.1");
		for (const one of [socket, onward]) {
			sockets.add(one);
			one.on("error", () => {});
			one.on("close", () => {
				for (const end of [socket, onward]) {
					sockets.delete(end);
					end.destroy();
				}
			});
		}
		socket.on("data", (data) => (isFine(data) ? onward.write(data) : onward.destroy()));
		onward.on("data", (data) => socket.write(data));
	});
	await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
	return {
		url: `nats://127.0.0.1:${(door.address() as AddressInfo).port}`,
		shut: () => sockets.forEach((socket) => void socket.pause()),
		open: () => sockets.forEach((socket) => void socket.resume()),
		close: () => door.close(),
	};
}

longQueueTest("a server that goes as somebody enters is waited for, and not said to store nothing", async () => {
	server ??= await natsServer();
	let isGone = false;
	const door = await doorTo(new URL(server.url), (data) => {
		if (isGone || !data.includes("$JS.API.INFO")) return true;
		isGone = true;
		return false;
	});
	const said: string[] = [];
	const queue = door.url;
	const broker = await openBroker({ queue, say: (message) => said.push(message) });
	expect(await broker.prepare()).toMatchObject({ lease: expect.any(Number) });
	await broker.close();
	door.close();
	expect([isGone, said.at(-1)]).toEqual([true, "the queue is back"]);
});

queueTest("workers and runs that come to a new server all at once all find what they need", async () => {
	for (let round = 0; round < 5; round += 1) {
		const own = await natsServer();
		const brokers = await Promise.all(Array.from({ length: 10 }, () => openBroker({ queue: own.url, say: () => {} })));
		const leases = await Promise.all(brokers.map((broker) => broker.prepare()));
		const limit = { most: 5, span: 1000 };
		const limits = await Promise.all(brokers.map((broker) => broker.prepareLimit("account", limit)));
		await Promise.all(brokers.map((broker) => broker.close()));
		await own.remove();
		expect([new Set(leases.map(({ lease }) => lease)).size, new Set(limits).size]).toEqual([1, 1]);
	}
});

queueTest("budgets hold over all workers", async () => {
	const agent = instant(() => {}, { calls: 2, inputTokens: 10, outputTokens: 10 });
	const workers = [await startWorker(agent), await startWorker(agent)];
	const { end, records } = await coordinate(plan(agent), agent, { maxCalls: 11 });
	for (const { stop } of workers) await stop();
	expect(end).toMatchObject({ reason: "budget", budget: "calls" });
	expect(records.length).toBe(6);
});

queueTest("a worker that lacks what the run needs says so, and others do its jobs", async () => {
	const agent = instant();
	const lacking = await startWorker(agent, {
		open: () => {
			throw new Error("no benchmark here");
		},
	});
	const able = await startWorker(agent);
	const { said, records } = await coordinate(plan(agent), agent);
	expect(finished(records)).toEqual(everyTask());
	expect((await lacking.stop()).answered + (await able.stop()).answered).toBe(count);
	for (const heard of [lacking.said, said].filter((list) => list.length > 0))
		expect(heard.join()).toContain("no benchmark here");
});

queueTest("a run without workers ends when its time is over", async () => {
	const agent = instant();
	const { end, records } = await coordinate(plan(agent), agent, { maxTime: 300 });
	expect([end.reason, records]).toEqual(["budget", []]);
});

queueTest("an answer that came while nobody listened is taken up, not paid for again", async () => {
	const manifest = plan(instant());
	const interrupt = new AbortController();
	const asked: string[] = [];
	const slow = agentOf(async ({ id }) => {
		asked.push(id);
		if (asked.length === 3) setTimeout(() => interrupt.abort(), 20);
		await new Promise((done) => setTimeout(done, 150));
		return id;
	});
	const worker = await startWorker(slow);
	const first = await coordinate(manifest, slow, { signal: interrupt.signal });
	expect(first.end).toMatchObject({ reason: "interrupted", done: 0 });
	// its answers are stored by then
	await new Promise((done) => setTimeout(done, 400));
	const second = await coordinate(manifest, slow);
	await worker.stop();
	expect(finished(second.records)).toEqual(everyTask());
	expect(asked.length).toBe(count);
});

queueTest("an answer of a start that another one followed is refused", async () => {
	const manifest = plan(instant());
	const broker = await direct();
	const run = runToken(manifest);
	const token = jobToken({ task: "t0003", repeat: 0, attempt: 0 });
	let overtaken = false;
	const agent = agentOf(async ({ id }) => {
		if (id !== "t0003" || overtaken) return id;
		overtaken = true;
		// as another worker does while this one is stopped
		const last = await broker.lastMark(run, token);
		const mark = { is: "start", worker: "other", starts: 2, nonce: "0123456789abcdef" };
		await broker.store(subjects.mark(run, token), JSON.stringify(mark), last?.sequence);
		return "late";
	});
	const workers = [await startWorker(agent), await startWorker(agent)];
	const { records } = await coordinate(manifest, agent);
	const counts = await Promise.all(workers.map(({ stop }) => stop()));
	await broker.close();
	expect(finished(records)).toEqual(everyTask());
	expect(records.find(({ task }) => task === "t0003")?.trajectory.answer).toBe("t0003");
	expect(counts.reduce((sum, { refused }) => sum + refused, 0)).toBe(1);
});

longQueueTest("a worker that came first keeps its jobs by the lease of the run, not by the one it found", async () => {
	const own = await natsServer();
	const asked: string[] = [];
	// a lease of a second, and a job that takes three
	const agent = agentOf(async ({ id }) => {
		asked.push(id);
		await wait(3000);
		return id;
	});
	const workers = [await startWorker(agent, { queue: own.url }), await startWorker(agent, { queue: own.url })];
	await wait(500);
	const manifest = { ...plan(agent), tasks: ["t0001"] };
	const { end } = await coordinate(manifest, agent, { at: own });
	for (const { stop } of workers) await stop();
	await own.remove();
	expect(end).toMatchObject({ reason: "complete" });
	expect(asked).toEqual(["t0001"]);
});

longQueueTest(
	"a worker that comes back when its run is over asks nobody about jobs it was handed meanwhile",
	async () => {
		server ??= await natsServer();
		const door = await doorTo(new URL(server.url));
		const asked: string[] = [];
		const agent = instant((task) => asked.push(task), { calls: 1, inputTokens: 1, outputTokens: 1 });
		const manifest = plan(agent);
		const away = await startWorker(agent, { queue: door.url });
		// it knows the run, and waits for more of it
		await coordinate(manifest, agent, { maxCalls: 10 });
		await wait(300);
		door.shut();
		const present = await startWorker(agent);
		const { end } = await coordinate(manifest, agent);
		expect(asked).toHaveLength(count);
		door.open();
		await wait(1000);
		await away.stop();
		await present.stop();
		door.close();
		expect(end).toMatchObject({ reason: "complete" });
		expect(asked).toHaveLength(count);
		const broker = await direct();
		expect(await broker.last("marks", subjects.mark(runToken(manifest), "*"))).toBeUndefined();
		await broker.close();
	},
);

queueTest("a task that ended five workers becomes an error, and so does what is no trajectory", async () => {
	const agent = instant();
	const manifest = plan(agent);
	const broker = await direct();
	const run = runToken(manifest);
	const markOf = (task: string, mark: object) =>
		broker.store(
			subjects.mark(run, jobToken({ task, repeat: 0, attempt: 0 })),
			JSON.stringify({ worker: "gone", nonce: "0123456789abcdef", ...mark }),
		);
	await broker.prepare();
	await markOf("t0001", { is: "start", starts: 5 });
	await markOf("t0002", { is: "start", starts: 4 });
	await markOf("t0003", { is: "result", value: { stop: "answered" } });
	await markOf("t0004", { is: "result", parts: 3 });
	expect(await broker.last("marks", subjects.mark(run, "*"))).toBeDefined();
	const worker = await startWorker(agent);
	const { records, end } = await coordinate(manifest, agent);
	await worker.stop();
	expect(end).toMatchObject({ reason: "errors", errors: 3, left: 0 });
	const errors = Object.fromEntries(records.map(({ task, trajectory }) => [task, trajectory.error?.message]));
	expect(errors.t0001).toContain("begun 5 times");
	expect(errors.t0002).toBeUndefined();
	expect(errors.t0003).toContain("no valid result");
	expect(errors.t0004).toContain("part 0 of 3 is missing");
	// nothing of it is left
	expect([
		await broker.last("marks", subjects.mark(run, "*")),
		await broker.last("jobs", subjects.job(run, "*")),
		await broker.last("runs", subjects.run(run)),
	]).toEqual([undefined, undefined, undefined]);
	await broker.close();
});

queueTest("an answer that is longer than a message may be comes whole", async () => {
	const long = "x".repeat(2_500_000);
	const agent = agentOf(({ id }) => (id === "t0005" ? long : id));
	const worker = await startWorker(agent);
	const { records } = await coordinate(plan(agent), agent);
	await worker.stop();
	expect(finished(records)).toEqual(everyTask());
	expect(records.find(({ task }) => task === "t0005")?.trajectory.answer).toBe(long);
});

/** Kills the queue's server in the midst of a run and starts it again. */
async function overcome(then: (server: NatsServer) => Promise<void>): Promise<void> {
	const before = server;
	const killed = await natsServer();
	server = killed;
	const agent = agentOf(async ({ id }) => {
		await new Promise((done) => setTimeout(done, 150));
		return id;
	});
	const worker = await startWorker(agent, { concurrency: 2 });
	const running = coordinate(plan(agent), agent);
	server = before;
	await new Promise((done) => setTimeout(done, 500));
	await killed.kill();
	await then(killed);
	const { records, said } = await running;
	await worker.stop();
	await killed.remove();
	expect(finished(records)).toEqual(everyTask());
	expect(said.join()).toContain("the queue is back");
}

longQueueTest("a server that is killed and comes back costs no task", async () => {
	await overcome((killed) => killed.start());
});

longQueueTest("a server that comes back without anything it had stored costs no task", async () => {
	await overcome(async (killed) => {
		await killed.forget();
		await killed.start();
	});
});

longQueueTest("limits by the minute are those of all workers together", async () => {
	const brokers = [await direct(), await direct()];
	const minute = 2000;
	const limits = brokers.map((broker) => sharedLimits(broker, { minute }));
	const ends = [AbortSignal.timeout(10_000), AbortSignal.timeout(10_000)];
	const begun = performance.now();
	const admitted: number[] = [];
	await Promise.all(
		[...limits, ...limits].flatMap((shared, index) =>
			Array.from({ length: 10 }, async () => {
				await shared.take("account", { requestsPerMinute: 16 }, { tokens: 0, signal: ends[index % 2] });
				admitted.push(performance.now() - begun);
			}),
		),
	);
	const tokens = sharedLimits(brokers[0] as Broker, { minute });
	const correct = await tokens.take("account", { tokensPerMinute: 1000 }, { tokens: 400 });
	correct(900);
	const before = performance.now();
	await tokens.take("account", { tokensPerMinute: 1000 }, { tokens: 400 });
	const waited = performance.now() - before;
	for (const broker of brokers) await broker.close();
	// 40 requests at 16 a minute: the last ones are let through in the third
	expect(admitted.filter((at) => at < minute * 0.9).length).toBeLessThanOrEqual(16);
	expect(admitted.length).toBe(40);
	expect(Math.max(...admitted)).toBeGreaterThan(minute * 1.8);
	expect(waited).toBeGreaterThan(minute * 0.5);
});
