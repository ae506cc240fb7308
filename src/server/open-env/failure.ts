import { z } from "zod";
import { HopscopeError } from "#domain";

/** Why a message was not carried out, by the standard's codes. */
export interface Failure {
	message: string;
	code: "VALIDATION_ERROR" | "EXECUTION_ERROR" | "SESSION_ERROR" | "CAPACITY_REACHED";
	errors?: { loc: PropertyKey[]; msg: string }[];
}

const codes: Readonly<Record<string, Failure["code"]>> = {
	"unknown-task": "VALIDATION_ERROR",
	"unknown-action": "VALIDATION_ERROR",
	"bad-action": "VALIDATION_ERROR",
	"unknown-session": "SESSION_ERROR",
	"no-episode": "SESSION_ERROR",
	"too-many-sessions": "CAPACITY_REACHED",
};

/** A failure as a client may see it; `failed` says so for those that the client did not cause, and reports them. */
export function failureOf(error: unknown, failed: (error: unknown) => { message: string }): Failure {
	if (error instanceof z.ZodError) {
		const errors = error.issues.slice(0, 20).map(({ path, message }) => ({ loc: path, msg: message }));
		return { message: "Invalid message", code: "VALIDATION_ERROR", errors };
	}
	const code = error instanceof HopscopeError ? codes[error.code] : undefined;
	if (error instanceof HopscopeError && code) return { message: `${error.message}. ${error.remedy}`, code };
	return { message: failed(error).message, code: "EXECUTION_ERROR" };
}
