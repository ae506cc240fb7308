import { injectedCells } from "#agents";
import {
	type Attributed,
	attribute,
	attributionBaselines,
	attributionRows,
	diagnoseRecords,
	isSound,
	predictionOf,
} from "#diagnosis";
import { Observability, type Prediction, type RunRecord, recordKey, type ScoreRow, type Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { attributionViews, type View } from "#reports";
import { scorerVersion, scoreTrajectory } from "#scoring";
import type { MadeRecords } from "./inject-records.ts";
import type { Bench } from "./work.ts";

interface Parts {
	tasks: readonly Task[];
	knowledge: Pick<KnowledgeBase, "evidence">;
	bench: Bench;
}

/** The diagnosis of injected records against their truth, as tables; beside it what could be said without any. */
export async function attributeInjected(
	made: MadeRecords,
	parts: Parts,
): Promise<{ views: View[]; data: object; attributed: Attributed[] }> {
	const { tasks } = parts;
	const rows = rowsOf(made.records, tasks);
	const attributed = attribute(made.truths, { tasks, predictions: await diagnosed(made.records, { ...parts, rows }) });
	const named = made.truths.filter(({ fault }) => capitals.has(fault));
	const keys = new Set(named.map(recordKey));
	const small = made.records.filter((record) => keys.has(recordKey(record))).map(withoutCapitals);
	const uncapitalised = attribute(named, {
		...{ tasks, predictions: await diagnosed(small, { ...parts, rows: rowsOf(small, tasks) }) },
	});
	const scored = scoredOf(made.records, { tasks, rows });
	const beside = Object.entries(attributionBaselines).map(([name, says]) => ({
		name,
		records: attribute(made.truths, { tasks, predictions: scored.map(says) }),
	}));
	const shares = attributionRows(attributed, ({ truth }) => [
		isSound(truth) ? "nothing broken" : "all faults",
		truth.observability,
	]);
	return {
		views: attributionViews(attributed, { uncapitalised, beside }),
		data: { records: attributed.length, cells: made.cells, shares },
		attributed,
	};
}

/** Each observability on its own: whether an agent states sub-answers is told from all of its records. */
async function diagnosed(
	records: readonly RunRecord[],
	{ tasks, rows, knowledge, bench }: Parts & { rows: readonly ScoreRow[] },
): Promise<Prediction[]> {
	const predictions: Prediction[] = [];
	for (const observability of Observability.options) {
		const some = records.filter(({ repeat }) => injectedCells[repeat]?.observability === observability);
		const found = await diagnoseRecords(
			{ tasks, records: some, rows, evidence: (id) => knowledge.evidence(id) },
			{ signal: bench.signal, say: bench.say },
		);
		predictions.push(...found.map(({ diagnosis }) => predictionOf(diagnosis)));
	}
	return predictions;
}

export function rowsOf(records: readonly RunRecord[], tasks: readonly Task[]): ScoreRow[] {
	const byId = new Map(tasks.map((task) => [task.id, task]));
	return records.flatMap(({ task: id, repeat, attempt, trajectory }) => {
		const task = byId.get(id);
		if (!task) return [];
		return [{ version: 1, task: id, repeat, attempt, scorer: scorerVersion, ...scoreTrajectory(task, trajectory) }];
	});
}

function scoredOf(
	records: readonly RunRecord[],
	{ tasks, rows }: { tasks: readonly Task[]; rows: readonly ScoreRow[] },
) {
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const right = new Set(rows.flatMap((row) => (row.outcome === "right" ? [recordKey(row)] : [])));
	return records.flatMap((record) => {
		const task = byId.get(record.task);
		return task ? [{ task, record, right: right.has(recordKey(record)) }] : [];
	});
}

/** Faults that are found by their values, and none: those whose records are diagnosed in lower case too. */
const capitals: ReadonlySet<string> = new Set(["misread", "hallucinated-entity", "none"]);

/** A record as it would be in a script without capitals: all that the agent wrote in lower case. */
function withoutCapitals(record: RunRecord): RunRecord {
	const { answer, steps } = record.trajectory;
	return {
		...record,
		trajectory: {
			...record.trajectory,
			answer: answer?.toLowerCase() ?? null,
			steps: steps.map((step) => {
				const { call, thought, subQuestion, subAnswer } = step;
				const query = call?.arguments.query;
				return {
					...step,
					...(typeof query === "string" && call
						? { call: { ...call, arguments: { ...call.arguments, query: query.toLowerCase() } } }
						: {}),
					...(thought === undefined ? {} : { thought: thought.toLowerCase() }),
					...(subQuestion === undefined ? {} : { subQuestion: subQuestion.toLowerCase() }),
					...(subAnswer === undefined ? {} : { subAnswer: subAnswer.toLowerCase() }),
				};
			}),
		},
	};
}
