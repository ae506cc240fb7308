/** Items under review as their page shows them: what a reviewer needs to decide, and nothing that anybody said. */
import {
	clip,
	counted,
	cut,
	type Evidence,
	excerpt,
	Grade,
	type Item,
	inDependencyOrder,
	type LabelledItem,
	type LabelSheet,
	type Review,
	type Step,
	type Task,
	type Trajectory,
} from "#domain";
import { modalityName } from "#reports";
import { labelsAsked, rubrics } from "#scoring";
import type { EvidenceCard } from "./evidence-card.ts";
import { evidenceMedia, imageMedia } from "./media-names.ts";
import type { ReviewAsk, ReviewEntry, ReviewPart, SaidInWords } from "./review-pages.ts";

/** What can be asked, without anything that was said. */
export type ReviewAsked = Omit<ReviewEntry, "mine" | "disagreement" | "revealed">;

type LookUp = (id: string) => Promise<Evidence | undefined>;

const mostEvidence = 5;
const mostText = 6000;
const mostSteps = 40;

async function cardsOf(ids: readonly string[], wanted: string[], evidence: LookUp): Promise<EvidenceCard[]> {
	return Promise.all(
		ids.slice(0, mostEvidence).map(async (id): Promise<EvidenceCard> => {
			// a knowledge base that cannot be read costs the texts, not the page
			const found = await evidence(id).catch(() => undefined);
			if (!found) return { id, kind: "unknown", title: "", text: "", length: 0, document: "", picture: null };
			const text = found.kind === "image" ? found.caption : found.text;
			return {
				...{ id, kind: found.kind, title: clip(found.title, 200), document: clip(found.document, 200) },
				text: excerpt(text, wanted, mostText),
				length: text.length,
				picture: evidenceMedia(found),
			};
		}),
	);
}

/** An item of a benchmark, hop by hop in the order of dependency. One without a chain is a single hop. */
export async function taskAsked(task: Task, evidence: LookUp): Promise<ReviewAsked> {
	const { id, question, images, answer } = task;
	const hops = task.chain ? inDependencyOrder(task.chain) : [];
	const places = new Map(hops.map((hop, at) => [hop.id, at + 1]));
	const parts = await Promise.all(
		hops.map(async (hop, at): Promise<ReviewPart> => {
			const image = images.findIndex((one) => one.id === hop.region?.image);
			return {
				...{ id: hop.id, place: at + 1, question: cut(hop.question, 4000), modality: modalityName(hop.modality) },
				answer: clip(hop.answer.value, 1000),
				needs: hop.needs.flatMap((need) => places.get(need.hop) ?? []),
				evidence: await cardsOf(hop.evidence, hop.answer.accepted, evidence),
				more: Math.max(0, hop.evidence.length - mostEvidence),
				highlight: highlightsOf(hop.answer.accepted),
				region: hop.region && image >= 0 ? { image, box: hop.region.box } : null,
				asked: true,
			};
		}),
	);
	const supporting = task.supporting ?? [];
	const whole: ReviewPart = {
		...{ id: "h1", place: 1, question: cut(question, 4000), modality: "", answer: clip(answer.value, 1000) },
		...{ needs: [], evidence: await cardsOf(supporting, answer.accepted, evidence), region: null, asked: true },
		more: Math.max(0, supporting.length - mostEvidence),
		highlight: highlightsOf(answer.accepted),
	};
	return {
		...{ id, kind: "items", question: cut(question, 20_000) },
		images: images.map((image, at) => imageMedia(task, image, at)),
		answer: answer.type === "none" ? null : clip(answer.value, 1000),
		alsoRight: answer.accepted
			.filter((form) => form !== answer.value)
			.slice(0, 20)
			.map((form) => clip(form, 400)),
		parts: parts.length > 0 ? parts : [whole],
		asks: [],
	};
}

const highlightsOf = (forms: readonly string[]): string[] =>
	[...forms]
		.filter((form) => form.trim().length > 1)
		.sort((a, b) => b.length - a.length)
		.slice(0, 30)
		.map((form) => form.slice(0, 300));

/** Which decisions an item can be the matter of: its hops by id. */
export const hopIdsOf = (task: Task): Set<string> => new Set(task.chain?.hops.map(({ id }) => id) ?? ["h1"]);

/** An answer drawn for calibration: the labels that its sheet asks for, and the steps where it shows them. */
export function answerAsked(item: LabelledItem, asks: ReviewAsk[]): ReviewAsked {
	const { id, question, reference, submitted, evidence } = item;
	const cards = evidence.slice(0, 40).map(
		({ id: name, title, text }): EvidenceCard => ({
			...{ id: clip(name, 512), kind: "passage", title: clip(title, 200), document: "", picture: null },
			...{ text: cut(text, mostText), length: text.length },
		}),
	);
	const stepsOf = (steps: LabelledItem["steps"], of: string): ReviewPart[] =>
		(steps ?? []).slice(0, mostSteps).map((step, at) => ({
			...{ id: `${of} ${at + 1}`, place: at + 1, question: cut(step.question, 4000) },
			...{ modality: clip(step.search.replaceAll("_", " "), 80), answer: clip(step.answer, 1000) || null },
			needs: [],
			evidence: cards.filter(({ title }) => step.found.includes(title)).slice(0, mostEvidence),
			...{ more: 0, highlight: highlightsOf([step.answer]), region: null, asked: true },
		}));
	return {
		...{ id, kind: "answers", question: cut(question, 20_000), images: [], asks },
		answer: reference[0] === undefined ? null : cut(reference[0], 4000),
		alsoRight: reference.slice(1, 20).map((form) => clip(form, 400)),
		submitted: submitted === null ? null : cut(submitted, 20_000),
		parts: [...stepsOf(item.goldSteps, "gold step"), ...stepsOf(item.steps, "step")],
	};
}

