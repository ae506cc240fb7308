import { existsSync } from "node:fs";
import { join } from "node:path";
import { exitCodes, HopscopeError, type Usage } from "#domain";
import { priceOf } from "#models";
import {
	type BuildEnd,
	type BuildPlan,
	buildDrops,
	buildFaults,
	buildItems,
	type FunnelRow,
	mustBeCast,
	openBuild,
	paramsOf,
	planOf,
	type Recipe,
	runBuild,
	stampBuild,
	topReasons,
	writeBuild,
} from "#recipes";
import { openWorkspace, type Workspace } from "#store";
import { readConfiguration } from "./configuration.ts";
import { type CommonOptions, type Context, counted, next } from "./context.ts";
import { castOf, idOf, openCast } from "./make-cast.ts";
import { type InputOptions, type OpenedInputs, openInputs } from "./make-inputs.ts";
import { settingsFrom } from "./make-settings.ts";
import { funnelInWords, itemInWords, planInWords } from "./make-words.ts";
import { createModels, type ModelOptions } from "./models.ts";
import { createProgress } from "./progress.ts";
import { usageLine } from "./run-agent.ts";

export interface MakeOptions extends CommonOptions, ModelOptions, InputOptions {
	name?: string;
	items?: number;
	model?: string;
	role?: string[];
	set?: string[];
	seed: number;
	plan?: boolean;
	preview?: number;
	force?: boolean;
	yes?: boolean;
	maxCalls?: number;
	maxCost?: number;
	concurrency: number;
}

/** Plans, previews or makes a benchmark by a recipe. Returns the exit code. */
export async function makeByRecipe(recipe: Recipe, options: MakeOptions, context: Context): Promise<number> {
	const { output } = context;
	const workspace = openWorkspace(options.workspace);
	const configuration = await readConfiguration(workspace);
	const models = createModels(workspace, { configuration, options, say: output.say });
	const params = paramsOf(recipe, settingsFrom(options.set ?? []));
	const name = options.name ?? recipe.name;
	const { preview } = options;
	const isPlan = options.plan === true;
	if (!isPlan && preview === undefined) mustBeFree(workspace, name, options);
	const cast = castOf(recipe, { ...options, say: output.say });
	const played = Object.fromEntries(Object.entries(cast).map(([role, model]) => [role, { id: idOf(model) }]));
	if (!isPlan) mustBeCast(recipe, played);
	const opened = await openInputs(workspace, recipe, options);
	const currency = configuration.prices?.currency;
	try {
		const { prices } = configuration;
		const plan = await planOf(recipe, opened.inputs, {
			...{ params, models: played, items: preview ?? options.items },
			price: (id) => (prices ? priceOf(id, prices) : undefined),
			measured: await measuredBy(workspace, recipe, name),
		});
		if (isPlan) {
			output.write(options.json ? JSON.stringify({ recipe: recipe.name, plan }) : planInWords(plan, { currency }));
			return exitCodes.done;
		}
		if (preview === undefined) mustBeAgreed(plan, options);
		const needsPrice = options.maxCost !== undefined;
		const dir = workspace.build(preview === undefined ? name : `${name}.preview`);
		const end = await built(recipe, dir, {
			...{ params, opened, options, plan, context, wanted: preview ?? options.items },
			models: openCast(cast, (model) => models.open(model, { needsPrice })),
			told: (usage) => [usageLine(usage, models.money(options.model)), models.pace()],
		});
		if (end.funnel.accepted === 0)
			return await nothingMade(end, context, { ...options, sources: Object.keys(plan.units) });
		if (preview !== undefined) return await previewed(end, context, options);
		const { corpus, knowledge } = opened;
		const { manifest } = await writeBuild(dir, workspace.benchmark(name), {
			...{ recipe, currency, date: new Date().toISOString().slice(0, 10) },
			benchmark: {
				...{ name, knowledge, title: `${recipe.title}: ${name}` },
				description: `${counted(end.funnel.accepted, "task")} made from ${corpus.name} by the recipe ${recipe.name}.`,
				...{ licence: corpus.licence, sources: corpus.sources },
			},
		});
		await stampBuild(dir, workspace.benchmark(name), opened.inputs);
		const { accepted, faults, rows } = end.funnel;
		if (options.json) {
			const { usage } = end;
			const told = {
				benchmark: name,
				build: dir,
				recipe: recipe.name,
				tasks: manifest.tasks,
				faults,
				usage,
				funnel: rows,
			};
			output.write(JSON.stringify(told));
			return exitCodes.done;
		}
		output.write(funnelInWords(rows, { currency }));
		output.write(`${name}: ${counted(accepted, "task")} in ${workspace.benchmark(name)}, with its card in card.md`);
		if (faults > 0) output.say(`${counted(faults, "input")} failed and were not judged; --force tries them again`);
		output.write(`Try: ${next(`run --benchmark ${name} --agent extractive`, options)}`);
		return exitCodes.done;
	} finally {
		opened.close();
	}
}

/** A benchmark of that name is somebody's work: it goes only where that is said, and before anything is spent. */
function mustBeFree(workspace: Workspace, name: string, { force }: Pick<MakeOptions, "force">): void {
	if (force || !existsSync(join(workspace.benchmark(name), "benchmark.json"))) return;
	throw new HopscopeError(
		"benchmark-exists",
		`a benchmark is called ${name} already`,
		"Choose another --name, or make it anew with --force: what was paid for is not asked again.",
		{ exitCode: exitCodes.usage },
	);
}

