import type { LabelledItem, RunManifest, RunRecord, Task, Verdict } from "#domain";
import type { JudgeSeen } from "../judges-in.ts";
import { isJudged, stampOf, verdictsOf } from "../verdicts-of.ts";
import { answerId, labelledAnswers } from "./draw-answers.ts";
import type { Reading } from "./reading.ts";

/**
 * A run's answers, those not given too, with the labels that people gave them: what judges and people are compared on.
 * Labels of other answers are left out.
 */
export function runAnswers(
	{ manifest, records, tasks }: { manifest: Pick<RunManifest, "id">; records: RunRecord[]; tasks: Task[] },
	labelled: readonly LabelledItem[] = [],
): LabelledItem[] {
	const byTask = new Map(tasks.map((task) => [task.id, task]));
	const answers = records.filter(isJudged).flatMap((record) => {
		const task = byTask.get(record.task);
		return task ? [{ record, task }] : [];
	});
	const byId = new Map(labelled.map((item) => [item.id, item]));
	return labelledAnswers(manifest.id, answers).map((item) => {
		const label = byId.get(item.id);
		if (!label) return item;
		const { stratum, weight, labels } = label;
		return {
			...item,
			...(stratum === undefined ? {} : { stratum }),
			...(weight === undefined ? {} : { weight }),
			labels,
		};
	});
}

/** What one judge said of a run's answers. */
export function runReadings(run: string, verdicts: readonly Verdict[], seen: JudgeSeen): Reading[] {
	return verdictsOf(verdicts, stampOf(seen)).map((verdict) => ({
		item: answerId(run, verdict),
		run: verdict.run,
		first: verdict.shown.first,
		judgement: verdict.judgement,
	}));
}
