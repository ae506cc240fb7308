import { addUsage, isSearch, type Message, noUsage, type OtherSpan, type ToolCall } from "#domain";
import { most, type Transcript, type TranscriptDocument, type TranscriptStep, thoughtOf } from "../transcript.ts";
import { argumentsIn, queryIn } from "./asked.ts";
import { type Conversations, conversationsOf } from "./conversation.ts";
import { documentsIn } from "./documents.ts";
import { messageText } from "./messages.ts";
import { mostSpans, type Span } from "./span.ts";
import { around, type Tree, treeOf } from "./tree.ts";
import { opened, written } from "./values.ts";

export interface TraceRead {
	transcript: Transcript;
	/** Spans that made the question, the answer, messages or steps; the others stand in `transcript.others`. */
	understood: number;
}

/** The spans of one trace as one attempt. A problem where nothing in it says what was asked. */
export function traceTranscript(trace: string, given: readonly Span[]): TraceRead | { problem: string } {
	if (given.length > mostSpans.trace) return { problem: `more than ${mostSpans.trace} spans` };
	const tree = treeOf(given);
	if (tree.depth > mostSpans.depth) return { problem: `spans within spans more than ${mostSpans.depth} deep` };
	const acting = given.filter(({ reading }) => actingKinds.has(reading.kind));
	if (acting.length > mostActing) return { problem: `more than ${mostActing} searches, tools and calls to models` };
	const models = tree.spans.filter(({ reading }) => reading.kind === "model");
	const main = mainOf(tree);
	const agentOf = (span: Span) => agentAround(tree, span);
	const talk = conversationsOf(models, agentOf);
	const question = questionOf(tree, main);
	if (question === undefined) return { problem: "no span says what was asked" };
	const answer = answerOf(main, talk.replies);
	const made = stepsOf(tree, { main, question, answer, ...talk });
	const { steps } = made;
	if (steps.length > most.steps) return { problem: `more than ${most.steps} steps` };
	const understood = new Set([main, ...models.filter(({ reading }) => hasTalk(reading)), ...made.used]);
	const others = tree.spans.filter((span) => !understood.has(span)).map((span) => otherOf(span, made.begun(span)));
	const losses = [
		...(tree.roots.length > 1 ? ["several spans without a parent: taken as one attempt"] : []),
		...(tree.spans.some(({ start, end }) => end < start) ? ["a span ends before it begins: its time counts 0"] : []),
		...(steps.length === 0 ? ["no search, no tool and no thought in it"] : []),
	];
	const session = given.map(({ reading }) => reading.session).find((one) => one !== undefined);
	const began = Math.min(...tree.spans.map(({ start }) => start).filter((time) => !Number.isNaN(time)));
	const failed = answer === null && main.error !== undefined;
	const searchOnly = main.reading.kind === "retrieval" && models.length === 0;
	const named = tree.spans.map(({ reading }) => reading.agent).find((one) => one !== undefined);
	const agent = main.reading.agent ?? named ?? (main.reading.kind === "chain" ? main.name : undefined);
	const transcript: Transcript = {
		...{ question: question.slice(0, 100_000), accepted: [], tags: session === undefined ? {} : { session } },
		...{ id: trace, steps, answer: answer?.slice(0, most.answer) ?? null, messages: talk.messages, losses, others },
		...(failed
			? { stop: "error", error: { boundary: boundaryOf(acting), message: (main.error ?? "").slice(0, 2000) } }
			: { stop: answer === null && !searchOnly ? "turn-limit" : "answered" }),
		...(searchOnly ? { searchOnly } : {}),
		...{ usage: usageOf(tree), ms: wholeTime(tree, main) },
		models: [...new Set(models.flatMap(({ reading }) => reading.model ?? []))],
		...(agent === undefined ? {} : { agent: agent.slice(0, 200) }),
		...(Number.isFinite(began) && Math.abs(began) < 8e15 ? { at: new Date(began).toISOString() } : {}),
	};
	if (transcript.stop === "turn-limit")
		losses.push("ended without an answer: taken as stopped by the protocol's limit");
	return { transcript, understood: understood.size };
}

