import { counted, exitCodes } from "#domain";
import type { Recipe } from "#recipes";
import type { AutoMade, AutoOptions, Made } from "#workbench";
import {
	type AddCommand,
	type CommonOptions,
	type Context,
	dayFrom,
	numberFrom,
	sayNext,
	wholeNumber,
	withWorkspace,
} from "../context.ts";
import {
	autoInWords,
	funnelInWords,
	itemInWords,
	planInWords,
	recipesInWords,
	settingsInWords,
} from "../make-words.ts";
import { withModels } from "../models.ts";
import { tableTypesInWords } from "../table-types-words.ts";
import { watch } from "../watch.ts";

export interface Options extends CommonOptions, AutoOptions {
	settings?: boolean;
	plan?: boolean;
	funnel?: boolean;
	init?: boolean;
	refresh?: string;
	date?: string;
}

const several = (text: string, before: string[] = []): string[] => [...before, text];

export const addMake: AddCommand = (command, context, exit) =>
	withModels(withWorkspace(command))
		.argument("[recipe]", "atlas, auto, or a recipe; without one they are listed")
		.option("-n, --knowledge <name>", "knowledge base to make it from (default: the workspace's only one)")
		.option("--items <n>", "stop at so many accepted items", wholeNumber(1, 10_000_000))
		.option("--name <name>", "name of the benchmark (default: the recipe's)")
		.option("-m, --model <model>", "plays every role that --role does not name")
		.option("--role <role=model>", "the model that plays a role; repeatable", several)
		.option("--set <name=value>", "a setting of the recipe, as JSON; repeatable", several)
		.option("--settings", "list the recipe's settings and roles")
		.option("--plan", "say what it would read, ask and cost, and ask nobody")
		.option("--preview <n>", "make and show so many items, and write no benchmark", wholeNumber(1, 1000))
		.option("--funnel", "show what each stage of the last run of this build let through")
		.option("--seed <n>", "seed of every draw", wholeNumber(0, 2 ** 31), 1)
		.option("--seeds <benchmark>", "questions to begin with, for recipes that extend ready ones")
		.option("--known <benchmark>", "a benchmark or file whose questions and titles are left out; repeatable", several)
		.option("--encyclopedia <source>", "local, wikimedia, wikimedia@ADDRESS or recorded:FOLDER")
		.option("--contact <mail>", "who asks, for wikimedia")
		.option("--concurrency <n>", "calls at the same time", wholeNumber(1, 1024), 8)
		.option("--max-calls <n>", "begin no call after so many of this session", wholeNumber(1, 1e9))
		.option("--max-cost <money>", "begin no call after so much money of this session", numberFrom(0, 1e9))
		.option("-y, --yes", "ask the models without a bound")
		.option("--graph <tables>", "template: CSV, JSON lines or Parquet, one row a subject; a file or a folder")
		.option("--phrases <file>", "template: YAML that says how relations are asked for")
		.option("--types <file>", "template: YAML that says how the cells of columns are read, where they leave it open")
		.option("--init", "template: write that YAML (--phrases, --types) for you to mend, and stop")
		.option("--refresh <benchmark>", "bring a benchmark of this recipe up to date with its changed documents")
		.option("--date <day>", "day of a refreshed version, YYYY-MM-DD (default: today)", dayFrom)
		.option("--mix <recipe=weight>", "auto: the recipes that are to make it, and how much each; repeatable", several)
		.option("--force", "replace the benchmark of that name; what was paid for is not asked again")
		.addHelpText(
			"after",
			`
A build stands in builds/NAME of the workspace. Whatever models said is kept there: a killed or stopped run resumes
with the same command, and inputs that failed for technical reasons are tried again. No accepted item at all is exit code 1,
with the commonest reasons.

Examples:
  $ hopscope make atlas && hopscope run --benchmark atlas --agent extractive
  $ hopscope make tracer --knowledge wiki --model openai:NAME --plan
  $ hopscope make tracer --knowledge wiki --model openai:NAME --preview 3
  $ hopscope make tracer -n wiki --items 200 --model openai:NAME --role solver=anthropic:NAME --set depth=3 --yes --name hops
  $ hopscope make tracer --name hops --funnel
  $ hopscope make template --graph tables/ --phrases phrases.yaml --init
  $ hopscope make template --graph tables/ --phrases phrases.yaml
  $ hopscope make auto --knowledge docs --model openai:NAME --role labeller=anthropic:NAME --plan
  $ hopscope make auto -n docs -m openai:NAME --items 200 --mix tracer=2,double-bench=1 --max-calls 5000
  $ hopscope make tracer --refresh hops --name hops-2`,
		)
		.action(async (name: string | undefined, options: Options) => {
			if (name === "atlas") return makeAtlas(options, context);
			if (name === "auto") return exit(await makeAuto(options, context));
			exit(await make(name, options, context));
		});

