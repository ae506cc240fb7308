import { citedBy } from "../cited-by.ts";
import { lookedUp } from "../looked-up.ts";
import { lineOf, type TextReading } from "../text-reading.ts";
import type { BenchmarkCheck, CheckSubject } from "./check.ts";
import type { CheckFigure, FoundProblems } from "./finding.ts";
import type { KnownSet } from "./known-set.ts";

/** One run of so many words in common is a collision (GPT-3: Brown et al. 2020). */
const longGram = 13;
/** So large a share of a question's runs of eight words known is an overlap (PaLM: Chowdhery et al. 2022). */
const shortGram = 8;
const shortShare = 0.7;
/** Comparisons of vectors, at most: a minute or so. */
const mostCompared = 20_000_000;

/**
 * Overlap with what a model may have seen: the same question, 13 words in a row, 70 % of the runs of 8 words, a near
 * vector, and titles of gold documents that the known questions rest on too. Questions shorter than a run have none.
 */
export const contaminationCheck: BenchmarkCheck = {
	name: "contamination",
	about: "questions and documents do not stand in known sets: same question, word runs, near vectors, titles",
	async run(subject) {
		if (subject.known.length === 0) return { skipped: "needs sets to compare with: --against FILE or BENCHMARK" };
		const findings: FoundProblems = [];
		let looked = 0;
		const figures: CheckFigure[] = [];
		const notes: string[] = [];
		for (const set of subject.known) {
			subject.signal?.throwIfAborted();
			const found = new Map<string, FoundProblems[number]>();
			const { looked: all, cited } = await byWords(subject, set, found);
			looked = all;
			const words = found.size;
			const near = await byVectors(subject, set, { found, looked });
			if (near.reason) notes.push(`${set.name}: ${near.reason}`);
			findings.push(...found.values());
			figures.push(
				{ name: `questions that overlap with ${set.name} in words`, value: words, of: looked },
				near.value === null
					? { name: `questions near one of ${set.name} by vector`, value: null, reason: near.reason ?? "" }
					: { name: `questions near one of ${set.name} by vector`, value: near.value, of: looked },
				await byTitles(subject, set, cited),
			);
		}
		return { looked, findings, figures, notes };
	},
};

async function byWords(
	{ tasks, reading }: CheckSubject,
	set: KnownSet,
	found: Map<string, FoundProblems[number]>,
): Promise<{ looked: number; cited: Set<string> }> {
	const known = new Map<string, KnownSet["questions"][number]>();
	const long = new Map<string, string>();
	const short = new Map<string, string>();
	for (const one of set.questions) {
		known.set(lineOf(one.question, reading), one);
		const words = reading.words(one.question);
		for (const gram of gramsOf(words, longGram)) long.set(gram, one.id);
		for (const gram of gramsOf(words, shortGram)) short.set(gram, one.id);
	}
	let looked = 0;
	const cited = new Set<string>();
	for await (const task of tasks) {
		looked += 1;
		for (const id of citedBy(task)) cited.add(id);
		const same = known.get(lineOf(task.question, reading));
		const words = reading.words(task.question);
		const collision = same ? undefined : gramsOf(words, longGram).find((gram) => long.has(gram));
		const grams = same || collision ? [] : gramsOf(words, shortGram);
		const shared = grams.filter((gram) => short.has(gram));
		const overlaps = grams.length > 0 && shared.length >= shortShare * grams.length;
		if (same)
			found.set(task.id, {
				...{ code: "known-question", severity: "warning", task: task.id },
				message: `task ${task.id}: stands in ${set.name} as ${same.id}${answersAlike(same.answer, task.answer.accepted, reading) ? ", with the same answer" : ""}`,
			});
		else if (collision !== undefined || overlaps)
			found.set(task.id, {
				...{ code: "known-words", severity: "warning", task: task.id },
				message: `task ${task.id}: ${collision === undefined ? `${shared.length} of ${grams.length} runs of ${shortGram} words stand` : `a run of ${longGram} words stands`} in ${set.name} (${collision === undefined ? short.get(shared[0] ?? "") : long.get(collision)})`,
			});
	}
	return { looked, cited };
}

const gramsOf = (words: readonly string[], length: number): string[] =>
	words.length < length
		? []
		: Array.from({ length: words.length - length + 1 }, (_, at) => words.slice(at, at + length).join(" "));

const answersAlike = (answer: string | undefined, accepted: readonly string[], reading: TextReading) =>
	answer !== undefined && accepted.some((form) => lineOf(form, reading) === lineOf(answer, reading));

async function byVectors(
	{ tasks, embed, limits, signal }: CheckSubject,
	set: KnownSet,
	{ found, looked }: { found: Map<string, FoundProblems[number]>; looked: number },
): Promise<{ value: number | null; reason?: string }> {
	if (!embed) return { value: null, reason: "no encoder is at hand" };
	if (set.questions.length === 0) return { value: null, reason: "it holds no questions" };
	if (looked * set.questions.length > mostCompared)
		return { value: null, reason: `more than ${mostCompared} pairs of vectors: compare with a part of it` };
	const vectors = await embed(set.questions.map(({ question }) => question));
	let near = 0;
	for await (const task of tasks) {
		signal?.throwIfAborted();
		const [vector] = await embed([task.question]);
		let best = { at: -1, cosine: Number.NEGATIVE_INFINITY };
		for (const [at, other] of vectors.entries()) {
			const cosine = vector ? product(vector, other) : 0;
			if (cosine > best.cosine) best = { at, cosine };
		}
		if (best.cosine < limits.nearKnown) continue;
		near += 1;
		const id = set.questions[best.at]?.id ?? "";
		if (!found.has(task.id))
			found.set(task.id, {
				...{ code: "near-known", severity: "note", task: task.id },
				message: `task ${task.id}: is near ${id} of ${set.name} (cosine ${best.cosine.toFixed(2)})`,
			});
	}
	return { value: near };
}

function product(a: Float32Array, b: Float32Array): number {
	let sum = 0;
	for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
	return sum;
}

/** A shared document is no shared question: a figure, no findings. */
async function byTitles(
	{ evidence, reading }: CheckSubject,
	set: KnownSet,
	cited: ReadonlySet<string>,
): Promise<CheckFigure> {
	const name = `gold documents whose title stands in ${set.name}`;
	if (!evidence) return { name, value: null, reason: "needs the knowledge base" };
	if (set.titles.length === 0) return { name, value: null, reason: "it names no titles" };
	const known = new Set(set.titles.map((title) => lineOf(title, reading)));
	const documents = new Map<string, string>();
	for await (const { found } of lookedUp(cited, evidence)) if (found) documents.set(found.document, found.title);
	const shared = [...documents.values()].filter((title) => known.has(lineOf(title, reading))).length;
	return { name, value: shared, of: documents.size };
}
