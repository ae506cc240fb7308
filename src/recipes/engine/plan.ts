import { type Item, noUsage, setField } from "#domain";
import { costOf, type Price } from "#models";
import { dryRun } from "./dry-run.ts";
import { emitting } from "./emit.ts";
import type { Flow } from "./flow.ts";
import type { FunnelRow } from "./funnel.ts";
import { addLoads, atMost, exactly, type Load, noLoad, type Planner, rangeOf, scaled } from "./plan-load.ts";
import { followedShare, type Measured, measuredRow, percent, rateOf } from "./plan-rates.ts";
import { promptLength } from "./prompt.ts";
import { paramsOf, type Recipe, type RecipeInputs } from "./recipe.ts";
import type { Calls, StageAbout } from "./stage.ts";

/** What one stage is expected to be sent and to ask. */
export interface StagePlan {
	stage: string;
	kind: string;
	in: Estimate;
	calls: Estimate;
	/** Tokens of the expected calls. */
	inputTokens: number;
	outputTokens: number;
	/** Money of the calls; null where a price is not written down. */
	cost: Estimate | null;
	/** What of this is a guess, in words. */
	guesses: string[];
}

/** A number that is not known yet: the truth is to be expected from `low` to `high`. */
export interface Estimate {
	expected: number;
	low: number;
	high: number;
}

export interface BuildPlan {
	/** Units by source. */
	units: Record<string, number>;
	accepted: Estimate;
	rows: StagePlan[];
	calls: Estimate;
	/** Of the calls, those that a build with the same settings, models and inputs has the replies of already. */
	kept: number;
	inputTokens: number;
	outputTokens: number;
	cost: Estimate | null;
	/** A stage that asks nobody, and behind which nothing of what comes to it goes on. */
	blocked?: { stage: string; came: number; because: string };
	/** Stages that ask models and were measured by an earlier build, of all such stages. */
	measured: { stages: number; of: number };
	/** What holds for every line. */
	guesses: string[];
	/** Sources without units: how these are come by, and what one of them would ask. */
	lacking: string[];
}

export interface PlanOptions {
	params?: unknown;
	/** Model ids by role; a role without one asks nothing. */
	models: Readonly<Record<string, { id: string }>>;
	/** For a million tokens. */
	price(model: string): Price | undefined;
	/** Accepted items wanted: with enough units not all are read. */
	items?: number | undefined;
	mostUnits?: number | undefined;
	/** Of every draw; 1 where nothing is said. */
	seed?: number | undefined;
	/** Inputs worked on at once. */
	together?: number | undefined;
	/** A source without units that is reckoned with one. */
	supposed?: string | undefined;
	/** What earlier builds and previews of the recipe did: better than any guess. */
	measured?: readonly FunnelRow[] | undefined;
	/** Calls of which the replies are kept. */
	kept?: number | undefined;
	/** The build follows at once: where it asks nobody there is nothing to agree to, and it is not tried before. */
	buildFollows?: boolean | undefined;
}

/** What is reckoned where nothing is known. */
const charactersPerToken = 4;
const tokensPerImage = 1000;
const tokensPerReply = 200;
const mostMaterial = 60_000;
/** Units whose length is looked at. */
const mostSampled = 500;

/**
 * What a build would do, before anything is asked: the units are read and counted, what needs no model is tried, and every
 * flow says how many pieces go on. What a stage lets through, makes and asks is taken from earlier builds, else from the
 * published rate, else guessed; how far each of these may be off adds up to the range.
 */
export async function planOf<Params>(
	recipe: Recipe<Params>,
	inputs: RecipeInputs,
	given: PlanOptions,
): Promise<BuildPlan> {
	return (await plansOf(recipe, inputs, given))(given.items);
}

