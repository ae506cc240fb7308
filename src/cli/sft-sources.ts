import type { Task, Usage } from "#domain";
import type { Workspace } from "#store";
import { type Collected, type Trainer, tasksToTrainOn } from "#training";
import type { CommonOptions, Context } from "./context.ts";
import type { ModelOptions, Models } from "./models.ts";

export interface SftOptions extends Pick<CommonOptions, "workspace">, ModelOptions {
	to: string;
	format: Trainer;
	agent: string;
	setting?: string;
	evidence: "gold" | "retrieved";
	model?: string;
	concurrency: number;
	split?: string[];
	unverified?: boolean;
	perTask: number;
	allow?: string[];
	tasks?: number;
	knowledge?: string;
}

/** What a source gave. */
export interface SourceReport {
	kind: "chains" | "trajectories";
	name: string;
	/** What its tasks are and under which terms. */
	about: Record<string, unknown>;
	tasks: number;
	/** Trajectories of a run that were looked at. */
	records?: number;
	examples: number;
	splits: Record<string, number>;
	dropped: Record<string, number>;
	noticed: Record<string, number>;
}

/** What every source is gathered with. */
export interface Gathering {
	workspace: Workspace;
	models: Models;
	options: SftOptions;
	context: Context;
}

export type Gathered = Collected & { report: SourceReport; usage: Usage };

/** Training on the tasks that one is tested on is the classic mistake: what is not of a training split needs a word. */
export function guarded(
	{ tasks, manifest }: { tasks: readonly Task[]; manifest: { name: string } },
	{ split }: SftOptions,
	say: (warning: string) => void,
) {
	const choice = tasksToTrainOn(tasks, split);
	const { name } = manifest;
	if (!choice.declared && split === undefined)
		say(
			`WARNING: ${name} declares no split, so all its tasks are taken. Whatever is trained on them cannot be tested on them: hopscope benchmark split ${name} makes a split without leaks`,
		);
	if (choice.declared && split?.some((one) => one !== "train"))
		say(`WARNING: ${name}: taking ${split.join(", ")}, as asked: results on these tasks will mean nothing`);
	return choice;
}