/** What broke last within an attempt that an error ended. */
function boundaryOf(acting: readonly Span[]): "model" | "tool" | "agent" {
	const kind = acting.findLast(({ error }) => error !== undefined)?.reading.kind;
	return kind === undefined ? "agent" : kind === "model" ? "model" : "tool";
}

const actingKinds = new Set(["model", "retrieval", "tool", "reranker"]);
/** Beyond what makes the steps of one attempt, some stand within others. */
const mostActing = 3 * most.steps;

const hasTalk = ({ given = [], said = [], usage }: Span["reading"]) =>
	given.length + said.length > 0 || usage !== undefined;

/**
 * The span that the attempt is: among the roots an agent before others, one that was asked something before one that was not.
 * Where no root says anything (a request of a server, say), the first agent or chain within that was asked.
 */
function mainOf({ roots, spans }: Tree): Span {
	const rank = ({ reading: { kind, input, query, output } }: Span) =>
		(kind === "agent" ? 4 : 0) + ((input ?? query) === undefined ? 0 : 2) + (output === undefined ? 0 : 1);
	const best = roots.reduce((one, other) => (rank(other) > rank(one) ? other : one));
	const isAsked = ({ reading: { kind, input } }: Span) => (kind === "agent" || kind === "chain") && input !== undefined;
	return rank(best) > 0 ? best : (spans.find(isAsked) ?? best);
}

/** Asked of the whole; else of the first span within that says so; of a model, by its user's last message. */
function questionOf({ spans }: Tree, main: Span): string | undefined {
	const asked = (kinds: readonly string[]) =>
		spans.find(({ reading }) => kinds.includes(reading.kind) && reading.input !== undefined)?.reading.input;
	return (
		main.reading.input ??
		main.reading.query ??
		asked(["agent", "chain"]) ??
		asked(["model"]) ??
		spans.map(({ reading }) => reading.query).find((query) => query !== undefined)
	);
}

function answerOf({ reading, error }: Span, replies: readonly { message: Message }[]): string | null {
	if (reading.kind !== "retrieval" && reading.output?.trim()) return reading.output.trim();
	if (error !== undefined) return null;
	const last = replies.at(-1)?.message;
	return last && (last.calls?.length ?? 0) === 0 ? messageText(last).trim() || null : null;
}

interface Timed {
	/** When what it shows was there, and what came before at the same time. */
	at: number;
	order: number;
	span?: Span;
	step: TranscriptStep;
	/** Spans whose rankings it puts together. */
	merged?: readonly Span[];
}

interface Asked extends Pick<Conversations, "replies" | "results"> {
	question: string;
	answer: string | null;
}

