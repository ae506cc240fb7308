import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import type { Evidence, ImageEvidence, Item, Page, Task, Triple } from "#domain";
import { createGraph } from "#graph";
import { fakeKnowledge, type KnowledgeBase } from "#knowledge";
import { type FunnelRow, type RecipeInputs, recipes, runRecipe } from "#recipes";
import { sha256 } from "#store";
import type { Fault } from "./planted-faults.ts";
import { type Cast, castings, casts, createPlaybook, type Script, type Wording } from "./planted-players.ts";
import { realItems, realParts } from "./planted-real.ts";
import { createUnit, type Family, passageOf, shown, type Thing, type Unit, type Wanted } from "./planted-world.ts";
import { player } from "./player.ts";

/** A way of a recipe from documents to questions, with what it needs to run over units. */
export interface Lane {
	name: string;
	recipe: string;
	/** Who plays it. */
	casting: keyof typeof castings;
	wording: Wording;
	/** What all of its units must have. */
	wanted?: Wanted;
	/** Roles of the recipe; those that it can do without come second. */
	roles: readonly [readonly string[], readonly string[]];
	casts: readonly Cast[];
	params: object;
	inputs(units: readonly Unit[], dir: string): Promise<RecipeInputs>;
	/** Why something cannot be planted there: the writer has no say in it. */
	closed: Partial<Record<Fault["changes"], string>>;
}

const byName: Wording = { shape: "chain", start: ({ first }) => first.name };
const byImage: Wording = { shape: "chain", start: ({ first }, tongue) => shown(first, tongue) };
/** A recipe that orders words to be kept has them kept in whatever language the rest slips into. */
const byPhrase: Wording = {
	shape: "chain",
	start: ({ first }, tongue) => (tongue === "en" ? shown(first, "en") : `${shown(first, tongue)} (shown in the image)`),
};

