import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { JsMsg } from "@nats-io/jetstream";
import { noUsage, type Trajectory } from "#domain";
import { failure } from "../answer-task.ts";
import type { Job } from "../outstanding.ts";
import { type BrokerOptions, openBroker, type QueueAddress, queueFailure } from "./broker.ts";
import { Announcement, JobMessage, jobConsumer, type Mark, parsed, streams, subjects } from "./messages.ts";
import { createPlaces } from "./places.ts";
import { type SharedLimits, sharedLimits } from "./shared-limits.ts";

/** A run as a worker has opened it. */
export interface OpenedJobs {
	/** None where it was interrupted. */
	answer(job: Job, signal: AbortSignal): Promise<Trajectory | undefined>;
	close(): void;
}

export interface WorkOptions extends QueueAddress {
	/** Tasks answered at the same time. */
	concurrency: number;
	/** Opens a run: what it throws is told, and the run's jobs go back to others. */
	open(announcement: Announcement, limits: SharedLimits): Promise<OpenedJobs>;
	/** Aborted: no job is taken any more, those running are told and handed back after two seconds. */
	signal: AbortSignal;
	/** Hears what a person should know, in sentences. */
	say: BrokerOptions["say"];
	/** Hears how many jobs were answered and how many are running. */
	onCount?: ((counts: WorkCounts) => void) | undefined;
}

export interface WorkCounts {
	answered: number;
	running: number;
	/** Answers that came too late: another worker had begun the job by then, or answered it. */
	refused: number;
}

/** Starts of one job that may end with their worker before it is given up. */
const mostStarts = 5;
/** Milliseconds for which a pull waits for a job. */
const pullTime = 2000;
/** Milliseconds until a run that could not be opened is tried again, and its jobs are offered again. */
const openAgain = 30_000;
const offeredAgain = 1000;
const aliveEvery = 2000;
const heedEvery = 10_000;

