import { fills, gap, plain } from "./cloze.ts";
import { type Played, player } from "./player.ts";

type Parts = Parameters<typeof player>[0];

/**
 * Every part of the recipe `mmhops`, played on the material that is shown: a sub-question leaves a gap where a sentence
 * of the passage has a name, best one of `titles`, whose page leads on; a comparison takes the first number of one unit
 * in both parts. `more` replaces parts.
 */
export function mmhopsCast({ titles = [], more = {} }: { titles?: readonly string[]; more?: Parts } = {}) {
	const parts = { ...mmhopsParts(titles), ...more };
	return {
		generator: player(parts, { id: "writer" }),
		judge: player(parts, { id: "judge" }),
		solver: player(parts, { id: "solver" }),
	};
}

export function mmhopsParts(titles: readonly string[] = []): Parts {
	return {
		"ask-about-entity": (played) => subQuestion(of(played, "entity"), of(played, "passage"), titles),
		"judge-entity-need": (played) => ({
			needed: of(played, "question").includes(of(played, "entity")),
			why: "the name was looked for",
		}),
		"judge-evidence": (played) => ({
			answers: fills(of(played, "question"), of(played, "answer"), of(played, "evidence")) ? "yes" : "no",
		}),
		"nest-questions": (played) => {
			const described = `what is meant by (${of(played, "inner").replace(/\?$/, "")})`;
			return { chained_question: of(played, "outer").replace(of(played, "entity"), described) };
		},
		"judge-same-concept": (played) => ({ same: plain(of(played, "first")) === plain(of(played, "second")) }),
		"compare-entities": (played) => comparison(played),
		"judge-comparison": (played) => {
			const named = [of(played, "firstName"), of(played, "secondName")].every((name) =>
				of(played, "question").includes(name),
			);
			return { problem: named ? "none" : "not-both-named", why: "the names were looked for" };
		},
		"depict-entities": (played) => ({
			question: of(played, "question")
				.replace(of(played, "firstName"), "the one in the first image")
				.replace(of(played, "secondName"), "the one in the second image"),
		}),
		// knows nothing by itself
		"answer-from-evidence": () => ({ answer: null }),
	};
}

const of = ({ material }: Played, name: string): string => material[name] ?? "";

const none = { question: "", answer: "", sentence: "" };
/** Words of a sentence on each side of the gap. */
const side = 4;

function subQuestion(entity: string, passage: string, titles: readonly string[]) {
	const sentences = passage.split(/(?<=[.!?])\s+/).filter((sentence) => namesIt(sentence, entity));
	for (const sentence of sentences) {
		const known = titles.find((title) => title !== entity && sentence.includes(title) && !title.includes(entity));
		const made = known && withGap(sentence, known, entity);
		if (made) return { ...made, sentence };
	}
	for (const sentence of sentences) {
		const year = /\b1\d{3}\b/.exec(sentence)?.[0];
		const made = year && withGap(sentence, year, entity);
		if (made) return { ...made, sentence };
	}
	return none;
}

const namesIt = (sentence: string, entity: string) =>
	(entity.match(/\p{Lu}\p{L}{2,}/gu) ?? [entity]).some((word) => sentence.includes(word));

function withGap(sentence: string, answer: string, entity: string): { question: string; answer: string } | undefined {
	const at = sentence.indexOf(answer);
	const before = sentence.slice(0, at).split(/\s+/).filter(Boolean).slice(-side).join(" ");
	const after = sentence
		.slice(at + answer.length)
		.split(/\s+/)
		.filter(Boolean)
		.slice(0, side)
		.join(" ");
	const run = `${before} ${gap} ${after}`.replace(/[“”]/g, "").trim();
	if (namesIt(run, entity) || run.includes(answer)) return undefined;
	const what = /^\d{4}$/.test(answer) ? "which year" : "what";
	return { question: `Of ${entity} it is said “${run}”: ${what} stands in the gap?`, answer };
}

/** The first year that a sentence of each part tells, and how far apart the two are. */
export function comparison(played: Played) {
	const parts = [of(played, "first"), of(played, "second")].map((part) =>
		part.split(/(?<=[.!?])\s+/).flatMap((sentence) => {
			const year = /(?<![\d,.-])1\d{3}(?![\d,.-]\d)\b/.exec(sentence)?.[0];
			return year ? [{ sentence, value: year }] : [];
		}),
	);
	const [first, second] = [parts[0]?.[0], parts[1]?.[0]];
	if (!first || !second) return { ...none, attribute: "", operation: "difference", first: blank, second: blank };
	const apart = Math.abs(Number(first.value) - Number(second.value));
	return {
		question: `How many years lie between the first year told of ${of(played, "firstName")} and of ${of(played, "secondName")}?`,
		attribute: "first year told",
		operation: "difference",
		answer: `${apart} years`,
		first,
		second,
	};
}

const blank = { value: "", sentence: "" };
