import { InvalidArgumentError } from "commander";
import { exitCodes, HopscopeError } from "#domain";
import { openWorkspace, type Workspace } from "#store";
import { readConfiguration } from "../configuration.ts";
import {
	type AddCommand,
	type CommonOptions,
	type Context,
	numberFrom,
	wholeNumber,
	withWorkspace,
} from "../context.ts";
import type { MakeOptions } from "../make-recipe.ts";
import { withModels } from "../models.ts";
import { createStages } from "../progress.ts";

interface Options extends MakeOptions {
	settings?: boolean;
	funnel?: boolean;
	graph?: string;
	phrases?: string;
	init?: boolean;
	refresh?: string;
	date?: string;
}

function dayFrom(text: string): string {
	if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
	throw new InvalidArgumentError("Give a day as YYYY-MM-DD.");
}

const several = (text: string, before: string[] = []): string[] => [...before, text];

export const addMake: AddCommand = (command, context, exit) =>
	withModels(withWorkspace(command))
		.argument("[recipe]", "atlas, or a recipe; without one they are listed")
		.option("-k, --knowledge <name>", "knowledge base to make it from (default: the workspace's only one)")
		.option("-n, --items <n>", "stop at so many accepted items", wholeNumber(1, 10_000_000))
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
		.option("--max-calls <n>", "begin no call after so many of this sitting", wholeNumber(1, 1e9))
		.option("--max-cost <money>", "begin no call after so much money of this sitting", numberFrom(0, 1e9))
		.option("-y, --yes", "ask the models without a bound")
		.option("--graph <tables>", "template: CSV, JSON lines or Parquet, one row a subject; a file or a folder")
		.option("--phrases <file>", "template: YAML that says how relations are asked for")
		.option("--init", "template: write that YAML for you to mend, and stop")
		.option("--refresh <benchmark>", "bring a benchmark of this recipe up to date with its changed documents")
		.option("--date <day>", "day of a refreshed version, YYYY-MM-DD (default: today)", dayFrom)
		.option("--force", "replace the benchmark of that name; what was paid for is not asked again")
		.addHelpText(
			"after",
			`
A build stands in builds/NAME of the workspace. Whatever models said is kept there: a killed or stopped run goes on with
the same command, and inputs that failed for technical reasons are tried again. No accepted item at all is exit code 1,
with the commonest reasons.

Examples:
  $ hopscope make atlas && hopscope run --benchmark atlas --agent extractive
  $ hopscope make tracer --knowledge wiki --model openai:NAME --plan
  $ hopscope make tracer --knowledge wiki --model openai:NAME --preview 3
  $ hopscope make tracer -k wiki -n 200 --model openai:NAME --role solver=anthropic:NAME --set depth=3 --yes --name hops
  $ hopscope make tracer --name hops --funnel
  $ hopscope make template --graph tables/ --phrases phrases.yaml --init
  $ hopscope make template --graph tables/ --phrases phrases.yaml
  $ hopscope make tracer --refresh hops --name hops-2`,
		)
		.action(async (name: string | undefined, options: Options) => {
			if (name === "atlas") return makeAtlas(options, context);
			exit(await make(name, options, context));
		});

async function make(name: string | undefined, options: Options, context: Context): Promise<number> {
	const { output } = context;
	const { openBuild, recipes } = await import("#recipes");
	const words = await import("../make-words.ts");
	if (name === undefined) {
		const all = await Promise.all(Object.values(recipes).map((load) => load()));
		const told = all.map(({ name: called, title, description, paper, needs, roles }) => ({
			...{ name: called, title, description, paper, needs, roles },
		}));
		output.write(options.json ? JSON.stringify({ recipes: told }) : words.recipesInWords(all));
		return exitCodes.done;
	}
	const load = Object.hasOwn(recipes, name) ? recipes[name] : undefined;
	if (!load)
		throw new HopscopeError(
			"unknown-recipe",
			`no recipe is called "${name}"`,
			`There is: atlas, ${Object.keys(recipes).join(", ")}.`,
			{ exitCode: exitCodes.usage },
		);
	const recipe = await load();
	if (options.settings) {
		const { settingsOf } = await import("../make-settings.ts");
		const told = { recipe: name, settings: settingsOf(recipe), roles: recipe.roles };
		output.write(options.json ? JSON.stringify(told) : words.settingsInWords(recipe));
		return exitCodes.done;
	}
	if (options.funnel) {
		const workspace = openWorkspace(options.workspace);
		const { manifest, funnel } = await openBuild(await buildCalled(workspace, options.name ?? name));
		const { prices } = await readConfiguration(workspace);
		const currency = prices?.currency;
		output.write(
			options.json ? JSON.stringify({ build: manifest, ...funnel }) : words.funnelInWords(funnel.rows, { currency }),
		);
		if (!funnel.complete) output.say("this run was stopped before its end; the same command that began it goes on");
		return exitCodes.done;
	}
	const { fromTables } = await import("../make-from-tables.ts");
	const ready = await fromTables(options, context);
	if (!ready) return exitCodes.done;
	if (ready.refresh !== undefined) {
		const { refreshByRecipe } = await import("../make-refresh.ts");
		return refreshByRecipe(recipe, { ...ready, refresh: ready.refresh }, context);
	}
	const { makeByRecipe } = await import("../make-recipe.ts");
	return makeByRecipe(recipe, ready, context);
}

/** The folder of a build that was run. */
async function buildCalled(workspace: Workspace, name: string): Promise<string> {
	const there = await workspace.list("builds");
	if (there.includes(name)) return workspace.build(name);
	throw new HopscopeError(
		"unknown-build",
		`no build is called "${name}" in ${workspace.dir}`,
		there.length > 0 ? `There is: ${there.slice(0, 10).join(", ")}.` : "Make one: hopscope make RECIPE.",
		{ exitCode: exitCodes.usage },
	);
}

async function makeAtlas(options: CommonOptions & { force?: boolean }, { output, signal }: Context): Promise<void> {
	const progress = createStages(output, "atlas");
	// what draws and writes the sample takes a while to load, and no other command needs it
	const { prepareAtlas } = await import("#atlas");
	const atlas = await prepareAtlas(openWorkspace(options.workspace), {
		force: options.force === true,
		signal,
		onProgress: progress.update,
	});
	progress.end();
	if (options.json) return output.write(JSON.stringify(atlas));
	output.write(
		`atlas: ${atlas.counts.passage} passages, ${atlas.counts.image} images, ${atlas.counts.page} pages, ${atlas.tasks} tasks${atlas.made ? "" : " (already there)"}`,
	);
}
