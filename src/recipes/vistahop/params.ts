import { z } from "zod";
import { lookAlikeDistance } from "#encoders";
import { number, oneOf, share, someOf, whole } from "../engine/params.ts";
import { extractorNames, fusionOperations } from "./extractors.ts";
import { fusionForms } from "./forms.ts";
import { relationCategories } from "./prompts.ts";
import { boxUnits } from "./regions.ts";

const many = 1_000_000;

/** Every bound of the recipe; published values are the defaults, and what the paper leaves open says so. */
export const VistahopParams = z.strictObject({
	megapixels: number(0, 1000, "pixels of a picture at least, in millions").default(8),
	shortSide: whole(0, 100_000, "pixels of its shorter side at least").default(2160),
	nearDuplicate: number(0, 10, "descriptor distance below which two pictures are one; not published").default(
		lookAlikeDistance,
	),
	entities: whole(1, 100, "named things that a picture shows at least").default(2),
	boxes: oneOf(boxUnits, "how the reader writes boxes").default("thousandths"),
	regionConfidence: share("confidence of a region at least; not published").default(0.5),
	regionArea: share("share of the picture that a region covers at least; not published").default(0.0004),
	regionOverlap: share("overlap above which two detections of one name are one; not published").default(0.5),
	pageCharacters: whole(1, many, "characters of a page that its record is made from").default(1500),
	sameName: oneOf(["best-known", "drop"], "what becomes of a name that several bear").default("drop"),
	pool: whole(1, 300, "neighbours looked at for a hop").default(30),
	pick: whole(1, 100, "neighbours chosen of these").default(10),
	relationConfidence: share("confidence of a relation at least").default(0.9),
	familiarity: number(0, 1.01, "familiarity from which on an entity is too well known").default(0.4),
	refused: z
		.array(z.enum(relationCategories))
		.default([])
		.describe("categories that are no hops; associative ones are how relations mostly fail (Table 6)"),
	determined: z.boolean().default(true).describe("a hop's relation leads to one thing only; the paper asks people"),
	current: z.boolean().default(true).describe("statements that have ended are left out; not published"),
	leastHops: whole(
		1,
		50,
		"hops of a chain at least; below 5 there are questions of level 1, of which the paper has none",
	).default(5),
	mostHops: whole(
		1,
		50,
		"hops of a chain at most; not published, but Table 4's results add up only if no single chain is of level 3",
	).default(9),
	meanHops: number(1, 50, "hops at which chains are to end on average, by chance for each").default(7.43),
	valueEnds: share("how often a value ends a chain where an entity could; dates and numbers in Table 8").default(0.34),
	expansions: whole(1, 10_000, "hops looked for from one seed before it is given up; not published").default(60),
	chains: whole(1, many, "chains kept, the most diverse first").default(520),
	diversity: share("diversity that a chain has at least; not published").default(0),
	diversityBy: oneOf(["hops", "nodes"], "what |c| counts in the diversity").default("hops"),
	phrase: z.string().min(3).max(100).default("shown in the image").describe("the words that stand for the image"),
	describe: z.boolean().default(false).describe("the thing's look may be hinted at (Table 24), or not (Table 25)"),
	several: oneOf(
		["one-of", "place"],
		"of several things of one type: left open as published, or told apart by place",
	).default("one-of"),
	leak: oneOf(
		["right", "part"],
		"a right blind answer is a leak: always (3.1.5), or if a part of the question was enough (Table 22)",
	).default("right"),
	blindSamples: whole(1, 20, "blind answers asked for").default(1),
	rounds: whole(0, 20, "rewritings of a question that leaks").default(3),
	ablationRounds: whole(0, 20, "rewritings of a question with a clue too many; not published").default(1),
	visualRatio: number(0, 1000, "ratio that visual dependence must exceed").default(1.2),
	visualSamples: whole(1, 50, "samples behind it where there are no log-probabilities; not published").default(5),
	mask: oneOf(["image", "region"], "what is made grey for it").default("image"),
	lowDependence: oneOf(["flag", "drop"], "what becomes of items at or below the ratio").default("flag"),
	fused: z
		.union([z.literal(0), z.number().int().min(2).max(8)])
		.default(2)
		.describe("chains that one fused question takes; 0 fuses none"),
	fusedPerItem: whole(1, 50, "fused questions that one item goes into; not published").default(1),
	forms: someOf(fusionForms, "what fused questions do with their parts"),
	extractors: someOf(extractorNames, "ways of making a number of an answer (Table 26, and the number itself)"),
	operations: someOf(fusionOperations, "operations on the numbers (Table 27)"),
	year: whole(1, 9999, "the year that differences of years count back from").default(2026),
	arithmetic: oneOf(
		["correct", "drop"],
		"a model's number that is not the one computed is replaced, or the question dropped",
	).default("correct"),
	ending: z.string().max(200).default("What is the result?").describe("how an arithmetic question ends"),
	fusedCharacters: whole(0, 10_000, "characters of an arithmetic question at least").default(50),
	levels: z
		.tuple([z.number().int().min(1), z.number().int().min(1)])
		.default([5, 10])
		.describe(
			"relational hops, of a fused question those of all its chains, from which on it is of level 2 and of level 3",
		),
	reviewers: whole(1, 20, "people who look at each item").default(3),
});
export type VistahopParams = z.infer<typeof VistahopParams>;
