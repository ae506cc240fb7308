import { exitCodes, HopscopeError } from "#domain";

/** What a person gave cannot be used (exit 2): what happened, and what to do. */
export const usageError = (code: string, message: string, remedy: string, more: { cause?: unknown } = {}) =>
	new HopscopeError(code, message, remedy, { exitCode: exitCodes.usage, ...more });
