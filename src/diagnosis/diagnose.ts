import {
	type Diagnosis,
	type Finding,
	type HopDiagnosis,
	hopsWaiting,
	inDependencyOrder,
	type RunRecord,
	type ScoreRow,
	type Task,
	type Trajectory,
} from "#domain";
import { typedAccuracy } from "#scoring";
import { type FindEvidence, type Standing, textsThatCameBack } from "./reading/came-back.ts";
import { mostSteps, readChain } from "./reading/chain-reading.ts";
import { mostHops } from "./reading/gold-reading.ts";
import { givenValue, isRight } from "./reading/value.ts";
import { chainFindings, stepsBy } from "./verdicts/findings.ts";
import type { HopJudged } from "./verdicts/hop-judged.ts";
import { mostIds } from "./verdicts/hop-words.ts";
import { notJudged } from "./verdicts/not-judged.ts";
import { readPlan } from "./verdicts/plan.ts";
import { namedFirst } from "./verdicts/primary.ts";
import { formatFailure, isComputed, recordFindings, unsupportedAnswer } from "./verdicts/record-findings.ts";
import { judgeHops } from "./verdicts/verdicts.ts";

/** Changes whenever a verdict, a finding or an error type could: lines by different rules are never counted together. */
export const diagnoserVersion = "5";

export interface DiagnoseInput {
	task: Task;
	/** The final attempt. */
	record: RunRecord;
	/** Says whether the answer is right; computed where absent. */
	row?: ScoreRow | undefined;
}

export interface DiagnoseOptions {
	/**
	 * Looks evidence up, for what only it can tell: a value that stands nowhere, kinds and documents. Without it that is
	 * not judged. Called many times with the same ids: keep what it finds.
	 */
	evidence?: FindEvidence | undefined;
	/**
	 * Whether the protocol has sub-answers, so that a hop without one was not answered. Where absent: whether this
	 * trajectory has any, which one that goes wrong at once cannot tell: `diagnoseRecords` looks at the whole run.
	 */
	subAnswers?: boolean | undefined;
}

/** Whether sub-answers are stated in a record. */
export const statesSubAnswers = ({ trajectory }: RunRecord): boolean =>
	trajectory.steps.some(({ subAnswer }) => subAnswer !== undefined);

/** Whether an agent writes free text between its steps. */
const hasThoughts = ({ trajectory }: RunRecord): boolean =>
	trajectory.steps.some(({ thought }) => thought !== undefined && thought.trim() !== "");

const cannotTell: Standing = { is: "unknown", reason: "the texts of what came back are not at hand" };

/** Everything the diagnosis says of one record, from the record alone; no agent and no model is asked. */
export async function diagnose(input: DiagnoseInput, options: DiagnoseOptions = {}): Promise<Diagnosis> {
	const { task, record } = input;
	const { trajectory, repeat, attempt } = record;
	const { evidence: find, subAnswers = statesSubAnswers(record) } = options;
	const scored = isAnswerRight(input);
	const broken = brokenBy(record);
	const answer = trajectory.abstained || trajectory.searchOnly ? undefined : givenValue(trajectory.answer);
	// an answer in a sentence may hold what the score does not find in it: no hop is to blame for its form
	const right =
		scored === false && answer !== undefined && isRight(answer, task.answer, task.tags.language) ? true : scored;
	const format = formatFailure(trajectory);
	const unclear: Parameters<typeof notJudged>[0]["unclear"][number][] = [];

	const waits = hopsWaiting(task);
	const readable = task.chain && !trajectory.answerOnly && waits === undefined;
	const chain = readable ? await readChain(task, trajectory, { evidence: find }) : undefined;
	const texts = find && (await textsThatCameBack(trajectory, { question: task.question, find }));
	const judged = chain
		? judgeHops({
				...{ task, trajectory, chain, right, answer, subAnswers, broken, texts },
				unreadable: format !== undefined,
			})
		: [];
	const plan = chain && readPlan(task, trajectory, chain);
	const findings: Finding[] = format ? [format] : [];
	if (chain) findings.push(...chainFindings({ task, trajectory, chain, hops: judged, right, plan, broken }));
	for (const one of judged)
		if (one.is === "judged" && one.unclear !== undefined) unclear.push({ what: "unsupported", reason: one.unclear });
	if (trajectory.answerOnly) {
		findings.push(...recordFindings(trajectory, { right }).filter(({ is }) => is === "broken-off"));
	} else {
		findings.push(...recordFindings(trajectory, { right }));
		if (answer !== undefined && broken === undefined && !isComputed(task) && !isBorneOut(task, { judged, right })) {
			const { type } = task.answer;
			// where the right answer is unknown too, its kind is only seen in the one that was given
			const isReckoned = type === "number" || type === "time" || (type === "unknown" && /\p{Nd}/u.test(answer));
			const mayCompute = !task.chain && isReckoned;
			const stands: Standing = mayCompute
				? { is: "unknown", reason: "without a gold chain nobody knows whether the answer is computed" }
				: (texts?.standing(answer) ?? cannotTell);
			findings.push(...unsupportedAnswer(trajectory, { answer, standing: stands }));
			if (stands.is === "unknown") unclear.push({ what: "unsupported-answer", reason: stands.reason });
		}
	}
	const hops =
		task.chain && !chain
			? unknownHops(task, trajectory.answerOnly || !waits ? "only the answer is known, not its steps" : waits)
			: judged.map((one) => asDiagnosis(one, trajectory));
	if (task.chain && task.chain.hops.length > hops.length)
		hops.push(...unknownHops(task, "the chain is too long to be read whole").slice(hops.length));
	return {
		...{ version: 2, task: task.id, repeat, attempt, diagnoser: diagnoserVersion },
		...(scored === undefined ? {} : { right: scored }),
		shows: subAnswers ? "stated" : hasThoughts(record) ? "thought" : "bare",
		hops,
		findings,
		...namedFirst({ task, hops, findings, right }),
		...(plan ? { plan: plan.figures } : {}),
		notJudged: notJudged({
			chain: task.chain !== undefined,
			answerOnly: trajectory.answerOnly === true,
			waits,
			searchOnly: trajectory.searchOnly === true,
			...{ broken, right, unclear },
			texts: find !== undefined,
			plan: plan !== undefined,
			cut: (task.chain?.hops.length ?? 0) > mostHops || trajectory.steps.length > mostSteps,
		}),
	};
}

