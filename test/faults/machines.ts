import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { natsServer } from "../support/nats-server.ts";
import { differences } from "./kills.ts";
import {
	begin,
	copyOf,
	type EndedProcess,
	type Fault,
	leftovers,
	recordLines,
	settledFiles,
	startProvider,
	toldBadly,
} from "./world.ts";

/*
 * One run on several machines, as processes of one: the run, three workers and the queue's server, over a provider that
 * counts what it is asked. Each is killed at steps of its writing and sending, or at moments, and begun again; workers are
 * stopped for longer than the lease and come back; the server comes back with what it had stored, or with nothing.
 */

export const tasks = 40;
const workers = 3;
const places = 2;
/** Seconds after which the job of a worker that says nothing is another's. */
const lease = 2;
/** Milliseconds that the provider takes. */
const thinking = 300;
/** Milliseconds within which a run must be done, whatever happens to it. */
const longest = 180_000;

/** When a process is killed: at a step of what it writes or sends, or so many milliseconds after its start. */
export type Death = { fault: Fault } | { after: number };

/** A moment of a run: so many milliseconds after its start, or when so many of its records stand on disk. */
export type Moment = { after: number } | { recorded: number };

/** What happens to a run, its workers and the queue's server: each death of a process is that of its next life. */
export interface Disturbances {
	run?: Death[];
	workers?: Death[][];
	stops?: ((Moment | { sent: string; at: number }) & { worker: number })[];
	server?: (Moment & { forgets: boolean })[];
}

export interface Survived {
	/** How often each kind of process was hit. */
	hits: Record<"run" | "worker" | "stop" | "server" | "emptied", number>;
	asked: number;
	refused: number;
	problems: string[];
}

const command = (world: string, url: string, ...more: string[]) => [
	...["run", "-b", "towns", "-a", "closed-book", "-m", `openai:one@${url}`, "--name", "one", "--no-cache"],
	...["--workspace", join(world, "workspace"), ...more],
];

/** What an undisturbed run without a queue leaves, file by file. */
export async function aloneIn(base: string): Promise<Map<string, string>> {
	const world = copyOf(base);
	const provider = await startProvider(0);
	try {
		const { code, err } = await begin(command(world, provider.url)).ended;
		if (code !== 0) throw new Error(`exit ${code}: ${err}`);
		return settledFiles(join(world, "workspace"));
	} finally {
		await provider.close();
		rmSync(world, { recursive: true, force: true });
	}
}

