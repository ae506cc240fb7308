import { z } from "zod";
import type { ToolCall } from "#domain";
import { freeRecord } from "#domain";
import {
	issueOf,
	type LineFormat,
	most,
	stopOf,
	type Transcript,
	type TranscriptDocument,
	type TranscriptStep,
	textMessage,
	thoughtOf,
} from "./transcript.ts";

const Line = z.object({
	messages: z
		.array(z.object({ role: z.enum(["system", "user", "assistant", "tool"]), content: z.string().max(2_000_000) }))
		.min(1)
		.max(2 * most.steps),
	answer: z.union([z.string(), z.array(z.union([z.string(), z.array(z.string()).max(1000)])).max(1000)]),
	tag: z.string().max(100).optional(),
});

const Call = z.object({ name: z.string().min(1).max(200), arguments: freeRecord(z.unknown()) });
const Texts = z.union([z.string().transform((one) => [one]), z.array(z.string()).min(1).max(100)]);
const Search = z.union([
	z.object({ query: Texts }).transform(({ query }) => query),
	z.object({ queries: Texts }).transform(({ queries }) => queries),
]);
const Visit = z.object({ url: Texts, goal: z.string().default("") });

/**
 * WebDancer's training conversations: replies with `<think>`, `<tool_call>` and `<answer>`, tool results as user messages.
 * One call may search for several things, or visit several pages: each becomes a step, the thought stays with the first.
 */
export const webdancerFormat: LineFormat = {
	name: "webdancer",
	source: {
		name: "WebDancer training sample",
		licence: "Apache-2.0",
		attribution:
			"WebDancer (Wu et al., 2025), Alibaba-NLP/DeepResearch; excerpts of web pages belong to their authors.",
		url: "https://github.com/Alibaba-NLP/DeepResearch",
	},
	agent: "webdancer",
	language: "en",
	documents: { licence: "unknown", attribution: "the page's authors" },
	cautions: [
		"The answers are sentences and the accepted answers names: exact match says little here, a judge more (hopscope judge).",
	],
	tried: "real files",
	recognises: ({ messages, answer }) => Array.isArray(messages) && Array.isArray(answer),
	read(json) {
		const parsed = Line.safeParse(json);
		if (!parsed.success) return { problem: issueOf(parsed.error) };
		const { messages, answer: gold, tag } = parsed.data;
		const accepted = [
			...new Set(
				[gold]
					.flat(2)
					.map((one) => one.trim().slice(0, 10_000))
					.filter((one) => one !== ""),
			),
		];
		if (accepted.length === 0) return { problem: "no accepted answer" };
		const asked = messages.find(({ role }) => role === "user")?.content ?? "";
		const question = questionIn(asked);
		if (question === "") return { problem: "no user message that asks anything" };
		const found = stepsOf(messages);
		if (found.steps.length > most.steps) return { problem: `more than ${most.steps} steps` };
		const { stop, losses } = stopOf(found.answer);
		return {
			...{ question, accepted, tags: tag === undefined ? {} : { questionType: tag } },
			...{ steps: found.steps, answer: found.answer, stop },
			messages: messages.map(({ role, content }) => textMessage(role, content)),
			losses,
		} satisfies Transcript;
	},
};

/** The instructions end with `User: ` and the question. */
function questionIn(text: string): string {
	const mark = "\nUser: ";
	const at = text.lastIndexOf(mark);
	return (at < 0 ? text : text.slice(at + mark.length)).trim().slice(0, 100_000);
}

interface Said {
	role: string;
	content: string;
}

function stepsOf(messages: readonly Said[]): { steps: TranscriptStep[]; answer: string | null } {
	const steps: TranscriptStep[] = [];
	let answer: string | null = null;
	for (const [place, { role, content }] of messages.entries()) {
		if (role !== "assistant") continue;
		const acting = outsideThoughts(content);
		const calls = insideAll(acting, "tool_call");
		const responses = insideAll(responsesAfter(messages, place), "tool_response");
		const thought = thoughtOf(insideAll(content, "think").join("\n"));
		answer = insideAll(acting, "answer").at(-1)?.trim().slice(0, most.answer) || null;
		const made = calls.flatMap((call, index) => stepsOfCall(call, responses[index]));
		if (made.length === 0 && thought.thought !== undefined) made.push({ documents: [] });
		steps.push(...made.map((step, index) => (index === 0 ? { ...thought, ...step } : step)));
		if (steps.length > most.steps) break;
	}
	return { steps, answer };
}

/** Nothing within a thought is a call or an answer, nor within one that never ends. */
function outsideThoughts(content: string): string {
	const end = content.lastIndexOf("</think>");
	const rest = end < 0 ? content : content.slice(end);
	const open = rest.indexOf("<think>");
	return open < 0 ? rest : rest.slice(0, open);
}

/** The messages up to the next reply, in one. */
function responsesAfter(messages: readonly Said[], place: number): string {
	const rest = messages.slice(place + 1);
	const next = rest.findIndex(({ role }) => role === "assistant");
	return (next < 0 ? rest : rest.slice(0, next)).map(({ content }) => content).join("\n");
}

