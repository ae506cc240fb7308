import { type Answer, type Chain, type Hop, Item, questionOf } from "#domain";
import { isTypedRight, mentionsAny } from "#scoring";
import type { Growing } from "../engine/grow.ts";
import { newItem } from "../engine/new-item.ts";
import type { RecipeInputs } from "../engine/recipe.ts";
import { asDrop, asPiece, defineStage, type Outcome, type Stage } from "../engine/stage.ts";
import { booleanAnswer } from "../template/answers.ts";
import { writtenHops } from "./audit.ts";
import type { NextPair } from "./neighbours.ts";
import { mergeQuestions } from "./prompts.ts";
import { orderOf } from "./value-order.ts";

type Merged = ReturnType<(typeof mergeQuestions)["output"]["parse"]>["merged"][number];
type Joined =
	| { answer: Answer; chain: Chain }
	| { reason: Extract<Outcome<Item>, { is: "drop" }>["reason"]; detail: string };

/** One question over an item and a new pair, or several, or none, as the generator finds. */
export function merge(
	{ most, comparisonDepths }: { most: number; comparisonDepths: readonly number[] },
	{ knowledge }: Pick<RecipeInputs, "knowledge">,
): Stage<Growing<NextPair>, Item> {
	return defineStage("compose", "merge", 2, {
		params: { most, comparisonDepths },
		output: Item,
		calls: [{ role: "generator", each: 1, prompt: mergeQuestions.hash }],
		async run({ item, proposal: { atom }, depth }, context) {
			const kinds = ["inference", ...(comparisonDepths.includes(depth + 1) ? ["comparison"] : [])];
			const values = {
				most: String(most),
				kinds: kinds.join(", "),
				chain: await writtenHops(item.chain.hops, knowledge),
				question: questionOf(item),
				pair: await writtenHops(atom.chain.hops, knowledge),
			};
			const { value } = await context.ask("generator", mergeQuestions, values);
			if (value.merged.length === 0)
				return [asDrop("bad_linkage", "the generator finds no link", `${item.id}+${atom.id}`)];
			const titles = await titlesOf(item, atom, knowledge);
			return value.merged.slice(0, most).map((merged): Outcome<Item> => {
				const id = `${item.id}+${atom.id}`;
				if (!kinds.includes(merged.type)) return asDrop("forced_pairing", `no ${merged.type} at ${depth + 1} hops`, id);
				const joined = merged.type === "inference" ? chained(item, atom, merged) : compared(item, atom, merged, titles);
				if ("reason" in joined) return { is: "drop", id, ...joined };
				return asPiece(grownItem({ item, atom, merged, joined, depth }, context.recipe));
			});
		},
	});
}

function grownItem(
	{
		item,
		atom,
		merged,
		joined,
		depth,
	}: {
		item: Item;
		atom: Item;
		merged: Merged;
		joined: Exclude<Joined, { reason: unknown }>;
		depth: number;
	},
	recipe: { name: string; version: string },
): Item {
	// the type belongs to the chain: what was grown from a comparison stays one, as in the paper's tables
	const compares = merged.type === "comparison" || item.tags.questionType === "comparison";
	return newItem(
		{
			...joined,
			question: merged.final_question,
			by: "merge-questions",
			lineage: [item.id, atom.id],
			tags: { ...item.tags, hops: String(depth + 1), questionType: compares ? "comparison" : "inference" },
			...(item.cluster === undefined ? {} : { cluster: item.cluster }),
			source: item.source,
			rights: [...new Set([item.rights, atom.rights])].filter(Boolean).join("; "),
			notes: { grownFrom: questionOf(item) },
		},
		recipe,
	);
}

/** The new pair asks about the last answer. */
function chained(item: Item, atom: Item, { final_answer: said }: Merged): Joined {
	const [next] = atom.chain.hops;
	if (!next) return { reason: "other", detail: "the new pair has no hop" };
	if (!isTypedRight(said, next.answer, { language: item.tags.language }))
		return { reason: "bad_linkage", detail: `the answer "${said}" is not the new pair's, "${next.answer.value}"` };
	const hop: Hop = { ...next, id: nextId(item, 1), needs: [{ hop: item.chain.sink, role: "bridge" }] };
	return { answer: hop.answer, chain: { hops: [...item.chain.hops, hop], sink: hop.id } };
}

/** Both last answers are values; which is the smaller is computed, and what the generator said must agree. */
function compared(
	item: Item,
	atom: Item,
	{ final_answer: said, operation, compared: things, final_question }: Merged,
	titles: readonly [string, string],
): Joined {
	const last = item.chain.hops.find(({ id }) => id === item.chain.sink);
	const [next] = atom.chain.hops;
	if (!last || !next || !operation || !things)
		return { reason: "forced_pairing", detail: "what is compared is not said" };
	const order = orderOf(last.answer, next.answer);
	if ("reason" in order) return order;
	const chooses = operation === "argmin" || operation === "argmax";
	if (chooses && order.order === 0) return { reason: "lacking_evidence", detail: "both have the same value" };
	const missing = things.find((thing) => !mentionsAny([thing], [final_question]));
	if (missing !== undefined) return { reason: "missing_name", detail: `the question does not name "${missing}"` };
	const about = [`${last.question} ${titles[0]}`, `${next.question} ${titles[1]}`] as const;
	const exchanged = things.find(
		(thing, at) => mentionsAny([thing], [about[1 - at] ?? ""]) && !mentionsAny([thing], [about[at] ?? ""]),
	);
	if (exchanged !== undefined)
		return { reason: "entity_false_link", detail: `"${exchanged}" is what the other value belongs to` };
	const first = operation === "argmin" ? order.order < 0 : order.order > 0;
	const name = things[first ? 0 : 1];
	const truth = operation === "equal" ? order.order === 0 : operation === "earlier" ? order.order < 0 : order.order > 0;
	const answer: Answer = chooses ? { type: "string", value: name, accepted: [name] } : booleanAnswer(truth);
	if (!isTypedRight(said, answer))
		return { reason: "arithmetic_wrong", detail: `"${said}", computed: "${answer.value}"` };
	const other: Hop = { ...next, id: nextId(item, 1) };
	const sink: Hop = {
		id: nextId(item, 2),
		question: final_question,
		modality: "compute",
		evidence: [],
		answer,
		needs: [last.id, other.id].map((hop) => ({ hop, role: "operand" })),
		compute: { op: operation },
	};
	return { answer, chain: { hops: [...item.chain.hops, other, sink], sink: sink.id } };
}

/** Titles of the passages that the chain's last hop and the new pair were asked of. */
async function titlesOf(
	item: Item,
	atom: Item,
	knowledge: Pick<RecipeInputs["knowledge"], "evidence">,
): Promise<[string, string]> {
	const last = item.chain.hops.find(({ id }) => id === item.chain.sink);
	const titled = async (hop: Hop | undefined) => {
		const [id] = hop?.evidence ?? [];
		return (id === undefined ? undefined : await knowledge.evidence(id))?.title ?? "";
	};
	return [await titled(last), await titled(atom.chain.hops[0])];
}

const nextId = (item: Item, more: number) => `h${item.chain.hops.length + more}`;
