import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { JetStreamClient } from "@nats-io/jetstream";
import type { ConnectionOptions, NatsConnection, TlsOptions } from "@nats-io/transport-node";
import { HopscopeError, usageError } from "#domain";
import { jobConsumer, Mark, parsed, streams, subjects } from "./messages.ts";

/** Where the queue is, and how one is let in. */
export interface QueueAddress {
	/** `nats://HOST:PORT` or `tls://HOST:PORT`, with `USER:PASSWORD@` or `TOKEN@` where the server wants them. */
	queue: string;
	/** A file of NATS credentials. */
	queueCredentials?: string | undefined;
}

/** The server of a queue: what is stored there, and what is only said. Survives that the server goes and comes back. */
export interface Broker {
	connection: NatsConnection;
	stream: JetStreamClient;
	/** Makes the streams and the consumer of jobs that are not there; milliseconds a silent worker keeps a job, where said. */
	prepare(options?: { lease?: number | undefined }): Promise<{ lease: number }>;
	/** Stores where the subject's last message is the one of that sequence, 0 for none; its sequence, or none where refused. */
	store(subject: string, data: Uint8Array | string, expected?: number): Promise<number | undefined>;
	/** The last message of a subject. */
	last(stream: keyof typeof streams, subject: string): Promise<{ sequence: number; data: Uint8Array } | undefined>;
	/** The last thing that happened to a job. */
	lastMark(run: string, job: string): Promise<{ sequence: number; mark: Mark } | undefined>;
	/** Takes away what is stored for a subject, which may hold wildcards; of jobs `removeJobs` does. */
	remove(stream: "runs" | "marks", subject: string): Promise<void>;
	/**
	 * Takes away the jobs of a subject, one by one: where a subject of jobs is purged, NATS 2.9 moves the workers' consumer
	 * to the end of the stream, and they never see what stood before it.
	 */
	removeJobs(subject: string): Promise<void>;
	/** Makes a stream that takes at most so many messages in so many milliseconds; its subject. */
	prepareLimit(key: string, limit: { most: number; span: number }): Promise<string>;
	/** Stores one message where a limit allows it. */
	admit(subject: string): Promise<boolean>;
	/** The sequence of the last mark of all. */
	lastSequence(): Promise<number>;
	close(): Promise<void>;
}

export interface BrokerOptions extends QueueAddress {
	/** Hears in a sentence that the server went or came back. */
	say(message: string): void;
	/** Waits for a server that is not there yet, until this is aborted; without it that is an error. */
	patience?: AbortSignal | undefined;
}

/** Results wait so long for a run that is never resumed. */
const keptFor = 30 * 24 * 3600 * 1000;
const defaultLease = 30_000;
/** Of the server's refusals: the subject has another last message; another stream's subjects; the stream is full; no such stream, or consumer. */
const wrongLastSequence = 10_071;
const overlaps = 10_065;
const isFull = 10_077;
const missing = new Set([10_059, 10_014]);
/** No such message any more, told in two ways. */
const gone = new Set([10_037, 10_057, 10_043]);