/** Answers jobs of whatever runs are in the queue until `signal` is aborted. */
export async function workFor(options: WorkOptions): Promise<WorkCounts> {
	const { concurrency, say, onCount } = options;
	const broken = new AbortController();
	const signal = AbortSignal.any([options.signal, broken.signal]);
	setMaxListeners(0, signal);
	const worker = `${hostname().slice(0, 100)}-${process.pid}-${randomBytes(2).toString("hex")}`;
	const broker = await openBroker({ ...options, patience: signal });
	const { connection } = broker;
	let { lease } = await broker.prepare();
	const places = createPlaces(concurrency);
	const held = new Set<JsMsg>();
	const counts = { answered: 0, refused: 0 };
	const tell = () => onCount?.({ ...counts, running: places.running() });
	const limits = sharedLimits(broker);
	const runs = openedRuns((announcement) => options.open(announcement, limits), {
		announced: async (run) => {
			await heedLease();
			const found = await broker.last("runs", subjects.run(run));
			return found && { announcement: parsed(Announcement, found.data) };
		},
		refuse(run, message) {
			say(message);
			connection.publish(subjects.refusal(run), JSON.stringify({ worker, message: message.slice(0, 2000) }));
		},
	});
	const sayAlive = () =>
		connection.isClosed() ||
		connection.publish(subjects.alive, JSON.stringify({ worker, places: concurrency, running: places.running() }));
	/** Jobs that are held, running or not, are this worker's for as long as it lives. */
	const holdAll = () => held.forEach((message) => void message.working());
	let holding = setInterval(holdAll, lease / 3);
	/** The lease is that of the run which said one last: it may be another than when this worker came. */
	async function heedLease(): Promise<void> {
		const known = await broker.prepare();
		if (known.lease === lease) return;
		lease = known.lease;
		clearInterval(holding);
		holdAll();
		holding = setInterval(holdAll, lease / 3);
	}
	const clocks = [setInterval(sayAlive, aliveEvery), setInterval(() => heedLease().catch(() => undefined), heedEvery)];
	sayAlive();

	/** One place: takes a job after the other. */
	async function work(): Promise<void> {
		while (!signal.aborted) {
			const since = performance.now();
			const message = await pulled();
			if (message) await handle(message, since);
		}
	}
	async function pulled(): Promise<JsMsg | undefined> {
		try {
			const consumer = await consumers.get();
			const messages = await consumer.fetch({ max_messages: 1, expires: pullTime });
			const stop = () => messages.stop();
			signal.addEventListener("abort", stop, { once: true });
			try {
				for await (const message of messages) return message;
			} finally {
				signal.removeEventListener("abort", stop);
			}
			return undefined;
		} catch (error) {
			if (connection.isClosed()) throw error;
			consumers.forget();
			await delay(500);
			await broker.prepare();
			return undefined;
		}
	}
	const consumers = remembered(() => broker.stream.consumers.get(streams.jobs.name, jobConsumer));

	/** `since`: when it was asked for. */
	async function handle(message: JsMsg, since: number): Promise<void> {
		if (signal.aborted) return message.nak();
		held.add(message);
		try {
			const [, , run = "", token = ""] = message.subject.split(".");
			const job = parsed(JobMessage, message.data);
			const opened = job && (await runs.open(run));
			// a run that is over, or no job at all
			if (!opened) return message.term();
			if (opened === "elsewhere") {
				message.nak(offeredAgain);
				// others first
				await delay(offeredAgain / 2);
				return;
			}
			try {
				await answer(message, { run, token, job, opened: opened.jobs, since });
			} finally {
				opened.leave();
			}
		} finally {
			held.delete(message);
			tell();
		}
	}

	async function answer(
		message: JsMsg,
		{ run, token, job, opened, since }: { run: string; token: string; job: Job; opened: OpenedJobs; since: number },
	): Promise<void> {
		const subject = subjects.mark(run, token);
		const nonce = randomBytes(8).toString("hex");
		const store = async (mark: Mark, expected: number) => {
			const sequence = await broker.store(subject, JSON.stringify(mark), expected);
			if (sequence !== undefined) return sequence;
			// stored, but the connection broke before it was said
			const last = await broker.lastMark(run, token);
			return last?.mark.nonce === mark.nonce && last.mark.is === mark.is ? last.sequence : undefined;
		};
		let last = message.redelivered ? await broker.lastMark(run, token) : undefined;
		for (;;) {
			if (last?.mark.is === "result") return message.ack();
			const starts = (last?.mark.starts ?? 0) + 1;
			// a job whose worker died may kill this one too: it takes no other along
			const leave = await places.enter({ alone: starts > 1 });
			try {
				if (signal.aborted) return message.nak();
				// who was stopped for a while may hold what others have done, and of a run that is over nothing says so
				const mayBeDone = message.redelivered || performance.now() - since > lease;
				if (mayBeDone && !(await broker.last("jobs", subjects.job(run, token)))) return message.term();
				const started = await store({ is: "start", worker, starts, nonce }, last?.sequence ?? 0);
				if (started === undefined) {
					last = await broker.lastMark(run, token);
					continue;
				}
				tell();
				const trajectory = starts > mostStarts ? givenUp(starts - 1) : await opened.answer(job, signal);
				if (!trajectory) {
					await store({ is: "released", worker, starts: starts - 1, nonce }, started);
					return message.nak();
				}
				const result = await inParts({ is: "result", worker, nonce, trajectory }, { run, token });
				if ((await store(result, started)) === undefined) {
					// not acknowledged: the job is its new worker's
					counts.refused += 1;
					return say(
						`an answer came too late and is left out: ${job.task}, which another worker has begun or answered`,
					);
				}
				counts.answered += 1;
				return message.ack();
			} finally {
				leave();
			}
		}
	}

	/** An answer that fits into one message as it is; a longer one with its trajectory stored in parts. */
	async function inParts(mark: Extract<Mark, { is: "result" }>, { run, token }: { run: string; token: string }) {
		const most = (connection.info?.max_payload ?? 1_048_576) - 16_384;
		const bytes = Buffer.from(JSON.stringify(mark.trajectory));
		if (bytes.length <= most) return mark;
		const parts = Math.ceil(bytes.length / most);
		for (let index = 0; index < parts; index += 1)
			await broker.store(
				subjects.part(run, token, mark.nonce, index),
				bytes.subarray(index * most, (index + 1) * most),
			);
		return { ...mark, trajectory: undefined, parts };
	}

	try {
		const all = Array.from({ length: concurrency }, () =>
			work().catch((error) => {
				// what the server refuses one place, it refuses all
				broken.abort();
				throw error;
			}),
		);
		for (const one of await Promise.allSettled(all))
			if (one.status === "rejected" && !options.signal.aborted) throw queueFailure(one.reason);
		return { ...counts, running: 0 };
	} finally {
		for (const clock of [...clocks, holding]) clearInterval(clock);
		connection.publish(subjects.alive, JSON.stringify({ worker, places: 0, running: 0 }));
		await connection.flush().catch(() => undefined);
		await broker.close();
		runs.close();
	}
}