function stepsOfCall(text: string, response: string | undefined): TranscriptStep[] {
	const invalid = (tool: string, error: string): TranscriptStep[] => [
		{ call: { tool, arguments: {}, valid: false }, error, documents: [] },
	];
	const call = Call.safeParse(jsonIn(text));
	if (!call.success) return invalid("none", "the call is no JSON object with a name and arguments");
	const { name, arguments: given } = call.data;
	const answered = response !== undefined && response.trim() !== "";
	const parts = response === undefined ? [] : partsOf(response);
	if (name === "search") {
		const queries = Search.safeParse(given);
		if (!queries.success) return invalid("web_search", "the search has no query");
		return queries.data.map((query, at) =>
			stepOf(
				{ tool: "web_search", arguments: { query: query.trim().slice(0, most.query) } },
				{ part: partFor(`${searchHead}'${query}'`, { at, parts, of: queries.data.length }), answered },
				resultsIn,
			),
		);
	}
	if (name === "visit") {
		const pages = Visit.safeParse(given);
		if (!pages.success) return invalid("web_read", "the visit has no address");
		const { url, goal } = pages.data;
		return url.map((address, at) =>
			stepOf(
				{ tool: "web_read", arguments: { address: address.slice(0, 2000), question: goal.slice(0, 2000) } },
				{ part: partFor(`${pageHead}${address} `, { at, parts, of: url.length }), answered },
				(part) => pageIn(part, address),
			),
		);
	}
	return [stepOf({ tool: name, arguments: given }, { part: response, answered }, () => [])];
}

const searchHead = "A Google search for ";
const pageHead = "The useful information in ";

/** What came back, one part for each query or page; a page may hold the line that parts are told apart by. */
function partsOf(response: string): string[] {
	const parts: string[] = [];
	for (const part of response.split("\n=======\n")) {
		const begins = parts.length === 0 || part.startsWith(searchHead) || part.startsWith(pageHead);
		if (begins) parts.push(part);
		else parts[parts.length - 1] += `\n=======\n${part}`;
	}
	return parts;
}

/** The part that says it is of this query or page; where parts do not say and are as many, the one in its place. */
function partFor(
	head: string,
	{ at, parts, of }: { at: number; parts: readonly string[]; of: number },
): string | undefined {
	const own = parts.find((part) => part.startsWith(head));
	const other = parts.length === of ? parts[at] : undefined;
	return own ?? other;
}

/** A call that nothing at all came back for was not carried out; one part of several that is missing is a failed one. */
function stepOf(
	call: Omit<ToolCall, "valid">,
	{ part, answered }: { part: string | undefined; answered: boolean },
	read: (part: string) => TranscriptDocument[],
): TranscriptStep {
	const error = !answered
		? "nothing came back in the transcript"
		: Object.values(call.arguments)[0] === ""
			? "the call asks for nothing"
			: undefined;
	if (error !== undefined) return { call: { ...call, valid: false }, error, documents: [] };
	const documents = part === undefined ? [] : read(part);
	const unreadable = documents.length === 0 && call.tool === "web_read" ? "the page could not be read" : undefined;
	const missing = part === undefined ? "this part of the call did not come back" : unreadable;
	return { call: { ...call, valid: true }, ...(missing === undefined ? {} : { error: missing }), documents };
}

/** `3. [Title](address)` and below it an excerpt, numbered from 1. */
function resultsIn(block: string): TranscriptDocument[] {
	const found: { title: string; address: string; lines: string[] }[] = [];
	for (const line of block.split("\n")) {
		const mark = `${found.length + 1}. [`;
		const edge = line.lastIndexOf("](");
		const isNext = line.startsWith(mark) && edge >= mark.length && line.endsWith(")");
		if (isNext && found.length < most.documents)
			found.push({ title: line.slice(mark.length, edge), address: line.slice(edge + 2, -1), lines: [] });
		else found.at(-1)?.lines.push(line);
	}
	return found.map(({ title, address, lines }) => ({ title: title.trim(), address, text: lines.join("\n").trim() }));
}

/** What a visit says of a page; nothing where it says that the page could not be had. */
function pageIn(block: string, address: string): TranscriptDocument[] {
	const text = block.trim();
	const from = text.indexOf("Evidence in page:");
	const body = from < 0 ? text : text.slice(from);
	if (body === "" || /could not be (accessed|read)|Failed to (read|fetch)/i.test(body.slice(0, 300))) return [];
	return [{ title: address, address, text: body }];
}

/** What stands between `<name>` and `</name>`, each time; without an end, the rest. */
function insideAll(text: string, name: string): string[] {
	const [open, close] = [`<${name}>`, `</${name}>`];
	const found: string[] = [];
	let at = text.indexOf(open);
	while (at >= 0 && found.length <= most.steps) {
		const end = text.indexOf(close, at + open.length);
		found.push(text.slice(at + open.length, end < 0 ? undefined : end).trim());
		if (end < 0) break;
		at = text.indexOf(open, end + close.length);
	}
	return found;
}

function jsonIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
