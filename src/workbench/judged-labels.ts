import type { LabelledItem, RunRecord, Task } from "#domain";
import { answerId, gradeSaid, runAnswers } from "#scoring";

/** What a judge that came with a file said of an answer, in its own words. */
interface Said {
	task: string;
	repeat?: number;
	rater: string;
	said: string;
}

/** A file's own judge as a rater of the run's answers: a model's word, no person's. */
export function judgedLabels(
	run: string,
	{ judged, records, tasks }: { judged: readonly Said[]; records: readonly RunRecord[]; tasks: readonly Task[] },
): LabelledItem[] {
	const keyOf = ({ task, repeat = 0 }: Pick<Said, "task" | "repeat">) => JSON.stringify([task, repeat]);
	const byKey = new Map(records.map((record) => [keyOf(record), record]));
	const said = new Map(
		judged.flatMap((one) => {
			const record = byKey.get(keyOf(one));
			return record ? [[answerId(run, record), one] as const] : [];
		}),
	);
	return runAnswers({ manifest: { id: run }, records: [...records], tasks: [...tasks] }).flatMap((item) => {
		const one = said.get(item.id);
		const grade = one && gradeSaid(one.said);
		if (!one || !grade) return [];
		return [
			{ ...item, labels: [{ rater: one.rater, kind: "model" as const, label: { is: "grade" as const, grade } }] },
		];
	});
}
