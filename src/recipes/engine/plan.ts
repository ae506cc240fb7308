import { setField } from "#domain";
import { costOf, type Price } from "#models";
import { emitting } from "./emit.ts";
import type { Flow } from "./flow.ts";
import { type FunnelRow, shareOf } from "./funnel.ts";
import { addLoads, type Load, noLoad, type Planner, scaled } from "./plan-load.ts";
import { promptLength } from "./prompt.ts";
import { paramsOf, type Recipe, type RecipeInputs } from "./recipe.ts";
import type { Calls, StageAbout } from "./stage.ts";

/** What one stage is expected to be sent and to ask. */
export interface StagePlan {
	stage: string;
	kind: string;
	in: Load;
	calls: Load;
	/** Tokens of the expected calls. */
	inputTokens: number;
	outputTokens: number;
	/** Money of the expected calls, and of the calls at most; null where a price is not written down. */
	cost: Load | null;
	/** What of this is a guess, in words. */
	guesses: string[];
}

export interface BuildPlan {
	/** Units by source. */
	units: Record<string, number>;
	accepted: Load;
	rows: StagePlan[];
	calls: Load;
	inputTokens: number;
	outputTokens: number;
	cost: Load | null;
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
	/** A source without units that is reckoned with one. */
	supposed?: string | undefined;
	/** What an earlier build or a preview of the recipe did: better than any guess. */
	measured?: readonly FunnelRow[] | undefined;
}

/** Inputs from which on an earlier build counts as a measurement. */
const fewestMeasured = 5;
/** What is reckoned where nothing is known. */
const charactersPerToken = 4;
const tokensPerImage = 1000;
const tokensPerReply = 200;
const mostMaterial = 60_000;
/** Units whose length is looked at. */
const mostSampled = 500;

/**
 * What a build would do, before anything is asked: the units are read and counted, and every flow says how many pieces
 * go on. What a stage lets through is taken from an earlier build, else from the published rate, else all of it.
 */
export async function planOf<Params>(
	recipe: Recipe<Params>,
	inputs: RecipeInputs,
	options: PlanOptions,
): Promise<BuildPlan> {
	const { items = Number.POSITIVE_INFINITY } = options;
	const flow = recipe.build(paramsOf(recipe, options.params), inputs);
	const seen = createSeen(options);
	const accepted = await flow.load(noLoad, seen.planner);
	seen.planner.stage(emitting, accepted);
	// a source is read no further than it has to be
	const part = accepted.expected > items ? items / accepted.expected : 1;
	// a unit can be less than what is shown of it: no call is reckoned shorter than an average text of the corpus
	const material = Math.max(mean(seen.lengths), mean(await textLengths(inputs)));
	const rows = inOrder(flow, seen.rows).map((row) => planned(row, { recipe, options, material, part }));
	const sum = (value: (row: StagePlan) => number) => rows.reduce((all, row) => all + value(row), 0);
	const unpriced = rows.some(({ calls, cost }) => calls.most > 0 && cost === null);
	const calls = { expected: sum((row) => row.calls.expected), most: sum((row) => row.calls.most) };
	const lacking =
		options.supposed === undefined ? await lackingIn(recipe, inputs, { options, units: seen.units, calls }) : [];
	return {
		units: seen.units,
		accepted: { expected: Math.min(accepted.expected, items), most: Math.min(accepted.most, items) },
		rows,
		calls,
		lacking,
		inputTokens: sum((row) => row.inputTokens),
		outputTokens: sum((row) => row.outputTokens),
		cost: unpriced
			? null
			: { expected: sum(({ cost }) => cost?.expected ?? 0), most: sum(({ cost }) => cost?.most ?? 0) },
		guesses: [
			`material of a call as long as a unit or a text of the corpus (${Math.round(material)} characters), ${charactersPerToken} characters a token`,
			`${tokensPerReply} tokens a reply, ${tokensPerImage} an image, unless an earlier build measured it`,
			...(part < 1
				? [`units are read until ${items} items are accepted: about ${(100 * part).toFixed(0)} % of them`]
				: []),
		],
	};
}