async function make(name: string | undefined, options: Options, context: Context): Promise<number> {
	const { output } = context;
	const { json } = options;
	const tell = (data: object, words: () => string) => output.write(json ? JSON.stringify(data) : words());
	if (name === undefined) {
		const all = await watch(context, options, (bench) => bench.recipes());
		const told = all.map(({ name: called, title, description, paper, needs, roles }) => {
			return { name: called, title, description, paper, needs, roles };
		});
		tell({ recipes: told }, () => recipesInWords(all));
		sayNext(context, "make RECIPE --settings", options);
	} else if (options.settings) {
		const { recipe, settings } = await watch(context, options, (bench) => bench.recipeSettings(name));
		tell({ recipe: name, settings, roles: recipe.roles }, () => settingsInWords(recipe, settings));
		sayNext(context, `make ${name} --plan`, options);
	} else if (options.funnel) {
		const found = await watch(context, options, (bench) => bench.buildFunnel(options.name ?? name));
		const { manifest, funnel, currency } = found;
		tell({ build: manifest, ...funnel }, () => funnelInWords(funnel.rows, { currency, width: output.columns }));
		if (!funnel.complete) output.say("this run was stopped before its end; the command that began it resumes it");
	} else if (options.init) {
		const made = await watch(context, options, (bench) => bench.initialPhrases(options));
		if ("yaml" in made) tell({ phrases: made.phrases, tables: made.tables }, () => made.yaml);
		else
			tell(made, () =>
				[
					...(made.tables.length > 0 ? [tableTypesInWords(made.tables, { width: output.columns }), ""] : []),
					...(made.types === undefined ? [] : [`${made.types}: ${counted(made.columns, "column")} to mend`]),
					...(made.file === undefined ? [] : [`${made.file}: ${counted(made.relations, "relation")} to mend`]),
				].join("\n"),
			);
	} else if (options.refresh !== undefined) await refresh(name, { ...options, refresh: options.refresh }, context);
	else return makeByRecipe(name, options, context);
	return exitCodes.done;
}

/** Plans, previews or makes a benchmark by a recipe; the exit code. */
export async function makeByRecipe(named: string | Recipe, options: Options, context: Context): Promise<number> {
	const { output } = context;
	if (!options.plan)
		return tellMade(await watch(context, options, (bench) => bench.make(named, options)), options, context);
	const { recipe, plan, currency, tables } = await watch(context, options, (bench) => bench.planMake(named, options));
	if (options.json) output.write(JSON.stringify({ recipe, plan, tables }));
	else {
		tellTables(tables, context);
		output.write(planInWords(plan, { currency, width: output.columns }));
	}
	sayNext(context, `make ${recipe} … --preview 3`, options);
	return exitCodes.done;
}

async function refresh(name: string, options: Options & { refresh: string }, context: Context): Promise<void> {
	const { output } = context;
	const { before, tasks, ...made } = await watch(context, options, (bench) => bench.refresh(name, options));
	if (options.json) return output.write(JSON.stringify(made));
	const { benchmark, evidence, kept, changed, added, removed, waiting } = made;
	tellTables(made.tables, context);
	output.write(`evidence: ${evidence.same} unchanged, ${evidence.changed} changed, ${evidence.gone} gone`);
	output.write(
		`${benchmark}: ${counted(tasks, "task")}; ${kept} kept, ${changed.length} changed, ${added.length} added, ${removed.length} removed, ${waiting.length} waiting`,
	);
	for (const { task, reason, detail } of removed.slice(0, 10))
		output.say(`  removed ${task}: ${reason}${detail ? `, ${detail}` : ""}`);
	output.write("changes.json names each");
	sayNext(context, `benchmark diff ${before} ${benchmark}`, options);
}

/** Tasks that the composer of templates was asked for and found no path for, beside those that it composed. */
function missingOf(funnel: Made["funnel"]): { missing: number; composed: number } {
	const row = funnel.find(({ stage, kind }) => stage === "compose" && kind === "compose");
	return { missing: row?.dropped.dead_end ?? 0, composed: row?.out ?? 0 };
}

