import { z } from "zod";
import { HopscopeError } from "#domain";
import type { Answer } from "../route.ts";

/** A request that cannot be served as asked, told where the standard's clients look for it. */
export class Refusal extends Error {
	override readonly name = "Refusal";
	readonly status: number;

	constructor(status: number, detail: string) {
		super(detail);
		this.status = status;
	}
}

const statuses: Readonly<Record<string, number>> = {
	"unknown-session": 404,
	"unknown-task": 400,
	"session-exists": 400,
	"too-many-sessions": 503,
};

/** The answer, or the refusal as an answer; everything else that fails is thrown on. */
export async function refusing(answer: () => Answer | Promise<Answer>): Promise<Answer> {
	try {
		return await answer();
	} catch (error) {
		const status = statusOf(error);
		if (status === undefined) throw error;
		const headers = status === 503 ? { "retry-after": "2" } : {};
		return { json: { detail: (error as Error).message }, status, headers };
	}
}

function statusOf(error: unknown): number | undefined {
	if (error instanceof Refusal) return error.status;
	return error instanceof HopscopeError ? statuses[error.code] : undefined;
}

/** A body against a schema; what does not fit is a 422 that says where. */
export function shaped<T>(schema: z.ZodType<T>, body: unknown): T {
	const result = schema.safeParse(body);
	if (result.success) return result.data;
	throw new Refusal(422, z.prettifyError(result.error).slice(0, 1000));
}