/** Undefined where there is nothing to compare with, or no answer is meant to be given. */
function isAnswerRight({ task, record: { trajectory }, row }: DiagnoseInput): boolean | undefined {
	if (trajectory.searchOnly || trajectory.stop === "error" || trajectory.stop === "budget") return undefined;
	if (task.answer.type === "unknown" && !row) return undefined;
	if (row) return row.outcome === "unparsed-judge" || row.outcome === "ungraded" ? undefined : row.outcome === "right";
	if (trajectory.abstained) return task.answer.type === "none";
	if (trajectory.answer === null) return false;
	const { value } = typedAccuracy(trajectory.answer, task.answer, {
		language: task.tags.language,
		question: task.question,
	});
	return value === null ? undefined : value === 1;
}

function brokenBy({ trajectory: { stop } }: RunRecord): string | undefined {
	if (stop === "budget") return "the run's budget was used up";
	return stop === "error" ? "an error ended it" : undefined;
}

/** A right answer stands in what came back of its hop, gold or not, be it in a picture or in other words. */
function isBorneOut(
	task: Task,
	{ judged, right }: { judged: readonly HopJudged[]; right: boolean | undefined },
): boolean {
	const sink = judged.find(({ reading }) => reading.hop.id === task.chain?.sink);
	if (right !== true || !sink) return false;
	return sink.reading.brought.length > 0 || (sink.is === "judged" && (sink.others?.length ?? 0) > 0);
}

function asDiagnosis(judged: HopJudged, { steps }: Trajectory): HopDiagnosis {
	const { hop, evidence } = judged.reading;
	if (judged.is === "not-judged") return { is: "not-judged", hop: hop.id, reason: judged.reason };
	const { verdict, seen, used, carried, others, why, cited } = judged;
	const index = seen?.place === undefined ? undefined : steps[seen.place]?.index;
	return {
		...{ is: "judged", hop: hop.id, verdict, ...stepsBy(judged), evidence },
		...(others ? { otherEvidence: others.map(({ id }) => id) } : {}),
		...(seen ? { seen: { by: seen.by, ...(index === undefined ? {} : { step: index }) } } : {}),
		...(used === undefined ? {} : { used }),
		...(carried === undefined || carried === used ? {} : { carried }),
		...(cited && cited.length > 0 ? { cited: cited.slice(0, mostIds) } : {}),
		...(why === undefined ? {} : { why }),
	};
}

function unknownHops(task: Task, reason: string): HopDiagnosis[] {
	const hops = task.chain ? inDependencyOrder(task.chain) : [];
	return hops.map(({ id }) => ({ is: "not-judged", hop: id, reason }));
}
