import type { Setting, TaskView, Trajectory } from "#domain";
import type { Agent } from "../agent.ts";
import { createRecorder, type Recorder, recorded } from "../driver/recorder.ts";
import { agree, calculate, magnitude, readValue, type Value } from "../reading/values.ts";
import { entityOfCaption } from "./captions.ts";
import { type Ask, parseQuestion } from "./question.ts";
import { judge, type Reading, read } from "./read.ts";

/**
 * A baseline without a language model: the question is taken apart by rules of English and Spanish grammar, each part
 * is searched, the answer is a span of what was found. It knows nothing of any data set: no names, no gold.
 */
export const extractive: Agent = {
	name: "extractive",
	version: "2",
	summary: "Takes the question apart by grammar, searches each part, extracts spans: no model, works offline.",
	needs: { model: "none", gold: false },
	settings: {
		default: {
			k: 3,
			limit: 10,
			tools: ["text_search", "image_search_by_text", "image_search_by_image", "page_search"],
		},
	},
	card: {
		messages: "none: it asks no model",
		budget: "10 searches, then it answers from what it has",
		reports: "hops, order, modalities",
		mostCalls: () => 0,
	},
	async answer(view, { tools, setting, signal }) {
		const recorder = createRecorder(tools, { signal });
		return recorded(recorder, signal, () => solve(view, recorder, { setting }));
	},
};

/** Searches an agent makes when the setting does not say. */
const defaultLimit = 10;
/** Below this a reading is a guess: other places are searched before it is believed. */
const confident = 1.5;
/** How much of the relation's words must stand where a believed reading does. */
const stated = 0.4;

/** What is at work on one question. */
interface Work {
	recorder: Recorder;
	k: number;
	limit: number;
	/** The question speaks of pages or documents: they are searched first. */
	pages: boolean;
	/** What the question names. */
	given: readonly string[];
	/** What was looked up already, by what was asked. */
	known: Map<string, Promise<Value | undefined>>;
}

/** Answers a question by search and rules; the trajectory is the recorder's. */
export async function solve(
	view: TaskView,
	recorder: Recorder,
	{ setting }: { setting: Setting },
): Promise<Trajectory> {
	const ask = parseQuestion(view.question, { images: view.images.length });
	const limit = setting.limit ?? defaultLimit;
	const pages = /\b(?:page|document|fact ?sheet|pdf|brochure|leaflet|página|documento|ficha)\b/iu.test(view.question);
	const work: Work = { recorder, k: setting.k, limit, pages, given: namesIn(ask), known: new Map() };
	const answer = (await resolve(ask, work))?.text.trim();
	if (answer) return recorder.finish({ answer, stop: "answered" });
	const spent = recorder.searches >= limit;
	return recorder.finish({ answer: null, stop: spent ? "turn-limit" : "answered", abstained: !spent });
}

function namesIn(ask: Ask): string[] {
	if (ask.is === "compare") return ask.operands.flatMap(namesIn);
	if (ask.is === "name") return [ask.name];
	return ask.is === "image" ? [] : namesIn(ask.of);
}

/** Resolves an ask, innermost first: a search for each fact, a computation where the question states one. */
async function resolve(ask: Ask, work: Work): Promise<Value | undefined> {
	switch (ask.is) {
		case "name":
			return ask.name === "" ? undefined : { text: ask.name };
		case "image":
			return once(`image ${ask.index}`, work, () => identify(ask.index, work));
		case "compare":
			return compare(ask, work);
		case "transform": {
			const value = await resolve(ask.of, work);
			const text = value && ask.transform({ ...readValue(value.text), ...value });
			return text === undefined ? undefined : { text };
		}
		case "fact":
		case "verify": {
			const known = (await resolve(ask.of, work))?.text;
			if (known === undefined) return undefined;
			// a figure or date was given already: "the year of [the founding of X: 3 May 1901]"
			if (/^[-−+]?\d/.test(known)) return { text: known };
			return once(JSON.stringify([ask.is, ask.words, known]), work, () => lookUp(ask, known, work));
		}
	}
}

/** Each thing is looked up once. */
function once(key: string, { known }: Work, find: () => Promise<Value | undefined>): Promise<Value | undefined> {
	const value = known.get(key) ?? find();
	known.set(key, value);
	return value;
}

const affordable = ({ recorder, limit }: Work) => recorder.searches < limit;

/** What the stored image shows that looks most like a question image, by its title and caption. */
async function identify(image: number, { recorder, k, ...work }: Work): Promise<Value | undefined> {
	if (!affordable({ recorder, k, ...work })) return undefined;
	const subQuestion = `What does image ${image + 1} show?`;
	const { observation, step } = await recorder.search("image_search_by_image", { image, k }, { subQuestion });
	const [best] = observation.results;
	const name = best && entityOfCaption(best.title, best.text);
	if (name) step.subAnswer = name;
	return name ? { text: name } : undefined;
}

/** Searches until a reading is believed: passages, in other words, then pages; the best of all when none is. */
async function lookUp(ask: Extract<Ask, { words: string }>, known: string, work: Work): Promise<Value | undefined> {
	const { words } = ask;
	const subQuestion = `${words}: ${known}`;
	// what is asked of weighs more than how it is asked, unless nothing is found that way
	const about = `${known} ${known} ${words}`;
	const searches = [
		{ tool: "text_search", query: about },
		{ tool: "text_search", query: `${known} ${words}` },
		{ tool: "page_search", query: about },
	] as const;
	let best: Reading | undefined;
	for (const { tool, query } of work.pages ? searches.toReversed() : searches) {
		if (!affordable(work)) break;
		const { observation, step } = await work.recorder.search(tool, { query, k: work.k }, { subQuestion });
		if (ask.is === "verify") {
			step.subAnswer = judge(observation.results, { words, known }) ?? "no";
			return { text: step.subAnswer };
		}
		const [reading] = read(observation.results, { words, known, want: ask.want, given: work.given });
		if (reading && reading.score > 0) step.subAnswer = reading.text;
		if (reading && reading.score > (best?.score ?? 0)) best = reading;
		if (best && best.score >= confident && best.match >= stated) break;
	}
	return best && { ...readValue(best.text, { language: best.language }) };
}

async function compare({ how, operands }: Extract<Ask, { is: "compare" }>, work: Work): Promise<Value | undefined> {
	const values: Value[] = [];
	for (const operand of operands) {
		const value = await resolve(operand, work);
		if (value) values.push({ ...readValue(value.text), ...value });
	}
	const [first, second] = values;
	if (!first || !second) return undefined;
	if (how === "same") return { text: agree(first, second) ? "yes" : "no" };
	if (how === "sum" || how === "difference" || how === "mean" || how === "ratio") return calculate(how, values);
	const dates = operands.some((operand) => operand.is === "fact" && operand.want === "date");
	const [a, b] = values.map((value) => magnitude(value, dates ? "date" : "number"));
	if (a === undefined || b === undefined) return undefined;
	if (how === "more" || how === "less") return { text: (how === "more" ? a > b : a < b) ? "yes" : "no" };
	const chosen = operands[(how === "most") === a > b ? 0 : 1];
	return chosen.is === "fact" ? resolve(chosen.of, work) : resolve(chosen, work);
}
