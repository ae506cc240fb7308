import { availableParallelism } from "node:os";
import { Option } from "commander";
import { counted, exitCodes, HopscopeError } from "#domain";
import { readPublished, reproduced, type View } from "#reports";
import { openWorkspace } from "#store";
import {
	actionConditions,
	runToys,
	type TokenToyName,
	type ToyJob,
	type ToyPlace,
	tokenToyConditions,
} from "#training";
import { openForRun } from "#workbench";
import { type AddCommand, type CommonOptions, wholeNumber, withWorkspace } from "../context.ts";
import { createProgress } from "../progress.ts";
import { openKeptToys } from "../toy-kept.ts";
import { toyBanner, toyViews } from "../toy-views.ts";
import { type ViewFormat, viewFormats, writeViews } from "../write-views.ts";

const tiers = ["actions", "tokens", "all"] as const;
const grids = ["small", "full"] as const;

interface ToyOptions extends CommonOptions {
	tier: (typeof tiers)[number];
	grid: (typeof grids)[number];
	seeds: number;
	seed: number;
	updates?: number;
	benchmark: string;
	knowledge?: string;
	threads: number;
	conditions?: string[];
	keep?: string;
	format: ViewFormat;
	out?: string;
}

/** `hopscope toy-rl`: small policies trained by the project's own rewards, filter, masks and environment. */
export const addToyRl: AddCommand = (command, context, exit) =>
	withWorkspace(command)
		.addOption(new Option("--tier <tier>", "which policy").choices(tiers).default("actions"))
		.addOption(new Option("--grid <size>", "how many conditions").choices(grids).default("small"))
		.option("--conditions <names...>", "only these conditions")
		.option("--seeds <n>", "runs of each condition, each from a seed of its own", wholeNumber(1, 1000), 8)
		.option("--seed <n>", "the first seed", wholeNumber(0, 2 ** 31), 1)
		.option("--updates <n>", "updates of each run (default: 60)", wholeNumber(1, 10_000))
		.option("-b, --benchmark <name>", "with gold chains of text and question images (tier actions)", "atlas")
		.option("-n, --knowledge <name>", "knowledge base (default: the benchmark's own)")
		.option("--threads <n>", "runs at the same time", wholeNumber(1, 256), availableParallelism())
		.option("--keep <file>", "append each run that ends to this file, and make none again that stands in it")
		.addOption(new Option("-f, --format <format>", "how the tables are written").choices(viewFormats).default("text"))
		.option("-o, --out <file>", "where the tables go; a name without an ending is a folder")
		.addHelpText("after", help)
		.action(async (options: ToyOptions) => {
			try {
				await toyRl(options, context);
			} catch (error) {
				if (!context.signal.aborted) throw error;
				context.output.say(
					options.keep === undefined
						? "interrupted; nothing of it was kept (--keep FILE would)"
						: "interrupted; the same command goes on",
				);
				exit(exitCodes.interrupted);
			}
		});

const help = `
Tier actions: a policy of a few hundred numbers chooses searches and answers over a real benchmark and knowledge base, with a
frozen reader: some seconds a run. Tier tokens: a policy of some thousand numbers writes every token: a minute or two a run.
The small grid has the terms of the reward and the turn budget; the full one also the filters and the forms of R_tool.

Examples:
  $ hopscope toy-rl
  $ hopscope toy-rl --grid full --keep toys.jsonl --format html --out toy.html
  $ hopscope toy-rl --tier tokens --seeds 2 --conditions sft-only full not-masked
  $ hopscope toy-rl --conditions full "without action" --seeds 3 --json`;

