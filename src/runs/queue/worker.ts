import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { JsMsg } from "@nats-io/jetstream";
import { usageError } from "#domain";
import { type BrokerOptions, openBroker, type QueueAddress, queueFailure } from "./broker.ts";
import { type JobKind, type OpenedJobs, otherVersion, update } from "./job-kind.ts";
import { Announcement, JobMessage, jobConsumer, type Mark, parsed, streams, subjects } from "./messages.ts";
import { readParts, storeParts } from "./parts.ts";
import { createPlaces } from "./places.ts";
import { sharedLimits } from "./shared-limits.ts";

export interface WorkOptions extends QueueAddress {
	/** Jobs done at the same time. */
	concurrency: number;
	/** What it can do. */
	kinds: readonly JobKind[];
	/** Aborted: no job is taken any more, those running are told and handed back after two seconds. */
	signal: AbortSignal;
	/** Hears what a person should know, in sentences. */
	say: BrokerOptions["say"];
	/** Hears how many jobs were done and how many are running. */
	onCount?: ((counts: WorkCounts) => void) | undefined;
}

export interface WorkCounts {
	answered: number;
	running: number;
	/** Results that came too late: another worker had begun the job by then, or done it. */
	refused: number;
}

/** Starts of one job that may end with their worker before it is given up. */
const mostStarts = 5;
/**
 * Milliseconds for which a pull waits for a job, about: of equal length they would always wait in the same order, and one
 * worker would be handed all that it has just handed back.
 */
const pullTime = 2000;
/** Milliseconds until work that could not be opened is tried again, and its jobs are offered again. */
const openAgain = 30_000;
const offeredAgain = 1000;
const aliveEvery = 2000;
const heedEvery = 10_000;

/** Does jobs of whatever work is in the queue until `signal` is aborted. */
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
	const works = openedWorks(open, {
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
	async function open({ kind, content }: Announcement): Promise<OpenedJobs> {
		const known = options.kinds.find((one) => one.kind === kind);
		if (known) return known.open(content, limits);
		throw usageError("unknown-kind", `this version of Hopscope knows no jobs of kind ${JSON.stringify(kind)}`, update);
	}
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
			const messages = await consumer.fetch({ max_messages: 1, expires: Math.round(pullTime * (0.5 + Math.random())) });
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
			const said = parsed(JobMessage, message.data);
			const opened = said && (await works.open(run));
			// work that is over, or no job at all
			if (!opened) return message.term();
			if (opened === "elsewhere") {
				message.nak(offeredAgain);
				// others first
				await delay(offeredAgain / 2);
				return;
			}
			try {
				const given =
					"job" in said ? { value: said.job } : await readParts(broker, said.parts, { run, job: token, ...said });
				const job = "value" in given ? opened.jobs.read(given.value) : undefined;
				if (!job) return message.term();
				await doJob(job, message, { run, token, since });
			} finally {
				opened.leave();
			}
		} finally {
			held.delete(message);
			tell();
		}
	}

	async function doJob(
		job: (signal: AbortSignal) => Promise<unknown>,
		message: JsMsg,
		{ run, token, since }: { run: string; token: string; since: number },
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
		const isLate = () => performance.now() - since > lease;
		const isGone = async () => !(await broker.last("jobs", subjects.job(run, token)));
		let last = message.redelivered ? await broker.lastMark(run, token) : undefined;
		for (;;) {
			if (last?.mark.is === "result") return message.ack();
			const starts = (last?.mark.starts ?? 0) + 1;
			// a job whose worker died may kill this one too: it takes no other along
			const leave = await places.enter({ alone: starts > 1 });
			try {
				if (signal.aborted) return message.nak();
				// who was stopped for a while may hold what others have done, and of a run that is over nothing says so
				if ((message.redelivered || isLate()) && (await isGone())) return message.term();
				const started = await store({ is: "start", worker, starts, nonce }, last?.sequence ?? 0);
				if (started === undefined) {
					last = await broker.lastMark(run, token);
					continue;
				}
				// stopped since it was looked up: the run may have been tidied up before this mark came, which nobody would take away
				if (isLate() && (await isGone())) {
					await broker.remove("marks", subject);
					return message.term();
				}
				tell();
				const result = starts > mostStarts ? { failed: givenUp(starts - 1) } : await resultOf(job);
				if (!result) {
					await store({ is: "released", worker, starts: starts - 1, nonce }, started);
					return message.nak();
				}
				const parts =
					"value" in result ? await storeParts(broker, result.value, { run, job: token, nonce }) : undefined;
				const mark: Mark = { is: "result", worker, nonce, ...(parts === undefined ? result : { parts }) };
				if ((await store(mark, started)) === undefined) {
					// not acknowledged: the job is its new worker's
					counts.refused += 1;
					return say("an answer came too late and is left out: another worker has begun its job, or done it");
				}
				counts.answered += 1;
				return message.ack();
			} finally {
				leave();
			}
		}
	}

	/** None where it was interrupted. What a job throws fails that job and not the worker. */
	async function resultOf(
		job: (signal: AbortSignal) => Promise<unknown>,
	): Promise<{ value: unknown } | { failed: string } | undefined> {
		try {
			const value = await job(signal);
			return value === undefined ? undefined : { value };
		} catch (error) {
			if (signal.aborted) return undefined;
			return { failed: `worker ${worker}: ${error instanceof Error ? error.message : String(error)}`.slice(0, 2000) };
		}
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
		await works.close();
	}
}

const givenUp = (starts: number) => `begun ${starts} times, and each time its worker ended before the answer`;

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
 * The work that a worker has open: what it holds jobs of, and what it did last. What cannot be opened is told once, tried
 * again after a while, and is somebody else's until then.
 */
function openedWorks(
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
	const close = async (run: string) => {
		const one = opened.get(run);
		opened.delete(run);
		await one?.jobs.then((jobs) => jobs.close()).catch(() => undefined);
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
					for (const [other, { users }] of opened) if (users === 0) void close(other);
					const { announcement } = found;
					if (!announcement) return refusal(`${otherVersion}. ${update}`);
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
		async close() {
			await Promise.all([...opened.keys()].map(close));
		},
	};
}
