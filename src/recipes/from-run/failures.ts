import {
	type Diagnosis,
	type Evidence,
	grouped,
	type HopDiagnosis,
	plainLine,
	type RunRecord,
	type ScoreRow,
	type Task,
	type Verdict,
} from "#domain";
import { holdsAnswer, isTypedRight } from "#scoring";
import { type Doubt, doubtOf } from "./doubts.ts";

/** A run as far as its failures need it; one record a task and repeat. */
export interface FailedRun {
	tasks: readonly Task[];
	records: readonly RunRecord[];
	diagnoses: readonly Diagnosis[];
	rows: readonly ScoreRow[];
	verdicts: readonly Verdict[];
	evidence(id: string): Promise<Evidence | undefined>;
}

/** Why a task is worth a person's look. */
export const failureCauses = ["wrong-answer", "broken-hop", "judge-doubt"] as const;
export type FailureCause = (typeof failureCauses)[number];

/** A task on which a run failed, or of which nobody can be sure, with what went wrong. */
export interface Failure {
	task: Task;
	causes: FailureCause[];
	/** Repeats that failed, of those that came to an end. */
	failed: number;
	of: number;
	/** What the diagnosis names first of the first failed repeat. */
	finding?: string;
	brokenHop?: { hop: string; verdict: string; miss?: string };
	/** The answer that was given, of the first failed repeat. */
	said?: string;
	/** Evidence that the agent cited or retrieved and that holds the wrong answer whole. */
	statedIn: string[];
	doubt?: Doubt;
}

/** Evidence of one record that is read for another answer. */
const mostRead = 50;

/**
 * The tasks that failed, in the order of the benchmark: a wrong answer, a hop that is seen to be broken (though the answer
 * may be right), or an answer taken as right of which its judges are not sure. What an error or the run's budget ended says
 * nothing, and a tool that failed on a hop is no cause by itself.
 */
export async function failuresOf(
	run: FailedRun,
	options: {
		causes?: readonly FailureCause[];
		/** Mean of the verdicts on a passed answer below which a judge counts as unsure. */
		sure: number;
	},
): Promise<Failure[]> {
	const { causes: wanted = failureCauses, sure } = options;
	const records = byTask(run.records.filter(({ trajectory: { stop } }) => stop !== "error" && stop !== "budget"));
	const diagnoses = new Map(run.diagnoses.map((one) => [keyOf(one), one]));
	const rows = new Map(run.rows.map((one) => [keyOf(one), one]));
	const verdicts = byTask(run.verdicts);
	const failures: Failure[] = [];
	for (const task of run.tasks) {
		const own = records.get(task.id) ?? [];
		const looked = own.map((record) => {
			const diagnosis = diagnoses.get(keyOf(record));
			const broken = diagnosis && brokenHopOf(diagnosis);
			const about = (verdicts.get(task.id) ?? []).filter((verdict) => keyOf(verdict) === keyOf(record));
			const right = rightOf(diagnosis, rows.get(keyOf(record)));
			const doubt = doubtOf(about, { right, sure });
			const isWrong = right === false;
			const holds: Record<FailureCause, boolean> = {
				"wrong-answer": isWrong,
				"broken-hop": broken !== undefined && broken.verdict !== "tool-failed",
				"judge-doubt": doubt !== undefined,
			};
			const causes = failureCauses.filter((cause) => wanted.includes(cause) && holds[cause]);
			return { record, diagnosis, broken, doubt, isWrong, causes };
		});
		const failed = looked.filter(({ causes }) => causes.length > 0);
		const [first] = failed;
		if (!first) continue;
		const { record, diagnosis, broken, doubt, isWrong } = first;
		const said = record.trajectory.answer;
		failures.push({
			task,
			causes: failureCauses.filter((cause) => failed.some(({ causes }) => causes.includes(cause))),
			failed: failed.length,
			of: own.length,
			...(diagnosis?.primary ? { finding: diagnosis.primary } : {}),
			...(broken ? { brokenHop: broken } : {}),
			...(said ? { said: plainLine(said, 300) } : {}),
			statedIn: isWrong && said ? await holding(said, { record, task, evidence: run.evidence }) : [],
			...(doubt ? { doubt } : {}),
		});
	}
	return failures;
}

