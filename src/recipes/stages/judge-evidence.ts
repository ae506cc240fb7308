import { type Hop, Item, setField, type Trial } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { askedOf } from "../engine/check.ts";
import {
	type Asked,
	asDrop,
	asPiece,
	defineStage,
	MissingEvidence,
	type Published,
	type Stage,
	type StageContext,
} from "../engine/stage.ts";
import { inTurns } from "../in-turns.ts";
import { pictureOf, wordsShown } from "./picture-of.ts";
import { judgeEvidencePrompt } from "./prompts.ts";

/** What was said of each evidence: a trial whose condition is the evidence's id and whose score is 1 for yes. */
interface Judgements {
	trials: Trial[];
	/** Models and prompts, as a verdict names them. */
	asked: ReturnType<typeof askedOf>;
}

/**
 * Asks of every evidence by itself whether it gives the answer to the question or leads to it. One call an evidence, so
 * that a cached reply serves wherever the same question and evidence meet again.
 */
export async function judgeEvidence(
	context: StageContext,
	about: { question: string; answer: string; ids: readonly string[] },
	options: { knowledge: Pick<KnowledgeBase, "evidence" | "file">; role: string },
): Promise<Judgements> {
	const { question, answer, ids } = about;
	const { knowledge, role } = options;
	const asked: Asked<unknown>[] = [];
	const trials = await inTurns(
		ids,
		async (id): Promise<Trial> => {
			const evidence = await knowledge.evidence(id);
			if (!evidence) throw new MissingEvidence(`the knowledge base does not hold ${id}`);
			const picture = await pictureOf(knowledge, evidence);
			const values = { question, answer, evidence: wordsShown(evidence) };
			const reply = await context.ask(role, judgeEvidencePrompt, values, picture ? { images: [picture] } : {});
			asked.push(reply);
			const yes = reply.value.answers === "yes";
			return { condition: id, model: reply.model, output: reply.value.answers, score: yes ? 1 : 0 };
		},
		{ signal: context.signal },
	);
	return { trials, asked: askedOf(...asked) };
}

/** Ids of the evidence that was said to answer. */
export const answering = (trials: readonly Trial[]): string[] =>
	trials.filter(({ score }) => score === 1).map(({ condition }) => condition);

/** Labels evidence hop by hop: everything in a scope that answers a hop's question is its evidence. */
export interface Labelling {
	knowledge: Pick<KnowledgeBase, "evidence" | "file" | "manifest">;
	role: string;
	/** Ids to look at for a hop, beside its own evidence. */
	scope(hop: Hop, item: Item): Promise<readonly string[]> | readonly string[];
	/** What was judged of this item before, by evidence id: not asked again. */
	known?(hop: Hop, item: Item): ReadonlyMap<string, boolean>;
	/** What decides the scope, as JSON. */
	params: unknown;
	/** Evidence that a hop's scope is expected to hold, and at most holds. */
	size: { each: number; most?: number };
	published?: Published | undefined;
}

/**
 * Every hop's evidence becomes all that is said to answer it, in the order of the scope. What a hop was made from must be
 * said to answer it too; a hop that nothing answers drops the item. The item's note `labelled` tells how much was looked
 * at for each hop.
 */
export function labelEvidence(name: string, labelling: Labelling): Stage<Item, Item> {
	const { knowledge, role, params, size, published } = labelling;
	return defineStage("annotate", name, 1, {
		params: [params, knowledge.manifest.hash],
		calls: [{ role, ...size, prompt: judgeEvidencePrompt.hash }],
		published,
		output: Item,
		async run(item, context) {
			const hops: Hop[] = [];
			const labelled: Record<string, number> = {};
			for (const hop of item.chain.hops) {
				const judged = hop.modality === "compute" ? undefined : await judgedFor(hop, item, context);
				if (judged) setField(labelled, hop.id, judged.size);
				const evidence = judged ? [...judged].flatMap(([id, yes]) => (yes ? [id] : [])) : hop.evidence;
				if (judged && !hop.evidence.some((id) => judged.get(id)))
					return [asDrop("not_grounded", `${hop.id}: ${hop.evidence[0]} does not answer it`)];
				hops.push({ ...hop, evidence });
			}
			const notes = { ...item.notes, labelled };
			return [asPiece({ ...item, chain: { ...item.chain, hops }, notes })];
		},
	});

	async function judgedFor(hop: Hop, item: Item, context: StageContext): Promise<Map<string, boolean>> {
		const known = labelling.known?.(hop, item) ?? new Map<string, boolean>();
		const ids = [...new Set([...hop.evidence, ...known.keys(), ...(await labelling.scope(hop, item))])];
		const open = ids.filter((id) => !known.has(id));
		const about = { question: hop.question, answer: hop.answer.value, ids: open };
		const { trials } = await judgeEvidence(context, about, { knowledge, role });
		const said = new Map([...known, ...trials.map(({ condition, score }) => [condition, score === 1] as const)]);
		return new Map(ids.map((id) => [id, said.get(id) === true]));
	}
}
