import { existsSync } from "node:fs";
import { join } from "node:path";
import { counted, didYouMean, HopscopeError, type Item, ownField, type Usage, unknownName, usageError } from "#domain";
import { priceOf } from "#models";
import {
	type BuildEnd,
	type BuildManifest,
	type BuildPlan,
	buildDrops,
	buildFaults,
	buildItems,
	buildManifest,
	type FunnelRow,
	mustBeCast,
	openBuild,
	paramsOf,
	plansOf,
	type Recipe,
	recipes,
	runBuild,
	topReasons,
	writeBuild,
} from "#recipes";
import type { Workspace } from "#store";
import { readConfiguration } from "./configuration.ts";
import { castOf, idOf, openCast } from "./make-cast.ts";
import { fromTables, type TableOptions, type TableTold } from "./make-from-tables.ts";
import { type InputOptions, type OpenedInputs, openInputs } from "./make-inputs.ts";
import { type SettingShown, settingsFrom, settingsOf } from "./make-settings.ts";
import { type ModelOptions, openModels } from "./models.ts";
import { usageLine } from "./usage-line.ts";
import type { Bench } from "./work.ts";

export interface MakeOptions extends ModelOptions, InputOptions, TableOptions {
	/** Of the benchmark; the recipe's where nothing is said. */
	name?: string | undefined;
	/** Stop at so many accepted items. */
	items?: number | undefined;
	/** Plays every role that `role` does not name. */
	model?: string | undefined;
	/** ROLE=MODEL. */
	role?: string[] | undefined;
	/** Settings of the recipe, NAME=VALUE. */
	set?: string[] | undefined;
	/** Of every draw; 1 where nothing is said. */
	seed?: number | undefined;
	/** Make and show so many items, and write no benchmark. */
	preview?: number | undefined;
	/** Replace the benchmark of that name. */
	force?: boolean | undefined;
	/** Ask the models without a bound. */
	yes?: boolean | undefined;
	maxCalls?: number | undefined;
	maxCost?: number | undefined;
	concurrency?: number | undefined;
}

/** How the tables were read that a build began with. */
export interface FromTables {
	tables?: TableTold[];
}

/** What a build came to. `nothing`: no item was accepted, with the commonest reasons. */
export type Made = FromTables &
	(
		| {
				is: "made";
				benchmark: string;
				/** The benchmark's folder, and the build's. */
				folder: string;
				build: string;
				recipe: string;
				tasks: number;
				accepted: number;
				faults: number;
				usage: Usage;
				funnel: readonly FunnelRow[];
				currency: string | undefined;
		  }
		| { is: "preview"; items: Item[]; funnel: readonly FunnelRow[] }
		| {
				is: "nothing";
				usage: Usage;
				message: string;
				remedy: string;
				reasons: { stage: string; reason: string; count: number; example?: string }[];
				faults: { stage: string; count: number; example: string }[];
				funnel: readonly FunnelRow[];
		  }
	);

/** Every recipe there is. */
export async function listRecipes(_: Bench): Promise<Recipe[]> {
	return Promise.all(Object.values(recipes).map((load) => load()));
}

/** A recipe by its name; one of your own is taken as it is. */
export async function recipeCalled(name: string | Recipe): Promise<Recipe> {
	if (typeof name !== "string") return name;
	const load = ownField(recipes, name);
	if (load) return load();
	const names = ["atlas", ...Object.keys(recipes)];
	throw unknownName("unknown-recipe", `no recipe is called "${name}"`, { name, names, lead: "There is" });
}

/** A recipe with its settings, as they are named in `set`. */
export async function recipeSettings(name: string, _: Bench): Promise<{ recipe: Recipe; settings: SettingShown[] }> {
	const recipe = await recipeCalled(name);
	return { recipe, settings: settingsOf(recipe) };
}

