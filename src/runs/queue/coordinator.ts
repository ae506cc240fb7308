import { setTimeout as delay } from "node:timers/promises";
import { counted, Trajectory } from "#domain";
import { failure, maxRecordCharacters } from "../answer-task.ts";
import type { Job } from "../outstanding.ts";
import { type Broker, type BrokerOptions, openBroker, type QueueAddress, queueFailure } from "./broker.ts";
import type { JobQueue, OpenQueue } from "./job-queue.ts";
import {
	Alive,
	type Announcement,
	jobToken,
	type Manner,
	Mark,
	parsed,
	Refusal,
	runToken,
	streams,
	subjects,
} from "./messages.ts";

export interface WorkerQueueOptions extends QueueAddress {
	manner: Manner;
	/** Milliseconds after which the job of a worker that says nothing goes to another; 30 seconds by default. */
	lease?: number | undefined;
	/** Hears what happens to the queue and its workers, in sentences. */
	say: BrokerOptions["say"];
}

/** Jobs that lie in the queue and that nobody has begun yet: enough for workers that answer at once. */
const mostAhead = 64;
/** Milliseconds of silence after which it is asked whether anything was missed. */
const quiet = 2000;
/** Milliseconds for which a worker is believed to be there since it said so. */
const believed = 10_000;
const mostWorkers = 10_000;
/** Milliseconds for which a run that ends waits for a server that is away, to tidy up after itself. */
const patience = 10_000;

interface Waiting {
	job: Job;
	began: boolean;
	/** It is in the queue, or about to be, and nobody has begun it: one of the few that may lie there. */
	hasTurn: boolean;
	/** When anything was last heard of it. */
	heard: number;
	settle(trajectory: Trajectory | undefined): void;
}

/**
 * A queue whose jobs are answered by workers, wherever they are. This process publishes what is outstanding, a little
 * ahead of the workers, hears of every beginning and every answer, and asks for whatever is missing whenever nothing is
 * heard: that is why no job is lost, whatever the server forgets.
 */
export function workerQueue(options: WorkerQueueOptions): { open: OpenQueue; pace(): string } {
	const workers = new Map<string, Alive & { at: number }>();
	const there = () => [...workers.values()].filter(({ at }) => performance.now() - at < believed);
	return {
		open: (run) => openQueue(run, { ...options, workers, there }),
		pace() {
			const now = there();
			if (now.length === 0) return "no worker";
			const places = now.reduce((sum, worker) => sum + worker.places, 0);
			return `${counted(now.length, "worker")} with ${counted(places, "place")}`;
		},
	};
}

type Workers = { workers: Map<string, Alive & { at: number }>; there(): Alive[] };

