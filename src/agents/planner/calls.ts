/** Reads the calls of a reply: RAG_search and Final_Answer, in the provider's own form. Nothing here throws. */
import { z } from "zod";
import type { ToolDeclaration, ToolRequest } from "#models";
import type { Intention, PolicyMove } from "../driver/speech.ts";
import { tolerantJson } from "../tool-call-format/read-calls.ts";
import { type Call, invalidCall, written } from "../tools/tool-call.ts";

/** Results where a call names no number against its declaration, as the published script takes them; no model is told. */
const unnamedTopk = 5;
/** Most results that are granted; what was asked for is recorded beside it. */
const mostTopk = 20;

export const declarations: ToolDeclaration[] = [
	{
		name: "RAG_search",
		description: "Searches the documents for a query and returns those that fit it best.",
		parameters: {
			type: "object",
			properties: {
				query: { type: "string", description: "What to look for." },
				topk: { type: "integer", description: "How many of the documents that fit best to return." },
			},
			required: ["query", "topk"],
		},
	},
	{
		name: "Final_Answer",
		description: "Gives the final answer to the task and ends it.",
		parameters: {
			type: "object",
			properties: { answer: { type: "string", description: "The answer alone: a word or a phrase." } },
			required: ["answer"],
		},
	},
];

/**
 * A turn as a model should make it: what is known and missing, then one call; undefined where it is no search of passages.
 * `first`: nothing was searched for before, which is to be said.
 */
export function sayPlanner(
	{ thought, act }: Omit<Intention, "subAnswer">,
	{ topk, first, id, language }: { topk: number; first: boolean; id: string; language: string },
): PolicyMove | undefined {
	if (act.is === "search" && act.tool !== "text_search") return undefined;
	const call =
		act.is === "answer"
			? { name: "Final_Answer", arguments: { answer: act.text }, id }
			: { name: "RAG_search", arguments: { query: act.query, topk }, id };
	const nothing = /^es\b/.test(language) ? "Aún no hay resultados." : "There are no results yet.";
	return { is: "calls", text: first ? `${nothing} ${thought}` : thought, calls: [call] };
}

export type PlannerAction = { is: "search"; query: string; topk: number } | { is: "final"; answer: string };

const SearchArguments = z.object({
	query: z.string().trim(),
	topk: z.preprocess((given) => given ?? undefined, z.coerce.number().int().min(1).optional()),
});
const AnswerArguments = z.object({ answer: z.union([z.string(), z.number(), z.boolean()]).transform(String) });

/**
 * The calls in their order, or the answer where the first call gives it. Every search of a reply is carried out, as
 * published, as long as searches are `left`; an answer beside searches was given before they were seen and does not count.
 */
export function readCalls(
	requests: ToolRequest[],
	{ left }: { left: number },
): { is: "answer"; answer: string } | { is: "calls"; calls: Call[] } {
	const calls = requests.map((request): Call | { is: "answer"; answer: string } => readCall(request));
	const [first] = calls;
	if (first?.is === "answer") return first;
	return {
		is: "calls",
		calls: calls.map((call, index): Call => {
			const made = requests[index];
			const about = { tool: made?.name ?? "none", written: written(made?.arguments), ...(made ? { id: made.id } : {}) };
			if (call.is === "answer") return invalidCall("two-actions", "the answer has to be the only call", about);
			return index < left ? call : invalidCall("no-search-left", "no searches are left", about);
		}),
	};
}

function readCall({ id, name, arguments: text }: ToolRequest): Call | { is: "answer"; answer: string } {
	const about = { tool: name, written: written(text), id };
	const given = text.trim() === "" ? {} : tolerantJson(text);
	if (given === undefined) return invalidCall("bad-json", "the arguments are no JSON", about);
	if (name === "RAG_search") {
		const parsed = SearchArguments.safeParse(given);
		if (!parsed.success) return invalidCall("bad-arguments", described(parsed.error), about);
		const { query, topk } = parsed.data;
		if (query === "") return invalidCall("empty-query", "the query is empty", about);
		if (query.length > 2000) return invalidCall("query-too-long", "more than 2000 characters", about);
		const k = Math.min(topk ?? unnamedTopk, mostTopk);
		return {
			is: "call",
			tool: "text_search",
			arguments: { query, k },
			id,
			...(topk === undefined ? {} : { asked: topk }),
		};
	}
	if (name !== "Final_Answer") return invalidCall("unknown-tool", "there is no such function", about);
	const parsed = AnswerArguments.safeParse(given);
	if (!parsed.success) return invalidCall("bad-arguments", described(parsed.error), about);
	const answer = parsed.data.answer.trim().slice(0, 2000);
	return answer === "" ? invalidCall("empty-answer", "the answer is empty", about) : { is: "answer", answer };
}

function described({ issues: [issue] }: z.ZodError): string {
	const at = issue?.path.join(".") ?? "";
	return `${at === "" ? "" : `${at}: `}${issue?.message ?? "does not fit"}`;
}