/** What each stage of a build let through, when it last ran. */
export async function buildFunnel(name: string, { workspace }: Bench) {
	const there = await workspace.list("builds");
	if (!there.includes(name))
		throw usageError(
			"unknown-build",
			`no build is called "${name}" in ${workspace.dir}`,
			there.length > 0
				? `${didYouMean(name, there)}There is: ${there.slice(0, 10).join(", ")}.`
				: "Make one: hopscope make RECIPE.",
		);
	const { manifest, funnel } = await openBuild(workspace.build(name));
	const { prices } = await readConfiguration(workspace);
	return { manifest, funnel, currency: prices?.currency };
}

/** What making would read, ask and cost; nobody is asked. */
export async function planMake(
	named: string | Recipe,
	options: MakeOptions,
	bench: Bench,
): Promise<{ recipe: string; plan: BuildPlan; currency: string | undefined } & FromTables> {
	const { plans, ...about } = await plansOfMake(named, options, bench);
	return { ...about, plan: plans(options.items) };
}

/** As `planMake`, for any number of items. */
export async function plansOfMake(
	named: string | Recipe,
	options: MakeOptions,
	bench: Bench,
): Promise<{ recipe: string; plans: Plans; currency: string | undefined } & FromTables> {
	return prepared(named, options, bench, async ({ recipe, planned, currency, tables }) => ({
		recipe: recipe.name,
		plans: await planned(),
		currency,
		...tables,
	}));
}

/** The plan for a number of items. */
export type Plans = (items: number | undefined) => BuildPlan;

/** Makes, or previews, a benchmark by a recipe. A build that was stopped is resumed. */
export async function makeBenchmark(named: string | Recipe, options: MakeOptions, bench: Bench): Promise<Made> {
	return makePlanned(named, options, bench, undefined);
}

/** As `makeBenchmark`, by plans that were made before. */
export async function makePlanned(
	named: string | Recipe,
	options: MakeOptions,
	bench: Bench,
	plans: Plans | undefined,
): Promise<Made> {
	const making = { ...options, asks: true };
	return prepared(named, making, bench, async ({ recipe, name, options, cast, opened, models, planned, ...rest }) => {
		const { workspace } = bench;
		const { preview } = options;
		const { params, currency } = rest;
		const plan = (plans ?? (await planned()))(preview ?? options.items);
		if (preview === undefined) mustBeAgreed(plan, options);
		const needsPrice = options.maxCost !== undefined;
		const dir = workspace.build(preview === undefined ? name : `${name}.preview`);
		const end = await built(
			recipe,
			dir,
			{
				params,
				opened,
				options,
				plan,
				wanted: preview ?? options.items,
				models: openCast(cast, (model) => models.open(model, { needsPrice })),
				told: (usage) => [usageLine(usage, models.money(options.model)), models.pace()],
			},
			bench,
		).catch(async (error: unknown) => {
			if (!isBudget(error)) throw error;
			const again = (await planned())(preview ?? options.items);
			throw await budgetSpent(error, { dir, plan: again, wanted: options.items });
		});
		if (end.funnel.accepted === 0) return { ...(await nothingMade(end, plan, bench)), ...rest.tables };
		if (preview !== undefined) {
			const items: Item[] = [];
			for await (const item of buildItems(end.dir)) items.push(item);
			return { is: "preview", items, funnel: end.funnel.rows, ...rest.tables };
		}
		const { corpus, knowledge } = opened;
		const folder = workspace.benchmark(name);
		const { accepted, faults, rows } = end.funnel;
		const { manifest } = await writeBuild(dir, folder, {
			recipe,
			currency,
			inputs: opened.inputs,
			date: new Date().toISOString().slice(0, 10),
			benchmark: {
				name,
				knowledge,
				title: `${recipe.title}: ${name}`,
				description: `${counted(accepted, "task")} made from ${corpus.name} by the recipe ${recipe.name}.`,
				licence: corpus.licence,
				sources: corpus.sources,
			},
		});
		return {
			is: "made",
			benchmark: name,
			folder,
			build: dir,
			recipe: recipe.name,
			tasks: manifest.tasks,
			accepted,
			faults,
			usage: end.usage,
			funnel: rows,
			currency,
			...rest.tables,
		};
	});
}