async function toyRl(options: ToyOptions, { output, signal }: Parameters<AddCommand>[1]): Promise<void> {
	const workspace = openWorkspace(options.workspace);
	const jobs = jobsOf(options);
	const opened = jobs.some(({ tier }) => tier === "actions") ? await placeOf(options) : undefined;
	// read before anything is trained: what cannot be shown should fail at once
	const published = await publishedViews();
	const kept = await openKeptToys(options.keep, opened?.hashes ?? []);
	output.say(toyBanner);
	const progress = createProgress(output, "toy-rl");
	const began = Date.now();
	const before = jobs.flatMap((job) => kept.find(job) ?? []);
	const outstanding = jobs.filter((job) => kept.find(job) === undefined);
	if (before.length > 0) output.say(`${counted(before.length, "run")} of ${jobs.length} kept from before`);
	let done = before.length;
	progress.update(done, jobs.length);
	const { results: made, counts } = await runToys(outstanding, {
		...(opened ? { place: opened.place } : {}),
		...{ threads: options.threads, signal },
		async onResult(result, job) {
			await kept.keep(job, result);
			done += 1;
			progress.update(done, jobs.length, `${result.condition}, seed ${result.seed}`);
		},
	}).finally(() => kept.close());
	progress.end();
	const results = jobs.flatMap((job) => kept.find(job) ?? made[outstanding.indexOf(job)] ?? []);
	const seconds = (Date.now() - began) / 1000;
	const { episodes, playedEpisodes, searches, realSearches } = counts;
	if (episodes > 0)
		output.say(
			`${counted(episodes, "episode")}, ${playedEpisodes} of them played (the others made the same moves as one before); ` +
				`${searches} ${searches === 1 ? "search" : "searches"} asked, ${realSearches} carried out`,
		);
	const views = [...toyViews(results), ...published];
	await writeViews(views, {
		data: { banner: toyBanner, seconds, counts, results },
		name: "toy-rl",
		...{ workspace, options, output },
	});
}

function jobsOf({ tier, grid, seeds, seed, conditions, updates }: ToyOptions): ToyJob[] {
	const from = Array.from({ length: seeds }, (_, at) => ({ seed: seed + at, ...(updates ? { updates } : {}) }));
	const names = [
		...(tier === "tokens" ? [] : actionConditions().map(({ name }) => name)),
		...(tier === "actions" ? [] : Object.keys(tokenToyConditions)),
	];
	const unknown = conditions?.find((name) => !names.includes(name));
	if (unknown !== undefined)
		throw new HopscopeError(
			"unknown-condition",
			`there is no condition ${JSON.stringify(unknown)} in this tier`,
			`There is: ${[...new Set(names)].map((name) => JSON.stringify(name)).join(", ")}.`,
			{ exitCode: exitCodes.usage },
		);
	const wanted = (name: string) => conditions === undefined || conditions.includes(name);
	const jobs: ToyJob[] = [];
	if (tier !== "tokens")
		for (const { name, start } of actionConditions(conditions ? "full" : grid))
			if (wanted(name)) jobs.push(...from.map((one) => ({ tier: "actions" as const, start, condition: name, ...one })));
	if (tier !== "actions")
		for (const name of Object.keys(tokenToyConditions) as TokenToyName[])
			if (conditions ? wanted(name) : grid === "full" || smallTokenGrid.includes(name))
				jobs.push(...from.map((one) => ({ tier: "tokens" as const, condition: name, ...one })));
	return jobs;
}

const smallTokenGrid: readonly string[] = [
	"sft-only",
	"full",
	"without-action",
	"without-format",
	"without-both",
	"not-masked",
	"turns-2",
];

async function placeOf(options: ToyOptions): Promise<{ place: ToyPlace; hashes: string[] }> {
	const { benchmark, knowledge } = await openForRun(openWorkspace(options.workspace), options.benchmark, options);
	knowledge.close();
	return {
		place: { benchmark: benchmark.dir, knowledge: knowledge.dir },
		hashes: [benchmark.manifest.hash, knowledge.manifest.hash],
	};
}

/** What the paper prints of its own ablations, for the eye: another world, another policy, another scale. */
async function publishedViews(): Promise<View[]> {
	const views: View[] = [];
	for (const name of ["mmhops:6", "mmhops:7"])
		for (const view of await reproduced(await readPublished(name), []))
			views.push({ ...view, title: `${view.title} (published, not comparable)` });
	return views;
}
