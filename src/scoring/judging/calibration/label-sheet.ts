import { Grade, type LabelSheet } from "#domain";
import type { Rubric } from "../rubric.ts";

/** The labels that people may give by a rubric, each under its column's name, with the values that it may take. */
export function labelsAsked(rubric: Rubric): Record<string, string> {
	const scores = Object.entries(rubric.scores).map(([name, { least, most }]) => [
		`score ${name}`,
		`a number from ${least} to ${most}`,
	]);
	const grades: string[] = Grade.options.filter((grade) => givesGrade(rubric, grade));
	const words = `${grades.slice(0, -1).join(", ")} or ${grades.at(-1)}`;
	const names = Object.keys(rubric.labels).join(", ");
	const which = rubric.oneLabel ? `one of ${names}` : `those of ${names} that hold, with commas between, or none`;
	return Object.fromEntries([
		...scores,
		...(grades.length > 1 ? [["grade", words]] : []),
		...(names === "" ? [] : [["labels", which]]),
	]);
}

/** Whether the rubric's own limits can lead to a grade; one without scores or labels grades outright. */
function givesGrade({ scale, scores, labels }: Rubric, grade: Grade): boolean {
	if (scale) {
		const steps = scale.whole ? scale.most - scale.least : 100;
		return Array.from(
			{ length: steps + 1 },
			(_, step) => scale.least + (step * (scale.most - scale.least)) / steps,
		).some((score) => scale.of(score).grade === grade);
	}
	return Object.keys(scores).length === 0 && Object.keys(labels).length === 0 && grade !== "partly-right";
}

/** What stands above the items of a file for labellers. */
export function labelSheet(rubric: Rubric, drawn: LabelSheet["drawn"]): LabelSheet {
	const labels = labelsAsked(rubric);
	const meanings = Object.entries(rubric.labels).map(([name, meaning]) => `${name}: ${meaning}.`);
	const columns = Object.entries(labels).map(([name, values]) => `${name}: ${values}`);
	const instructions = [
		meanings.length === 0
			? "For labellers. Compare each submitted answer with the reference answers; any one of them will do."
			: "For labellers. Compare the steps that led to each answer with the reference answers and goldSteps.",
		`Rubric ${rubric.name}: ${rubric.describe}.`,
		`Give your own name as rater, and ${columns.join("; ")}. Leave a field empty where you cannot say.`,
		...meanings,
		"Decide by yourself: neither the system nor any score is shown, and the order means nothing.",
		"In JSON lines, add to an item's labels, for example",
		'{"rater": "you", "kind": "human", "label": {"is": "grade", "grade": "right"}} or {"is": "score", "name": NAME, "value": 2} or {"is": "labels", "labels": [NAME]}.',
	].join(" ");
	return { version: 1, sheet: "labels", instructions, labels, drawn };
}
