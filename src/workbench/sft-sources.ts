import type { Task, Usage } from "#domain";
import type { Workspace } from "#store";
import { type Collected, type Device, type Trainer, type Tuning, tasksToTrainOn } from "#training";
import type { TaskChoice } from "./chosen-tasks.ts";
import type { ModelOptions, Models } from "./models.ts";
import type { Bench } from "./work.ts";

export interface SftOptions extends ModelOptions, Pick<TaskChoice, "taskList"> {
	/** The folder to write. */
	to: string;
	/** The trainer whose files and configuration are written; llamafactory where nothing is said. */
	format?: Trainer | undefined;
	/** The protocol that chains are walked in; stepwise where nothing is said. */
	agent?: string | undefined;
	setting?: string | undefined;
	/** What a search of a chain brings: the hop's gold evidence, or what it finds. */
	evidence?: "gold" | "retrieved" | undefined;
	/** Writes the thoughts of chains, one call a chain. */
	model?: string | undefined;
	concurrency?: number | undefined;
	/** Tasks of these splits; train alone, where splits are declared. */
	split?: string[] | undefined;
	/** Who looks at chains that no check has shown to need every hop: a model, or `rule`, by words; rule where nothing is said. */
	verify?: string | undefined;
	/** Take chains that no check has shown to need every hop, too. */
	unverified?: boolean | undefined;
	/** Trajectories of one task, the shortest first. */
	perTask?: number | undefined;
	/** Findings, rules and other reasons that keep nothing out. */
	allow?: string[] | undefined;
	/** Leave out what shows pictures, for models of text. */
	textOnly?: boolean | undefined;
	/** What is trained, and where; without a tuning what each configuration's source has. */
	tuning?: Tuning | undefined;
	device?: Device | undefined;
	/** Only the first n tasks of each benchmark. */
	tasks?: number | undefined;
	knowledge?: string | undefined;
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
	bench: Bench;
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