/** As `planOf`, for any number of items: units are read and stages tried once, however many plans are asked for. */
export async function plansOf<Params>(
	recipe: Recipe<Params>,
	inputs: RecipeInputs,
	given: PlanOptions,
): Promise<(items: number | undefined) => BuildPlan> {
	const flow = recipe.build(paramsOf(recipe, given.params), inputs);
	const { blocked, ...options } = { ...given, ...(await withDryRun(recipe, flow, given)) };
	const seen = createSeen(options);
	const all = await flow.load(noLoad, seen.planner);
	const accepted = seen.planner.stage(emitting, all);
	// a unit can be less than what is shown of it: no call is reckoned shorter than an average text of the corpus
	const material = Math.max(mean(seen.lengths), mean(await textLengths(inputs)));
	const plan = (items: number | undefined): Omit<BuildPlan, "lacking"> => {
		const { coming, part } = seen.taken(accepted.expected, items);
		const rows = inOrder(flow, coming).map((row) => planned(row, { recipe, options, material }));
		const sum = (load: (row: PlannedRow) => Load) => estimated(rows.map(load).reduce(addLoads, noLoad));
		const asking = rows.filter(({ calls }) => calls.expected > 0);
		const tokens = (kind: "inputTokens" | "outputTokens") => rows.reduce((total, row) => total + row[kind], 0);
		const wanted = { ...accepted, expected: Math.min(accepted.expected, items ?? Number.POSITIVE_INFINITY) };
		const calls = rows.map((row) => row.calls).reduce(addLoads, noLoad);
		return {
			units: seen.units,
			accepted: atLeastPossible(estimated(wanted), items),
			rows: rows.map((row) => ({
				...row,
				in: estimated(row.in),
				calls: estimated(row.calls),
				cost: row.cost && estimated(row.cost),
			})),
			calls: estimated(calls),
			kept: options.kept ?? 0,
			...(blocked ? { blocked } : {}),
			inputTokens: tokens("inputTokens"),
			outputTokens: tokens("outputTokens"),
			cost: asking.some(({ cost }) => cost === null) ? null : sum(({ cost }) => cost ?? noLoad),
			measured: {
				stages: asking.filter(({ stage }) => measuredRow(stage, options.measured)).length,
				of: asking.length,
			},
			guesses: [
				`material of a call as long as a unit or a text of the corpus (${Math.round(material)} characters), ${charactersPerToken} characters a token`,
				`${tokensPerReply} tokens a reply, ${tokensPerImage} an image, unless an earlier build measured it`,
				...(part < 1 ? [`units are read until ${items} items are accepted: about ${percent(part)} of them`] : []),
			],
		};
	};
	const { units, calls } = plan(given.items);
	const lacking = given.supposed === undefined ? await lackingIn(recipe, inputs, { options, units, calls }) : [];
	return (items) => ({ ...plan(items), lacking });
}

/** What earlier builds measured, and of the stages that need no model what they do now. */
async function withDryRun(
	recipe: Pick<Recipe, "name" | "version">,
	flow: Flow<void, Item>,
	{ measured = [], models, mostUnits, supposed, seed, buildFollows }: PlanOptions,
): Promise<Pick<BuildPlan, "blocked"> & Measured> {
	// what a unit that is only supposed would do was measured, or guessed, by the plan without it
	if (supposed !== undefined) return { measured };
	const asks = flow.stages.some(({ calls = [] }) => calls.some(({ role }) => Object.hasOwn(models, role)));
	if (!asks && buildFollows) return { measured };
	const { rows, blocked, whole } = await dryRun(flow, recipe, { stages: [...flow.stages, emitting], mostUnits, seed });
	// where nobody is asked, what was done whole is what the build will do
	if (!asks && whole) return { measured: rows, exact: true, ...(blocked ? { blocked } : {}) };
	const unmeasured = rows.filter((row) => measuredRow(row.stage, measured) === undefined);
	return { measured: [...measured, ...unmeasured], ...(blocked ? { blocked } : {}) };
}

const estimated = (load: Load): Estimate => ({ expected: load.expected, ...rangeOf(load) });

const atLeastPossible = ({ expected, low, high }: Estimate, most = Number.POSITIVE_INFINITY): Estimate => ({
	expected,
	low,
	high: Math.min(high, most),
});

/** What is said of each source that has no units, with the calls that the first of them would cost. */
async function lackingIn<Params>(
	recipe: Recipe<Params>,
	inputs: RecipeInputs,
	{ options, units, calls }: { options: PlanOptions; units: Readonly<Record<string, number>>; calls: Estimate },
): Promise<string[]> {
	const told: string[] = [];
	for (const [source, how] of Object.entries(recipe.sources ?? {})) {
		if (units[source] !== 0) continue;
		const one = await planOf(recipe, inputs, { ...options, supposed: source });
		const each = Math.ceil(one.calls.expected - calls.expected);
		told.push(`${source}: ${how}${each > 0 ? ` Each would ask about ${each} times.` : ""}`);
	}
	return told;
}

