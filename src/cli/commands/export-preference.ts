import { join, resolve } from "node:path";
import { Option } from "commander";
import { type Agent, agents, playsEpisodes } from "#agents";
import { openBenchmark } from "#benchmarks";
import { exitCodes } from "#domain";
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
import { type OpenedRun, openDiagnosed, withCauses } from "#workbench";
import { benchOf } from "../bench.ts";
import { type AddCommand, type CommonOptions, type Context, wholeNumber, withWorkspace } from "../context.ts";
import { countLine, reasonLines } from "../pair-words.ts";

interface PreferenceCommandOptions extends CommonOptions {
	to: string;
	apart: "skip" | "first-difference" | "whole";
	extent: "turn" | "rest";
	most: number;
	split?: string[];
	format?: Trainer;
}

const marker = "export.json";

/** `hopscope export preference RUN…`: pairs to prefer by, from what was diagnosed. */
export const addExportPreference: AddCommand = (exporting, context, exit) =>
	withWorkspace(exporting.command("preference"))
		.description("Preference pairs from runs: right against wrong at the first broken hop")
		.argument("<runs...>", "runs of one protocol, with repeats, or several of them: names in the workspace, or folders")
		.requiredOption("-t, --to <dir>", "folder to write; one that this command wrote before is replaced")
		.addOption(
			new Option("--apart <what>", "two that part before the hop was broken: leave out, pair from there, pair whole")
				.choices(["skip", "first-difference", "whole"])
				.default("skip"),
		)
		.addOption(
			new Option("--extent <what>", "two that part at the broken hop: that turn alone, or the rest of both")
				.choices(["turn", "rest"])
				.default("turn"),
		)
		.addOption(
			new Option("-f, --format <name>", "also the files of this trainer").choices(Object.keys(preferenceWriters)),
		)
		.option("--most <n>", "pairs of one task at most", wholeNumber(1, 1000), 8)
		.option("--split <names...>", "tasks of these splits (default: train alone, where splits are declared)")
		.addHelpText(
			"after",
			`
Both sides of a pair answer the same task by the same protocol, and what they had said and read before is the same,
character for character. Right: the answer is right, no hop is broken, and the answer follows from what was found. Wrong: the
answer is wrong by a broken hop that is the policy's doing; errors, budgets and misses of the retriever make no pair.

DIR holds pairs.jsonl, images/ and export.json (counts, by verdict and by reason for what made no pair), and the files of a
trainer that is named. Trainers that rank one reply a side get the pairs that part at the broken hop alone.

Examples:
  $ hopscope run -b mine -a tagged -m openai:NAME --repeats 8 --temperature 1
  $ hopscope export preference RUN --to pairs
  $ hopscope export preference RUN --format llamafactory --to pairs
  $ hopscope export preference RUN RUN --apart first-difference --to pairs --json`,
		)
		.action(async (names: string[], options: PreferenceCommandOptions) => {
			const { output, signal } = context;
			const opened: OpenedRun[] = [];
			try {
				const runs: PairedRun[] = [];
				for (const name of new Set(names)) runs.push(await pairedRun(name, options, { opened, context }));
				const { apart, extent, most, split: splits } = options;
				const { pairs, ...counts } = await preferencePairs(runs, { apart, extent, most, splits, signal });
				const to = resolve(options.to);
				const made = await replaceFolder(to, marker, async (folder) => {
					const written = await writePairs(pairs, folder);
					const { problems } = await pairFileProblems(folder, "preference");
					const trainer =
						options.format === undefined
							? { losses: [] as string[] }
							: await trainerFiles(pairs, options.format, folder);
					const about = {
						runs: runs.map(({ manifest }) => manifest.id),
						apart,
						extent,
						...counts,
						...written,
						problems,
						...trainer,
					};
					await writeJson(join(folder, marker), about);
					return about;
				});
				if (made.rows === 0 || made.problems.length > 0) exit(exitCodes.failed);
				if (options.json) return output.write(JSON.stringify({ to, ...made }));
				output.write(countLine(made.rows, counts.byVerdict, counts.byPlace));
				for (const line of [
					...reasonLines("records on no side", counts.noSide),
					...reasonLines("wrong records without a pair", counts.noPair),
					...reasonLines("pairs that could not be written", tallyOf(made.left)),
					...made.losses,
					...made.problems.slice(0, 10).map(({ line, what }) => `line ${line}: ${what}`),
				])
					output.write(line);
				output.write(to);
			} finally {
				for (const run of opened) run.close();
			}
		});

/** A reply before the hop was broken says nothing by itself: where a trainer ranks one reply a side, it is left out. */
async function trainerFiles(pairs: readonly PreferencePair[], format: Trainer, folder: string) {
	const ranked = format === "swift" ? pairs : pairs.filter(({ place }) => place === "broken-hop");
	const { files, rows, left, losses } = await preferenceWriters[format].write(ranked, folder);
	const apart = pairs.length - ranked.length;
	const told = apart === 0 ? [] : [`${apart} pairs part before the hop was broken: ${format} ranks one reply a side`];
	return { format, files, written: rows, unwritten: left, losses: [...losses, ...told] };
}

const tallyOf = (left: readonly { reason: string }[]) =>
	Object.fromEntries(left.map(({ reason }) => [reason, left.filter((one) => one.reason === reason).length]));

async function pairedRun(
	name: string,
	options: CommonOptions,
	{ opened, context }: { opened: OpenedRun[]; context: Context },
): Promise<PairedRun> {
	const { run, diagnosed } = await openDiagnosed(name, {}, benchOf(context, options));
	opened.push(run);
	await withCauses({ run, diagnosed }, { misses: Infinity }, benchOf(context, options));
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