export async function openBroker(options: BrokerOptions): Promise<Broker> {
	const [{ connect, credsAuthenticator, nanos, AuthorizationError, ClosedConnectionError }, jetstreamPackage] =
		await Promise.all([import("@nats-io/transport-node"), import("@nats-io/jetstream")]);
	const { jetstream, jetstreamManager, JetStreamApiError } = jetstreamPackage;
	const { say } = options;
	let awaySince: number | undefined;
	const settings: ConnectionOptions = {
		...connectionOptions(options.queue),
		// a server that restarts is asked at once, one that stays away every ten seconds, by nobody at the same time
		reconnectDelayHandler() {
			awaySince ??= performance.now();
			return Math.min(Math.max(250, (performance.now() - awaySince) / 3), 10_000) * (0.75 + Math.random() / 2);
		},
	};
	if (options.queueCredentials)
		settings.authenticator = credsAuthenticator(await credentialsIn(options.queueCredentials));
	const connection = await connected();
	let isClosed = false;
	let isTold = false;
	void tellStates();
	const stream = jetstream(connection, { timeout: 5000 });
	const manager = await jetstreamManager(connection, { timeout: 5000, checkAPI: false });
	try {
		await lasting(() => manager.getAccountInfo().catch(unlessItStoresNothing));
	} catch (error) {
		isClosed = true;
		await connection.close();
		throw error;
	}

	async function connected(): Promise<NatsConnection> {
		for (let wait = 500, told = false; ; wait = Math.min(wait * 2, 10_000)) {
			try {
				return await connect(settings);
			} catch (error) {
				const { message, code } = error as NodeJS.ErrnoException;
				if (error instanceof AuthorizationError)
					throw usageError(
						"queue-refused",
						`${shown(options.queue)} lets nobody in with these credentials`,
						howToEnter,
					);
				// no wait mends these either
				if (untrusted.test(code ?? ""))
					throw usageError(
						"queue-untrusted",
						`the certificate of ${shown(options.queue)} is not trusted: ${message} (${code})`,
						"If it is of an authority of your own, name that in NODE_EXTRA_CA_CERTS; else the server needs another.",
					);
				if (/does not support 'tls'/.test(message))
					throw usageError(
						"queue-without-tls",
						`${shown(options.queue)} speaks no TLS`,
						"Give nats://, or start the server with --tls.",
					);
				if (!options.patience)
					throw usageError("no-queue", `there is no queue at ${shown(options.queue)}: ${message}`, howToStart);
				if (!told) say(`there is no queue at ${shown(options.queue)} yet; waiting for it`);
				told = true;
				await delay(wait, undefined, { signal: options.patience });
			}
		}
	}

	async function tellStates(): Promise<void> {
		for await (const { type } of connection.status()) {
			if (isClosed) return;
			if (type === "disconnect") say(`the queue at ${shown(options.queue)} is gone; trying again until it is back`);
			if (type !== "reconnect") continue;
			awaySince = undefined;
			say("the queue is back");
		}
	}

	function unlessItStoresNothing(error: unknown): never {
		// its class is not among what the package exports
		if ((error as Error).name !== "JetStreamNotEnabled") throw error;
		const told = `${shown(options.queue)} stores nothing`;
		throw usageError("no-jetstream", told, "Start it with -js: nats-server -js.", { cause: error });
	}

	/** Tries again for as long as the server is away; what it refuses is thrown. */
	async function lasting<Result>(doing: () => Promise<Result>): Promise<Result> {
		for (let wait = 100; ; wait = Math.min(wait * 2, 5000)) {
			try {
				return await doing();
			} catch (error) {
				// a server that is away was told of; this one is there, and takes nothing
				if (wait === 5000 && !isTold) say(`the queue takes nothing: ${(error as Error).message}; trying again`);
				if (wait === 5000) isTold = true;
				const isRefusal = error instanceof JetStreamApiError || error instanceof HopscopeError;
				const isAway = !isRefusal || (error instanceof JetStreamApiError && error.status === 503);
				const isOver = isClosed || connection.isClosed() || options.patience?.aborted;
				if (isOver || error instanceof ClosedConnectionError || !isAway) throw error;
				await delay(wait);
			}
		}
	}
	const isMissing = (error: unknown) => error instanceof JetStreamApiError && missing.has(error.code);
	const unlessGone = (error: unknown) => {
		if (!(error instanceof JetStreamApiError) || !gone.has(error.code)) throw error;
	};
	const orMissing = async <Result>(asking: Promise<Result>): Promise<Result | undefined> => {
		try {
			return await asking;
		} catch (error) {
			if (isMissing(error)) return undefined;
			throw error;
		}
	};

	/** Of two that make the same stream at once, NATS tells one that it overlaps with the other's; a moment later it is there. */
	async function makeStream(config: Parameters<typeof manager.streams.add>[0]): Promise<void> {
		for (let wait = 50; ; wait *= 2) {
			try {
				await lasting(() => manager.streams.add(config));
				return;
			} catch (error) {
				if (!(error instanceof JetStreamApiError) || error.code !== overlaps || wait > 1000) throw error;
				await delay(wait);
			}
		}
	}

	const broker: Broker = {
		connection,
		stream,
		async prepare({ lease } = {}) {
			const storing = {
				storage: "file",
				max_msgs_per_subject: 1,
				max_age: nanos(keptFor),
				duplicate_window: nanos(1000),
			} as const;
			for (const [key, { name, subjects }] of Object.entries(streams)) {
				const retention = key === "jobs" ? "workqueue" : "limits";
				const there = await lasting(() => orMissing(manager.streams.info(name)));
				if (!there) await makeStream({ ...storing, name, subjects: [...subjects], retention });
			}
			const of = streams.jobs.name;
			const known = await lasting(() => orMissing(manager.consumers.info(of, jobConsumer)));
			const before = known ? (known.config.ack_wait ?? 0) / 1e6 : undefined;
			const wanted = lease ?? before ?? defaultLease;
			if (wanted !== before)
				await lasting(() =>
					manager.consumers.add(of, {
						durable_name: jobConsumer,
						ack_policy: "explicit",
						ack_wait: nanos(wanted),
						max_deliver: -1,
						max_ack_pending: 100_000,
						max_waiting: 100_000,
					}),
				);
			return { lease: wanted };
		},
		async store(subject, data, expected) {
			const conditions = expected === undefined ? {} : { expect: { lastSubjectSequence: expected } };
			try {
				return (await lasting(() => stream.publish(subject, data, conditions))).seq;
			} catch (error) {
				if (error instanceof JetStreamApiError && error.code === wrongLastSequence) return undefined;
				throw error;
			}
		},
		async last(of, subject) {
			const found = await lasting(() =>
				orMissing(manager.streams.getMessage(streams[of].name, { last_by_subj: subject })),
			);
			return found ? { sequence: found.seq, data: found.data } : undefined;
		},
		async lastMark(run, job) {
			const found = await broker.last("marks", subjects.mark(run, job));
			const mark = found && parsed(Mark, found.data);
			return mark && { sequence: found.sequence, mark };
		},
		async remove(of, subject) {
			await lasting(() => orMissing(manager.streams.purge(streams[of].name, { filter: subject })));
		},
		async removeJobs(subject) {
			for (let found = await broker.last("jobs", subject); found; found = await broker.last("jobs", subject)) {
				const { sequence } = found;
				await lasting(() => manager.streams.deleteMessage(streams.jobs.name, sequence, false).catch(unlessGone));
			}
		},
		async prepareLimit(key, { most, span }) {
			const subject = `hopscope.limit.${key}`;
			await makeStream({
				name: `HOPSCOPE_LIMIT_${key}`,
				subjects: [subject],
				storage: "memory",
				max_msgs: most,
				discard: "new",
				max_age: nanos(span),
				duplicate_window: nanos(Math.min(span, 1000)),
			});
			return subject;
		},
		admit: (subject) =>
			lasting(async () => {
				try {
					await stream.publish(subject, "", { retries: 0 });
					return true;
				} catch (error) {
					if (error instanceof JetStreamApiError && error.code === isFull) return false;
					throw error;
				}
			}),
		async lastSequence() {
			return (await lasting(() => manager.streams.info(streams.marks.name))).state.last_seq;
		},
		async close() {
			isClosed = true;
			await connection.close();
		},
	};
	return broker;
}

