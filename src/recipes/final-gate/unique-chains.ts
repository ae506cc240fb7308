import { type Hop, Item, questionOf } from "#domain";
import { type Flow, flowOf } from "../engine/flow.ts";
import { asDrop, asPiece, type Outcome, type Stage } from "../engine/stage.ts";
import { wordsIn } from "./words.ts";

/**
 * Of items with one chain and answer in different words the first stays: the same evidence, looked up for the same
 * answers, joined in the same way, beside the same images; by which picture a thing was recognised that the chain then goes
 * on from tells no two apart. Of questions of one hop, which may want different things of
 * one place, only those are the same that share half of their telling words. What was asked before of the same images in the
 * same words is dropped too, as a duplicate or, where its answer is another, as ambiguous.
 */
export function uniqueChains({ name = "final-unique-chains" }: { name?: string } = {}): Flow<Item, Item> {
	const about = { kind: "annotate" as const, name, version: 3 };
	return flowOf([about], async function* (inputs, engine) {
		const accepted: Accepted = { chains: new Map(), questions: new Map() };
		const stage: Stage<Item, Item> = { ...about, output: Item, run: (item) => [judged(item, accepted)] };
		// one after the other: which one is the first must not depend on whose work ended first
		for await (const item of inputs) yield* await engine.perform(stage, item);
	});
}

interface Accepted {
	chains: Map<string, { id: string; words: ReadonlySet<string> }[]>;
	/** By what is asked of which images. */
	questions: Map<string, { id: string; answer: string }>;
}

function judged(item: Item, { chains, questions }: Accepted): Outcome<Item> {
	const asked = [plain(questionOf(item)), ...item.images.map(({ sha256 }) => sha256)].join(" ");
	const answer = plain(item.answer.value);
	const earlier = questions.get(asked);
	if (earlier?.answer === answer) return asDrop("duplicate", `the question of ${earlier.id}`);
	if (earlier) return asDrop("ambiguous", `the question of ${earlier.id}, which is answered "${earlier.answer}"`);
	const key = chainKey(item);
	const words = new Set(
		wordsIn(questionOf(item))
			.map(({ plain }) => plain)
			.filter((word) => word.length > 3),
	);
	const before = chains.get(key) ?? [];
	const alone = item.chain.hops.length === 1;
	const same = before.find((other) => !alone || overlap(words, other.words) >= 0.5);
	if (same) return asDrop("duplicate", `the chain and answer of ${same.id}: "${item.answer.value}"`);
	chains.set(key, [...before, { id: item.id, words }]);
	questions.set(asked, { id: item.id, answer });
	return asPiece(item);
}

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>) => {
	const least = Math.min(a.size, b.size);
	return least === 0 ? 1 : [...a].filter((word) => b.has(word)).length / least;
};

const plain = (text: string) =>
	wordsIn(text)
		.map(({ plain: word }) => word)
		.join(" ");

/** The chain from its last hop down, whatever the order in which hops and operands are listed, in its language. */
export function chainKey(item: Pick<Item, "chain" | "answer" | "images"> & { tags: { language: string } }): string {
	const byId = new Map(item.chain.hops.map((hop) => [hop.id, hop]));
	const led = new Set(item.chain.hops.flatMap(({ needs }) => needs.map((need) => need.hop)));
	const isRecognised = ({ id, modality, needs }: Hop) => modality === "image" && needs.length === 0 && led.has(id);
	const images = item.chain.hops.some(isRecognised) ? [] : item.images;
	const under = new Set<string>();
	const told = (hop: Hop): string => {
		if (under.has(hop.id)) return "…";
		under.add(hop.id);
		const needs = hop.needs
			.flatMap((need) => byId.get(need.hop) ?? [])
			.map(told)
			.sort();
		under.delete(hop.id);
		if (isRecognised(hop)) return JSON.stringify(["recognised", plain(hop.answer.value)]);
		const rests = hop.evidence.length > 0 ? [...hop.evidence].sort() : [plain(hop.question)];
		return JSON.stringify([hop.compute?.op ?? rests, plain(hop.answer.value), needs]);
	};
	const sink = byId.get(item.chain.sink);
	const chain = sink ? told(sink) : "";
	const loose = item.chain.hops.filter((hop) => hop.id !== item.chain.sink).map((hop) => plain(hop.answer.value));
	return JSON.stringify([
		item.tags.language,
		chain,
		loose.sort(),
		plain(item.answer.value),
		images.map(({ sha256 }) => sha256).sort(),
	]);
}
