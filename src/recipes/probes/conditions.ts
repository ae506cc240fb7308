import { type Box, type Evidence, type ImageRef, type Item, questionOf, retrievalHops } from "#domain";
import type { ImagePart } from "#models";
import { bridgesOf } from "../rules/bridges.ts";
import { heldEvidence, lacksEvidence } from "../stages/picture-of.ts";
import type { Condition, ProbeSources, View } from "./view.ts";

const noEyes = { lacking: "the question's image cannot be shown" };

/** Nothing but the question and its images: what a model knows by itself. */
export function closedBook(): Condition {
	return {
		name: "closed-book",
		params: { images: true },
		expected: 1,
		async views(item, sources) {
			const shown = await imagesOf(item, sources);
			return shown ? [{ ...whole(item), condition: "closed-book", images: shown }] : noEyes;
		},
	};
}

/** The question without its images. */
export function textOnly(): Condition {
	return {
		name: "text-only",
		params: { evidence: false },
		expected: 1,
		lacks: lacksImage,
		async views(item) {
			return [{ ...whole(item), condition: "text-only" }];
		},
	};
}

/**
 * Question, images and the evidence of every hop. `told`: with the answers of all hops but the last, which a comparison
 * computes from both its values. Source: AgenticRAGTracer as released.
 */
export function everything({ told = false }: { told?: boolean } = {}): Condition {
	return {
		name: "everything",
		...(told ? { params: { told } } : {}),
		expected: 1,
		lacks: lacksEvidence,
		async views(item, sources) {
			const images = await imagesOf(item, sources);
			if (!images) return noEyes;
			const evidence = await allEvidence(item, sources);
			if ("lacking" in evidence) return evidence;
			const { hops, sink } = item.chain;
			const steps = told ? { told: hops.filter(({ id }) => id !== sink) } : {};
			return [{ ...whole(item), condition: "everything", evidence, images, ...steps }];
		},
	};
}

/**
 * Everything but one piece, each in turn. `evidence`: one set of evidence that states the same, wherever it stands;
 * `hop`: all that a hop has, though another shares it; `clue`: a clause of the question (its `clues` note), evidence
 * withheld.
 */
export function withoutOne(of: "evidence" | "hop" | "clue"): Condition {
	return {
		name: `without-one-${of}`,
		expected: 3,
		lacks: of === "clue" ? lacksClues : lacksHops,
		views: (item, sources) => (of === "clue" ? withoutClue(item, sources) : withoutEvidence(item, sources, of)),
	};
}

async function withoutEvidence(item: Item, sources: ProbeSources, of: "evidence" | "hop") {
	const images = await imagesOf(item, sources);
	if (!images) return noEyes;
	const seen = new Set<string>();
	const all = await allEvidence(item, sources);
	if ("lacking" in all) return all;
	const hops = retrievalHops(item.chain);
	return hops.flatMap(({ id, evidence }): View[] => {
		const key = [...evidence].sort().join("\n");
		if (of === "evidence" && seen.has(key)) return [];
		seen.add(key);
		// what another hop was made of stays, and may tell what this one was to tell
		const others = new Set(hops.flatMap((hop) => (hop.id === id ? [] : hop.evidence.slice(0, 1))));
		const removed = new Set(evidence.filter((one, at) => at === 0 || !others.has(one)));
		const left = all.filter((one) => !removed.has(one.id));
		return [{ ...whole(item), condition: `without ${id}`, evidence: left, images, on: { hop: id } }];
	});
}

async function withoutClue(item: Item, sources: ProbeSources) {
	const images = await imagesOf(item, sources);
	if (!images) return noEyes;
	const question = questionOf(item);
	return cluesOf(item).map((clue): View => {
		const left = question
			.replace(clue, " ")
			.replace(/\s+/g, " ")
			.replace(/ ([,.;?!])/g, "$1")
			.trim();
		return { ...whole(item), condition: `without "${clue}"`, question: left, images };
	});
}

/** Each sub-question with the name that leads to it made unreadable: it must not be answerable without that name. */
export function entityMasked(): Condition {
	return {
		name: "entity-masked",
		params: { evidence: false },
		expected: 1,
		lacks: (item) => (namedHops(item).length === 0 ? "no hop is led to by a name" : undefined),
		async views(item) {
			return namedHops(item).map(({ hop, from }): View => {
				const names = [from.answer.value, ...from.answer.accepted].sort((a, b) => b.length - a.length);
				const question = names.reduce((text, name) => replaced(text, name), hop.question);
				const about = { gold: hop.answer, evidence: [], images: [], on: { hop: hop.id } };
				return { ...about, condition: `masked in ${hop.id}`, question };
			});
		},
	};
}

const namedHops = (item: Item) => bridgesOf(item).filter(({ hop }) => hop.modality !== "compute");

/** The question with its images made grey. */
export function imageMasked(): Condition {
	return masked("image-masked", () => "whole");
}

/** The question with only those parts of its images made grey that its hops look at. */
export function regionMasked(): Condition {
	return masked("region-masked", (item, image) => {
		const box = item.chain.hops.find(({ region }) => region?.image === image.id)?.region?.box;
		return box ?? undefined;
	});
}

function masked(name: string, maskOf: (item: Item, image: ImageRef) => "whole" | Box | undefined): Condition {
	return {
		name,
		params: { evidence: false },
		expected: 1,
		lacks: (item) =>
			lacksImage(item) ??
			(item.images.some((image) => maskOf(item, image)) ? undefined : "no hop looks at a part of an image"),
		async views(item, sources) {
			const images = await imagesOf(item, sources, (image) => maskOf(item, image));
			if (!images) return noEyes;
			return [{ ...whole(item), condition: name, images }];
		},
	};
}

const whole = (item: Item) => ({ question: questionOf(item), gold: item.answer, evidence: [], images: [] });

const lacksImage = ({ images }: Item) => (images.length === 0 ? "the question has no image" : undefined);
const lacksHops = ({ chain }: Item) =>
	retrievalHops(chain).length < 2 ? "fewer than two hops name evidence" : undefined;
const lacksClues = (item: Item) => (cluesOf(item).length === 0 ? "the question's clues are not noted" : undefined);

function cluesOf({ notes, ...item }: Item): string[] {
	const question = questionOf(item);
	const noted = Array.isArray(notes.clues) ? notes.clues : [];
	return noted.flatMap((clue) => (typeof clue === "string" && question.includes(clue) ? [clue] : []));
}

/** The evidence of every hop: with a part of it a solver would fail for want of the rest. */
async function allEvidence({ chain }: Item, sources: ProbeSources): Promise<Evidence[] | { lacking: string }> {
	const ids = new Set(chain.hops.flatMap(({ evidence }) => evidence));
	const held = await heldEvidence(sources, ids);
	const missing = [...ids].find((id) => !held.some((one) => one.id === id));
	return missing === undefined ? held : { lacking: `the knowledge base does not hold ${missing}` };
}

/** The question's images in order; undefined where one cannot be shown. */
async function imagesOf(
	item: Item,
	sources: ProbeSources,
	maskOf: (image: ImageRef) => "whole" | Box | undefined = () => undefined,
): Promise<ImagePart[] | undefined> {
	const parts: ImagePart[] = [];
	for (const image of item.images) {
		const mask = maskOf(image);
		const part = await sources.picture?.({ image }, mask === undefined ? {} : { mask });
		if (!part) return undefined;
		parts.push(part);
	}
	return parts;
}

/** Every occurrence of the name made unreadable, whatever its case. */
function replaced(text: string, name: string): string {
	const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
	return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "giu"), "[name withheld]");
}