const givenUp = (starts: number): Trajectory =>
	failure(
		{ boundary: "agent", message: `begun ${starts} times, and each time its worker ended before the answer` },
		{ usage: noUsage, ms: 0 },
	);

/** A value that is made once, until it is forgotten. */
function remembered<Value>(make: () => Promise<Value>): { get(): Promise<Value>; forget(): void } {
	let value: Promise<Value> | undefined;
	return {
		get() {
			value ??= make();
			return value;
		},
		forget() {
			value = undefined;
		},
	};
}

/**
 * The runs that a worker has open: those whose jobs it holds, and the one used last. A run that cannot be opened is told
 * once, tried again after a while, and is somebody else's until then.
 */
function openedRuns(
	open: (announcement: Announcement) => Promise<OpenedJobs>,
	{
		announced,
		refuse,
	}: {
		announced(run: string): Promise<{ announcement: Announcement | undefined } | undefined>;
		refuse(run: string, message: string): void;
	},
) {
	const opened = new Map<string, { jobs: Promise<OpenedJobs>; users: number }>();
	const refused = new Map<string, number>();
	const close = (run: string) => {
		const one = opened.get(run);
		opened.delete(run);
		one?.jobs.then((jobs) => jobs.close()).catch(() => undefined);
	};
	return {
		async open(run: string): Promise<{ jobs: OpenedJobs; leave(): void } | "elsewhere" | undefined> {
			if (performance.now() < (refused.get(run) ?? 0)) return "elsewhere";
			let one = opened.get(run);
			if (!one) {
				const found = await announced(run);
				if (!found) return undefined;
				one = opened.get(run);
				if (!one) {
					for (const [other, { users }] of opened) if (users === 0) close(other);
					const { announcement } = found;
					if (!announcement) return refusal("it was announced by another version of Hopscope");
					one = { jobs: open(announcement), users: 0 };
					opened.set(run, one);
				}
			}
			one.users += 1;
			const of = one;
			try {
				return {
					jobs: await one.jobs,
					leave: () => {
						of.users -= 1;
					},
				};
			} catch (error) {
				if (opened.get(run) === one) opened.delete(run);
				const { message, remedy } = error as Error & { remedy?: string };
				return refusal(remedy ? `${message}. ${remedy}` : message);
			}
			function refusal(message: string): "elsewhere" {
				if (!refused.has(run)) refuse(run, message);
				if (refused.size > 1000) refused.clear();
				refused.set(run, performance.now() + openAgain);
				return "elsewhere";
			}
		},
		close() {
			for (const run of [...opened.keys()]) close(run);
		},
	};
}