/** What is said of each source that has no units, with the calls that the first of them would cost. */
async function lackingIn<Params>(
	recipe: Recipe<Params>,
	inputs: RecipeInputs,
	{ options, units, calls }: { options: PlanOptions; units: Readonly<Record<string, number>>; calls: Load },
): Promise<string[]> {
	const told: string[] = [];
	for (const [source, how] of Object.entries(recipe.sources ?? {})) {
		if (units[source] !== 0) continue;
		const one = await planOf(recipe, inputs, { ...options, supposed: source });
		const [each, most] = [one.calls.expected - calls.expected, one.calls.most - calls.most];
		told.push(`${source}: ${how}${most > 0 ? ` Each would ask about ${Math.ceil(each)} times, at most ${most}.` : ""}`);
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

interface Row {
	about: StageAbout;
	in: Load;
}

function createSeen({ mostUnits = Number.POSITIVE_INFINITY, measured = [], models, supposed }: PlanOptions) {
	const rows = new Map<string, Row>();
	const units: Record<string, number> = {};
	const lengths: number[] = [];
	const share = (about: StageAbout): number => shareOfStage(about, { measured, models }).share;
	const planner: Planner = {
		share,
		stage(about, incoming) {
			rows.set(about.name, { about, in: addLoads(rows.get(about.name)?.in ?? noLoad, incoming) });
			const yields = about.yields ?? 1;
			const { most = Math.ceil(yields), total = Number.POSITIVE_INFINITY } = about;
			return {
				expected: Math.min(total, incoming.expected * yields * share(about)),
				most: Math.min(total, incoming.most * most),
			};
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
			rows.set(about.name, { about, in: { expected: count, most: count } });
			return { expected: count, most: count };
		},
	};
	return { planner, rows, units, lengths };
}

/** The share that goes on, and where that is known from. */
function shareOfStage(
	about: StageAbout,
	{ measured = [], models }: Pick<PlanOptions, "measured" | "models">,
): { share: number; from: string | undefined } {
	const lacking = (about.calls ?? []).some(({ role }) => !Object.hasOwn(models, role));
	if (lacking) return { share: 1, from: undefined };
	const row = measured.find(({ stage, in: came }) => stage === about.name && came >= fewestMeasured);
	if (row) {
		const own = shareOf({ ...row, published: undefined });
		// of a stage that fans out, what it yields says how many; here how many of its inputs go on
		const share = Math.min(1, row.kind === "check" || row.kind === "probe" ? (own ?? 1) : 1 - lost(row));
		return { share, from: undefined };
	}
	const { published } = about;
	if (!published || published.share === "other")
		return { share: 1, from: isJudge(about) ? "lets all through" : undefined };
	const share = published.share === "dropped" ? 1 - published.rate : published.rate;
	return { share, from: `published rate ${Math.round(100 * published.rate)} % (${published.source})` };
}

const isJudge = ({ kind }: StageAbout) => kind === "check" || kind === "probe";
const lost = (row: FunnelRow) =>
	(row.faults + row.empty + Object.values(row.dropped).reduce((sum, one) => sum + one, 0)) / (row.in + row.spread);

/** Rows as the recipe lists its stages; one that no plan reaches has nothing coming. */
function inOrder({ stages }: Pick<Flow<void, unknown>, "stages">, rows: ReadonlyMap<string, Row>): Row[] {
	const names = [...new Set([...stages, emitting])];
	return names.map((about) => rows.get(about.name) ?? { about, in: noLoad });
}

function planned(
	{ about, in: all }: Row,
	reckoned: { recipe: Pick<Recipe, "roles">; options: PlanOptions; material: number; part: number },
): StagePlan {
	const { recipe, options, material, part } = reckoned;
	const coming: Load = { expected: all.expected * part, most: all.most };
	const row = options.measured?.find(({ stage, in: came }) => stage === about.name && came >= fewestMeasured);
	const { from } = shareOfStage(about, options);
	const guesses = from ? [from] : [];
	let calls = noLoad;
	let [inputTokens, outputTokens] = [0, 0];
	let cost: Load | null = noLoad;
	for (const call of about.calls ?? []) {
		const model = options.models[call.role];
		if (!model) {
			guesses.push(`skipped: nobody is ${call.role}`);
			continue;
		}
		const asked = scaled(coming, { expected: call.each, most: call.most ?? Math.ceil(call.each) });
		const tokens = tokensOf(call, { row, material, sees: recipe.roles[call.role]?.sees === true });
		if (call.prompt === undefined && !row) guesses.push("length of its prompt unknown");
		calls = addLoads(calls, asked);
		inputTokens += asked.expected * tokens.inputTokens;
		outputTokens += asked.expected * tokens.outputTokens;
		const price = options.price(model.id);
		const one = price ? costOf(tokens, price) : null;
		cost = cost && one !== null ? addLoads(cost, scaled(asked, { expected: one, most: one })) : null;
	}
	const { name: stage, kind } = about;
	return { stage, kind, in: coming, calls, inputTokens, outputTokens, cost, guesses: [...new Set(guesses)] };
}

function tokensOf(
	{ prompt }: Calls,
	{ row, material, sees }: { row: FunnelRow | undefined; material: number; sees: boolean },
): { inputTokens: number; outputTokens: number } {
	const used = row?.usage;
	if (used && used.calls > 0)
		return { inputTokens: used.inputTokens / used.calls, outputTokens: used.outputTokens / used.calls };
	const characters = material + (prompt === undefined ? 0 : (promptLength(prompt) ?? 0));
	return { inputTokens: characters / charactersPerToken + (sees ? tokensPerImage : 0), outputTokens: tokensPerReply };
}