/** Models are asked only after somebody agreed to what that can cost, or bounded it. */
function mustBeAgreed({ calls, cost }: BuildPlan, { yes, maxCalls, maxCost, replay }: MakeOptions): void {
	if (calls.most === 0 || yes || replay || maxCalls !== undefined || maxCost !== undefined) return;
	const money = cost === null ? "money unknown" : `about ${cost.expected.toFixed(2)} of money`;
	throw new HopscopeError(
		"not-agreed",
		`this asks models about ${Math.round(calls.expected)} times, at most ${Number.isFinite(calls.most) ? Math.round(calls.most) : "without bound"}, ${money}`,
		"--plan shows where; --preview 3 tries it; --yes does it; --max-calls or --max-cost bounds it.",
		{ exitCode: exitCodes.usage, facts: { calls } },
	);
}

/** What an earlier build or preview of this recipe measured. */
async function measuredBy(workspace: Workspace, recipe: Pick<Recipe, "name">, name: string) {
	for (const build of [name, `${name}.preview`]) {
		const before = await openBuild(workspace.build(build)).catch(() => undefined);
		if (before?.manifest.recipe.name === recipe.name && before.funnel.accepted > 0) return before.funnel.rows;
	}
	return undefined;
}

async function built(
	recipe: Recipe,
	dir: string,
	about: {
		params: unknown;
		models: Parameters<typeof runBuild>[3]["models"];
		opened: OpenedInputs;
		options: MakeOptions;
		plan: BuildPlan;
		wanted: number | undefined;
		context: Context;
		told(usage: Usage): string[];
	},
): Promise<BuildEnd> {
	const { params, models, opened, options, plan, wanted, told } = about;
	const { output, signal } = about.context;
	const units = Object.values(plan.units).reduce((sum, count) => sum + count, 0);
	const sources = Object.keys(plan.units);
	const progress = createProgress(output, options.name ?? recipe.name);
	try {
		return await runBuild(recipe, opened.inputs, dir, {
			...{ params, models, signal, seed: options.seed, inputHashes: opened.hashes, items: wanted },
			...{ together: options.concurrency, maxCalls: options.maxCalls, maxCost: options.maxCost },
			onProgress({ funnel, usage, accepted }) {
				const read = unitsRead(funnel, sources);
				const faults = funnel.reduce((sum, row) => sum + row.faults, 0);
				const many = `${Math.min(read, units)} of ${counted(units, "unit")} read`;
				const more = [many, faults > 0 ? counted(faults, "fault") : "", ...told(usage)].filter(Boolean).join(", ");
				// how far the last stages are is not known from the units: the first ones read them all at once
				progress.update(accepted, wanted, `accepted, ${more}`);
			},
		});
	} catch (error) {
		if (signal.aborted) output.say("interrupted; the same command goes on");
		throw error;
	} finally {
		progress.end();
	}
}

const unitsRead = (rows: readonly FunnelRow[], sources: readonly string[]): number =>
	rows.reduce((sum, { stage, out }) => sum + (sources.includes(stage) ? out : 0), 0);

/** No item at all is a failure, told with its commonest reasons. */
async function nothingMade(
	{ dir, funnel }: BuildEnd,
	{ output }: Context,
	{ json, sources }: MakeOptions & { sources: string[] },
): Promise<number> {
	const reasons: { stage: string; reason: string; count: number; example?: string }[] = [];
	for (const top of topReasons(funnel.rows)) {
		const example = await exampleOf(dir, top);
		reasons.push({ ...top, ...(example ? { example } : {}) });
	}
	const faults: { stage: string; count: number; example: string }[] = [];
	for await (const { stage, error } of buildFaults(dir)) {
		const known = faults.find((one) => one.stage === stage);
		if (known) known.count += 1;
		else faults.push({ stage, count: 1, example: error });
	}
	const came = unitsRead(funnel.rows, sources);
	const message = `no item was accepted, of ${counted(came, "unit")} read`;
	const remedy = `${join(dir, "dropped.jsonl")} and faults.jsonl tell each case; --settings lists what can be changed.`;
	output.say(`hopscope: ${message}. ${remedy}`);
	for (const { stage, reason, count, example } of reasons)
		output.say(`  ${stage}: ${reason}, ${counted(count, "time")}${example ? `, for example: ${example}` : ""}`);
	for (const { stage, count, example } of faults)
		output.say(`  ${stage}: failed ${counted(count, "time")}, for example: ${example}`);
	const silent = funnel.rows.filter(({ empty }) => empty > 0);
	for (const { stage, empty } of silent) output.say(`  ${stage}: made nothing of ${counted(empty, "input")}`);
	if (json)
		output.write(
			JSON.stringify({ error: { code: "no-items", message, remedy }, reasons, faults, funnel: funnel.rows }),
		);
	else output.write(funnelInWords(funnel.rows));
	return exitCodes.failed;
}

async function exampleOf(
	dir: string,
	{ stage, reason }: { stage: string; reason: string },
): Promise<string | undefined> {
	for await (const drop of buildDrops(dir))
		if (drop.stage === stage && drop.reason === reason)
			return [drop.question ?? drop.id, drop.detail].filter(Boolean).join(" — ");
	return undefined;
}

async function previewed({ dir, funnel }: BuildEnd, { output }: Context, options: MakeOptions): Promise<number> {
	const items = [];
	for await (const item of buildItems(dir)) items.push(item);
	if (options.json) output.write(JSON.stringify({ preview: items, funnel: funnel.rows }));
	else {
		for (const item of items) output.write(`${itemInWords(item)}\n`);
		output.write(funnelInWords(funnel.rows));
	}
	return exitCodes.done;
}
