/**
 * Process exit codes of every command: done, failed, wrong usage or unusable input, ended although some tasks, calls or
 * inputs failed, interrupted and resumable.
 */
export const exitCodes = { done: 0, failed: 1, usage: 2, someFailed: 3, interrupted: 130 } as const;

/**
 * A failure that a person can act on: what happened and what to do next, in one line each, never a stack trace.
 * `facts` carries the particulars (file, line, task) for programs.
 */
export class HopscopeError extends Error {
	override readonly name = "HopscopeError";
	readonly code: string;
	readonly remedy: string;
	readonly exitCode: number;
	readonly facts: Readonly<Record<string, unknown>>;

	constructor(
		code: string,
		message: string,
		remedy: string,
		options: { exitCode?: number; facts?: Record<string, unknown>; cause?: unknown } = {},
	) {
		super(message, options.cause === undefined ? undefined : { cause: options.cause });
		this.code = code;
		this.remedy = remedy;
		this.exitCode = options.exitCode ?? exitCodes.failed;
		this.facts = options.facts ?? {};
	}
}

/** Wrong usage or unusable input, which ends a command with exit code 2. */
export const usageError = (
	code: string,
	message: string,
	remedy: string,
	options: { facts?: Record<string, unknown>; cause?: unknown } = {},
): HopscopeError => new HopscopeError(code, message, remedy, { ...options, exitCode: exitCodes.usage });
