import type { Answer } from "#domain";
import { sharedTexts } from "../shared-texts.ts";
import { lineOf, type TextReading } from "../text-reading.ts";
import type { BenchmarkCheck } from "./check.ts";
import type { FoundProblems } from "./finding.ts";
import { similarSets } from "./similar-sets.ts";

/**
 * Questions asked twice: word for word, or nearly, of the same images. With answers that contradict one another it is an
 * error. Questions of one template differ in a name and have other answers: they are counted, and no duplicates.
 */
export const duplicateQuestionsCheck: BenchmarkCheck = {
	name: "duplicate-questions",
	about: "no question is asked twice of the same images, word for word or nearly; none has two answers",
	async run({ tasks, reading, limits }) {
		const findings: FoundProblems = [];
		const asked: Asked[] = [];
		const one = sharedTexts();
		for await (const { id, question, answer, images } of tasks)
			asked.push({
				...{ id, question, answer: { value: one(answer.value), accepted: answer.accepted.map(one) } },
				images: one(images.map(({ sha256 }) => sha256).join(" ")),
			});
		// by id, so that the finding does not depend on the order of the file
		asked.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
		const first = new Map<string, Asked[]>();
		for (const task of asked) {
			const key = `${lineOf(task.question, reading)}\n${task.images}`;
			const same = first.get(key);
			if (!same) first.set(key, [task]);
			else {
				const other = same.find((one) => !agree(one, task, reading)) ?? same[0];
				if (other) findings.push(sameQuestion(task, other, reading));
				same.push(task);
			}
		}
		const { near, alike, bounded } = nearQuestions(
			[...first.values()].flatMap(([task]) => task ?? []),
			{ reading, threshold: limits.nearQuestion },
		);
		findings.push(...near);
		const figures = [
			{ name: "questions with the words of another but another answer", value: alike, of: asked.length },
		];
		const notes =
			bounded > 0 ? [`near duplicates: ${bounded} look-ups of very frequent word pairs were cut at 400 questions`] : [];
		return { looked: asked.length, findings, figures, notes };
	},
};

/** What of a task tells whether it is asked twice. */
interface Asked {
	id: string;
	question: string;
	/** Of its images, by content. */
	images: string;
	answer: Pick<Answer, "value" | "accepted">;
}

function sameQuestion(task: Asked, other: Asked, reading: TextReading): FoundProblems[number] {
	const same = agree(task, other, reading);
	return {
		code: same ? "same-question" : "contradicting-answers",
		severity: same ? "warning" : "error",
		...{ task: task.id, others: [other.id] },
		message: same
			? `task ${task.id}: asks the same as ${other.id}; keep one of them`
			: `task ${task.id}: asks the same as ${other.id}, which answers "${other.answer.value}" instead of "${task.answer.value}"; mend or drop them`,
	};
}

function nearQuestions(
	tasks: readonly Asked[],
	{ reading, threshold }: { reading: TextReading; threshold: number },
): { near: FoundProblems; alike: number; bounded: number } {
	const told = { bounded: 0 };
	const nearest = new Map<number, { other: number; similarity: number }>();
	const alike = new Set<number>();
	function* pairs() {
		for (const { question } of tasks) yield pairsOf(question, reading);
	}
	for (const { a, b, similarity } of similarSets(pairs(), threshold, told)) {
		const [one, other] = [tasks[a], tasks[b]];
		if (!one || !other || one.images !== other.images) continue;
		if (!agree(one, other, reading)) {
			alike.add(a).add(b);
			continue;
		}
		const known = nearest.get(b);
		if (!known || known.similarity < similarity || (known.similarity === similarity && a < known.other))
			nearest.set(b, { other: a, similarity });
	}
	const near = [...nearest]
		.sort(([a], [b]) => a - b)
		.flatMap(([at, { other, similarity }]): FoundProblems => {
			const [task, twin] = [tasks[at], tasks[other]];
			if (!task || !twin) return [];
			return [
				{
					...{ code: "near-question", severity: "warning", task: task.id, others: [twin.id] },
					message: `task ${task.id}: asks nearly the same as ${twin.id} (${Math.round(similarity * 100)} % of their word pairs) and has its answer; keep one of them`,
				},
			];
		});
	return { near, alike: alike.size, bounded: told.bounded };
}

/** Neighbouring words, with both ends marked: the order of words tells a mother's father from a father's mother. */
function pairsOf(question: string, { words }: TextReading): string[] {
	const all = ["^", ...words(question), "$"];
	return all.length === 2 ? [] : all.slice(1).map((word, index) => `${all[index]} ${word}`);
}

/** Whether one task accepts an answer that the other accepts too. */
function agree(a: Asked, b: Asked, reading: TextReading): boolean {
	if (a.answer.value === b.answer.value) return true;
	const forms = new Set(a.answer.accepted.map((form) => lineOf(form, reading)));
	return b.answer.accepted.some((form) => forms.has(lineOf(form, reading)));
}
