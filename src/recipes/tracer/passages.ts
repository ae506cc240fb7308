import { z } from "zod";
import { type Evidence, grouped } from "#domain";
import { documentKind } from "#scoring";
import { across, each, type Flow, source } from "../engine/flow.ts";
import type { RecipeInputs } from "../engine/recipe.ts";
import { type AcrossStage, asPiece, defineAcross, defineStage, type Stage } from "../engine/stage.ts";
import { classifySubject } from "./prompts.ts";

/** A passage that questions are made of. */
export const SourcePassage = z.object({
	id: z.string(),
	document: z.string(),
	title: z.string(),
	/** What it is about, once that is known. */
	field: z.string().default("other"),
});
export type SourcePassage = z.infer<typeof SourcePassage>;

export interface Sampling {
	/** Passages taken. */
	passages: number;
	/** Who says what a passage is about: a model, the noun of its first sentence, or nobody. */
	fields: "model" | "rule" | "none";
	/** Passages whose field is looked at, for each that is taken. */
	pool: number;
	leastCharacters: number;
}

/** A title without case, punctuation and accents: titles of other benchmarks are compared so. */
export const plainTitle = (title: string): string =>
	(
		title
			.normalize("NFKD")
			.replace(/\p{M}/gu, "")
			.toLowerCase()
			.match(/[\p{L}\p{N}]+/gu) ?? []
	).join(" ");

/** A document about a number, a year or many years, or one that another benchmark asks about. */
export function isExcluded({ title, text }: { title: string; text: string }, known: ReadonlySet<string>): boolean {
	return known.has(plainTitle(title)) || documentKind(`${title}\n${text}`).dropped;
}

/** Passages of the corpus, from each document in turn, those of other benchmarks left out, drawn by the seed with fields in balance. */
export function sampledPassages(sampling: Sampling, inputs: RecipeInputs): Flow<void, SourcePassage> {
	const known = new Set([...(inputs.known?.titles ?? [])].map(plainTitle));
	const { leastCharacters, passages, fields, pool } = sampling;
	const read = async function* (): AsyncGenerator<SourcePassage> {
		for await (const one of inputs.evidence()) {
			if (one.kind !== "passage" || one.form !== "prose" || one.text.length < leastCharacters) continue;
			if (!isExcluded(one, known))
				yield {
					id: one.id,
					document: one.document,
					title: one.title,
					field: fields === "rule" ? nounOf(one) : "other",
				};
		}
	};
	const about = { name: "passages", version: 1, params: { leastCharacters, known: known.size, fields } };
	const drawn = source(about, read).to(across(drawnPassages(passages * (fields === "none" ? 1 : pool))));
	const fielded = fields === "model" ? drawn.to(each(fieldOf(inputs))) : drawn;
	return fields === "none" ? fielded : fielded.to(across(balanced(passages)));
}

/** A passage of each document, then second ones where that is too few, in an order that the seed decides. */
function drawnPassages(most: number): AcrossStage<SourcePassage, SourcePassage> {
	return defineAcross("source", "draw-passages", 2, {
		params: { most },
		total: most,
		run: (all, context) =>
			inTurnsBy(context.random("passages").shuffle(all), ({ document }) => document)
				.slice(0, most)
				.map(asPiece),
	});
}

/** From each field in turn, until there are enough. */
function balanced(most: number): AcrossStage<SourcePassage, SourcePassage> {
	return defineAcross("source", "balance-fields", 1, {
		params: { most },
		total: most,
		run: (all) =>
			inTurnsBy(all, ({ field }) => field)
				.slice(0, most)
				.map(asPiece),
	});
}

/** One of each group, then the second ones, and so on. */
function inTurnsBy<Value>(all: readonly Value[], key: (value: Value) => string): Value[] {
	const groups = [...grouped(all, key).values()];
	const rounds = groups.reduce((most, { length }) => Math.max(most, length), 0);
	return Array.from({ length: rounds }, (_, at) => groups.flatMap((group) => group.slice(at, at + 1))).flat();
}

function fieldOf({ knowledge }: RecipeInputs): Stage<SourcePassage, SourcePassage> {
	return defineStage("annotate", "passage-field", 1, {
		output: SourcePassage,
		calls: [{ role: "generator", each: 1, prompt: classifySubject.hash }],
		async run(passage, context) {
			const text = textOf(await knowledge.evidence(passage.id));
			const { value } = await context.ask("generator", classifySubject, { title: passage.title, passage: text });
			return [asPiece({ ...passage, field: value.field })];
		},
	});
}

export const textOf = (evidence: Evidence | undefined): string =>
	evidence === undefined ? "" : evidence.kind === "image" ? evidence.caption : evidence.text;

/** The noun that a first sentence says its subject is: "… was an American writer of …" gives writer. */
function nounOf({ text }: { text: string }): string {
	const said = /\b(?:is|was|are|were)\s+(?:an?|the|one of the)\s+(?<noun>[^.,;()]{1,80})/.exec(text)?.groups?.noun;
	const phrase = said?.split(/\s(?:of|in|from|by|who|which|that|at|for|and|with|on|to|near)\s/)[0]?.trim();
	return phrase?.split(/\s+/).at(-1)?.toLowerCase() ?? "other";
}
