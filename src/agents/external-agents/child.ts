import { type ChildProcess, spawn } from "node:child_process";

/** What of a program's standard error is kept for the message of its failure. */
const keptOfErrors = 4000;
/** Between the request to end and the end by force. */
const grace = 500;

export interface Child {
	/** Ends when the program has ended, whatever it left running. */
	readonly stdout: AsyncIterable<Uint8Array>;
	/** How it ended: undefined for a good end, else in a few words. */
	readonly ended: Promise<string | undefined>;
	/** The end of what it said on standard error. */
	errors(): string;
	/** Gives it so many milliseconds to end by itself, then ends it and all that it started. */
	close(options?: { patience?: number }): Promise<void>;
}

/** Process groups alive: they must not outlive this process, however it ends. */
const living = new Set<ChildProcess>();
const endAll = () => {
	for (const child of living) kill(child, "SIGKILL");
};

/**
 * Starts a command line in the user's shell, in a process group of its own, with `input` on its standard input. An
 * abort of `signal` ends the whole group.
 */
export function startChild(
	command: string,
	options: { environment: Record<string, string | undefined>; input: string; signal: AbortSignal },
): Child {
	const { environment, input, signal } = options;
	const child = spawn(command, {
		shell: true,
		env: environment,
		stdio: ["pipe", "pipe", "pipe"],
		detached: process.platform !== "win32",
		windowsHide: true,
	});
	if (living.size === 0) process.on("exit", endAll);
	living.add(child);
	let errors = "";
	child.stderr.setEncoding("utf8").on("data", (said: string) => {
		errors = (errors + said).slice(-keptOfErrors);
	});
	// it may end without reading what it is sent
	child.stdin.on("error", () => undefined);
	child.stdin.end(input);
	const ended = new Promise<string | undefined>((resolve) => {
		child.once("error", (error) => resolve(`it could not be started: ${error.message}`));
		child.once("exit", (code, by) => resolve(code === 0 ? undefined : by ? `ended by ${by}` : `exit code ${code}`));
	});
	const abort = () => void close();
	if (signal.aborted) abort();
	signal.addEventListener("abort", abort, { once: true });
	let letGo: NodeJS.Timeout | undefined;
	void ended.then(() => {
		signal.removeEventListener("abort", abort);
		// what it started and left behind
		kill(child, "SIGKILL");
		living.delete(child);
		if (living.size === 0) process.off("exit", endAll);
		// one that left the group may hold the pipes open
		letGo = setTimeout(() => {
			child.stdout.destroy();
			child.stderr.destroy();
		}, grace);
		child.once("close", () => clearTimeout(letGo));
	});

	async function close({ patience = 0 }: { patience?: number } = {}): Promise<void> {
		if (patience > 0 && (await within(ended, patience))) return;
		kill(child, "SIGTERM");
		if (await within(ended, grace)) return;
		kill(child, "SIGKILL");
		await within(ended, grace);
	}

	return {
		stdout: untilGone(child.stdout),
		ended,
		errors: () => errors.trim(),
		close,
	};
}

/** A stream that was let go has ended, which is no fault. */
async function* untilGone(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	try {
		yield* stream;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
	}
}

async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<false>((resolve) => {
		timer = setTimeout(() => resolve(false), ms);
	});
	const done = await Promise.race([promise.then(() => true), late]);
	clearTimeout(timer);
	return done;
}

function kill(child: ChildProcess, by: NodeJS.Signals): void {
	const { pid } = child;
	if (pid === undefined) return;
	try {
		if (process.platform !== "win32") process.kill(-pid, by);
		else if (child.exitCode === null) spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
	} catch {
		// nobody of the group is left
	}
}
