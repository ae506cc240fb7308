import { openBenchmark } from "#benchmarks";
import { exitCodes, HopscopeError, type LabelledItem, type Verdict } from "#domain";
import { openRun } from "#runs";
import {
	answerId,
	isJudged,
	type JudgeSeen,
	judgesIn,
	labelledAnswers,
	type Reading,
	type Rubric,
	stampOf,
	verdictsOf,
} from "#scoring";
import type { Workspace } from "#store";
import { counted, locate } from "../context.ts";
import { readLabelFiles } from "../label-file.ts";
import { readVerdicts } from "../verdict-file.ts";

export interface RunOptions {
	labels?: string[];
	judge?: string;
	rubric?: string;
	seed?: number;
	against?: string;
}

/** A judge with what it said of the items. */
export interface ReadJudge {
	model: string;
	prompt: string;
	readings: Reading[];
}

/** The recorded verdicts of a run as readings of its answers, with the labels that people gave them. */
export async function recordedJudges(
	name: string,
	{ workspace, options, say }: { workspace: Workspace; options: RunOptions; say(warning: string): void },
): Promise<{ items: LabelledItem[]; rubric: Rubric; judge: ReadJudge; against: ReadJudge | undefined }> {
	const dir = await locate(workspace, "runs", name);
	const run = await openRun(dir);
	for (const warning of run.warnings) say(warning);
	const { folder, name: benchmarkName } = run.manifest.benchmark;
	const { tasks } = await openBenchmark(await locate(workspace, "benchmarks", benchmarkName, { first: folder }));
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const { id } = run.manifest;
	const answers = run.records.filter(isJudged).flatMap((record) => {
		const task = byId.get(record.task);
		return task && record.trajectory.answer !== null ? [{ record, task }] : [];
	});
	const verdicts = await readVerdicts(dir, say);
	const seen = judgesIn(verdicts).filter(
		({ rubric, seed }) =>
			(options.rubric === undefined || rubric.name === options.rubric) &&
			(options.seed === undefined || seed === options.seed),
	);
	const others = seen.filter(({ judge }) => judge !== options.against);
	const judge = theOnly(others, { wanted: options.judge, name });
	const same = seen.filter((one) => one.rubric === judge.rubric && one.seed === judge.seed);
	const against = options.against === undefined ? undefined : theOnly(same, { wanted: options.against, name });
	const readingsOf = (one: JudgeSeen): ReadJudge => readJudge(one, { verdicts, id });
	const items = withLabels(labelledAnswers(id, answers), {
		labelled: options.labels ? await readLabelFiles(options.labels, { say }) : [],
		...{ name, say },
	});
	return { items, rubric: judge.rubric, judge: readingsOf(judge), against: against && readingsOf(against) };
}

function readJudge(seen: JudgeSeen, { verdicts, id }: { verdicts: Verdict[]; id: string }): ReadJudge {
	const stamp = stampOf(seen);
	const readings = verdictsOf(verdicts, stamp).map((verdict) => ({
		item: answerId(id, verdict),
		run: verdict.run,
		first: verdict.shown.first,
		judgement: verdict.judgement,
	}));
	return { model: stamp.model, prompt: stamp.prompt, readings };
}

function theOnly(seen: JudgeSeen[], { wanted, name }: { wanted: string | undefined; name: string }): JudgeSeen {
	const fitting = wanted === undefined ? seen : seen.filter(({ judge }) => judge === wanted);
	const [only] = fitting;
	if (only && fitting.length === 1) return only;
	const there = (fitting.length > 0 ? fitting : seen)
		.map(({ judge, rubric, seed }) => `--judge ${judge} --rubric ${rubric.name} --seed ${seed}`)
		.join("; ");
	if (only)
		throw new HopscopeError("which-judge", `more than one judge judged ${name}`, `Name one: ${there}.`, {
			exitCode: exitCodes.usage,
		});
	throw new HopscopeError(
		"no-verdicts",
		wanted === undefined ? `nobody judged ${name} so` : `${wanted} did not judge ${name} so`,
		there ? `There is: ${there}.` : `Judge it first: hopscope judge ${name} --model MODEL.`,
		{ exitCode: exitCodes.usage },
	);
}

/** The run's answers with their labels; labels of other answers are told of and left out. */
function withLabels(
	items: LabelledItem[],
	{ labelled, name, say }: { labelled: LabelledItem[]; name: string; say(warning: string): void },
): LabelledItem[] {
	const byId = new Map(labelled.map((item) => [item.id, item]));
	const found = items.filter(({ id }) => byId.has(id)).length;
	if (labelled.length > 0 && found === 0)
		throw new HopscopeError(
			"labels-of-another-run",
			`none of the ${counted(labelled.length, "labelled item")} is an answer of ${name}`,
			"Labels belong to one run's answers, drawn from it with hopscope judge sample.",
			{ exitCode: exitCodes.usage },
		);
	if (found < labelled.length)
		say(`${counted(labelled.length - found, "labelled item")} of other answers than ${name}'s, left out`);
	return items.map((item) => {
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