async function openQueue(
	{ manifest, signal, maxTime }: Parameters<OpenQueue>[0],
	options: WorkerQueueOptions & Workers,
): Promise<JobQueue> {
	const { say, manner, workers, there } = options;
	const run = runToken(manifest);
	const broker = await openBroker(options);
	const announcement: Announcement = { version: 1, manifest: { ...manifest, tasks: [] }, manner };
	const { lease } = await broker.prepare(options);
	await broker.store(subjects.run(run), JSON.stringify(announcement));
	const waiting = new Map<string, Waiting>();
	const ahead = createTurns(mostAhead);
	let from = (await broker.lastSequence()) + 1;
	const wasBegun = (await broker.last("marks", subjects.mark(run, "*"))) !== undefined;
	let lastHeard = performance.now();
	let isWithdrawn = false;
	let isClosed = false;
	let stopListening = () => {};
	let failed: unknown;

	const closing = new AbortController();
	const pause = (ms: number) => delay(ms, undefined, { signal: closing.signal }).catch(() => undefined);

	const began = (one: Waiting) => {
		one.began = true;
		if (one.hasTurn) ahead.give();
		one.hasTurn = false;
	};
	const settle = (token: string, trajectory: Trajectory | undefined) => {
		const one = waiting.get(token);
		if (!one) return;
		waiting.delete(token);
		began(one);
		one.settle(trajectory);
	};
	async function hear(token: string, mark: Mark): Promise<void> {
		lastHeard = performance.now();
		const one = waiting.get(token);
		if (!one) return;
		one.heard = lastHeard;
		if (mark.is === "result") settle(token, await answerIn(mark, { broker, run, token }));
		else if (mark.is === "start") began(one);
	}
	const publish = async (token: string, one: Waiting) => {
		one.heard = performance.now();
		// refused where it is still there: left by an earlier session of this run
		await broker.store(subjects.job(run, token), JSON.stringify(one.job), 0);
	};

	async function begin(token: string): Promise<void> {
		await ahead.take();
		if (!waiting.has(token)) return ahead.give();
		const last = wasBegun ? await broker.lastMark(run, token) : undefined;
		const one = waiting.get(token);
		if (!one) return ahead.give();
		one.hasTurn = true;
		// answered for an earlier session, which did not live to write it down
		if (last?.mark.is === "result") await hear(token, last.mark);
		else await publish(token, one);
	}

	async function listen(): Promise<void> {
		while (!isClosed) {
			try {
				const consumer = await broker.stream.consumers.get(streams.marks.name, {
					filter_subjects: subjects.mark(run, "*"),
					deliver_policy: "by_start_sequence",
					opt_start_seq: from,
				});
				const messages = await consumer.consume({ max_messages: 200, abort_on_missing_resource: true });
				stopListening = () => messages.stop();
				for await (const message of messages) {
					from = message.seq + 1;
					const mark = parsed(Mark, message.data);
					if (mark) await hear(message.subject.split(".").at(-1) ?? "", mark);
				}
			} catch {
				// what is missed meanwhile is asked for
			}
			if (!isClosed) await pause(500);
		}
	}

	/** Publishes again what was lost: planned, but neither answered nor in the queue, or held by a worker that is gone. */
	async function look(): Promise<void> {
		await broker.prepare(options);
		if (!(await broker.last("runs", subjects.run(run))))
			await broker.store(subjects.run(run), JSON.stringify(announcement));
		for (const [token, one] of [...waiting]) {
			if (isClosed || isWithdrawn) return;
			if (!one.hasTurn && !one.began) continue;
			// asked in this order: a job is taken out of the queue when its answer is stored
			const isQueued = (await broker.last("jobs", subjects.job(run, token))) !== undefined;
			const last = (await broker.lastMark(run, token))?.mark;
			if (!waiting.has(token)) continue;
			if (last?.is === "result") await hear(token, last);
			else if (!isQueued) await publish(token, one);
			else if (last?.is === "start") began(one);
			const holder = last?.is === "start" && there().some(({ worker }) => worker === last.worker);
			const isIdle = one.began || there().some(({ places, running }) => running < places);
			if (!waiting.has(token) || holder || !isIdle || performance.now() - one.heard < 3 * lease) continue;
			await broker.removeJobs(subjects.job(run, token));
			await publish(token, one);
		}
	}
	async function watch(): Promise<void> {
		const opened = performance.now();
		let told = false;
		while (!isClosed) {
			await pause(quiet / 2);
			if (!told && workers.size === 0 && performance.now() - opened > believed) {
				say("no worker has come yet; start some: hopscope worker --queue ADDRESS");
				told = true;
			}
			if (isClosed || waiting.size === 0 || performance.now() - lastHeard < quiet) continue;
			await look();
			lastHeard = performance.now();
		}
	}

	function withdraw(): void {
		isWithdrawn = true;
		for (const [token, { began }] of [...waiting]) {
			if (began) continue;
			settle(token, undefined);
			void broker.removeJobs(subjects.job(run, token)).catch(() => undefined);
		}
	}
	const interrupt = () => {
		withdraw();
		// what workers still answer is stored, and taken from there when the run is resumed
		for (const token of [...waiting.keys()]) settle(token, undefined);
	};
	const fail = (error: unknown) => {
		if (isClosed) return;
		failed ??= queueFailure(error);
		interrupt();
	};
	if (signal.aborted) interrupt();
	signal.addEventListener("abort", interrupt, { once: true });
	const timer = maxTime === undefined ? undefined : setTimeout(withdraw, Math.min(maxTime, 2 ** 31 - 1));

	const hearWorkers = broker.connection.subscribe(subjects.alive, {
		callback(_, { data }) {
			const alive = parsed(Alive, data);
			if (alive && (workers.has(alive.worker) || workers.size < mostWorkers))
				workers.set(alive.worker, { ...alive, at: performance.now() });
		},
	});
	const refusals = new Set<string>();
	const hearRefusals = broker.connection.subscribe(subjects.refusal(run), {
		callback(_, { data }) {
			const refusal = parsed(Refusal, data);
			if (!refusal || refusals.has(refusal.message) || refusals.size >= 100) return;
			refusals.add(refusal.message);
			say(`worker ${refusal.worker} cannot answer this run: ${refusal.message}`);
		},
	});
	const listening = listen();
	const watching = watch().catch(fail);

	return {
		async answer(job) {
			const token = jobToken(job);
			const answer = new Promise<Trajectory | undefined>((settle) => {
				waiting.set(token, { job, began: false, hasTurn: false, heard: performance.now(), settle });
			});
			if (isWithdrawn) settle(token, undefined);
			// not waited for: an interruption ends the wait for an answer also while the server is away
			begin(token).catch(fail);
			const trajectory = await answer;
			if (failed) throw failed;
			return trajectory;
		},
		withdraw,
		async close({ complete }) {
			isClosed = true;
			closing.abort();
			clearTimeout(timer);
			signal.removeEventListener("abort", interrupt);
			hearWorkers.unsubscribe();
			hearRefusals.unsubscribe();
			stopListening();
			const tidied = tidy(complete).catch(() =>
				say("the queue could not be tidied up; what is left there is dropped in time"),
			);
			try {
				await Promise.race([tidied, delay(patience, undefined, { ref: false })]);
			} finally {
				await broker.close();
				await watching;
				await listening;
			}
		},
	};

	/** Without its jobs no worker begins anything more; answers of those at work wait for the run to be resumed. */
	async function tidy(complete: boolean): Promise<void> {
		await broker.removeJobs(subjects.job(run, "*"));
		if (!complete) return;
		await broker.remove("marks", subjects.mark(run, "*"));
		await broker.remove("marks", subjects.part(run, "*", "*", "*"));
		await broker.remove("runs", subjects.run(run));
	}
}

