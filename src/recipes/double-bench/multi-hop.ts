import { Item, questionOf } from "#domain";
import { mentionsAny } from "#scoring";
import type { Growing } from "../engine/grow.ts";
import { newItem } from "../engine/new-item.ts";
import { asDrop, asPiece, defineStage, type Stage, type StageContext } from "../engine/stage.ts";
import { answerOf } from "../stages/answer-of.ts";
import { nestQuestionsPrompt } from "../stages/prompts.ts";
import { askRelationPrompt, chooseRelationPrompt } from "./prompts.ts";
import { hopOf } from "./single-hop.ts";
import {
	chooseStep,
	factOfStep,
	type OpenGraphs,
	openOf,
	type Walking,
	WalkProposal,
	type WalkStart,
	type WalkStep,
	walkOf,
} from "./walk.ts";

interface Walked {
	graphs: OpenGraphs;
	walking: Walking;
}

/** The first step of a walk, as an item of one hop. */
export function firstStep({ graphs, walking }: Walked): Stage<WalkStart, Item> {
	return defineStage("compose", "first-step", 1, {
		params: walking,
		calls: [
			{ role: "generator", each: 1, prompt: chooseRelationPrompt.hash },
			{ role: "generator", each: 1, prompt: askRelationPrompt.hash },
		],
		output: Item,
		async run(start, context) {
			const { entity, intent, document: id, graph } = start;
			const { document } = openOf(graphs, id);
			const visited = new Set([entity.id]);
			const step = await chooseStep({ document: id, at: entity.id, intent, visited }, context, { graphs, walking });
			if (!step) return [asDrop("dead_end", `no relation leads on from ${entity.name}`)];
			const asked = await askStep(step, context, document.language);
			if ("is" in asked) return [asked];
			const { question, answer } = asked;
			const hop = hopOf("h1", { question, answer, evidence: step.pages, relation: step.relation });
			const item = newItem(
				{
					question,
					answer,
					chain: { hops: [hop], sink: "h1" },
					by: "first-step",
					lineage: [start.id],
					tags: { language: document.language, documentType: document.type, questionType: "multi" },
					cluster: document.id,
					source: document.source,
					rights: document.rights,
					notes: { walk: { document: id, graph, intent, steps: [step] } },
				},
				context.recipe,
			);
			return [asPiece({ ...item, ladder: { id: item.id, level: 1 } })];
		},
	});
}

/** The next step of an item's walk. */
export function nextStep({ graphs, walking }: Walked): Stage<Item, WalkProposal> {
	return defineStage("expand", "next-step", 1, {
		params: walking,
		calls: [{ role: "generator", each: 1, prompt: chooseRelationPrompt.hash }],
		output: WalkProposal,
		async run(item, context) {
			const { document, intent, steps } = walkOf(item);
			const at = steps.at(-1)?.to;
			const visited = new Set(steps.flatMap(({ from, to }) => [from.id, to.id]));
			const about = { document, at: at?.id ?? "", intent, visited };
			const step = await chooseStep(about, context, { graphs, walking });
			if (!step) return [asDrop("dead_end", `no relation leads on from ${at?.name}`)];
			return [asPiece({ ...step, id: `${item.id}/${step.triple}` })];
		},
	});
}

/** The item with one more hop: a question for the step, with the question so far put in the place of its entity. */
export function nestedStep(): Stage<Growing<WalkProposal>, Item> {
	return defineStage("compose", "nested-step", 1, {
		calls: [
			{ role: "generator", each: 1, prompt: askRelationPrompt.hash },
			{ role: "generator", each: 1, prompt: nestQuestionsPrompt.hash },
		],
		output: Item,
		async run({ item, proposal, depth }, context) {
			const { id: _, ...step } = proposal;
			const { language } = item.tags;
			const asked = await askStep(step, context, language);
			if ("is" in asked) return [asked];
			const { question, answer } = asked;
			const values = { language, inner: questionOf(item), outer: question, entity: step.from.name };
			const { value } = await context.ask("generator", nestQuestionsPrompt, values);
			const last = item.chain.sink;
			const next = `h${depth + 1}`;
			const hop = hopOf(next, { question, answer, evidence: step.pages, relation: step.relation, needs: last });
			const { walk: before, ...notes } = item.notes;
			const walk = { ...walkOf(item), steps: [...walkOf(item).steps, step] };
			const grown = newItem(
				{
					question: value.chained_question,
					answer,
					by: "nested-step",
					chain: { hops: [...item.chain.hops, hop], sink: next },
					tags: item.tags,
					cluster: item.cluster,
					source: item.source,
					rights: item.rights,
					lineage: [...item.lineage, item.id],
					ladder: { id: item.ladder?.id ?? item.id, level: depth + 1 },
					notes: { ...notes, walk },
				},
				context.recipe,
			);
			return [asPiece(grown)];
		},
	});
}

/** A question for the far end of a step, with that end as its answer; a drop where the model wrote something else. */
async function askStep(step: WalkStep, context: StageContext, language: string) {
	const { from, to } = step;
	const values = { language, entity: from.name, fact: factOfStep(step), asked: to.name };
	const { question, answer } = (await context.ask("generator", askRelationPrompt, values)).value;
	const same = to.names.some((name) => mentionsAny([name], [answer]) && mentionsAny([answer], [name]));
	if (!same) return asDrop("bad_linkage", `asked for ${to.name}, answered ${answer}`);
	if (!mentionsAny(from.names, [question])) return asDrop("bad_linkage", `"${question}" does not name ${from.name}`);
	if (mentionsAny([answer, ...to.names], [question])) return asDrop("answer_in_question", question);
	return { question, answer: answerOf(answer, to.names) };
}