const mean = (values: readonly number[]) =>
	values.length > 0 ? values.reduce((sum, one) => sum + one, 0) / values.length : 0;

async function textLengths(inputs: RecipeInputs): Promise<number[]> {
	const lengths: number[] = [];
	for await (const one of inputs.evidence()) {
		if (one.kind !== "image") lengths.push(Math.min(one.text.length, mostMaterial));
		if (lengths.length >= mostSampled) break;
	}
	return lengths;
}

/** What comes to a stage in one of the parts of a recipe that give their items in turns. */
interface Coming {
	about: StageAbout;
	in: Load;
	/** Of the part; absent where all parts come together. */
	part: number | undefined;
	/** All of it is done before the first piece goes on. */
	whole: boolean;
	/** The flow over single inputs that it stands in, counted from the source; none before the first. */
	flow: number;
}

interface Row {
	about: StageAbout;
	in: Load;
}

function createSeen(options: PlanOptions & Measured) {
	const { mostUnits = Number.POSITIVE_INFINITY, supposed } = options;
	const comings: Coming[] = [];
	const parts: Load[] = [];
	const units: Record<string, number> = {};
	const lengths: number[] = [];
	/** What comes to each flow over single inputs, and in which part. */
	const flows: { in: number; part: number | undefined }[] = [];
	let inFlow = false;
	let part: number | undefined;
	const planner: Planner = {
		stage(about, incoming) {
			const { concerned, goesOn } = rateOf(about, options);
			const concerning = { ...incoming, expected: incoming.expected * concerned };
			const flow = flows.at(-1);
			if (flow && Number.isNaN(flow.in)) flow.in = incoming.expected;
			comings.push({ about, in: concerning, part, whole: false, flow: flows.length });
			const aside = { ...incoming, expected: incoming.expected * (1 - concerned) };
			const behind = addLoads(scaled(concerning, goesOn), aside);
			return about.total === undefined ? behind : atMost(behind, about.total, exactly(1));
		},
		async units(about, read) {
			let count = 0;
			for await (const unit of read()) {
				if (count >= mostUnits) break;
				if (lengths.length < mostSampled) lengths.push(Math.min(JSON.stringify(unit).length, mostMaterial));
				count += 1;
			}
			if (count === 0 && supposed === about.name) count = 1;
			setField(units, about.name, count);
			comings.push({ about, in: exactly(count), part, whole: false, flow: flows.length });
			return exactly(count);
		},
		barrier() {
			for (const coming of comings) if (coming.part === part) coming.whole = true;
		},
		async supposed(load) {
			const before = [comings.length, flows.length] as const;
			const behind = await load();
			[comings.length, flows.length] = before;
			return behind;
		},
		followed: (from, to) => followedShare(from.name, to.name, options.measured),
		async readAhead(load) {
			if (inFlow) return load();
			inFlow = true;
			flows.push({ in: Number.NaN, part });
			try {
				return await load();
			} finally {
				inFlow = false;
			}
		},
		async oneOfSeveral(load) {
			part = parts.length;
			const behind = await load();
			parts.push(behind);
			part = undefined;
			return behind;
		},
	};
	/** What is taken of all that could come, if no more items are wanted than `items`. */
	const taken = (
		accepted: number,
		items = Number.POSITIVE_INFINITY,
	): { coming: ReadonlyMap<string, Row>; part: number } => {
		const { together = 8 } = options;
		const share = accepted > items ? items / accepted : 1;
		const shares = sharesOfParts(parts, { items, accepted });
		const coming = new Map<string, Row>();
		for (const { about, in: all, part: of, whole, flow } of comings) {
			const read = of === undefined ? share : (shares[of] ?? 1);
			// every flow behind has taken up inputs of its own when enough has come out of the last one
			const behind = flows.slice(Math.max(0, flow - 1)).filter((one) => one.part === of || one.part === undefined);
			const ahead = behind.reduce((sum, one) => sum + (one.in > 0 ? together / one.in : 0), 0);
			// a part that is begun at all does its first stages whole
			const factor = read === 0 ? 0 : whole ? 1 : Math.min(1, read + ahead);
			const before = coming.get(about.name)?.in ?? noLoad;
			coming.set(about.name, { about, in: addLoads(before, { ...all, expected: all.expected * factor }) });
		}
		return { coming, part: share };
	};
	return { planner, units, lengths, taken };
}

