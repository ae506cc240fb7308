import { existsSync } from "node:fs";
import { join } from "node:path";
import { mergeBenchmarks, openBenchmark } from "#benchmarks";
import { addUsage, HopscopeError, noUsage, sentCalls, usageError } from "#domain";
import { graphFolder, openGraph } from "#graph";
import { openKnowledge } from "#knowledge";
import { type BuildPlan, mustBeCast, type Recipe, stampBenchmark } from "#recipes";
import { corpusBehind } from "./knowledge-of.ts";
import { locate, theOnlyKnowledge } from "./locate.ts";
import {
	listRecipes,
	type Made,
	type MakeOptions,
	makePlanned,
	mustBeAgreed,
	mustBeFree,
	type Plans,
	plansOfMake,
} from "./make.ts";
import { castOf, idOf } from "./make-cast.ts";
import type { Bench } from "./work.ts";

export interface AutoOptions extends MakeOptions {
	/** Settings, RECIPE.NAME=VALUE. */
	set?: string[] | undefined;
	/** RECIPE=WEIGHT: how much of the benchmark each recipe makes; the others none. All alike where nothing is said. */
	mix?: string[] | undefined;
}

/** What a knowledge base has to make questions of. */
export interface KnowledgeHeld {
	passages: number;
	pages: number;
	images: number;
	documents: number;
	/** Entities and relations of its graph; 0 without one. */
	entities: number;
	relations: number;
	/** Pieces of evidence by language, most first. */
	languages: Record<string, number>;
}

/** Whether a recipe can make something of a knowledge base, and what it would do or lacks. */
export interface RecipeFit {
	recipe: string;
	description: string;
	/** What it lacks and how to get it; it can run where this is empty. */
	lacks: { what: string; remedy: string }[];
	/** Items that it is to make, and what that takes; absent where it cannot run. */
	items?: number;
	plan?: BuildPlan;
}

export interface AutoPlan {
	knowledge: string;
	held: KnowledgeHeld;
	fits: RecipeFit[];
	/** Of all recipes that can run. */
	total: Pick<BuildPlan, "calls" | "cost" | "kept">;
	currency: string | undefined;
}

/** What all recipes together came to. */
export interface AutoMade {
	/** Absent for a preview. */
	benchmark?: string;
	folder?: string;
	tasks: number;
	parts: { recipe: string; wanted: number; made: Made }[];
	fits: RecipeFit[];
}

/** Items of a mixed benchmark where nobody says how many. */
const defaultItems = 100;

/** Looks at what a knowledge base holds, says which recipes can run and what the others lack, and plans a mix. Nobody is asked. */
export async function planAuto(options: AutoOptions, bench: Bench): Promise<AutoPlan> {
	return (await planParts(options, bench)).plan;
}

/** A recipe that can run, and its plan for any number of items. */
interface Part {
	recipe: Recipe;
	fit: RecipeFit;
	plans: Plans;
}

async function planParts(options: AutoOptions, bench: Bench): Promise<{ plan: AutoPlan; parts: Part[] }> {
	const { workspace } = bench;
	const knowledge = options.knowledge ?? (await theOnlyKnowledge(workspace));
	const name = nameOf(options, knowledge);
	const all = await listRecipes(bench);
	mustBeRoles(options.role ?? [], all);
	mustBeSettings(options.set ?? [], all);
	const weights = weightsIn(options.mix ?? [], all);
	// what each recipe says of its roles is told once, in what it lacks
	const quiet = { ...bench, say: () => {} };
	const fits: RecipeFit[] = [];
	const parts: Part[] = [];
	let currency: string | undefined;
	for (const recipe of all) {
		if (weights.size > 0 && !weights.has(recipe.name)) continue;
		const own = optionsOf(recipe, { ...options, knowledge }, name);
		const lacks: RecipeFit["lacks"] = [...castLacks(recipe, own, quiet)];
		const planned = await plansOfMake(recipe, own, quiet).catch((error: unknown) => {
			lacks.push(lackIn(error));
			return undefined;
		});
		if (planned) lacks.push(...planLacks(recipe, planned.plans(undefined), knowledge));
		currency ??= planned?.currency;
		const fit = { recipe: recipe.name, description: recipe.description, lacks };
		fits.push(fit);
		if (planned && lacks.length === 0) parts.push({ recipe, fit, plans: planned.plans });
	}
	const total = options.items ?? defaultItems;
	const shares = parts.map(({ recipe }) => weights.get(recipe.name) ?? 1);
	for (const [at, { fit, plans }] of parts.entries()) {
		fit.items = shareOf(total, shares, at);
		fit.plan = plans(fit.items);
	}
	const sum = totalOf(parts.flatMap(({ fit }) => fit.plan ?? []));
	return { plan: { knowledge, held: await heldBy(knowledge, bench), fits, total: sum, currency }, parts };
}

