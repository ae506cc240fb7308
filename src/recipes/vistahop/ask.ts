import { type Answer, type Hop, Item } from "#domain";
import { newItem, reworded } from "../engine/new-item.ts";
import { asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { stringAnswer } from "../template/answers.ts";
import { type Anchor, linesOf, type Node, type Step, type Walk } from "./chain.ts";
import type { PictureFiles } from "./pictures.ts";
import { askChainPrompt, pointAtImagePrompt, simplifyQuestionPrompt } from "./prompts.ts";

const by = { ask: "ask-chain", point: "point-at-image", simplify: "simplify" } as const;
/** Accepted forms of an answer, at most. */
const mostForms = 30;

const answerOf = ({ name, aliases, value }: Node): Answer => value ?? stringAnswer(name, aliases.slice(0, mostForms));

/** A question for the end of a chain, still naming its beginning, with the whole chain behind it. */
export function askChain(files: PictureFiles): Stage<Walk, Item> {
	return defineStage("compose", by.ask, 1, {
		output: Item,
		calls: [{ role: "generator", each: 1, prompt: askChainPrompt.hash }],
		async run(walk, context) {
			const { seed, steps } = walk;
			const { anchor } = seed;
			const last = steps.at(-1)?.to ?? seed.node;
			const values = { steps: String(steps.length), chain: linesOf(walk), answer: last.name };
			const { value } = await context.ask("generator", askChainPrompt, values);
			const hides = [...new Set([seed.node.name, ...seed.node.aliases, anchor.name, anchor.label])].filter(
				(name) => name.trim().length > 2,
			);
			const image = await context.keepImage(files.of(anchor.picture.sha256), {
				id: `i${anchor.picture.sha256.slice(0, 12)}`,
				hides,
				licence: anchor.picture.licence || undefined,
			});
			const hops = [seen(walk, image.id), ...steps.map((step, at) => hopOf(walk, step, at))];
			const item = newItem(
				{
					question: value.question,
					answer: answerOf(last),
					chain: { hops, sink: `h${steps.length}` },
					by: by.ask,
					images: [image],
					lineage: [anchor.picture.id, anchor.id, seed.node.id],
					tags: { language: "en", category: anchor.category, scenario: anchor.scenario },
					cluster: `picture-${anchor.picture.sha256.slice(0, 12)}`,
					source: anchor.picture.source,
					rights: anchor.picture.licence ?? "",
					notes: { clues: cluesIn(value.question, value.clues), ...notesOf(walk) },
				},
				context.recipe,
			);
			return [asPiece(item)];
		},
	});
}

const notesOf = ({ seed, steps }: Walk) => ({
	anchor: anchorNote(seed.anchor),
	seed: { id: seed.node.id, name: seed.node.name, from: seed.from },
	relations: steps.map(({ property, label, direction, category, confidence, familiarity, revision, to }) => ({
		to: to.id,
		property,
		label,
		direction,
		category: category ?? null,
		confidence: confidence ?? null,
		familiarity: familiarity ?? null,
		revision: revision ?? null,
	})),
});

const anchorNote = ({ name, type, label, text, caption, alike, confidence }: Anchor) => ({
	name,
	type,
	label,
	text,
	caption,
	alike,
	confidence,
});

/** The first hop: which thing stands in the region. */
function seen({ seed: { anchor, node } }: Walk, image: string): Hop {
	return {
		id: "h0",
		modality: "image",
		needs: [],
		evidence: [anchor.picture.id],
		region: { image, box: anchor.box },
		question: `Which ${anchor.type.toLowerCase()} is shown in the marked region of the image?`,
		answer: answerOf(node),
	};
}

function hopOf({ seed, steps }: Walk, { label, direction, evidence, to }: Step, at: number): Hop {
	const from = (steps[at - 1]?.to ?? seed.node).name;
	const question = direction === "out" ? `What is the ${label} of ${from}?` : `What has ${from} as its ${label}?`;
	return {
		id: `h${at + 1}`,
		modality: "text",
		question,
		needs: [{ hop: `h${at}`, role: "bridge" }],
		evidence,
		answer: answerOf(to),
		relation: label,
	};
}

/** The clues that stand in a question, in its very words. */
export const cluesIn = (question: string, clues: readonly string[]): string[] =>
	[...new Set(clues.map((clue) => clue.trim()))].filter(
		(clue) => clue !== "" && clue !== question && question.includes(clue),
	);

/** The item with another wording and the clues that stand in it. */
export function rewordedWithClues(
	item: Item,
	{ question, clues, by: stage, why }: { question: string; clues: readonly string[]; by: string; why?: string },
): Item {
	const next = reworded(item, { text: question, by: stage, why });
	return { ...next, notes: { ...next.notes, clues: cluesIn(question, clues) } };
}

export interface Wording {
	/** The words that stand for the image, to be kept as they are. */
	phrase: string;
	/** Whether the look of the thing may be hinted at: the paper's Table 24 orders it, its Table 25 forbids it. */
	describe: boolean;
	/** Several things of one type: one of them left open, as published, or told apart by where it is. */
	several: "one-of" | "place";
}

const descriptions = {
	true: "Its look may be hinted at vaguely, never so that it could be named from the words.",
	false: "Nothing describes how it looks, what it is made of or what is written on it.",
};
const severals = {
	"one-of": 'If the image shows several things of its type, write "one of the …".',
	place: "If the image shows several things of its type, say by its place in the image which one is meant.",
};

/** Replaces the name of the chain's beginning by a pointer to the image. */
export function pointAtImage({ phrase, describe, several }: Wording): Stage<Item, Item> {
	return defineStage("rewrite", by.point, 1, {
		params: { phrase, describe, several },
		output: Item,
		calls: [{ role: "generator", each: 1, prompt: pointAtImagePrompt.hash }],
		async run(item, context) {
			const anchor = item.notes.anchor as ReturnType<typeof anchorNote> | undefined;
			const name = item.chain.hops[0]?.answer.value ?? "";
			const { value } = await context.ask("generator", pointAtImagePrompt, {
				phrase,
				description: descriptions[`${describe}`],
				several: (anchor?.alike ?? 1) > 1 ? severals[several] : "The image shows one thing of its type.",
				question: item.questions.at(-1)?.text ?? "",
				name,
				type: anchor?.type ?? "",
				caption: describe || several === "place" ? (anchor?.caption ?? "") : "",
			});
			return [asPiece(rewordedWithClues(item, { ...value, by: by.point }))];
		},
	});
}

/** The question in plain words. */
export function simplifyQuestion({ phrase, describe }: Wording): Stage<Item, Item> {
	return defineStage("rewrite", by.simplify, 1, {
		params: { phrase, describe },
		output: Item,
		calls: [{ role: "generator", each: 1, prompt: simplifyQuestionPrompt.hash }],
		async run(item, context) {
			const { value } = await context.ask("generator", simplifyQuestionPrompt, {
				phrase,
				description: descriptions[`${describe}`],
				question: item.questions.at(-1)?.text ?? "",
			});
			return [asPiece(rewordedWithClues(item, { ...value, by: by.simplify }))];
		},
	});
}