/** How the tables were read that a benchmark is made of: what was misread shows here, before it is asked. */
function tellTables(tables: Made["tables"], { output }: Context): void {
	if (tables) output.write(`${tableTypesInWords(tables, { width: output.columns })}\n`);
}

/** Tells what a build came to; the exit code. */
function tellMade(made: Made, options: Options, context: Context): number {
	const { output } = context;
	const { json } = options;
	const { funnel, tables } = made;
	if (!json) tellTables(tables, context);
	switch (made.is) {
		case "nothing": {
			const { message, remedy, reasons, faults } = made;
			const data = { error: { code: "no-items", message, remedy }, reasons, faults, funnel, tables };
			output.write(json ? JSON.stringify(data) : funnelInWords(funnel, { width: output.columns }));
			return exitCodes.failed;
		}
		case "preview":
			if (json) output.write(JSON.stringify({ preview: made.items, funnel, tables }));
			else {
				for (const item of made.items) output.write(`${itemInWords(item)}\n`);
				output.write(funnelInWords(funnel, { width: output.columns }));
			}
			return exitCodes.done;
		case "made": {
			const { benchmark, build, recipe, tasks, faults, usage, accepted, folder, currency } = made;
			if (json) output.write(JSON.stringify({ benchmark, build, recipe, tasks, faults, usage, funnel, tables }));
			else {
				output.write(funnelInWords(funnel, { currency, width: output.columns }));
				output.write(`${benchmark}: ${counted(accepted, "task")} in ${folder}, with its card in card.md`);
				const { missing, composed } = missingOf(funnel);
				if (missing > 0)
					output.say(
						`${missing} of ${missing + composed} tasks cannot be composed: the graph has too few paths of their shape; ${build}/dropped.jsonl names each`,
					);
				if (faults > 0) output.say(`${counted(faults, "input")} failed and were not judged; --force tries them again`);
				sayNext(context, `run --benchmark ${benchmark} --agent extractive`, options);
			}
			return faults > 0 ? exitCodes.someFailed : exitCodes.done;
		}
	}
}

/** Plans, previews or makes a benchmark by every recipe that can run; the exit code. */
async function makeAuto(options: Options, context: Context): Promise<number> {
	const { output } = context;
	const { json } = options;
	if (options.plan) {
		const plan = await watch(context, options, (bench) => bench.planAuto(options));
		output.write(json ? JSON.stringify(plan) : autoInWords(plan, { width: output.columns }));
		sayNext(context, "make auto … --preview 1", options);
		return exitCodes.done;
	}
	const made = await watch(context, options, (bench) => bench.makeAuto(options));
	const { benchmark, folder, tasks, parts } = made;
	const left = made.fits.flatMap(({ recipe, lacks }) => (lacks.length > 0 ? [{ recipe, lacks }] : []));
	if (json) output.write(JSON.stringify({ benchmark, tasks, parts: parts.map(partAsJson), left }));
	else {
		for (const part of parts) {
			if (part.made.is === "preview") for (const item of part.made.items) output.write(`${itemInWords(item)}\n`);
			else output.write(`${part.recipe}: ${madeOf(part)} of ${part.wanted} items wanted`);
		}
		if (benchmark) output.write(`${benchmark}: ${counted(tasks, "task")} in ${folder}, with its card in card.md`);
	}
	if (!benchmark) return exitCodes.done;
	sayNext(context, `run --benchmark ${benchmark} --agent extractive`, options);
	return parts.some(({ made }) => made.is === "made" && made.faults > 0) ? exitCodes.someFailed : exitCodes.done;
}

const madeOf = ({ made }: AutoMade["parts"][number]): number => (made.is === "made" ? made.accepted : 0);

const partAsJson = ({ recipe, wanted, made }: AutoMade["parts"][number]) => ({
	...{ recipe, wanted, accepted: madeOf({ recipe, wanted, made }), is: made.is },
	...(made.is === "made" ? { benchmark: made.benchmark, faults: made.faults, usage: made.usage } : {}),
	...(made.is === "preview" ? { items: made.items } : {}),
});

async function makeAtlas(options: CommonOptions & { force?: boolean | undefined }, context: Context): Promise<void> {
	const { output } = context;
	const atlas = await watch(context, options, (bench) => bench.openSample({ force: options.force }));
	if (options.json) return output.write(JSON.stringify(atlas));
	const { counts, tasks, made } = atlas;
	output.write(
		`atlas: ${counts.passage} passages, ${counts.image} images, ${counts.page} pages, ${tasks} tasks${made ? "" : " (already there)"}`,
	);
	sayNext(context, "run --benchmark atlas --agent extractive", options);
}
