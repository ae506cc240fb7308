import { type Hop, remembering, stopWords } from "#domain";
import { formsOf as acceptedForms, type TextReading } from "../text-reading.ts";
import type { BenchmarkCheck } from "./check.ts";
import type { FoundProblems } from "./finding.ts";

/**
 * Hops that do not compose to the question, as far as words show it: the question names nothing of what a first hop starts
 * from, a later hop is about what neither the question nor an earlier answer names, or the last hop asks for a person where
 * the question asks for a time. What an image shows, what is computed, and hops of few words are left out.
 */
export const hopsComposeCheck: BenchmarkCheck = {
	name: "hops-compose",
	about:
		"what every hop is about stands in the question or an earlier answer, and the last hop asks what the question asks",
	async run({ tasks, reading }) {
		const findings: FoundProblems = [];
		let looked = 0;
		let leftOut = 0;
		for await (const task of tasks) {
			const { id, chain } = task;
			if (!chain) continue;
			const question = new Set(keysOf(task.question, reading));
			const runs = runsOf(task.question, reading);
			const answerOf = remembering(
				({ answer }: Hop) => new Set(acceptedForms(answer).flatMap((form) => keysOf(form, reading))),
			);
			for (const hop of chain.hops) {
				const isStart = hop.needs.length === 0;
				// a start may be what an image shows
				const about = isReadable(hop) && !(isStart && task.images.length > 0) ? aboutOf(hop, reading) : undefined;
				if (!about) {
					leftOut += 1;
					continue;
				}
				looked += 1;
				const isAnswered = (key: string) => chain.hops.some((other) => other !== hop && answerOf(other).has(key));
				if (isAsked(about, { asked: question, runs }) || namesOf(about).some(isAnswered)) continue;
				findings.push({
					...{
						code: isStart ? "start-not-in-question" : "hop-about-another",
						severity: "warning",
						task: id,
						hop: hop.id,
					},
					message: `task ${id}: hop "${hop.id}" asks "${hop.question}", and neither the question nor another hop's answer names what it is about`,
				});
			}
			const last = chain.hops.find((hop) => hop.id === chain.sink);
			const [asked, found] = [askedFor(task.question), last && isReadable(last) ? askedFor(last.question) : undefined];
			if (last && asked && found && asked !== found)
				findings.push({
					...{ code: "asks-another-thing", severity: "warning", task: id, hop: last.id },
					message: `task ${id}: the question asks for a ${asked} and its last hop "${last.id}" for a ${found}`,
				});
		}
		if (looked === 0) return { skipped: "no chain has a hop of words to compare with its question" };
		const notes = leftOut > 0 ? [`${leftOut} hops are left out: computed, of an image, or of too few words`] : [];
		return { looked, findings, notes };
	},
};

const isReadable = ({ modality }: Hop) => modality !== "compute" && modality !== "image" && modality !== "graph";

interface About {
	/** Words that follow one another with a capital, as keys: each is a name, or a part of one. */
	runs: string[][];
	/** Keys of all words that carry meaning. */
	words: string[];
}

const fewestWords = 3;

/** What a hop speaks of; undefined where it says too little to be compared. */
function aboutOf({ question }: Hop, reading: TextReading): About | undefined {
	const runs = runsOf(question, reading);
	const words = keysOf(question, reading);
	return runs.length > 0 || words.length >= fewestWords ? { runs, words } : undefined;
}

/** What stands before the first word of a sentence. */
const begins = /[.?!:]\s*["“(]?$/u;

/** Runs of words with a capital; the first word of a sentence is none. */
function runsOf(question: string, reading: TextReading): string[][] {
	const runs: string[][] = [];
	let end = -1;
	let isFirst = true;
	for (const { 0: word, index } of question.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
		const isName = !isFirst && /^\p{Lu}/u.test(word) && !begins.test(question.slice(Math.max(0, index - 4), index));
		isFirst = false;
		const keys = isName ? keysOf(word, reading) : [];
		if (keys.length === 0) continue;
		const run = /^[\s\-.'’]{1,2}$/u.test(question.slice(end, index)) ? runs.at(-1) : undefined;
		if (run) run.push(...keys);
		else runs.push(keys);
		end = index + word.length;
	}
	return runs;
}

/** The words by one of which an answer carries a hop: those of its names; of a hop without names any. */
const namesOf = ({ runs, words }: About): string[] => (runs.length === 0 ? words : runs.flat());

/**
 * One of its names stands in the question: a word of it, unless the question has another name in its place that shares but a
 * part of it (`Ossa Airport` for `Pelion Airport`). A hop without names is carried by any of its words.
 */
function isAsked(
	{ runs, words }: About,
	{ asked, runs: there }: { asked: ReadonlySet<string>; runs: readonly string[][] },
): boolean {
	if (runs.length === 0) return words.some((key) => asked.has(key));
	return runs.some((run) => {
		if (!run.some((key) => asked.has(key))) return false;
		const rivals = there.filter((other) => other.some((key) => run.includes(key)));
		return rivals.length === 0 || rivals.some((other) => !differ(run, other));
	});
}

/** Both say something that the other does not, and begin differently. */
const differ = (run: readonly string[], other: readonly string[]): boolean =>
	run[0] !== other[0] && run.some((key) => !other.includes(key)) && other.some((key) => !run.includes(key));

const mostLetters = 5;
const fewestLetters = 3;

/** Words that carry meaning, cut to their first letters so that inflected forms are one: `Portugal`, `Portuguese`. */
function keysOf(text: string, { words }: Pick<TextReading, "words">): string[] {
	return words(text)
		.map(keyOf)
		.filter((key) => key !== "");
}

/** Empty of a word that carries no meaning. */
function keyOf(word: string): string {
	if (stopWords.en?.has(word)) return "";
	if (/^[\p{ASCII}]+$/u.test(word)) return word.length < fewestLetters ? "" : word.slice(0, mostLetters);
	return [...word].slice(0, mostLetters).join("");
}

const asking: Record<string, RegExp> = {
	person: /^(?:who|whom|whose)\b/iu,
	time: /^(?:when\b|(?:in |on )?(?:what|which) (?:year|date|day|month|century)\b)/iu,
	place: /^where\b/iu,
	number: /^how (?:many|much)\b/iu,
};

/** What a question asks for, where its first words say it. */
const askedFor = (question: string) => Object.entries(asking).find(([, pattern]) => pattern.test(question.trim()))?.[0];
