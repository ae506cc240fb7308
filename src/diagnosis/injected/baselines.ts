/** What could be said of a record with next to no thought: what a method must be better than. */
import { inDependencyOrder, type Prediction, type RunRecord, retrievalHops, retrievalSteps, type Task } from "#domain";

interface Scored {
	task: Task;
	record: RunRecord;
	/** Whether the final answer is right. */
	right: boolean;
}

export const attributionBaselines: Record<string, (scored: Scored) => Prediction> = {
	"first hop whose evidence is missing": ({ task, record }) => {
		const came = new Set(record.trajectory.steps.flatMap(({ results }) => results.map(({ id }) => id)));
		const missing = hopsOf(task).find(({ evidence }) => !evidence.some((id) => came.has(id)));
		return saying(record, missing && { hop: missing.id, kind: "retrieval-miss" });
	},
	"last search": ({ task, record, right }) => {
		const last = retrievalSteps(record.trajectory).at(-1);
		if (right || !last) return saying(record, undefined);
		const came = new Set(last.results.map(({ id }) => id));
		const reached = hopsOf(task).findLast(({ evidence }) => evidence.some((id) => came.has(id)));
		const end = hopsOf(task).at(-1);
		return saying(
			record,
			reached ? { hop: reached.id, kind: "misread" } : end && { hop: end.id, kind: "retrieval-miss" },
		);
	},
};

const hopsOf = ({ chain }: Task) => (chain ? retrievalHops({ hops: inDependencyOrder(chain) }) : []);

const saying = ({ task, repeat }: RunRecord, blamed: { hop: string; kind: string } | undefined): Prediction => ({
	...{ task, repeat, hop: null, kind: null, unobserved: [] },
	...blamed,
});