/** Searches, calls of tools, rankings put together, and replies that called nothing, in the order in which they were made. */
function stepsOf(tree: Tree, { main, question, answer, replies, results }: Asked & { main: Span }) {
	const used = new Set<Span>();
	const timed: Timed[] = [];
	const claimed = new Map<string, Span>();
	const taken = new Set<Span>();
	const joined = new Set<Span>();
	const isSearching = (span: Span) => span.reading.kind === "retrieval" || span.reading.kind === "reranker";
	let order = 0;
	const add = (one: Omit<Timed, "order">) => timed.push({ ...one, order: order++ });
	const insides = insidesOf(tree);
	for (const span of tree.spans) {
		const { reading } = span;
		const inside = insides.get(span) ?? [];
		const searches = inside.filter((one) => one.reading.kind === "retrieval");
		if (reading.kind === "tool" && reading.tool) {
			if (reading.tool.callId !== undefined) {
				claimed.set(reading.tool.callId, span);
				taken.add(span);
			}
			const documents = reading.documents ?? documentsIn(reading.tool.result);
			const nested = inside.some(({ reading: { kind } }) => kind === "tool");
			used.add(span);
			if (searches.length > 0 && !nested) {
				// the tool is what was called, the searches within it are what it did
				const [only] = searches;
				if (searches.length === 1 && only) {
					used.add(only);
					const documentsOfOnly = only.reading.documents ?? [];
					const found = documents && documents.length > 0 ? documents : documentsOfOnly;
					add({ at: span.start, span, step: toolStep(span, found, only.reading.query) });
				}
				for (const other of searches.slice(1)) joined.add(other);
				const at = Number.isNaN(span.end) ? span.start : span.end;
				if (searches.length > 1 && documents && documents.length > 0)
					add({ at, span, merged: searches, step: { documents, ...errorOf(span), ...took(span) } });
				continue;
			}
			add({ at: span.start, span, step: toolStep(span, documents, undefined) });
		} else if (isSearching(span)) {
			if (used.has(span)) continue;
			used.add(span);
			const parts = reading.kind === "reranker" ? searchesBefore(tree, span) : searches;
			if (parts.length > 0 || reading.kind === "reranker") {
				const at = Number.isNaN(span.end) ? span.start : span.end;
				add({ at, span, merged: parts, step: { documents: reading.documents ?? [], ...errorOf(span), ...took(span) } });
			} else {
				const step = searchStep(span, question);
				if (joined.has(span) && step.call) step.call.joined = true;
				add({ at: span.start, span, step });
			}
		}
	}
	for (const [round, { span, message }] of replies.entries()) {
		const at = Number.isNaN(span.end) ? span.start : span.end;
		const calls = message.calls ?? [];
		const next = replies[round + 1]?.span.start ?? Number.POSITIVE_INFINITY;
		for (const call of calls) {
			const own = claimed.get(call.id) ?? carriedOut(call, { after: at, before: next });
			if (!own) {
				add({ at, step: { ...messageStep(call, results.get(call.id)), round } });
				continue;
			}
			if (call.id !== "") claimed.set(call.id, own);
			taken.add(own);
			const made = new Set([own, ...(insides.get(own) ?? [])]);
			for (const { step, span: one } of timed) if (one && made.has(one)) step.round ??= round;
		}
		if (calls.length > 0) {
			thinkFirst(round, message);
			continue;
		}
		// the last words to the user are the answer, no thought on the way
		const said = messageText(message).trim();
		const { thought } = thoughtOf([message.thought, said === answer ? "" : said].filter(Boolean).join("\n"));
		if (thought !== undefined) add({ at, step: { thought, documents: [], round } });
	}
	timed.sort((a, b) => (a.at || 0) - (b.at || 0) || a.order - b.order);
	const places = new Map(timed.flatMap(({ span }, place) => (span ? [[span, place] as const] : [])));
	for (const [place, { step, merged }] of timed.entries()) {
		const merges = (merged ?? []).flatMap((span) => places.get(span) ?? []).filter((one) => one < place);
		if (merged !== undefined) step.merges = [...new Set(merges)].sort((a, b) => a - b);
	}
	stateParts(tree, { main, question, timed, used });
	return {
		...{ steps: timed.map(({ step }) => step), used },
		begun: (span: Span) => timed.filter(({ at }) => at <= span.start).length,
	};

	/**
	 * The span that carried a call out, where it does not name the call: a tool of that name; else a search between the reply
	 * and the next, in the same words before others.
	 */
	function carriedOut(
		{ name, arguments: text }: { name: string; arguments: string },
		{ after, before }: { after: number; before: number },
	): Span | undefined {
		const query = queryIn(argumentsIn(opened(text)));
		const isSearch = searching.test(name);
		let found: { span: Span; fit: number } | undefined;
		for (const { span } of timed) {
			// clocks of exports may be cut to milliseconds
			if (!span || taken.has(span) || span.start < after - 1) continue;
			const { tool, kind, query: asked } = span.reading;
			if (tool?.name === name) return span;
			if (kind !== "retrieval" || span.start > before) continue;
			const fit = query !== undefined && asked === query ? 2 : isSearch ? 1 : 0;
			if (fit > (found?.fit ?? 0)) found = { span, fit };
		}
		return found?.span;
	}

	/** The thought of a reply stands at the first step that it made. */
	function thinkFirst(round: number, message: Message): void {
		const [first] = timed.filter(({ step }) => step.round === round).sort((a, b) => a.at - b.at || a.order - b.order);
		if (!first) return;
		Object.assign(first.step, thoughtOf([message.thought, messageText(message)].filter(Boolean).join("\n")));
		const { usage } = replies[round]?.span.reading ?? {};
		if (usage) first.step.usage = usage;
	}
}