/** What is wanting by a plan: something to begin with, or a way on. */
function planLacks({ name }: Recipe, { blocked, units: counts, lacking }: BuildPlan, knowledge: string) {
	const lacks: RecipeFit["lacks"] = [];
	if (blocked)
		lacks.push({
			what: `nothing goes on behind ${blocked.stage}: ${blocked.because}`,
			remedy: `hopscope make ${name} --settings lists what can be changed.`,
		});
	const units = Object.entries(counts);
	if (units.length > 0 && units.every(([, count]) => count === 0))
		lacks.push({
			what: `${knowledge} holds nothing of what it begins with (${units.map(([source]) => source).join(", ")})`,
			remedy: lacking.join(" ") || `hopscope make ${name} --settings says what counts.`,
		});
	return lacks;
}

/**
 * Makes one benchmark by every recipe that can run: each part is a build and a benchmark of its own, so that a stopped one
 * resumes, and what one part lacks of its share the next ones make up for.
 */
export async function makeAuto(options: AutoOptions, bench: Bench): Promise<AutoMade> {
	const { workspace } = bench;
	const { preview, maxCalls, maxCost } = options;
	const { plan, parts: planned } = await planParts(options, bench);
	const { knowledge, fits } = plan;
	const name = nameOf(options, knowledge);
	const able = planned.filter(({ fit: { items = 0 } }) => items > 0);
	if (able.length === 0) throw nothingFits(plan);
	if (preview === undefined) {
		mustBeFree(workspace, name, options);
		mustBeAgreed(plan.total, options);
	}
	for (const { recipe, lacks } of fits)
		for (const { what, remedy } of lacks) bench.say(`${recipe} is left out: ${what}. ${remedy}`);
	const parts: AutoMade["parts"] = [];
	// a bound holds for all parts together
	let spent = noUsage;
	let lacking = 0;
	for (const [at, { recipe, plans, fit }] of able.entries()) {
		const { items = 0 } = fit;
		const more = Math.ceil(lacking / (able.length - at));
		const wanted = preview ?? items + more;
		const own = {
			...optionsOf(recipe, { ...options, knowledge }, name),
			...{ items: wanted, force: true, yes: true },
			maxCalls: maxCalls && Math.max(0, maxCalls - sentCalls(spent)),
			maxCost: maxCost && Math.max(0, maxCost - (spent.cost ?? 0)),
		};
		const made = await makePlanned(recipe, own, bench, plans);
		parts.push({ recipe: recipe.name, wanted, made });
		lacking += items - (made.is === "made" ? made.accepted : 0);
		if (made.is !== "preview") spent = addUsage(spent, made.usage);
	}
	if (preview !== undefined) return { tasks: 0, parts, fits };
	const made = parts.flatMap(({ recipe, made }) => (made.is === "made" ? [{ part: recipe, folder: made.folder }] : []));
	if (made.length === 0)
		throw new HopscopeError(
			"no-items",
			"no recipe made an item",
			`hopscope make RECIPE --name ${name}-RECIPE --funnel tells what each stage let through.`,
		);
	const opened = await Promise.all(
		made.map(async ({ part, folder }) => ({ part, benchmark: await openBenchmark(folder) })),
	);
	const folder = workspace.benchmark(name);
	const base = await openKnowledge(await locate(workspace, "knowledge", knowledge));
	try {
		const manifest = await mergeBenchmarks(opened, folder, {
			...{ name, knowledge, title: `Mixed: ${name}` },
			description: `Tasks made from ${knowledge} by ${made.map(({ part }) => part).join(", ")}.`,
			beside: (filling, tasks) => stampBenchmark(filling, tasks, base),
		});
		return { benchmark: name, folder, tasks: manifest.tasks, parts, fits };
	} finally {
		await base.close();
	}
}

const nameOf = ({ name }: AutoOptions, knowledge: string): string => name ?? `${knowledge}-mix`;

/** The options of one recipe: its own build and settings, and of the named roles those that it has. */
function optionsOf(
	recipe: Recipe,
	{ mix: _, items: __, role = [], set = [], ...options }: AutoOptions,
	name: string,
): MakeOptions {
	const own = role.filter((text) => Object.hasOwn(recipe.roles, text.split("=")[0] ?? ""));
	const prefix = `${recipe.name}.`;
	const settings = set.flatMap((text) => (text.startsWith(prefix) ? [text.slice(prefix.length)] : []));
	return { ...options, role: own, set: settings, name: `${name}-${recipe.name}` };
}

