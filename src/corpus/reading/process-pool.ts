import { type ChildProcess, fork } from "node:child_process";
import { readFile } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { packageFile } from "#domain";
import type { ReadingTask, TaskValue } from "./reading-task.ts";

/** Node runs no TypeScript: in development too it is the built file. */
const program = packageFile("dist/cli/reading-process.js");

/** A process that needs more is ended. */
const mostBytes = 3 * 1024 ** 3;
/** A process beyond this is replaced before it reads more: parsers leak. */
const tiredBytes = 1024 ** 3;
const watchMs = 500;

/** A reading process that did not survive what it read. */
export class ReaderDied extends Error {
	override readonly name = "ReaderDied";
}

export interface ReadingPool {
	/** At most as many at once as there are processes; the rest wait. Rejects with `ReaderDied`, or with what was thrown. */
	run<T extends ReadingTask>(task: T, limits: { ms: number }): Promise<TaskValue<T>>;
	/** How many read at once. */
	size: number;
	close(): void;
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
		async run(task, { ms }) {
			if (busy < size) busy += 1;
			else await new Promise<void>((resolve) => waiting.push(resolve));
			try {
				signal?.throwIfAborted();
				const child = idle.pop() ?? start();
				const value = await ask(child, task, { ms, ...(signal ? { signal } : {}) });
				if ((await residentBytes(child)) > tiredBytes) child.kill("SIGKILL");
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
	{ ms, signal }: { ms: number; signal?: AbortSignal },
): Promise<TaskValue<T>> {
	return new Promise((resolve, reject) => {
		let reason: string | undefined;
		let said = "";
		const stop = (why: string) => {
			reason ??= why;
			child.kill("SIGKILL");
		};
		const late = setTimeout(() => stop(`it took longer than ${Math.round(ms / 1000)} s`), ms);
		const watch = setInterval(async () => {
			const bytes = await residentBytes(child);
			if (bytes > mostBytes) stop(`it needed more than ${Math.round(mostBytes / 1024 ** 3)} GB of memory`);
		}, watchMs);
		const end = () => {
			clearTimeout(late);
			clearInterval(watch);
			child.off("message", answered).off("exit", died);
			child.stderr?.off("data", heard);
		};
		const heard = (text: Buffer) => {
			said = (said + text.toString()).slice(-2000);
		};
		const answered = (answer: { value: TaskValue<T> } | { problem: string }) => {
			end();
			if ("value" in answer) resolve(answer.value);
			else reject(new Error(answer.problem));
		};
		const died = (code: number | null, by: string | null) => {
			end();
			if (signal?.aborted) return reject(signal.reason);
			const memory = /heap out of memory/.test(said) ? "it ran out of memory" : undefined;
			reject(new ReaderDied(reason ?? memory ?? `its reader ended with ${by ?? `code ${code}`}`));
		};
		child.on("message", answered).on("exit", died);
		child.stderr?.on("data", heard);
		child.send(task, (error) => error && stop(error.message));
	});
}

/** Memory of a process where the system tells it (Linux), else 0. */
async function residentBytes({ pid }: ChildProcess): Promise<number> {
	const pages = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "");
	return Number(pages.split(" ")[1] ?? 0) * 4096;
}
