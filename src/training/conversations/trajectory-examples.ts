import { type Agent, agents } from "#agents";
import {
	attemptKey,
	brokenOrder,
	countName,
	type Diagnosis,
	type FindingKind,
	ownField,
	type RunManifest,
	type RunRecord,
	retrievalHops,
	type ScoreRow,
	type Task,
} from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ToolDeclaration } from "#models";
import { isWellFormed } from "../reward/trajectory-reward.ts";
import { answerInQuestion, factsOf } from "./answer-leak.ts";
import type { Collected, Dropped } from "./dropped.ts";
import type { TrainingExample } from "./example.ts";
import { exampleProblems } from "./example-checks.ts";
import { trainingMessages } from "./training-messages.ts";

/** Findings that keep a trajectory out: what it shows is not to be learnt, whatever its answer. */
export const refusedFindings = [
	"broken-off",
	"unsearched",
	"known",
	"lucky",
	...brokenOrder,
	"unsupported-answer",
	"composition",
	"invalid-call",
	"repeated-query",
	"over-extension",
] as const satisfies readonly FindingKind[];

/** A run with all that is known of its records. */
export interface FinishedRun {
	manifest: RunManifest;
	/** Those that may be trained on. */
	tasks: readonly Task[];
	/** The last attempt of each. */
	records: readonly RunRecord[];
	rows: readonly ScoreRow[];
	diagnoses: readonly Diagnosis[];
	/** The benchmark's folder. */
	dir: string;
	knowledge: Pick<KnowledgeBase, "evidence" | "file">;
}

export interface TrajectoryExamplesOptions {
	/** Trajectories of one task that are taken, the shortest first, default 1. */
	perTask?: number;
	/** Findings, rules and other reasons that keep nothing out. */
	allow?: readonly string[];
	/** Functions that were declared to the model for this task; empty where none were. */
	tools(task: Task): Promise<readonly ToolDeclaration[]>;
	tags?(task: Task): Record<string, string>;
}

/** The right and clean trajectories of a run, as the conversations that they were. */
export async function trajectoryExamples(run: FinishedRun, options: TrajectoryExamplesOptions): Promise<Collected> {
	const { perTask = 1, allow = [] } = options;
	const tasks = new Map(run.tasks.map((task) => [task.id, task]));
	const rows = new Map(run.rows.map((row) => [attemptKey(row), row]));
	const diagnoses = new Map(run.diagnoses.map((one) => [attemptKey(one), one]));
	const made: Collected = { examples: [], dropped: [], noticed: {} };
	const notice = (what: string, times = 1) => {
		if (times > 0) countName(made.noticed, what, times);
	};
	const byTask = new Map<string, { record: RunRecord; example: TrainingExample }[]>();
	for (const record of run.records) {
		const task = tasks.get(record.task);
		if (!task) continue;
		const drop = ({ what, detail }: Pick<Dropped, "what" | "detail">) =>
			made.dropped.push({
				task: task.id,
				run: run.manifest.id,
				repeat: record.repeat,
				what,
				...(detail === undefined ? {} : { detail }),
			});
		const known = { task, row: rows.get(attemptKey(record)), diagnosis: diagnoses.get(attemptKey(record)) };
		const reason = unfit(record, known, allow);
		if (reason) {
			drop(reason);
			continue;
		}
		const example = await exampleOf(task, record, run, options);
		if ("what" in example) {
			drop(example);
			continue;
		}
		const thoughts = record.trajectory.steps.flatMap(({ role, thought }) => (role === "opening" ? [] : [thought]));
		// who calls in the provider's form need not say anything beside the call
		const silent = example.tools ? thoughts.filter((thought) => !thought?.trim()).length : 0;
		const { quotesBetween } = ownField<Agent>(agents, run.manifest.agent.name) ?? {};
		const given = { facts: factsOf(task, example), thoughts: example.tools ? [] : thoughts, quotesBetween };
		const problems = exampleProblems(example, given);
		for (const { rule } of problems.filter((one) => allow.includes(one.rule))) notice(rule);
		const [problem] = problems.filter(({ rule }) => !allow.includes(rule));
		if (problem) {
			drop({ what: problem.rule, detail: problem.detail });
			continue;
		}
		notice("turns without a thought", silent);
		byTask.set(task.id, [...(byTask.get(task.id) ?? []), { record, example }]);
	}
	for (const [id, good] of byTask) {
		const ordered = good.toSorted(
			(a, b) => lengthOf(a.example) - lengthOf(b.example) || a.record.repeat - b.record.repeat,
		);
		for (const { record } of ordered.slice(perTask))
			made.dropped.push({ task: id, run: run.manifest.id, repeat: record.repeat, what: "more-than-per-task" });
		for (const { example } of ordered.slice(0, perTask)) {
			const task = tasks.get(id);
			if (task && answerInQuestion(task)) notice("answer-in-question");
			made.examples.push(example);
		}
	}
	return made;
}