const howToStart = "Start one there: nats-server -js (docs/guides/many-machines.md).";
const howToEnter = "Write USER:PASSWORD@ before the host, or name a file of credentials: --queue-credentials FILE.";

/** How Node names what is wrong with a certificate. */
const untrusted = /CERT|^UNABLE_TO_VERIFY|^HOSTNAME_MISMATCH$/;

async function credentialsIn(file: string): Promise<Uint8Array> {
	const credentials = await readFile(file);
	const text = credentials.toString("latin1");
	if (!/BEGIN NATS USER JWT/.test(text) || !/BEGIN USER NKEY SEED/.test(text))
		throw usageError("bad-credentials", `${file} holds no NATS credentials`, "Name a .creds file, as nsc makes them.");
	return credentials;
}

/** An address without its password. */
export function shown(address: string): string {
	return address.replace(/\/\/[^@/]*@/, "//…@");
}

function connectionOptions(address: string): ConnectionOptions {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (!url || !["nats:", "tls:"].includes(url.protocol) || !url.hostname)
		throw usageError("bad-queue", `${JSON.stringify(shown(address))} is no queue's address`, "Give nats://HOST:PORT.");
	const user = decodeURIComponent(url.username);
	const pass = decodeURIComponent(url.password);
	return {
		servers: `${url.hostname}:${url.port || 4222}`,
		name: "hopscope",
		...(pass ? { user, pass } : user ? { token: user } : {}),
		...(url.protocol === "tls:" ? { tls: named(url) } : {}),
		maxReconnectAttempts: -1,
		pingInterval: 10_000,
		timeout: 5000,
	};
}

/** Whom a certificate must name: the client tells a host's name itself, and of an address Node would ask for `localhost`. */
const named = ({ hostname }: URL): TlsOptions & { host: string } => ({ host: hostname.replace(/^\[|\]$/g, "") });

/** What a queue's server refuses for good, in words. */
export function queueFailure(error: unknown): unknown {
	if (error instanceof HopscopeError || !(error instanceof Error)) return error;
	return new HopscopeError(
		"queue-failed",
		`the queue failed: ${error.message}`,
		"Mend its server, then resume the run.",
		{
			cause: error,
		},
	);
}
