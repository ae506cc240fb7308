import { type Answer, type Chain, type Hop, Item } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { mentionsAny } from "#scoring";
import { newItem } from "../engine/new-item.ts";
import {
	type Asked,
	asDrop,
	asPiece,
	defineStage,
	type Published,
	type Stage,
	type StageContext,
} from "../engine/stage.ts";
import { answerOf } from "../stages/answer-of.ts";
import { type ChainReply, generateChainPrompt, wordings } from "./prompts.ts";
import { shownEvidence } from "./shown-cluster.ts";
import { type ClusterTask, structures } from "./topologies.ts";

type Files = Pick<KnowledgeBase, "evidence" | "file">;

/** What a generator is told of the questions and answers that are wanted. */
export interface Asking {
	/** Steps, at least and at most. */
	hops: readonly [number, number];
	/** Whether a question may ask for several things. */
	compound: boolean;
	/** Whether answers are written out or bare. */
	answers: "full" | "bare";
}

/** Asks for a whole chain over a cluster, in its shape. */
export async function askForChain(
	{ cluster, topology }: ClusterTask,
	context: StageContext,
	{ knowledge, role, hops: [fewest, most], compound, answers }: Asking & { knowledge: Files; role: string },
): Promise<Asked<ChainReply | { declined: string }>> {
	const images = topology === "text-only-chain" ? [] : cluster.images;
	const shown = await shownEvidence([...cluster.texts, ...images], { knowledge });
	const { example } = cluster;
	const values = {
		topology,
		structure: structures[topology],
		hops: fewest === most ? `${most}` : `${fewest} to ${most}`,
		compound: compound ? wordings.compound : wordings.one,
		answers: wordings[answers],
		language: cluster.language,
		texts: shown.texts,
		images: shown.images,
		example: example ? `${example.question}\n${example.answer}` : "(none)",
	};
	return context.ask(role, generateChainPrompt, values, { images: shown.pictures });
}

/** Why a reply's steps do not rest on the cluster; undefined where they do. */
export function ungrounded({ subqa_chain: steps }: ChainReply, { cluster }: ClusterTask): string | undefined {
	for (const { supporting_fact_id: id, modality } of steps) {
		if (![...cluster.texts, ...cluster.images].includes(id)) return `${id} is not in the cluster`;
		if (cluster.images.includes(id) !== (modality === "image")) return `${id} is no ${modality}`;
	}
	return undefined;
}

/**
 * One call for question, chain and answer. Images that the question starts from go with it; an image that its steps lead
 * to has to be found.
 */
export function generatedChains(
	options: Asking & { knowledge: Files; attachImages: boolean },
): Stage<ClusterTask, Item> {
	const { knowledge, hops, compound, answers, attachImages } = options;
	const asking = { hops, compound, answers };
	return defineStage("compose", "generated-chain", 2, {
		params: { ...asking, attachImages },
		calls: [{ role: "generator", each: 1, prompt: generateChainPrompt.hash }],
		output: Item,
		async run(task, context) {
			const { cluster, topology } = task;
			const { example } = cluster;
			const { value: reply } = await askForChain(task, context, { ...asking, knowledge, role: "generator" });
			if ("declined" in reply) return [asDrop("dead_end", reply.declined)];
			const problem = ungrounded(reply, task);
			if (problem) return [asDrop("not_grounded", problem)];
			const { chain, answer } = chainOfReply(reply);
			const item = newItem(
				{
					question: reply.question,
					answer,
					chain,
					by: "generated-chain",
					lineage: [cluster.id],
					images: attachImages ? await attached(chain.hops, context) : [],
					tags: { language: cluster.language },
					cluster: cluster.id,
					source: cluster.source,
					rights: cluster.rights,
					notes: {
						cluster: {
							...{ id: cluster.id, topology, texts: cluster.texts, images: cluster.images },
							...(example ? { example } : {}),
						},
					},
				},
				context.recipe,
			);
			return [asPiece(item)];
		},
	});

	async function attached(all: readonly Hop[], context: StageContext): Promise<Item["images"]> {
		const images: Item["images"] = [];
		for (const { modality, needs, evidence } of all) {
			const [id] = evidence;
			if (modality !== "image" || needs.length > 0 || id === undefined) continue;
			const image = await knowledge.evidence(id);
			const file = image && (await knowledge.file(image));
			if (!image || file === undefined) continue;
			images.push(await context.keepImage(file, { id, licence: image.provenance.licence || undefined }));
		}
		return images;
	}
}

/** Of the paper's clusters' chains, those that its first look at their hops left. */
export const publishedFirst: Published = {
	rate: 4800 / 21_000,
	of: "generated chains",
	source: "MC-Search, section 2.1",
};
export const publishedSecond: Published = {
	rate: 3333 / 4800,
	of: "chains that passed the first check (with uniqueness and quality)",
	share: "other",
	source: "MC-Search, section 2.1",
};

/**
 * The graph of a reply: a hop a step, needs as the steps say. Where the question's answer is more than the last step's,
 * or several steps end side by side, a hop without evidence gives it.
 */
export function chainOfReply({ question, answer, subqa_chain: steps }: ChainReply): { chain: Chain; answer: Answer } {
	const given = answerOf(answer);
	const hops = steps.map(({ subquestion, modality, supporting_fact_id: id, answer: own, builds_on: before }, at) => ({
		id: `h${at + 1}`,
		question: subquestion,
		modality,
		needs: [...new Set(before)].map((step) => ({
			hop: `h${step}`,
			role: mentionsAny([steps[step - 1]?.answer ?? ""], [subquestion]) ? ("bridge" as const) : ("constraint" as const),
		})),
		evidence: [id],
		answer: answerOf(own),
	}));
	const needed = new Set(hops.flatMap(({ needs }) => needs.map(({ hop }) => hop)));
	const ends = hops.filter(({ id }) => !needed.has(id));
	const [end, ...others] = ends;
	if (end && others.length === 0 && sameWords(end.answer.value, answer)) {
		end.answer = given;
		return { answer: given, chain: { hops, sink: end.id } };
	}
	const sink = {
		id: `h${hops.length + 1}`,
		question,
		modality: "compute" as const,
		evidence: [],
		answer: given,
		needs: ends.map(({ id }) => ({ hop: id, role: others.length > 0 ? ("operand" as const) : ("bridge" as const) })),
	};
	return { answer: given, chain: { hops: [...hops, sink], sink: sink.id } };
}

const sameWords = (a: string, b: string): boolean => mentionsAny([a], [b]) && mentionsAny([b], [a]);
