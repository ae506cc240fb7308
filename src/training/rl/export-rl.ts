import { join } from "node:path";
import { usageError } from "#domain";
import type { Environment } from "../environment/environment.ts";
import { copyTrainerFile } from "../trainer-files.ts";
import { nemo } from "./nemo.ts";
import type { RlFormat, RlReread } from "./rl-format.ts";
import { chosenSplits, imagesOf, type RlTask, rlTask } from "./rl-task.ts";
import { swift } from "./swift.ts";
import { trl } from "./trl.ts";
import { verl } from "./verl.ts";

export const rlFormats = { verl, trl, swift, nemo } satisfies Record<string, RlFormat>;
export type RlFormatName = keyof typeof rlFormats;

export interface RlExportOptions {
	format: RlFormatName;
	/** Base address of the server that will play the episodes. */
	server: string;
	/** Where the folder will stand on the machine that trains, absolute. */
	root: string;
	/** Splits to write; without it all but `test`. */
	splits?: readonly string[];
	/** Writes accepted answers as well, for those who reward by themselves: they are then in the trainer's hands. */
	withAnswers?: boolean;
	/** Told now and then how many episodes were opened. */
	onProgress?: (done: number, all: number) => void;
	signal?: AbortSignal;
}

/** What was written. */
export interface RlExport {
	files: string[];
	rows: Record<string, number>;
	/** Images, each once. */
	images: number;
	/** What the checkers found in the files, read again. */
	reread: RlReread[];
}

/** Writes the tasks of an environment for a trainer, with the programs that it needs, into an empty folder. */
export async function exportRl(environment: Environment, dir: string, options: RlExportOptions): Promise<RlExport> {
	const { format: name, server, root, signal } = options;
	const format: RlFormat = rlFormats[name];
	const chosen = chosenSplits(environment, options.splits);
	if ([...chosen.values()].flat().length === 0) throw noTasks(environment.name);
	const tools = await environment.tools();
	mustSpeak(format, environment, { calls: tools.length > 0 });
	const splits = await openedSplits(environment, dir, { ...options, chosen });
	const tasks = [...splits.values()].flat();
	const { agent, setting } = environment;
	const files = await format.write(splits, dir, {
		benchmark: environment.name,
		agent: agent.name,
		setting: setting.name,
		tools,
		server,
		root,
		continued: setting.form === "continued",
		k: setting.k,
		limit: Math.max(...tasks.map(({ limit }) => limit)),
		replies: Math.max(...tasks.map(({ replies }) => replies)),
		...(options.withAnswers ? { answers: answersOf(environment, tasks) } : {}),
	});
	for (const program of format.programs) await copyTrainerFile(program, join(dir, program));
	signal?.throwIfAborted();
	return {
		files: [...files, ...format.programs],
		rows: Object.fromEntries([...splits].map(([split, members]) => [split, members.length])),
		images: new Set(tasks.flatMap(imagesOf)).size,
		reread: await format.reread(dir, files),
	};
}

async function openedSplits(
	environment: Environment,
	dir: string,
	{
		chosen,
		signal,
		onProgress,
	}: Pick<RlExportOptions, "signal" | "onProgress"> & { chosen: ReadonlyMap<string, readonly string[]> },
): Promise<Map<string, RlTask[]>> {
	const all = [...chosen.values()].reduce((sum, ids) => sum + ids.length, 0);
	const splits = new Map<string, RlTask[]>();
	let done = 0;
	for (const [split, ids] of chosen) {
		const tasks: RlTask[] = [];
		splits.set(split, tasks);
		for (const [index, id] of ids.entries()) {
			signal?.throwIfAborted();
			tasks.push(await rlTask(environment, id, { dir, split, index }));
			done += 1;
			onProgress?.(done, all);
		}
	}
	return splits;
}

function mustSpeak({ title, speaks }: RlFormat, { agent }: Environment, { calls }: { calls: boolean }): void {
	if (calls === (speaks === "calls")) return;
	throw usageError(
		"other-protocol",
		calls
			? `"${agent.name}" calls functions, and policies speak text to ${title}`
			: `"${agent.name}" makes its calls in text, and ${title} declares functions`,
		calls ? "Choose a protocol of text: tagged, search-r1, hermes." : "Choose function-calling.",
	);
}

function answersOf(environment: Environment, tasks: readonly RlTask[]): Map<string, string[]> {
	return new Map(tasks.map(({ task }) => [task, environment.task(task).answer.accepted]));
}

const noTasks = (name: string) => usageError("no-tasks", `${name} has no tasks to write`, "Name a split with --split.");
