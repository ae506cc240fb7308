import type { LabelledItem, LabelSheet, RunRecord, ScoreRow, Task } from "#domain";
import { clusterOf } from "../../items-by-task.ts";
import { noValue, slices } from "../../slices.ts";
import { hashOf } from "../hash-of.ts";
import type { Rubric, Shown } from "../rubric.ts";
import { labelSheet } from "./label-sheet.ts";
import { sampleItems } from "./sample.ts";

/** The properties of a task that are shown with its labels; how its answer was scored is not among them. */
const shownTags = ["topology", "hops", "language", "modality", "answer-type"] as const;

/** One answer of a run as it is drawn and shown: by record, the record's task and the row that scored it. */
export interface RunAnswer {
	record: RunRecord;
	task: Task;
	row?: ScoreRow | undefined;
	/** What a judge would be shown of it: needed where a rubric's labels are of the steps. */
	shown?: Shown | undefined;
}

/** The id of an answer in files of labels: the same for whoever knows the run, and telling nothing to others. */
export function answerId(
	run: string,
	{ task, repeat, attempt }: Pick<RunRecord, "task" | "repeat" | "attempt">,
): string {
	return hashOf(["answer", run, task, repeat, attempt]).slice(0, 16);
}

/** An answer of a run as labellers see it: without the system's name, without a verdict, without a score. */
export function labelledAnswers(run: string, answers: readonly RunAnswer[]): LabelledItem[] {
	const items = answers.map(({ record, task, row }) => ({ record, task, row }));
	const tags = new Map<RunAnswer["record"], Record<string, string>>();
	for (const by of shownTags)
		for (const { name, items: members } of slices(items, by))
			for (const { record } of members) if (name !== noValue) tags.set(record, { ...tags.get(record), [by]: name });
	return answers.map(({ record, task }) => ({
		version: 1,
		id: answerId(run, record),
		question: task.question,
		reference: task.answer.type === "none" ? [] : task.answer.accepted,
		submitted: record.trajectory.answer,
		evidence: [],
		system: "A",
		cluster: clusterOf(task),
		tags: tags.get(record) ?? {},
		labels: [],
	}));
}

/**
 * Draws answers of a run for people to label: stratified by `outcome` or any property that `slices` knows, blind. Records
 * without an answer are left out: there is nothing to label in them. By a rubric that gives labels those are drawn that it
 * applies to, with or without an answer, and shown with their steps.
 */
export function drawAnswers(
	run: string,
	answers: readonly RunAnswer[],
	{ by, size, seed, rubric }: { by: readonly string[]; size: number; seed: number; rubric: Rubric },
): { sheet: LabelSheet; items: LabelledItem[] } {
	const byLabels = Object.keys(rubric.labels).length > 0;
	const given = answers.filter(({ record, shown }) =>
		byLabels ? shown && rubric.inapplicable?.(shown) === undefined : record.trajectory.answer !== null,
	);
	const ways = new Map(
		given.flatMap(({ record, shown }) => {
			if (!byLabels || !shown) return [];
			const { goldSteps, steps, evidence } = shown;
			return [[answerId(run, record), { evidence, ...(goldSteps ? { goldSteps } : {}), ...(steps ? { steps } : {}) }]];
		}),
	);
	const strata = new Map<string, string[]>();
	const put = ({ record }: RunAnswer, name: string) => {
		const id = answerId(run, record);
		strata.set(id, [...(strata.get(id) ?? []), name]);
	};
	for (const property of by) {
		if (property === "outcome") for (const answer of given) put(answer, answer.row?.outcome ?? "missing");
		else for (const { name, items } of slices(given, property)) for (const answer of items) put(answer, name);
	}
	const drawn = sampleItems(labelledAnswers(run, given), {
		...{ size, seed },
		id: (item) => item.id,
		stratum: (item) => JSON.stringify(strata.get(item.id) ?? []),
	});
	return {
		sheet: labelSheet(rubric, { from: given.length, items: drawn.length, seed, by: [...by] }),
		items: drawn.map(({ item, stratum, weight }) => ({
			...item,
			...ways.get(item.id),
			stratum,
			weight,
		})),
	};
}