/** Why nothing is to be learnt from a record; undefined where something is. */
function unfit(
	{ trajectory }: RunRecord,
	{ task, row, diagnosis }: { task: Task; row: ScoreRow | undefined; diagnosis: Diagnosis | undefined },
	allow: readonly string[],
): Pick<Dropped, "what" | "detail"> | undefined {
	if (!row) return { what: "not-scored" };
	if (row.outcome !== "right") return { what: `outcome-${row.outcome}` };
	if (trajectory.messages.length === 0)
		return { what: "no-messages", detail: "nothing was said: it was made without a model" };
	const isFree = (what: string) => allow.includes(what);
	if (!isWellFormed(trajectory) && !isFree("malformed"))
		return { what: "malformed", detail: "a turn was not written as its protocol has it, or could not be carried out" };
	if (!diagnosis) return isFree("not-judged") ? undefined : { what: "not-judged", detail: "nobody diagnosed it" };
	const kinds = new Map(diagnosis.findings.map((finding) => [finding.is, finding.says]));
	const finding = refusedFindings.find((kind) => kinds.has(kind) && !isFree(kind));
	if (finding) return { what: finding, detail: kinds.get(finding) ?? "" };
	const known = diagnosis.hops.find((hop) => hop.is === "judged" && hop.verdict === "skipped-known");
	if (known && !isFree("skipped-known")) return { what: "skipped-known", detail: `${known.hop} was known, not found` };
	const retrieving = new Set(task.chain && retrievalHops(task.chain).map(({ id }) => id));
	const open = diagnosis.hops.find(
		(hop) => hop.is === "judged" && hop.verdict === "unobserved" && retrieving.has(hop.hop),
	);
	if (open && !isFree("unobserved"))
		return { what: "unobserved", detail: `nothing shows that ${open.hop} was read rightly: it may be right by luck` };
	if (diagnosis.hops.every(({ is }) => is === "not-judged") && !isFree("not-judged"))
		return {
			what: "not-judged",
			detail: diagnosis.hops[0] ? "none of its hops can be judged" : "its task states no chain",
		};
	return undefined;
}

async function exampleOf(
	task: Task,
	{ trajectory, repeat }: RunRecord,
	{ manifest, dir, knowledge }: FinishedRun,
	{ tools: toolsOf, tags }: TrajectoryExamplesOptions,
): Promise<TrainingExample | Pick<Dropped, "what" | "detail">> {
	const main = trajectory.messages.filter(({ conversation }) => conversation === undefined);
	if (main.length === 0)
		return { what: "no-main-conversation", detail: "its agents speak in conversations of their own only" };
	const converted = await trainingMessages(main, { task, dir, knowledge }, { thoughtBy: "agent" });
	if (converted.is === "lost") return { what: "image-lost", detail: converted.detail };
	const { is: _is, ...conversation } = converted;
	const tools = [...(await toolsOf(task))];
	if (tools.length === 0 && conversation.messages.some(({ calls }) => calls !== undefined))
		return { what: "tools-unknown", detail: "the functions that were declared to the model are not recorded" };
	return {
		id: `${manifest.id}-${task.id}-${repeat}`,
		task: task.id,
		source: {
			kind: "trajectory",
			benchmark: manifest.benchmark.name,
			run: manifest.id,
			agent: manifest.agent.name,
			setting: manifest.setting.name,
			repeat,
		},
		...conversation,
		...(tools.length > 0 ? { tools } : {}),
		tags: { ...task.tags, ...tags?.(task) },
	};
}

/** By turns first, by characters between equals. */
function lengthOf({ messages }: TrainingExample): number {
	const characters = JSON.stringify(messages.map(({ content, calls }) => [content, calls])).length;
	return messages.filter(({ role }) => role === "assistant").length * 1e9 + characters;
}