interface Prepared {
	recipe: Recipe;
	name: string;
	/** With what tables and phrases gave. */
	options: MakeOptions;
	params: unknown;
	cast: Record<string, string>;
	opened: OpenedInputs;
	models: Awaited<ReturnType<typeof openModels>>["models"];
	/** Plans by what was measured until now. */
	planned(): Promise<Plans>;
	currency: string | undefined;
	tables: FromTables;
}

/** Opens everything that a build takes, and closes it when `use` is done. */
async function prepared<Result>(
	named: string | Recipe,
	given: MakeOptions & { asks?: boolean },
	bench: Bench,
	use: (prepared: Prepared) => Promise<Result>,
): Promise<Result> {
	const { workspace } = bench;
	const { seed = 1 } = given;
	const recipe = await recipeCalled(named);
	const { options, tables } = await fromTables(given, bench);
	const { configuration, models } = await openModels(bench, options);
	const params = paramsOf(recipe, settingsFrom(options.set ?? []));
	const name = options.name ?? recipe.name;
	if (given.asks && options.preview === undefined) mustBeFree(workspace, name, options);
	const cast = castOf(recipe, { model: options.model, role: options.role }, bench);
	const played = Object.fromEntries(Object.entries(cast).map(([role, model]) => [role, { id: idOf(model, bench) }]));
	if (given.asks) mustBeCast(recipe, played);
	const opened = await openInputs(workspace, recipe, options);
	try {
		const { prices } = configuration;
		const manifest = buildManifest(recipe, { params, seed, models: played, inputs: opened.hashes });
		const planned = async () =>
			plansOf(recipe, opened.inputs, {
				params,
				seed,
				models: played,
				buildFollows: given.asks,
				items: options.preview ?? options.items,
				together: options.concurrency,
				price: (id) => (prices ? priceOf(id, prices) : undefined),
				...(await measuredBy(workspace, name, manifest)),
			});
		return await use({
			recipe,
			name,
			options,
			params,
			cast,
			opened,
			models,
			planned,
			currency: prices?.currency,
			tables: tables ? { tables } : {},
		});
	} finally {
		await opened.close();
	}
}

/** A benchmark of that name is somebody's work: it goes only where that is said, and before anything is spent. */
export function mustBeFree(workspace: Workspace, name: string, { force }: Pick<MakeOptions, "force">): void {
	if (force || !existsSync(join(workspace.benchmark(name), "benchmark.json"))) return;
	throw usageError(
		"benchmark-exists",
		`a benchmark is called ${name} already`,
		"Choose another --name, or make it anew with --force: what was paid for is not asked again.",
	);
}

/** Models are asked only after somebody agreed to what that can cost, or bounded it. */
export function mustBeAgreed(
	{ calls, cost }: Pick<BuildPlan, "calls" | "cost">,
	{ yes, maxCalls, maxCost, replay }: MakeOptions,
): void {
	if (calls.expected === 0 || yes || replay || maxCalls !== undefined || maxCost !== undefined) return;
	const money = cost === null ? "money unknown" : `about ${cost.expected.toFixed(2)} of money`;
	const { expected, low, high } = calls;
	throw usageError(
		"not-agreed",
		`this asks models about ${Math.round(expected)} times (${Math.round(low)} to ${Math.round(high)}), ${money}`,
		"--plan shows where; --preview 3 tries it; --yes does it; --max-calls or --max-cost bounds it.",
		{ facts: { calls } },
	);
}