const keyOf = ({ task, repeat, attempt }: Pick<RunRecord, "task" | "repeat" | "attempt">) =>
	JSON.stringify([task, repeat, attempt]);

const byTask = <Of extends { task: string }>(all: readonly Of[]) => grouped(all, ({ task }) => task);

/** As the diagnosis has it, else by typed accuracy; undefined where nobody can say. */
function rightOf(diagnosis: Diagnosis | undefined, row: ScoreRow | undefined): boolean | undefined {
	if (diagnosis?.right !== undefined) return diagnosis.right;
	const typed = row?.scores.typed;
	return typed?.is === "scored" ? typed.value === 1 : undefined;
}

function brokenHopOf({ firstBroken, hops }: Diagnosis): Failure["brokenHop"] {
	const found = hops.find(
		(hop): hop is Extract<HopDiagnosis, { is: "judged" }> => hop.is === "judged" && hop.hop === firstBroken,
	);
	return found && { hop: found.hop, verdict: found.verdict, ...(found.miss ? { miss: found.miss.is } : {}) };
}

/** Evidence that holds the wrong answer, what the agent cited before what it only retrieved, gold evidence too. */
async function holding(
	said: string,
	{ record, task, evidence }: { record: RunRecord; task: Task; evidence: FailedRun["evidence"] },
): Promise<string[]> {
	if (task.answer.type === "boolean" || task.answer.type === "none" || record.trajectory.abstained) return [];
	const { hops = [], sink } = task.chain ?? {};
	// what is computed stands in no text, and what another hop asks for stands there of right
	if (hops.some(({ id, modality, compute }) => id === sink && (compute || modality === "compute"))) return [];
	const { language } = task.tags;
	if (hops.some(({ id, answer }) => id !== sink && isTypedRight(said, answer, { language }))) return [];
	const { cited = [], steps } = record.trajectory;
	const seen = new Set([...cited, ...steps.flatMap(({ results }) => results.map(({ id }) => id))]);
	const found: string[] = [];
	for (const id of [...seen].slice(0, mostRead)) {
		const read = await evidence(id);
		if (read && read.kind !== "image" && holdsAnswer(read.text, said)) found.push(id);
	}
	return found;
}

const mostStated = 5;

/**
 * The task with tags that say how it failed, for slices and for whoever reads the reviews; people who review are not shown
 * them. A comment names evidence that holds the answer which was counted wrong: the gold may lack it.
 */
export function failedTask(failure: Failure, run: string): Task {
	const { task, causes, failed, of, finding, brokenHop, said, statedIn, doubt } = failure;
	const stated = [...statedIn.slice(0, mostStated), ...(statedIn.length > mostStated ? ["…"] : [])].join(", ");
	const tags: Record<string, string> = {
		run,
		cause: causes.join("+"),
		failed: `${failed} of ${of}`,
		...(finding === undefined ? {} : { finding }),
		...(brokenHop
			? {
					"broken-hop": brokenHop.hop,
					"broken-how": brokenHop.miss ? `${brokenHop.verdict}: ${brokenHop.miss}` : brokenHop.verdict,
				}
			: {}),
		...(said === undefined ? {} : { said }),
		...(doubt ? { "judge-doubt": `${doubt.is}, mean ${doubt.mean.toFixed(2)} of ${doubt.verdicts}` } : {}),
		...(statedIn.length > 0
			? { "stated-in": stated, comment: `"${said}" was counted wrong and stands in ${stated}` }
			: {}),
	};
	return { ...task, tags: { ...task.tags, ...tags } };
}
