import { z } from "zod";
import { Box } from "#domain";
import type { ToolName } from "./tools.ts";

const query = z.string().trim().min(1).max(2000);
const k = z.number().int().min(1).max(100);
const image = z.number().int().min(0);

/** The arguments of every tool under its canonical name; protocols map their own names and forms to these. */
export const toolArguments = {
	text_search: z.object({ query, k }),
	page_search: z.object({ query, k }),
	image_search_by_text: z.object({ query, k }),
	image_search_by_image: z.object({ image, k }),
	image_crop: z.object({ image, box: Box }),
	web_search: z.object({ query, k }),
	web_read: z.object({ address: z.string().trim().min(1).max(2000), question: z.string().max(2000) }),
	web_image_search: z.object({ image, k }),
} satisfies Record<ToolName, z.ZodType>;

/** Why a reply, or a call in it, could not be carried out as it was written. */
export type InvalidCode =
	| "no-action"
	| "unclosed-thought"
	| "two-actions"
	| "nested-tags"
	| "mismatched-tags"
	| "text-after-action"
	| "bad-json"
	| "unknown-tool"
	| "bad-arguments"
	| "empty-query"
	| "query-too-long"
	| "bad-index"
	| "bad-box"
	| "empty-answer"
	| "no-search-left"
	| "refused"
	| "truncated";

/** One call of a model, read. */
export type Call =
	| {
			is: "call";
			tool: ToolName;
			arguments: Record<string, unknown>;
			/** Of a call in the provider's own form. */
			id?: string;
			/** Results that the model asked for, where it chose; the arguments hold what is granted. */
			asked?: number;
			/** Why the convention of the box is doubtful. */
			suspect?: string;
			/** Of the same invocation as the call before it. */
			joined?: true;
	  }
	| InvalidCall;

export interface InvalidCall {
	is: "invalid";
	/** What the model named, as it wrote it, or "none". */
	tool: string;
	code: InvalidCode;
	detail: string;
	/** What it wrote. */
	written: string;
	id?: string;
}

/** A call whose arguments fit its tool, or the invalid call that it is. */
export function checkedCall(tool: ToolName, args: unknown, { id }: { id?: string } = {}): Call {
	const parsed = toolArguments[tool].safeParse(args);
	const own = id === undefined ? {} : { id };
	if (parsed.success) return { is: "call", tool, arguments: parsed.data, ...own };
	const [issue] = parsed.error.issues;
	const at = issue?.path.join(".") ?? "";
	const code: InvalidCode = at.startsWith("box") ? "bad-box" : at === "image" ? "bad-index" : "bad-arguments";
	const detail = `${at === "" ? "" : `${at}: `}${issue?.message ?? "does not fit"}`;
	const empty = at === "query" && issue?.code === "too_small";
	return invalidCall(empty ? "empty-query" : code, detail, { tool, written: written(args), ...own });
}

export function invalidCall(
	code: InvalidCode,
	detail: string,
	{ tool = "none", written, id }: { tool?: string; written: string; id?: string },
): InvalidCall {
	return { is: "invalid", code, detail, tool: tool.slice(0, 100), written, ...(id === undefined ? {} : { id }) };
}

/** The end of what a model wrote, for the record of an invalid call. */
export const written = (value: unknown): string =>
	(typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(-300);