/** What an earlier build and preview of this recipe measured, and how many of the replies that are to be asked for are kept. */
async function measuredBy(
	workspace: Workspace,
	name: string,
	{ recipe, fingerprint }: BuildManifest,
): Promise<{ measured: FunnelRow[]; kept: number }> {
	const measured = new Map<string, FunnelRow>();
	let kept = 0;
	for (const build of [name, `${name}.preview`]) {
		const before = await openBuild(workspace.build(build)).catch(() => undefined);
		if (before?.manifest.recipe.name !== recipe.name) continue;
		const { rows } = before.funnel;
		// of two that measured a stage, the one that saw more of it
		for (const row of rows) if (row.in > (measured.get(row.stage)?.in ?? 0)) measured.set(row.stage, row);
		const asked = rows.reduce((sum, row) => sum + (row.asked?.usage.calls ?? 0), 0);
		if (before.manifest.fingerprint === fingerprint) kept = Math.max(kept, asked);
	}
	return { measured: [...measured.values()], kept };
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
		told(usage: Usage): string[];
	},
	bench: Bench,
): Promise<BuildEnd> {
	const { params, models, opened, options, plan, wanted, told } = about;
	const { signal } = bench;
	const units = Object.values(plan.units).reduce((sum, count) => sum + count, 0);
	const sources = Object.keys(plan.units);
	const progress = bench.progress(options.name ?? recipe.name);
	try {
		return await runBuild(recipe, opened.inputs, dir, {
			params,
			models,
			signal,
			seed: options.seed ?? 1,
			inputHashes: opened.hashes,
			items: wanted,
			together: options.concurrency ?? 8,
			maxCalls: options.maxCalls,
			maxCost: options.maxCost,
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
		if (signal.aborted) bench.say("interrupted; the same command resumes");
		throw error;
	} finally {
		progress.end();
	}
}

const isBudget = (error: unknown): error is HopscopeError => error instanceof HopscopeError && error.code === "budget";

/** What a bound on calls or money left behind, and how to go on from there. */
async function budgetSpent(
	error: HopscopeError,
	{ dir, plan, wanted }: { dir: string; plan: BuildPlan; wanted: number | undefined },
): Promise<HopscopeError> {
	const { accepted, rows } = (await openBuild(dir)).funnel;
	const units = Object.values(plan.units).reduce((sum, count) => sum + count, 0);
	const read = `${unitsRead(rows, Object.keys(plan.units))} of ${counted(units, "unit")} read`;
	const gained = `${counted(accepted, "item")} accepted${wanted === undefined ? "" : ` of ${wanted}`}, ${read}`;
	const left = Math.round(Math.max(0, plan.calls.expected - plan.kept));
	return new HopscopeError(
		"budget",
		`${error.message}: ${gained}; every reply is kept in ${dir}`,
		`The same command goes on from here (about ${counted(left, "call")} left)${accepted > 0 ? `; with --items ${accepted} it ends at what is accepted already` : ""}.`,
		{ facts: { ...error.facts, accepted, left }, cause: error },
	);
}

const unitsRead = (rows: readonly FunnelRow[], sources: readonly string[]): number =>
	rows.reduce((sum, { stage, out }) => sum + (sources.includes(stage) ? out : 0), 0);

/** No item at all is told with its commonest reasons. */
async function nothingMade(
	{ dir, funnel, usage }: BuildEnd,
	{ units, lacking }: Pick<BuildPlan, "units" | "lacking">,
	bench: Bench,
): Promise<Made> {
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
	const message = `no item was accepted, of ${counted(unitsRead(funnel.rows, Object.keys(units)), "unit")} read`;
	const remedy = `${join(dir, "dropped.jsonl")} and faults.jsonl tell each case; --settings lists what can be changed.`;
	bench.say(`hopscope: ${message}. ${remedy}`);
	for (const lack of lacking) bench.say(`  lacking: ${lack}`);
	for (const { stage, reason, count, example } of reasons)
		bench.say(`  ${stage}: ${reason}, ${counted(count, "time")}${example ? `, for example: ${example}` : ""}`);
	for (const { stage, count, example } of faults)
		bench.say(`  ${stage}: failed ${counted(count, "time")}, for example: ${example}`);
	for (const { stage, empty } of funnel.rows.filter(({ empty }) => empty > 0))
		bench.say(`  ${stage}: made nothing of ${counted(empty, "input")}`);
	return { is: "nothing", usage, message, remedy, reasons, faults, funnel: funnel.rows };
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