export const lanes: readonly Lane[] = [
	{
		name: "tracer",
		recipe: "tracer",
		casting: "tracer",
		wording: byName,
		roles: [["generator"], ["auditor", "solver"]],
		casts,
		params: { passages: 100_000, fields: "none", pool: 1, hops: 2, comparisonsAt: [], firstLevel: false },
		async inputs(units) {
			const passages = units.flatMap((unit) => unit.passages);
			const begin = new Set(units.map(({ first }) => first.id));
			return inputsOf(passages, { search: byUnit(units), read: passages.filter(({ id }) => begin.has(id)) });
		},
		closed: { arithmetic: "comparisons are measured in mmhops" },
	},
	{
		name: "mc-search",
		recipe: "mc-search",
		casting: "mc-search",
		wording: byName,
		roles: [["generator", "verifier-a", "verifier-b", "editor", "judge"], []],
		casts: ["off", "all"],
		params: {
			related: [],
			hops: [2, 3],
			mix: { "image-initiated-chain": 0, "image-text-fork": 0, "multi-image-fork": 0, "text-initiated-chain": 0 },
		},
		inputs: async (units) => inputsOf(units.flatMap((unit) => togetherIn(unit))),
		closed: { again: "one call makes one item of a cluster", arithmetic: "it computes nothing" },
	},
	{
		name: "double-bench, one hop",
		recipe: "double-bench",
		casting: "double-bench",
		wording: { ...byName, shape: "one" },
		roles: [["generator", "labeller", "inspector"], ["solver"]],
		casts,
		params: { questions: ["single"], pages: [1, 100], retrievers: [{ mode: "lexical", k: 10 }] },
		inputs: async (units) =>
			inputsOf(
				units.flatMap((unit) => pagesOf(unit)),
				{ search: byUnit(units) },
			),
		closed: {
			sub: "a question of one hop is its own sub-question",
			again: "each block is asked about once",
			arithmetic: "it computes nothing",
		},
	},
	{
		name: "double-bench, walks",
		recipe: "double-bench",
		casting: "double-bench",
		wording: byName,
		roles: [["generator", "labeller", "inspector"], ["solver"]],
		casts,
		params: {
			...{ questions: ["multi"], pages: [1, 100], hops: 2, leastDegree: 1, skipHighest: 0, leastNeighbourDegree: 1 },
		},
		inputs: async (units) =>
			inputsOf(
				units.flatMap((unit) => pagesOf(unit)),
				{ search: byUnit(units) },
			),
		closed: {
			step: "the walk follows the relations of the document",
			again: "a walk is begun once at each entity",
			arithmetic: "it computes nothing",
		},
	},
	{
		name: "mmhops, bridging",
		recipe: "mmhops",
		casting: "mmhops",
		wording: byImage,
		roles: [["generator", "judge"], ["solver"]],
		casts,
		params: { questions: ["bridging"], textualHops: [2, 2] },
		async inputs(units, dir) {
			const seeds = units.flatMap(seedsOf);
			// the same words beside the same picture would be the same question
			for (const [at, { images }] of seeds.entries()) for (const { file } of images) await picture(join(dir, file), at);
			return { ...inputsOf(units.flatMap((unit) => unit.passages)), seeds, seedsFolder: dir };
		},
		closed: { arithmetic: "bridging computes nothing" },
	},
	{
		name: "mmhops, comparison",
		recipe: "mmhops",
		casting: "comparison",
		wording: { ...byImage, shape: "compared" },
		wanted: { end: "value" },
		roles: [["generator", "judge"], ["solver"]],
		casts,
		params: { questions: ["comparison"], comparisonAnswers: "any", neighbours: 1, sectionsPerPair: 1 },
		async inputs(units, dir) {
			const things = units.flatMap(({ bridge, stranger }) => [bridge, stranger]);
			const images = await Promise.all(things.map((thing, at) => imageOf(thing, { at, dir, title: thing.name })));
			const files = Object.fromEntries(images.map((image) => [image.id, join(dir, image.file)]));
			return inputsOf([...units.flatMap((unit) => unit.passages), ...images], { files, search: byUnit(units) });
		},
		closed: {
			sub: "sub-questions are written by code",
			step: "both values must be quoted from the two pages",
			again: "each pair is compared once",
		},
	},
	{
		name: "vistahop",
		recipe: "vistahop",
		casting: "vistahop",
		wording: byPhrase,
		roles: [["reader", "generator", "verifier"], ["solver"]],
		casts,
		params: {
			...{ megapixels: 0, shortSide: 0, nearDuplicate: 0, entities: 1, familiarity: 1.01, visualSamples: 1 },
			...{ leastHops: 2, mostHops: 2, fused: 0, chains: 100_000 },
		},
		async inputs(units, dir) {
			const images = await Promise.all(units.map(({ first }, at) => imageOf(first, { at, dir })));
			const files = Object.fromEntries(images.map((image) => [image.id, join(dir, image.file)]));
			return { ...inputsOf([...units.flatMap((unit) => unit.passages), ...images], { files }), graph: graphOf(units) };
		},
		closed: {
			sub: "sub-questions are written by code",
			answer: "the answer is the graph's",
			step: "the chain follows the graph",
			again: "no thing is in two chains",
			arithmetic: "only fused questions compute, and code does it",
		},
	},
];

function inputsOf(
	evidence: readonly Evidence[],
	{
		search,
		read = evidence,
		files,
	}: { search?: KnowledgeBase["search"]; read?: readonly Evidence[]; files?: Record<string, string> } = {},
): RecipeInputs {
	const sorted = [...read].sort((a, b) => (a.id < b.id ? -1 : 1));
	const held = fakeKnowledge([...evidence], files ? { files } : {});
	return {
		knowledge: { ...held, search: search ? search : async () => [] },
		async *evidence() {
			yield* sorted;
		},
	};
}

/** A search that finds the passages or pages of the unit that a text names something of: no index for tens of thousands. */
function byUnit(units: readonly Unit[]): KnowledgeBase["search"] {
	const playbook = createPlaybook(
		units.map((unit) => ({ unit })),
		{ family: "main", wording: byName, seed: 0 },
	);
	return async ({ text = "", target, k }) => {
		const unit = playbook.unitIn(text);
		const found = unit ? [unit.bridge, unit.stranger, unit.first] : [];
		return found.slice(0, k).map((thing, at) => ({
			...{
				id: thing.id,
				document: target === "passage" ? thing.id : (unit?.id ?? ""),
				title: thing.name,
				rank: at + 1,
				score: 1 / (at + 1),
			},
			...{ kind: target, snippet: thing.text, language: "en" },
		})) as unknown as Awaited<ReturnType<KnowledgeBase["search"]>>;
	};
}

const togetherIn = (unit: Unit) => [unit.first, unit.bridge, unit.stranger].map((thing) => passageOf(thing, unit.id));

const pagesOf = (unit: Unit): Page[] =>
	[unit.first, unit.bridge, unit.stranger].map((thing, page) => {
		const { kind: _, form: _form, ...common } = passageOf(thing, unit.id);
		return { ...common, kind: "page", page, title: `Notes ${unit.id}`, provenance: { source: `${unit.id}.pdf` } };
	});