/** The trajectory that a worker stored. What is none is an error of the task, as with an agent in this process. */
async function answerIn(
	mark: Extract<Mark, { is: "result" }>,
	{ broker, run, token }: { broker: Broker; run: string; token: string },
): Promise<Trajectory> {
	const bad = (problem: string) =>
		failure(
			{ boundary: "agent", message: `worker ${mark.worker.slice(0, 200)} left no valid trajectory: ${problem}` },
			{ usage: { calls: 0, inputTokens: 0, outputTokens: 0 }, ms: 0 },
		);
	let stored = mark.trajectory;
	if (mark.parts !== undefined) {
		const parts: Uint8Array[] = [];
		let bytes = 0;
		for (let index = 0; index < mark.parts; index += 1) {
			const part = await broker.last("marks", subjects.part(run, token, mark.nonce, index));
			if (!part) return bad(`part ${index} of ${mark.parts} is missing`);
			bytes += part.data.length;
			if (bytes > 4 * maxRecordCharacters) return bad("it is too long");
			parts.push(part.data);
		}
		try {
			stored = JSON.parse(Buffer.concat(parts).toString());
		} catch {
			return bad("it is no JSON");
		}
	}
	const { success, data, error } = Trajectory.safeParse(stored);
	if (success) return data;
	const [issue] = error.issues;
	return bad(`at ${issue?.path.join(".")}: ${issue?.message}`);
}

/** So many turns at a time, first come, first served. */
function createTurns(count: number) {
	const waiting: (() => void)[] = [];
	let free = count;
	return {
		async take(): Promise<void> {
			if (free > 0) free -= 1;
			else await new Promise<void>((resolve) => waiting.push(resolve));
		},
		give(): void {
			const next = waiting.shift();
			if (next) next();
			else free += 1;
		},
	};
}
