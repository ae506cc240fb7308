import type { LabelledItem } from "#domain";
import { askCount, askLabelled, preference, type Rubric, rubrics } from "#scoring";
import type { Workspace } from "#store";
import { readConfiguration } from "../configuration.ts";
import { type LabelFormat, readLabelFiles } from "../label-file.ts";
import { createModels, type ModelOptions, type Models } from "../models.ts";
import type { Output } from "../output.ts";
import { createProgress } from "../progress.ts";
import { usageLine } from "../run-agent.ts";
import type { ReadJudge } from "./judge-calibrate-run.ts";
import { openJudge, rubricCalled } from "./judge-chosen.ts";

export interface FileOptions extends ModelOptions {
	format: LabelFormat;
	model?: string;
	against?: string;
	rubric?: string;
	seed?: number;
	times: number;
	concurrency: number;
	maxCalls?: number;
	maxCost?: number;
}

interface Around {
	workspace: Workspace;
	options: FileOptions;
	output: Output;
	signal: AbortSignal;
}

/** Asks one judge, or two, about the items of a file of labels. */
export async function askedJudges(
	file: string,
	around: Around,
): Promise<{ items: LabelledItem[]; rubric: Rubric; judge: ReadJudge; against: ReadJudge | undefined }> {
	const { workspace, options, output } = around;
	const items = await readLabelFiles([file], { format: options.format, say: output.say });
	const rubric = rubricCalled(options.rubric ?? rubricFor(items), { ...rubrics, [preference.name]: preference });
	const configuration = await readConfiguration(workspace);
	const models = createModels(workspace, { configuration, options, say: output.say });
	const judge = await ask(items, options.model ?? configuration.judge, { ...around, rubric, models });
	const against =
		options.against === undefined ? undefined : await ask(items, options.against, { ...around, rubric, models });
	return { items, rubric, judge, against };
}

/** What the labels are of: two answers, a grade, or the scores or labels of a rubric. */
function rubricFor(items: readonly LabelledItem[]): string {
	const labels = items.flatMap((item) => item.labels.map(({ label }) => label));
	if (labels.some(({ is }) => is === "preference") || items.some(({ other }) => other !== undefined))
		return preference.name;
	const scores = new Set(labels.flatMap((label) => (label.is === "score" ? [label.name] : [])));
	const names = new Set(labels.flatMap((label) => (label.is === "labels" ? label.labels : [])));
	const fitting = Object.values(rubrics).find(
		(rubric) =>
			Object.keys(rubric.scores).some((name) => scores.has(name)) ||
			Object.keys(rubric.labels).some((name) => names.has(name)),
	);
	return fitting?.name ?? "tracer";
}

async function ask(
	items: LabelledItem[],
	name: string | undefined,
	{ options, output, signal, rubric, models }: Around & { rubric: Rubric; models: Models },
): Promise<ReadJudge> {
	const { times, seed = 0, concurrency, maxCalls = Infinity, maxCost = Infinity } = options;
	const { judge, money } = openJudge(name, { rubric, models, signal, needsPrice: options.maxCost !== undefined });
	const progress = createProgress(output, `${judge.id} · ${rubric.name}`);
	const total = askCount(items, times);
	let done = 0;
	let spent = false;
	const told = await askLabelled(items, judge, {
		...{ rubric, times, seed, concurrency, signal },
		onReading(_, used) {
			done += 1;
			spent = used.calls - (used.kept ?? 0) >= maxCalls || (used.cost ?? 0) >= maxCost;
			progress.update(done, total, [usageLine(used, money), models.pace()].filter(Boolean).join(", "));
		},
		until: () => spent,
	}).finally(() => progress.end());
	const again = "replies are kept, and the same command goes on";
	if (told.refused !== undefined) output.say(`stopped, since ${judge.id} answers no call: ${told.refused}; ${again}`);
	else if (done < total) output.say(`the budget is spent after ${done} of ${total} verdicts; ${again}`);
	if (told.usage.calls > 0) output.say([`${judge.id}:`, usageLine(told.usage, money)].join(" "));
	return { model: judge.id, prompt: judge.prompt(rubric), readings: told.readings };
}