/** A picture with the question what it shows; a second one of the same thing where two items are wanted. */
function seedsOf({ id: unit, first, twice = false }: Unit): Task[] {
	const seed = (id: string, question: string): Task => ({
		...{ id, question, tags: { language: "en" }, source: "made up", rights: "CC0-1.0" },
		images: [{ id, file: `${id}.png`, width: 64, height: 64, sha256: "0".repeat(64) }],
		answer: { type: "string", value: first.name, accepted: [first.name] },
	});
	const again = seed(`${unit}-again`, `Which ${first.kind} is the one on the picture?`);
	return [seed(`${unit}-seed`, `Which ${first.kind} is shown in the image?`), ...(twice ? [again] : [])];
}

async function picture(file: string, at: number): Promise<Buffer> {
	await mkdir(join(file, ".."), { recursive: true });
	const background = { r: at % 256, g: Math.floor(at / 256) % 256, b: 128 };
	const data = await sharp({ create: { width: 64, height: 64, channels: 3, background } })
		.png()
		.toBuffer();
	await sharp(data).toFile(file);
	return data;
}

/** A picture of its own for a thing; by its name a scripted reader knows what it shows. */
async function imageOf(
	{ id: of, name }: Thing,
	{ at, dir, title = `${of} ${name}` }: { at: number; dir: string; title?: string },
): Promise<ImageEvidence> {
	const file = `${of}.png`;
	const data = await picture(join(dir, file), at);
	return {
		...{
			kind: "image",
			id: `${of}-image ${name}`,
			document: `${of}-image`,
			title,
			language: "en",
			sha256: sha256(data),
		},
		...{ provenance: { source: "made up", licence: "CC0-1.0" }, caption: "a picture", file, width: 64, height: 64 },
	};
}

function graphOf(units: readonly Unit[]) {
	const triples: Triple[] = [];
	const entities = new Map<
		string,
		Parameters<typeof createGraph>[0]["entities"] extends Iterable<infer E> ? E : never
	>();
	for (const { steps } of units)
		for (const { subject, relation, object, end, value, sentence } of steps) {
			entities.set(subject.name, {
				id: subject.name,
				name: subject.name,
				aliases: [subject.alias],
				types: [subject.kind],
				kind: "entity",
			});
			const id = value ? `value/${object}` : object;
			if (!entities.has(id))
				entities.set(id, {
					id,
					name: object,
					aliases: end ? [end.alias] : [],
					types: [relation.to],
					kind: value ? "value" : "entity",
				});
			const statements = [{ evidence: subject.id, basis: "quote" as const, quote: sentence, origin: "made up" }];
			triples.push({
				id: `${subject.id}-${relation.name}`,
				subject: subject.name,
				relation: relation.name,
				object: id,
				directed: true,
				statements,
			});
		}
	return createGraph({ entities: entities.values(), triples });
}

export interface Measured {
	lane: string;
	cast: Cast;
	/** Planted and accepted, by kind of fault; absent where it cannot be planted. */
	faults: Map<string, { planted: number; accepted: number; examples: string[] }>;
}

export interface Measuring {
	lane: Lane;
	cast: Cast;
	faults: readonly Fault[];
	/** Units of each kind. */
	each: number;
	family: Family;
	seed: number;
	dir: string;
}

/** Runs a lane over units with one fault each, and counts the faults that came through. */
export async function measureFaults({ lane, faults, each, ...how }: Measuring): Promise<Measured> {
	const open = faults.filter(({ changes }) => lane.closed[changes] === undefined);
	const { family, seed } = how;
	const units = open.flatMap((fault, kind) =>
		Array.from({ length: each }, (_, n) => {
			const { order } = fault;
			const unit = createUnit(kind * each + n, {
				...{ family, seed, wanted: { ...lane.wanted, ...fault.wanted } },
				...(order ? { order: (random) => order(family, random) } : {}),
			});
			return { fault, unit: { ...unit, twice: fault.changes === "again" } };
		}),
	);
	const { items, scriptOf } = await built({ lane, units, ...how });
	const counted: Measured["faults"] = new Map();
	const byUnit = new Map<string, Item[]>();
	for (const item of items) {
		const unit = unitOf(item);
		byUnit.set(unit, [...(byUnit.get(unit) ?? []), item]);
	}
	for (const { unit, fault } of units) {
		const script = scriptOf(unit);
		const row = counted.get(fault.name) ?? { planted: 0, accepted: 0, examples: [] };
		counted.set(fault.name, row);
		if (!script.fault || !script.said()) continue;
		row.planted += 1;
		const bad = (byUnit.get(unit.id) ?? []).filter((item) => script.stands(item));
		if (bad.length < (unit.twice ? 2 : 1)) continue;
		row.accepted += 1;
		const [item] = bad;
		if (item && row.examples.length < 3) row.examples.push(`${item.questions.at(-1)?.text} ⇒ ${item.answer.value}`);
	}
	for (const [name, { planted }] of counted) if (planted === 0) counted.delete(name);
	return { lane: lane.name, cast: how.cast, faults: counted };
}

