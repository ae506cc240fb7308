import type { ZodError } from "zod";
import { ModelError } from "./model-error.ts";

/**
 * The error for a body that is not what a provider sends, with the place that does not fit. It may pass: gateways send
 * pages of their own, connections cut bodies off, and overloaded servers answer with nothing in it.
 */
export function unparseableReply(what: string, body: unknown, error: ZodError): ModelError {
	if (typeof body === "string")
		return new ModelError(
			`the server sent no ${what} but text that starts "${body.trim().slice(0, 60)}"; check the server's address`,
			{ kind: "transient" },
		);
	const [issue] = error.issues;
	return new ModelError(
		`the server sent no ${what}: ${issue?.path.join(".") || "body"}: ${issue?.message ?? "does not fit"}`,
		{ kind: "transient" },
	);
}