function isWithin(tree: Tree, span: Span, outer: Span): boolean {
	for (const at of around(tree, span)) if (at === outer) return true;
	return false;
}

/** The searches and tools within each search and tool, however deep, in their order. */
function insidesOf(tree: Tree): Map<Span, Span[]> {
	const insides = new Map<Span, Span[]>();
	for (const span of tree.spans) {
		if (span.reading.kind !== "retrieval" && span.reading.kind !== "tool") continue;
		for (const outer of around(tree, span)) {
			if (!actingKinds.has(outer.reading.kind)) continue;
			const inside = insides.get(outer);
			if (inside) inside.push(span);
			else insides.set(outer, [span]);
		}
	}
	return insides;
}

/** What a reranker ranks anew: searches before it whose documents it was handed, or all beside it since the last. */
function searchesBefore(tree: Tree, span: Span): Span[] {
	const before = tree.spans.filter(
		(one) => one.reading.kind === "retrieval" && one.start <= span.start && one !== span,
	);
	const beside = before.filter((one) => tree.parentOf(one) === tree.parentOf(span));
	const last = (beside.length > 0 ? beside : before).at(-1);
	const keys = new Set((span.reading.documents ?? []).map(keyOf));
	const shared = before.filter((one) => one.reading.documents?.some((document) => keys.has(keyOf(document))));
	return shared.length > 0 ? shared : last ? [last] : [];
}

const keyOf = ({ id, text }: TranscriptDocument) => id ?? text.trim();

/** A part of the attempt that was itself asked in words and answered in words states a sub-question and its answer. */
function stateParts(
	tree: Tree,
	{ main, question, timed, used }: { main: Span; question: string; timed: Timed[]; used: Set<Span> },
): void {
	for (const span of tree.spans) {
		const { kind, plain, input, output } = span.reading;
		if (span === main || (kind !== "chain" && kind !== "agent") || !plain || input === undefined) continue;
		if (input.trim() === question.trim()) continue;
		const inside = timed.filter((one) => one.span && isWithin(tree, one.span, span));
		const last = inside.findLast(({ step }) => step.call);
		if (!last) continue;
		used.add(span);
		for (const { step } of inside) step.subQuestion ??= input.slice(0, most.query);
		if (output !== undefined) last.step.subAnswer ??= output.slice(0, most.query);
	}
}

const errorOf = ({ error }: Span): { error?: string } =>
	error === undefined ? {} : { error: error.slice(0, 2000) || "error" };

const took = ({ start, end }: Span): { ms?: number } => (end > start ? { ms: rounded(end - start) } : {});

/** To a microsecond: finer than that, differences of times since 1970 are not exact. */
const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

function searchStep(span: Span, question: string): TranscriptStep {
	const { query = question, documents = [] } = span.reading;
	return {
		call: { ...searchCall(span.name, { query: query.slice(0, most.query) }, documents), valid: true },
		...{ documents, ...errorOf(span), ...took(span) },
	};
}