export interface Kept {
	lane: string;
	cast: Cast;
	good: number;
	dropped: number;
	/** What dropped them, most frequent first. */
	reasons: string[];
}

/** Runs a lane over units without a fault: whatever does not come through is lost. */
export async function measureGood({ lane, each, ...how }: Omit<Measuring, "faults">): Promise<Kept> {
	// other numbers than those of the faults, so that their units are others
	const units = Array.from({ length: each }, (_, n) => ({
		unit: createUnit(4000 + n, { ...how, wanted: lane.wanted ?? {} }),
	}));
	const { items, rows } = await built({ lane, units, ...how });
	const through = new Set(items.map(unitOf));
	return { lane: lane.name, cast: how.cast, good: each, dropped: each - through.size, reasons: reasonsIn(rows) };
}

/** The same over questions that people wrote, as `mc-search` would make them: 120 of MoreHopQA. */
export async function measureReal(file: string, dir: string): Promise<Kept & { lost: string[] }> {
	const real = realItems(file);
	const lane = lanes.find(({ recipe }) => recipe === "mc-search");
	const recipe = await recipes["mc-search"]?.();
	if (!lane || !recipe) throw new RangeError("there is no recipe mc-search");
	const inputs = inputsOf(real.flatMap(({ steps }) => steps.map(({ passage }) => passage)));
	const parts = realParts(real);
	const models = Object.fromEntries(lane.roles[0].map((role) => [role, player(parts, { id: role })]));
	const { items, funnel } = await runRecipe(recipe, inputs, dir, { params: lane.params, models, together: 64 });
	const through = new Set(items.map(({ questions }) => questions[0]?.text));
	const lost = real.flatMap(({ question }) => (through.has(question) ? [] : [question]));
	return {
		...{ lane: "mc-search over MoreHopQA", cast: "off", good: real.length, dropped: lost.length, lost },
		reasons: reasonsIn(funnel.rows),
	};
}

/** What dropped items, beside what a recipe passes over to get to them. */
const reasonsIn = (rows: readonly FunnelRow[]): string[] =>
	rows
		.filter(({ kind, stage }) => kind !== "source" && !["telling-blocks", "first-step"].includes(stage))
		.flatMap(({ stage, dropped }) => Object.entries(dropped).map(([reason, count]) => `${stage} (${reason}) ${count}`));

/** The unit whose evidence an item rests on. */
const unitOf = ({ chain }: Item): string => /^u\d+/.exec(chain.hops[0]?.evidence[0] ?? "")?.[0] ?? "";

async function built({
	lane,
	units,
	cast,
	family,
	seed,
	dir,
}: Omit<Measuring, "faults" | "each"> & { units: { unit: Unit; fault?: Fault }[] }) {
	const playbook = createPlaybook(units, { family, wording: lane.wording, seed });
	const inputs = await lane.inputs(
		units.map(({ unit }) => unit),
		join(dir, "pictures"),
	);
	const [needed, optional] = lane.roles;
	const roles = cast === "off" ? needed : [...needed, ...optional];
	const nodding = cast === "all" ? roles : cast === "yes" ? optional : [];
	const models = Object.fromEntries(
		roles.map((role) => {
			const playing = nodding.includes(role) ? { ...playbook, nods: () => true } : playbook;
			return [role, player(castings[lane.casting](playing), { id: role })];
		}),
	);
	const recipe = await recipes[lane.recipe]?.();
	if (!recipe) throw new RangeError(`there is no recipe ${lane.recipe}`);
	const { items, funnel } = await runRecipe(recipe, inputs, join(dir, "build"), {
		params: lane.params,
		models,
		seed,
		together: 64,
	});
	return { items, rows: funnel.rows, scriptOf: (unit: Unit): Script => playbook.script(unit) };
}
