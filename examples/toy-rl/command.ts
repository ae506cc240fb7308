import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Command, InvalidArgumentError, Option } from "commander";
import { openBenchmark } from "#benchmarks";
import { exitCodes, HopscopeError } from "#domain";
import { openKnowledge } from "#knowledge";
import {
	readPublished,
	renderCsvAll,
	renderLatexAll,
	renderMarkdown,
	renderTerminalAll,
	reproduced,
	type View,
	viewsPage,
} from "#reports";
import { openWorkspace } from "#store";
import { actionConditions } from "./actions/conditions.ts";
import { openKeptToys } from "./kept-results.ts";
import { runToys } from "./run-toys.ts";
import { type TokenToyName, tokenToyConditions } from "./tokens/conditions.ts";
import type { ToyJob, ToyPlace } from "./toy-job.ts";
import { toyBanner, toyViews } from "./views.ts";

const tiers = ["actions", "tokens", "all"] as const;
const grids = ["small", "full"] as const;
const formats = {
	text: renderTerminalAll,
	md: (views: readonly View[]) => views.map(renderMarkdown).join("\n"),
	csv: renderCsvAll,
	latex: renderLatexAll,
	html: viewsPage,
};

interface ToyOptions {
	workspace: string;
	tier: (typeof tiers)[number];
	grid: (typeof grids)[number];
	seeds: number;
	seed: number;
	updates?: number;
	benchmark: string;
	threads: number;
	conditions?: string[];
	keep?: string;
	format: keyof typeof formats;
	out?: string;
	json?: boolean;
}

/** Where the command writes what was asked for and says what happens, and what stops it. */
export interface ToyConsole {
	write(text: string): void;
	say(text: string): void;
	signal?: AbortSignal;
}

/** Small policies trained by the project's own rewards, filter, masks and environment; throws what went wrong. */
export async function toyRl(args: readonly string[], console: ToyConsole): Promise<void> {
	const command = new Command("toy-rl")
		.description("Train small policies on the project's own rewards and environment")
		.option("-w, --workspace <folder>", "workspace", ".hopscope")
		.addOption(new Option("--tier <tier>", "which policy").choices(tiers).default("actions"))
		.addOption(new Option("--grid <size>", "how many conditions").choices(grids).default("small"))
		.option("--conditions <names...>", "only these conditions")
		.option("--seeds <n>", "runs of each condition, each from a seed of its own", wholeNumber, 8)
		.option("--seed <n>", "the first seed", wholeNumber, 1)
		.option("--updates <n>", "updates of each run (default: 60)", wholeNumber)
		.option("-b, --benchmark <name>", "with gold chains of text and question images (tier actions)", "atlas")
		.option("--threads <n>", "runs at the same time", wholeNumber, availableParallelism())
		.option("--keep <file>", "append each run that ends to this file, and make none again that stands in it")
		.addOption(new Option("-f, --format <format>", "of the tables").choices(Object.keys(formats)).default("text"))
		.option("-o, --out <file>", "where the tables go")
		.option("--json", "one JSON line: results, counts and tables");
	await trainToys(command.parse(args, { from: "user" }).opts<ToyOptions>(), console);
}

function wholeNumber(text: string): number {
	if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It takes a whole number.");
	return Number(text);
}

async function trainToys(options: ToyOptions, { write, say, signal }: ToyConsole): Promise<void> {
	const jobs = jobsOf(options);
	const opened = jobs.some(({ tier }) => tier === "actions") ? await placeOf(options) : undefined;
	// read before anything is trained: what cannot be shown should fail at once
	const published = await publishedViews();
	const kept = await openKeptToys(options.keep, opened?.hashes ?? []);
	say(toyBanner);
	const began = Date.now();
	const outstanding = jobs.filter((job) => kept.find(job) === undefined);
	let done = jobs.length - outstanding.length;
	if (done > 0) say(`${done} runs of ${jobs.length} kept from before`);
	const { results: made, counts } = await runToys(outstanding, {
		...(opened ? { place: opened.place } : {}),
		...(signal ? { signal } : {}),
		threads: options.threads,
		async onResult(result, job) {
			await kept.keep(job, result);
			done += 1;
			say(`toy-rl: ${done}/${jobs.length}, ${result.condition}, seed ${result.seed}`);
		},
	}).finally(() => kept.close());
	const results = jobs.flatMap((job) => kept.find(job) ?? made[outstanding.indexOf(job)] ?? []);
	const seconds = (Date.now() - began) / 1000;
	const { episodes, playedEpisodes, searches, realSearches } = counts;
	if (episodes > 0)
		say(
			`${episodes} episodes, ${playedEpisodes} of them played (the others made the same moves as one before); ` +
				`${searches} searches asked, ${realSearches} carried out`,
		);
	const views = [...toyViews(results), ...published];
	const told = await formats[options.format](views, { colour: false, title: "toy-rl" });
	if (options.out !== undefined) writeFileSync(options.out, told);
	if (options.json) write(JSON.stringify({ banner: toyBanner, seconds, counts, results, views }));
	else write(options.out === undefined ? told : `tables: ${options.out}`);
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

async function placeOf({ workspace, benchmark: name }: ToyOptions): Promise<{ place: ToyPlace; hashes: string[] }> {
	const folders = openWorkspace(workspace);
	const benchmark = await openBenchmark(folders.benchmark(name));
	const knowledge = await openKnowledge(folders.knowledge(benchmark.manifest.knowledge));
	await knowledge.close();
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
