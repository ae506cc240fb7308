import { join, resolve } from "node:path";
import { type Agent, agents, playsEpisodes } from "#agents";
import { openBenchmark } from "#benchmarks";
import { replaceFolder, writeJson } from "#store";
import {
	createEnvironment,
	type PairedRun,
	type PreferencePair,
	pairFileProblems,
	preferencePairs,
	preferenceWriters,
	type Trainer,
	writePairs,
} from "#training";
import type { TaskChoice } from "./chosen-tasks.ts";
import { openDiagnosed, withCauses } from "./diagnosed-run.ts";
import type { OpenedRun } from "./open.ts";
import type { Bench } from "./work.ts";

export interface PreferenceOptions extends Pick<TaskChoice, "taskList"> {
	/** The folder to write; one that this verb wrote before is replaced. */
	to: string;
	/** Two that part before the hop was broken: leave out, pair from there, pair whole. */
	apart?: "skip" | "first-difference" | "whole" | undefined;
	/** Two that part at the broken hop: that turn alone, or the rest of both. */
	extent?: "turn" | "rest" | undefined;
	/** Pairs of one task at most; 8 where nothing is said. */
	most?: number | undefined;
	split?: string[] | undefined;
	/** Also the files of this trainer. */
	format?: Trainer | undefined;
}

const marker = "export.json";

/** Preference pairs from runs: right against wrong at the first broken hop. */
export async function exportPreference(names: readonly string[], options: PreferenceOptions, bench: Bench) {
	const { apart = "skip", extent = "turn", most = 8, split: splits, format, taskList } = options;
	const opened: OpenedRun[] = [];
	try {
		const runs: PairedRun[] = [];
		for (const name of new Set(names)) runs.push(await pairedRun(name, { opened, taskList }, bench));
		const { signal } = bench;
		const { pairs, ...counts } = await preferencePairs(runs, { apart, extent, most, splits, signal });
		const to = resolve(options.to);
		const made = await replaceFolder(to, marker, async (folder) => {
			const written = await writePairs(pairs, folder);
			const { problems } = await pairFileProblems(folder, "preference");
			const trainer = format === undefined ? { losses: [] as string[] } : await trainerFiles(pairs, format, folder);
			const ids = runs.map(({ manifest }) => manifest.id);
			const about = { runs: ids, apart, extent, ...counts, ...written, problems, ...trainer };
			await writeJson(join(folder, marker), about);
			return about;
		});
		return { to, ...made };
	} finally {
		for (const run of opened) await run.close();
	}
}

/** A reply before the hop was broken says nothing by itself: where a trainer ranks one reply a side, it is left out. */
async function trainerFiles(pairs: readonly PreferencePair[], format: Trainer, folder: string) {
	const ranked = format === "swift" ? pairs : pairs.filter(({ place }) => place === "broken-hop");
	const { files, rows, left, losses } = await preferenceWriters[format].write(ranked, folder);
	const apart = pairs.length - ranked.length;
	const told = apart === 0 ? [] : [`${apart} pairs part before the hop was broken: ${format} ranks one reply a side`];
	return { format, files, written: rows, unwritten: left, losses: [...losses, ...told] };
}

async function pairedRun(
	name: string,
	{ opened, taskList }: { opened: OpenedRun[] } & Pick<TaskChoice, "taskList">,
	bench: Bench,
): Promise<PairedRun> {
	const { run, diagnosed } = await openDiagnosed(name, { taskList }, bench);
	opened.push(run);
	await withCauses({ run, diagnosed }, { misses: Infinity }, bench);
	const { manifest, tasks, benchmarkDir: dir } = run;
	const knowledge = await run.knowledge();
	const withMisses = diagnosed.map((one, at) => ({ ...one, diagnosis: run.diagnoses?.[at] ?? one.diagnosis }));
	const agent = Object.values<Agent>(agents).find((one) => one.name === manifest.agent.name);
	if (!agent || !playsEpisodes(agent)) return { manifest, tasks, dir, knowledge, diagnosed: withMisses };
	const benchmark = await openBenchmark(dir);
	const environment = createEnvironment({ benchmark, knowledge, agent, setting: manifest.setting });
	const tools: PairedRun["tools"] = async ({ id }) => (await environment.open(id)).tools;
	return { manifest, tasks, dir, knowledge, diagnosed: withMisses, tools };
}