function toolStep(span: Span, documents: TranscriptDocument[] | undefined, within: string | undefined): TranscriptStep {
	const { name = span.name, arguments: given = {} } = span.reading.tool ?? {};
	const query = queryIn(given) ?? within;
	const call = calledAs(name, given, { query, documents });
	return { call: { ...call, valid: true }, documents: documents ?? [], ...errorOf(span), ...took(span) };
}

/** A call that stands in messages alone. */
function messageStep(
	{ name, arguments: text }: { name: string; arguments: string },
	result: string | undefined,
): TranscriptStep {
	const given = argumentsIn(opened(text));
	const documents = result === undefined ? undefined : documentsIn(result);
	const call = calledAs(name, given, { query: queryIn(given), documents });
	if (result === undefined)
		return { call: { ...call, valid: false }, documents: [], error: "nothing came back in the trace" };
	return { call: { ...call, valid: true }, documents: documents ?? [] };
}

/** A tool that was given words and brought documents back searched; so did one whose name says so. */
function calledAs(
	name: string,
	given: Record<string, unknown>,
	{ query, documents }: { query: string | undefined; documents: TranscriptDocument[] | undefined },
): Omit<ToolCall, "valid"> {
	const isSearch = query !== undefined && (documents !== undefined || searching.test(name));
	return isSearch
		? searchCall(name, { ...given, query: query.slice(0, most.query) }, documents ?? [])
		: { tool: name.slice(0, 200), arguments: given };
}

const searching = /search|retriev|\brag\b|look_?up|knowledge/i;
const ofTheWeb = /web|google|bing|brave|tavily|serp|duckduck|exa\b|internet/i;

function searchCall(
	name: string,
	given: Record<string, unknown>,
	documents: readonly TranscriptDocument[],
): Omit<ToolCall, "valid"> {
	const own = name.slice(0, 200);
	const isWeb = ofTheWeb.test(name) && documents.every(({ address }) => address !== undefined);
	const tool = isSearch(name) ? name : isWeb ? "web_search" : "text_search";
	return { tool, ...(own === tool ? {} : { own }), arguments: given };
}

/** Of spans that stand in one another the inner ones count: outer ones repeat what they sum up. */
function usageOf(tree: Tree) {
	const telling = new Set(
		tree.spans.filter(({ reading }) => reading.usage !== undefined && reading.kind !== "embedding"),
	);
	const outer = new Set<Span>();
	for (const span of telling) for (const one of around(tree, span)) outer.add(one);
	return [...telling]
		.filter((span) => !outer.has(span))
		.reduce((sum, { reading }) => addUsage(sum, reading.usage ?? noUsage), noUsage);
}

function wholeTime({ spans }: Tree, { start, end }: Span): number {
	if (end >= start) return rounded(end - start);
	const [first, last] = [
		spans.reduce(
			(least, span) => Math.min(least, Number.isNaN(span.start) ? least : span.start),
			Number.POSITIVE_INFINITY,
		),
		spans.reduce((most, span) => Math.max(most, Number.isNaN(span.end) ? most : span.end), Number.NEGATIVE_INFINITY),
	];
	return last > first ? rounded(last - first) : 0;
}

function agentAround(tree: Tree, span: Span): string | undefined {
	for (const one of around(tree, span)) if (one.reading.agent !== undefined) return one.reading.agent;
	return undefined;
}

/** Of a span that is kept beside the steps. */
const mostKept = { attributes: 60, text: 500 } as const;

function otherOf(span: Span, step: number): OtherSpan {
	const shown = [...span.attributes].slice(0, mostKept.attributes).map(([name, value]) => {
		const text = written(value);
		return [name.slice(0, 200), text.length > mostKept.text ? `${text.slice(0, mostKept.text)}…` : value] as const;
	});
	return {
		...{ name: span.name.slice(0, 500), kind: span.reading.kind, step, ms: took(span).ms ?? 0 },
		...{ ...errorOf(span), attributes: Object.fromEntries(shown) },
	};
}
