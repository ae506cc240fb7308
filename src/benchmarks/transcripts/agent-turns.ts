import type { Usage } from "#domain";
import { searchToolNamed } from "./tool-name.ts";
import { documentsIn } from "./traces/documents.ts";
import { fieldOf, firstField, written } from "./traces/values.ts";
import { most, type TranscriptDocument, type TranscriptStep, thoughtOf } from "./transcript.ts";

/** A reply of an agent in a log, with the calls that it made and what came back. */
export interface AgentTurn {
	/** Its reasoning, and what it wrote before its calls. */
	thought: string;
	calls: AgentCall[];
	usage?: Usage | undefined;
	/** How long the reply took, in milliseconds. */
	ms?: number | undefined;
	/** Which agent of several replied. */
	role?: string | undefined;
}

export interface AgentCall {
	name: string;
	arguments: Record<string, unknown>;
	/** Undefined where nothing came back. */
	result?: unknown;
	error?: string | undefined;
	/** It could not be carried out as written. */
	invalid?: boolean;
	ms?: number | undefined;
}

/** The steps of an agent's turns: one for each call, and one for a reply that calls nothing. What is assumed is told. */
export function stepsOfTurns(turns: readonly AgentTurn[]): { steps: TranscriptStep[]; losses: string[] } {
	const losses = new Set<string>();
	const steps = turns.flatMap(({ thought, calls, usage, ms = 0, role }, round): TranscriptStep[] => {
		const first = { ...thoughtOf(thought), ...(usage ? { usage } : {}) };
		const about = { round, ...(role === undefined ? {} : { role }) };
		if (calls.length === 0) return [{ ...about, ...first, ms, documents: [] }];
		return calls.map((call, place) => ({
			...about,
			...(place === 0 ? first : {}),
			...stepOfCall(call, losses),
			ms: (place === 0 ? ms : 0) + (call.ms ?? 0),
		}));
	});
	return { steps, losses: [...losses] };
}

/** How tools call what they look for; the first four say of nothing else. */
const queries = ["query", "queries", "q", "search_query", "question", "keywords", "text", "input", "term"];

/**
 * A call as a step: of a search with its query and documents, of another tool with the documents that have their shape. What
 * was given a query and brought documents searched, whatever it is called.
 */
export function stepOfCall(
	{ name, arguments: given, result, error, invalid = false }: AgentCall,
	losses: Set<string>,
): TranscriptStep {
	const failed = error !== undefined || invalid;
	const shaped = failed ? undefined : documentsIn(result);
	const brought = shaped !== undefined && firstField(given, queries.slice(0, 4)) !== undefined;
	const search = searchToolNamed(name) ?? (brought ? "text_search" : undefined);
	const own = name.trim().slice(0, 200) || "none";
	const tool = search ?? own;
	const why = error ?? (result === undefined ? "nothing came back in the log" : undefined);
	// a tool that failed was called all the same
	const valid = !invalid && (result !== undefined || error !== undefined);
	const call = { tool, ...(own === tool ? {} : { own }), arguments: search ? withQuery(given, losses) : given, valid };
	const step = { call, ...(why === undefined ? {} : { error: why.slice(0, 10_000) }) };
	if (failed) return { ...step, documents: [] };
	const documents = shaped ?? (search ? searched(result, { name, losses }) : []);
	return {
		...step,
		documents: documents.filter(({ text, title, id }) => text !== "" || title !== "" || id !== undefined),
	};
}

/** The arguments with what is asked for under `query`, whatever the tool calls it. */
function withQuery(given: Record<string, unknown>, losses: Set<string>): Record<string, unknown> {
	const own = firstField(given, queries) ?? Object.values(given).find((value) => typeof value === "string");
	const several = Array.isArray(own) ? own.filter((one) => typeof one === "string") : [];
	if (several.length > 1) losses.add("a call with several queries is one step");
	const asked = several.length > 0 ? several.join("; ") : own;
	return typeof asked === "string" ? { ...given, query: asked.trim().slice(0, most.query) } : given;
}

/** What a search gave back that looks like no list of documents: texts, or one text. */
function searched(result: unknown, { name, losses }: { name: string; losses: Set<string> }): TranscriptDocument[] {
	const loose = documentsIn(result, { loose: true });
	const text = written(result).trim();
	if (loose || text === "") return loose ?? [];
	losses.add(`what "${name.slice(0, 60)}" gave back has no shape of documents: its text is one document`);
	return [{ title: "", text: text.slice(0, 1_000_000) }];
}

/** A text, or parts of which some are text, as one text. */
export function textOfContent(content: unknown): string {
	if (typeof content === "string") return content;
	if (!Array.isArray(content)) return "";
	return content
		.flatMap((part) => (fieldOf(part, "type") === "text" ? [written(fieldOf(part, "text"))] : []))
		.join("\n");
}
