import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { packageFile } from "#domain";
import { type Budget, earn, type ReadingLimits, type ReadingPoint, secondsAt } from "./limits.ts";
import type { ReadingTask, TaskValue } from "./reading-task.ts";

/** Node runs no TypeScript: in development too it is the built file. */
const program = packageFile("dist/cli/reading-process.js");

/** A process that reads data in rows, of which its rows decide, is ended beyond this. */
const mostBytes = 3 * 1024 ** 3;
/** A process beyond this share of what it may take is replaced before it reads more: parsers leak. */
const tired = 0.5;
const watchMs = 40;

/** A reading process that did not survive what it read. */
export class ReaderDied extends Error {
	override readonly name = "ReaderDied";
	/** What it was at, where it said so. */
	readonly point: ReadingPoint | undefined;
	/** The document as a whole took too long. */
	readonly overBudget: boolean;

	constructor(reason: string, { point, overBudget = false }: { point?: ReadingPoint; overBudget?: boolean } = {}) {
		super(reason);
		this.point = point;
		this.overBudget = overBudget;
	}
}

export interface TaskLimits {
	/** By the clock, for a process that hangs. */
	ms: number;
	/** Of a document, or nothing for data in rows. */
	limits?: ReadingLimits | undefined;
	/** What is left of the document's processor time. */
	budget?: Budget | undefined;
}

export interface ReadingPool {
	/** At most as many at once as there are processes; the rest wait. Rejects with `ReaderDied`, or with what was thrown. */
	run<T extends ReadingTask>(task: T, limits: TaskLimits): Promise<TaskValue<T>>;
	/** How many read at once. */
	size: number;
	close(): void | Promise<void>;
}

/** Processes that read, started when first needed, as many as there are cores and memory for. */
export function createReadingPool(signal?: AbortSignal): ReadingPool {
	const size = Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / mostBytes)));
	const idle: ChildProcess[] = [];
	const all = new Set<ChildProcess>();
	const waiting: (() => void)[] = [];
	let busy = 0;

	const close = () => {
		for (const child of all) child.kill("SIGKILL");
	};
	signal?.addEventListener("abort", close, { once: true });

	function start(): ChildProcess {
		const child = fork(program, {
			execArgv: [`--max-old-space-size=${Math.floor(mostBytes / 1024 ** 2)}`],
			stdio: ["ignore", "ignore", "pipe", "ipc"],
		});
		all.add(child);
		child.once("exit", () => {
			all.delete(child);
			if (idle.includes(child)) idle.splice(idle.indexOf(child), 1);
		});
		return child;
	}

	return {
		size,
		close,
		async run(task, limits) {
			if (busy < size) busy += 1;
			else await new Promise<void>((resolve) => waiting.push(resolve));
			try {
				signal?.throwIfAborted();
				const child = idle.pop() ?? start();
				const value = await ask(child, task, limits, signal);
				if (residentBytes(child) > tired * bytesOf(limits)) child.kill("SIGKILL");
				else if (child.connected) idle.push(child);
				return value;
			} finally {
				const next = waiting.shift();
				if (next) next();
				else busy -= 1;
			}
		},
	};
}

/** One task to one process, watched while it works. */
function ask<T extends ReadingTask>(
	child: ChildProcess,
	task: T,
	{ ms, limits, budget }: TaskLimits,
	signal?: AbortSignal,
): Promise<TaskValue<T>> {
	return new Promise((resolve, reject) => {
		let reason: string | undefined;
		let said = "";
		let point: ReadingPoint | undefined;
		let overBudget = false;
		// recognition keeps what it took until the process ends
		let times = 1;
		let spent = processorSeconds(child);
		let atPoint = 0;
		const stop = (why: string) => {
			reason ??= why;
			child.kill("SIGKILL");
		};
		const late = setTimeout(() => stop(`it took longer than ${Math.round(ms / 1000)} s`), ms);
		const count = () => {
			const now = processorSeconds(child);
			const more = Math.max(0, now - spent);
			spent = now;
			atPoint += more;
			if (budget) budget.spent += more;
		};
		const watch = setInterval(() => {
			if (residentBytes(child) > times * bytesOf({ limits }))
				return stop(
					limits
						? `it needed more than ${times * limits.memory} MB of memory (--document-memory)`
						: "it needed more than 3 GB of memory",
				);
			// what it takes to start is nobody's
			if (!limits || !point) return;
			count();
			const most = secondsAt(limits, point);
			if (atPoint > most) return stop(`it took more than ${most} s of processor time (--document-seconds)`);
			if (budget && budget.spent > budget.allowed) {
				overBudget = true;
				stop(
					`its document took more than ${Math.round(budget.allowed)} s of processor time by then (--document-seconds)`,
				);
			}
		}, watchMs);
		const arrived = (at: ReadingPoint) => {
			if (point) count();
			else spent = processorSeconds(child);
			if (limits && budget) earn(budget, at, limits);
			if (at.recognised) times = 2;
			atPoint = 0;
			point = at;
		};
		const end = () => {
			clearTimeout(late);
			clearInterval(watch);
			child.off("message", answered).off("exit", died);
			child.stderr?.off("data", heard);
		};
		const heard = (text: Buffer) => {
			said = (said + text.toString()).slice(-2000);
		};
		const answered = (answer: { value: TaskValue<T> } | { problem: string } | { at: ReadingPoint }) => {
			if ("at" in answer) return arrived(answer.at);
			count();
			end();
			if ("value" in answer) resolve(answer.value);
			else reject(new Error(answer.problem));
		};
		const died = (code: number | null, by: string | null) => {
			end();
			if (signal?.aborted) return reject(signal.reason);
			const memory = /heap out of memory/.test(said) ? "it ran out of memory" : undefined;
			const why = reason ?? memory ?? `its reader ended with ${by ?? `code ${code}`}`;
			reject(new ReaderDied(why, { overBudget, ...(point ? { point } : {}) }));
		};
		child.on("message", answered).on("exit", died);
		child.stderr?.on("data", heard);
		child.send(task, (error) => error && stop(error.message));
	});
}

const bytesOf = ({ limits }: Pick<TaskLimits, "limits">) => (limits ? limits.memory * 1024 ** 2 : mostBytes);

/** Memory of a process where the system tells it (Linux), else 0. */
function residentBytes({ pid }: ChildProcess): number {
	return Number(told(`/proc/${pid}/statm`).split(" ")[1] ?? 0) * 4096;
}

/** Processor time of a process so far; elsewhere than on Linux the clock, which is never less. */
function processorSeconds({ pid }: ChildProcess): number {
	if (process.platform !== "linux") return performance.now() / 1000;
	// behind the name, which may hold anything: user and system time are the 14th and 15th field, in hundredths
	const [user = 0, system = 0] = told(`/proc/${pid}/stat`)
		.replace(/^.*\) /s, "")
		.split(" ")
		.slice(11, 13)
		.map(Number);
	return (user + system) / 100;
}

function told(file: string): string {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return "";
	}
}