function mustBeRoles(given: readonly string[], all: readonly Recipe[]): void {
	const roles = new Set(all.flatMap((recipe) => Object.keys(recipe.roles)));
	for (const text of given) {
		const [role = ""] = text.split("=");
		if (!text.includes("=") || !roles.has(role))
			throw usageError(
				"bad-role",
				text.includes("=") ? `no recipe has a role "${role}"` : `--role takes ROLE=MODEL, not "${text}"`,
				`There is: ${[...roles].sort().join(", ")}.`,
			);
	}
}

function mustBeSettings(given: readonly string[], all: readonly Recipe[]): void {
	const stray = given.find((text) => !all.some(({ name }) => text.startsWith(`${name}.`)));
	if (stray === undefined) return;
	throw usageError(
		"bad-setting",
		`--set ${stray} names no recipe`,
		"With auto, say whose setting it is: --set tracer.passages=50.",
	);
}

function weightsIn(mix: readonly string[], all: readonly Recipe[]): Map<string, number> {
	const weights = new Map<string, number>();
	for (const text of mix.flatMap((one) => one.split(","))) {
		const [recipe = "", weight = "1"] = text.split("=");
		const amount = Number(weight);
		if (!all.some(({ name }) => name === recipe) || !(amount > 0))
			throw usageError(
				"bad-mix",
				`--mix takes RECIPE=WEIGHT, not "${text}"`,
				`For example: --mix tracer=2,double-bench=1. There is: ${all.map(({ name }) => name).join(", ")}.`,
			);
		weights.set(recipe, amount);
	}
	return weights;
}

/** Of `total`, the whole number that falls to one of several weights; together they give all of it. */
function shareOf(total: number, weights: readonly number[], at: number): number {
	const all = weights.reduce((sum, weight) => sum + weight, 0);
	const upTo = (count: number) =>
		Math.round((total * weights.slice(0, count).reduce((sum, weight) => sum + weight, 0)) / all);
	return upTo(at + 1) - upTo(at);
}

/** Parts that nobody plays, and parts that one model may not play together. */
function castLacks(recipe: Recipe, { model, role }: MakeOptions, bench: Bench): RecipeFit["lacks"] {
	try {
		const cast = castOf(recipe, { model, role }, bench);
		mustBeCast(
			recipe,
			Object.fromEntries(Object.entries(cast).map(([part, name]) => [part, { id: idOf(name, bench) }])),
		);
		return [];
	} catch (error) {
		return [lackIn(error)];
	}
}

/** What a person can mend is a lack; anything else is thrown on. */
function lackIn(error: unknown): { what: string; remedy: string } {
	if (error instanceof HopscopeError && error.exitCode === 2)
		return { what: error.message, remedy: error.remedy ?? "" };
	throw error;
}

async function heldBy(knowledge: string, { workspace }: Bench): Promise<KnowledgeHeld> {
	const dir = await locate(workspace, "knowledge", knowledge);
	const corpus = await corpusBehind(dir);
	const documents = new Set<string>();
	const languages = new Map<string, number>();
	for await (const { document, language } of corpus.evidence()) {
		documents.add(document);
		languages.set(language, (languages.get(language) ?? 0) + 1);
	}
	const graphDir = join(dir, graphFolder);
	const graph = existsSync(join(graphDir, "graph.json")) ? await openGraph(graphDir) : undefined;
	const { passage, page, image } = corpus.manifest.counts;
	return {
		passages: passage,
		pages: page,
		images: image,
		documents: documents.size,
		entities: graph?.entities.size ?? 0,
		relations: graph?.triples.length ?? 0,
		languages: Object.fromEntries([...languages].sort(([, a], [, b]) => b - a)),
	};
}

function nothingFits({ knowledge, fits }: AutoPlan): HopscopeError {
	const first = fits.flatMap(({ recipe, lacks }) => lacks.slice(0, 1).map(({ what }) => `${recipe}: ${what}`));
	return usageError(
		"no-recipe-fits",
		`no recipe can make anything of ${knowledge}: ${first.join("; ")}`,
		"hopscope make auto --plan says of each what it lacks and how to get it.",
		{ facts: { fits } },
	);
}

/** What plans ask and cost together. */
function totalOf(plans: readonly BuildPlan[]): Pick<BuildPlan, "calls" | "cost" | "kept"> {
	const sum = (estimates: readonly BuildPlan["calls"][]) =>
		estimates.reduce(
			(all, { expected, low, high }) => ({
				expected: all.expected + expected,
				low: all.low + low,
				high: all.high + high,
			}),
			{ expected: 0, low: 0, high: 0 },
		);
	const costs = plans.flatMap(({ cost }) => cost ?? []);
	return {
		calls: sum(plans.map(({ calls }) => calls)),
		kept: plans.reduce((all, { kept }) => all + kept, 0),
		cost: costs.length < plans.length ? null : sum(costs),
	};
}