/** The questions of a sheet for labellers: those of the rubric that it was drawn for. */
export function asksOf(sheet: Pick<LabelSheet, "labels">): ReviewAsk[] {
	const wanted = JSON.stringify(sheet.labels);
	const rubric = Object.values(rubrics).find((one) => JSON.stringify(labelsAsked(one)) === wanted);
	return Object.entries(sheet.labels).flatMap(([name, values]): ReviewAsk[] => {
		const about = { name, meaning: rubric?.describe ?? values, several: false };
		if (name === "grade") {
			const options = Grade.options.filter((grade) => values.includes(grade));
			return [
				{ ...about, title: "The answer is", options: options.map((grade, at) => optionOf(grade, String(at + 1))) },
			];
		}
		const score = rubric?.scores[name.replace(/^score /, "")];
		if (score && score.most - score.least <= 9) {
			const steps = Array.from({ length: Math.floor(score.most - score.least) + 1 }, (_, at) => score.least + at);
			return [
				{
					...about,
					title: spelt(name.replace(/^score /, "")),
					options: steps.map((value) => optionOf(String(value), String(value))),
				},
			];
		}
		if (name === "labels" && rubric) {
			const options = Object.entries(rubric.labels).map(([label, meaning], at) => ({
				...optionOf(label, at < 9 ? String(at + 1) : String.fromCharCode(88 + at)),
				meaning,
			}));
			return [{ ...about, several: rubric.oneLabel !== true, title: "What holds of it", options }];
		}
		return [];
	});
}

const spelt = (name: string) => name.replaceAll(/[_-]/g, " ");
const optionOf = (value: string, key: string) => ({ value, key, title: spelt(value), meaning: "" });

/** A search, or the final answer, among the steps of its record: `steps` are those that are asked about. */
export async function searchAsked(
	{
		id,
		task,
		trajectory,
		steps,
		asks,
	}: {
		id: string;
		task: Task;
		trajectory: Trajectory;
		steps: readonly number[] | null;
		asks: ReviewAsk[];
	},
	evidence: LookUp,
): Promise<ReviewAsked> {
	const first = steps?.[0] ?? 0;
	const from = Math.max(0, trajectory.steps.findIndex(({ index }) => index === first) - mostSteps / 2);
	const parts = await Promise.all(
		trajectory.steps.slice(from, from + mostSteps).map(async (step): Promise<ReviewPart> => {
			const found = [...step.results].sort((a, b) => a.rank - b.rank).map((result) => result.id);
			return {
				...{ id: `step ${step.index}`, place: step.index + 1, question: wordsOf(step) },
				modality: step.call ? clip(step.call.tool.replaceAll("_", " "), 60) : "",
				answer: step.subAnswer === undefined ? null : clip(step.subAnswer, 1000),
				needs: [],
				evidence: await cardsOf(found, [wordsOf(step)], evidence),
				...{ more: Math.max(0, found.length - mostEvidence), highlight: [], region: null },
				asked: steps?.includes(step.index) ?? false,
			};
		}),
	);
	return {
		...{ id, kind: "hops", question: cut(task.question, 20_000), parts, asks, alsoRight: [], answer: null },
		images: task.images.map((image, at) => imageMedia(task, image, at)),
		submitted: trajectory.answer === null ? null : cut(trajectory.answer, 20_000),
	};
}

function wordsOf({ call, thought }: Step): string {
	const query = call?.arguments.query;
	const image = call?.arguments.image;
	const said =
		typeof query === "string" ? query : typeof image === "number" ? `image ${image + 1} of the question` : "";
	const asked = said || (call ? JSON.stringify(call.arguments) : "");
	return clip([thought, asked].filter(Boolean).join(" → "), 2000);
}

const decided = { retain: "keep", edit: "edit", discard: "drop", unsure: "unsure" } as const;

/** What somebody decided, in words. */
export function reviewInWords(review: Review, { named }: { named: boolean }): SaidInWords {
	const wrong = Object.entries(review.hops ?? {}).flatMap(([hop, { right }]) => (right ? [] : [hop]));
	const { question, accepted } = review.edits ?? {};
	return {
		who: named ? (review.round === "adjudication" ? `${review.reviewer}, adjudicating` : review.reviewer) : "",
		says: decided[review.decision],
		why: cut(
			[
				review.reasons.map(spelt).join(", "),
				wrong.length > 0 ? `wrong: ${wrong.join(", ")}` : "",
				question === undefined ? "" : `“${question}”`,
				accepted === undefined ? "" : `accepts ${accepted.join(", ")}`,
				review.comment ?? "",
			]
				.filter(Boolean)
				.join("; "),
			2000,
		),
	};
}

const verdictWords = { pass: "passed", fail: "failed", skipped: "skipped", "not-applicable": "not applicable" };

/** What checks of models and rules found of an item. */
export const checksInWords = (item: Item): SaidInWords[] =>
	item.checks.slice(0, 60).map(({ check, verdict, reason, detail, score, models, on, trials }) => ({
		who: clip(`${check}${on === "item" ? "" : ` on ${on.hop}`}${models ? ` (${models.join(", ")})` : ""}`, 200),
		says: verdictWords[verdict],
		why: cut(
			[
				reason ? spelt(reason) : "",
				score === undefined ? "" : `score ${score}`,
				detail ?? "",
				trials ? counted(trials.length, "trial") : "",
			]
				.filter(Boolean)
				.join("; "),
			1000,
		),
	}));