/** Parts give in turns: each the same number of items, and what one cannot give the others do. */
function sharesOfParts(parts: readonly Load[], { items, accepted }: { items: number; accepted: number }): number[] {
	const all = parts.reduce((sum, { expected }) => sum + expected, 0);
	const gives = parts.map(({ expected }) => (all > 0 ? (expected / all) * accepted : 0));
	const taken = new Map<number, number>();
	let lacking = items;
	for (const at of [...gives.keys()].sort((a, b) => (gives[a] ?? 0) - (gives[b] ?? 0))) {
		const most = lacking / (parts.length - taken.size);
		const takes = Math.min(gives[at] ?? 0, most);
		taken.set(at, takes);
		lacking -= takes;
	}
	return gives.map((given, at) => (given > 0 ? (taken.get(at) ?? 0) / given : 1));
}

/** Rows as the recipe lists its stages; one that no plan reaches has nothing coming. */
function inOrder({ stages }: Pick<Flow<void, unknown>, "stages">, rows: ReadonlyMap<string, Row>): Row[] {
	const names = [...new Set([...stages, emitting])];
	return names.map((about) => rows.get(about.name) ?? { about, in: noLoad });
}

type PlannedRow = Omit<StagePlan, "in" | "calls" | "cost"> & { in: Load; calls: Load; cost: Load | null };

function planned(
	{ about, in: coming }: Row,
	reckoned: { recipe: Pick<Recipe, "roles">; options: PlanOptions & Measured; material: number },
): PlannedRow {
	const { recipe, options, material } = reckoned;
	const row = measuredRow(about.name, options.measured);
	const { from } = rateOf(about, options);
	const guesses = from ? [from] : [];
	let calls = noLoad;
	let [inputTokens, outputTokens] = [0, 0];
	let cost: Load | null = noLoad;
	for (const { call, each } of callsOf(about, { row, options, guesses })) {
		const asked = scaled(coming, each);
		const tokens = tokensOf(call, { row, material, sees: recipe.roles[call.role]?.sees === true });
		if (call.prompt === undefined && !row) guesses.push("length of its prompt unknown");
		calls = addLoads(calls, asked);
		inputTokens += asked.expected * tokens.inputTokens;
		outputTokens += asked.expected * tokens.outputTokens;
		const price = options.price(options.models[call.role]?.id ?? "");
		const one = price ? costOf(tokens, price) : null;
		cost = cost && one !== null ? addLoads(cost, scaled(asked, exactly(one))) : null;
	}
	const { name: stage, kind } = about;
	return { stage, kind, in: coming, calls, inputTokens, outputTokens, cost, guesses: [...new Set(guesses)] };
}

/** The calls of a stage for each input: as many as were measured, in the proportion in which the stage names them. */
function callsOf(
	{ calls = [] }: StageAbout,
	{ row, options, guesses }: { row: FunnelRow | undefined; options: PlanOptions; guesses: string[] },
): { call: Calls; each: Load }[] {
	for (const { role } of calls) if (!options.models[role]) guesses.push(`skipped: nobody is ${role}`);
	const asked = calls.filter(({ role }) => options.models[role]);
	const named = asked.reduce((sum, { each }) => sum + each, 0);
	const { inputs = 0, usage = noUsage } = row?.asked ?? {};
	const [factor, variance] = inputs > 0 && named > 0 ? [usage.calls / inputs / named, 0.25 / inputs] : [1, 0.1];
	return asked.map((call) => ({ call, each: { expected: call.each * factor, variance } }));
}

function tokensOf(
	{ prompt }: Calls,
	{ row, material, sees }: { row: FunnelRow | undefined; material: number; sees: boolean },
): { inputTokens: number; outputTokens: number } {
	const used = row?.asked?.usage;
	if (used && used.calls > 0)
		return { inputTokens: used.inputTokens / used.calls, outputTokens: used.outputTokens / used.calls };
	const characters = material + (prompt === undefined ? 0 : (promptLength(prompt) ?? 0));
	return { inputTokens: characters / charactersPerToken + (sees ? tokensPerImage : 0), outputTokens: tokensPerReply };
}