/** A run over a queue with all that happens to it; tells what is not as it must be. */
export async function disturbed(
	{ run = [], workers: ofWorkers = [], stops = [], server: ofServer = [] }: Disturbances,
	{ base, reference }: { base: string; reference: ReadonlyMap<string, string> },
): Promise<Survived> {
	const world = copyOf(base);
	const workspace = join(world, "workspace");
	const folder = join(workspace, "runs/one");
	const [provider, server] = [await startProvider(thinking), await natsServer()];
	const queue = ["--queue", server.url];
	const hits = { run: 0, worker: 0, stop: 0, server: 0, emptied: 0 };
	const problems: string[] = [];
	const over = new AbortController();
	/** Tasks that may be asked once more, for what happened so far. */
	let excused = 0;
	provider.disturb((task) => {
		// a worker that comes back may be about to ask
		if (hits.stop === 0 && recordLines(folder).some((record) => record.task === task))
			problems.push(`asked though recorded: ${task}`);
		return undefined;
	});
	/** Workers that stop themselves at a step of what they send, for longer than that is waited for. */
	const stopsAtStep = stops.flatMap((stop) =>
		"sent" in stop ? [{ ...stop, told: join(world, `${stop.worker} stopped`) }] : [],
	);
	const children = new Set<ReturnType<typeof begin>["child"]>();

	/** A process that is begun again whenever it is killed; its last end. */
	async function lives(
		args: () => string[],
		deaths: readonly Death[],
		{
			onBegin = () => {},
			onDeath,
		}: { onBegin?: (child: typeof children extends Set<infer C> ? C : never) => void; onDeath(): void },
	): Promise<EndedProcess> {
		for (let life = 0; ; life += 1) {
			const death = deaths[life];
			const { child, ended } = begin(args(), death && "fault" in death ? death : {});
			children.add(child);
			onBegin(child);
			const timer =
				death && "after" in death && !over.signal.aborted
					? setTimeout(() => child.kill("SIGKILL"), death.after)
					: undefined;
			const end = await ended;
			clearTimeout(timer);
			children.delete(child);
			const isKilled = end.signal === "SIGKILL";
			// whoever comes while the server is away is told so, and comes again
			const cameEarly = /there is no queue at/.test(end.err) && end.code === 2;
			if (over.signal.aborted || !(isKilled || cameEarly)) return end;
			if (isKilled) onDeath();
			else await wait(500);
		}
	}

	const current: (ReturnType<typeof begin>["child"] | undefined)[] = [];
	const deathsOf = (n: number): Death[] => {
		const stop = stopsAtStep.find(({ worker }) => worker === n);
		if (!stop) return ofWorkers[n] ?? [];
		excused += places;
		return [{ fault: { sent: stop.sent, stop: { at: stop.at, seconds: 3 * lease, told: stop.told } } }];
	};
	const working = Array.from({ length: workers }, (_, n) =>
		lives(() => ["worker", ...queue, "--concurrency", String(places), "--workspace", workspace], deathsOf(n), {
			onBegin(child) {
				current[n] = child;
				if (over.signal.aborted) child.kill("SIGTERM");
			},
			onDeath() {
				hits.worker += 1;
				excused += places;
			},
		}),
	);
	// a run that is over before a worker has come hits nobody
	await comeTogether(server.url);
	const sleep = (ms: number) => wait(ms, undefined, { signal: over.signal }).catch(() => undefined);
	const until = async (moment: Moment) => {
		if ("after" in moment) return sleep(moment.after);
		while (!over.signal.aborted && recordLines(folder).length < moment.recorded) await sleep(20);
	};
	const stopping = stops.map(async (stop) => {
		if ("sent" in stop) return;
		const { worker, ...moment } = stop;
		await until(moment);
		const child = current[worker];
		if (over.signal.aborted || !child?.kill("SIGSTOP")) return;
		hits.stop += 1;
		excused += places;
		// it must come back also where the run is over by then: that is when it does harm
		await wait(2.5 * lease * 1000);
		child.kill("SIGCONT");
	});
	const serving = (async () => {
		for (const { forgets, ...moment } of ofServer) {
			await until(moment);
			if (over.signal.aborted) return;
			await server.kill();
			hits[forgets ? "emptied" : "server"] += 1;
			const recorded = new Set(recordLines(folder).map(({ task }) => task));
			// what was asked and is not on disk: of a server that forgets, answers that nobody has heard too
			const open = [...provider.calls().keys()].filter((task) => !recorded.has(task)).length;
			excused += forgets ? open : Math.min(open, workers * places);
			if (forgets) await server.forget();
			await wait(500);
			await server.start();
		}
	})();
	const kept: string[] = [];
	const running = lives(
		() =>
			existsSync(join(folder, "run.json"))
				? ["run", "--resume", "one", "--no-cache", ...queue, "--queue-lease", String(lease), "--workspace", workspace]
				: command(world, provider.url, ...queue, "--queue-lease", String(lease)),
		run,
		{
			onDeath() {
				hits.run += 1;
				kept.push(...recordLines(folder).map(({ line }) => line));
			},
		},
	);
	try {
		const end = await Promise.race([running, wait(longest, undefined, { ref: false })]);
		over.abort();
		if (!end) problems.push(`not done after ${longest / 1000} s: ${recordLines(folder).length} records`);
		else if (end.code !== 0)
			problems.push(`exit code ${end.code} in the end: ${end.err.slice(-800)}`, ...toldBadly(end));
		await Promise.all([...stopping, serving]);
		const stopped = stopsAtStep.filter(({ told }) => existsSync(told));
		hits.stop += stopped.length;
		if (stopped.length > 0) await wait(3 * lease * 1000);
		// who came back has a moment to do harm
		if (hits.stop > 0) await wait(1000);
		for (const child of current) child?.kill("SIGTERM");
		const ended = await Promise.all(working);
		// a death that was drawn, or the end, may come while it still loads; who waits for the server ends with 130
		const bad = ended.filter(({ signal, code }) => signal === null && code !== 130).flatMap(toldBadly);
		problems.push(...bad.map((problem) => `worker: ${problem}`));
		for (const { code, signal, err } of ended)
			if (code !== 0 && code !== 130 && signal === null && bad.length === 0)
				problems.push(`worker ended with ${code}: ${err}`);
		const records = recordLines(folder);
		if (records.length !== tasks || new Set(records.map(({ task }) => task)).size !== tasks)
			problems.push(`${records.length} records of ${tasks} tasks`);
		const lost = kept.filter((line) => !records.some((record) => record.line === line));
		if (lost.length > 0) problems.push(`${lost.length} records lost or changed`);
		const asked = [...provider.calls().values()].reduce((sum, n) => sum + n, 0);
		if (asked > tasks + excused) problems.push(`asked ${asked} times, at most ${tasks} + ${excused} are accounted for`);
		problems.push(...differences(reference, settledFiles(workspace)));
		problems.push(...leftovers(workspace).map((file) => `left behind: ${file}`));
		if (end) problems.push(...(await leftIn(server.url)));
		const refused = ended.reduce((sum, { err }) => sum + err.split("came too late").length - 1, 0);
		return { hits, asked, refused, problems };
	} finally {
		over.abort();
		for (const child of children) {
			child.kill("SIGCONT");
			child.kill("SIGKILL");
		}
		await provider.close();
		await server.remove();
		rmSync(world, { recursive: true, force: true });
	}
}

/** Resolves when all workers have said that they are there. */
async function comeTogether(url: string): Promise<void> {
	const connection = await connect({ servers: url.replace("nats://", "") });
	const there = new Set<string>();
	for await (const message of connection.subscribe("hopscope.alive")) {
		there.add(message.json<{ worker: string }>().worker);
		if (there.size === workers) break;
	}
	await connection.close();
}

/** What a run that is over has left in the queue. */
async function leftIn(url: string): Promise<string[]> {
	const connection = await connect({ servers: url.replace("nats://", "") });
	try {
		const manager = await jetstreamManager(connection);
		const left: string[] = [];
		for await (const { config, state: counts } of manager.streams.list()) {
			if (!/^HOPSCOPE_(RUNS|JOBS|MARKS)$/.test(config.name) || counts.messages === 0) continue;
			const { state } = await manager.streams.info(config.name, { subjects_filter: ">" });
			if (state.messages > 0)
				left.push(
					`left in the queue: ${Object.keys(state.subjects ?? {})
						.slice(0, 5)
						.join(", ")}`,
				);
		}
		return left;
	} finally {
		await connection.close();
	}
}
