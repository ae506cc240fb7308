import { z } from "zod";
import { addUsage, noUsage, type Task, type Usage } from "#domain";
import { askForJson, type ChatModel, ModelError } from "#models";
import { definePrompt } from "#recipes";
import { formsOf, states } from "./answer-leak.ts";
import type { ChainPlan } from "./chain-steps.ts";
import { copiedFrom } from "./evidence-copy.ts";
import { type Places, templateThoughts } from "./template-thoughts.ts";

/** Of one thought, in characters. */
const mostCharacters = 600;
/** Of the evidence of one step that the model is shown, in characters. */
const mostEvidence = 2000;

export const thoughtsPrompt = definePrompt("chain-thoughts", 1, {
	variables: ["language", "count", "question", "steps", "answer"],
	instructions: `
Somebody answers a question by searching step by step. You write down what they think before each search, and before the
answer: what is known by then, what is still missing, and why the next search is the right one. The material lists the
steps in order, each with its question, its answer and the evidence that states it.

- Give {{count}} thoughts: one before each step, and a last one that leads from the answers of all steps to the final answer.
- Before a step nobody knows its answer, or anything that a later step or its evidence tells. A thought uses only the
  question and the answers of the steps before it.
- Say how a step's answer bears on the next step. The last thought carries a computation or comparison out.
- One to three sentences each, in {{language}}, in words of your own: names and figures as they stand, no sentence of the
  evidence said again. No tags, no headings, no lists.
- Pictures of the question are not shown to you. Speak of them only as the question does.

Reply as {"thoughts": ["…", "…"]}.`,
	output: z.object({ thoughts: z.array(z.string().max(4000)).max(100) }),
});

/** The thoughts of one chain, whose they are, and what was wrong with those that were not taken. */
export interface ModelThoughts {
	thoughts: string[];
	by: ("model" | "template")[];
	/** Names of what was wrong, one for each thought that was not taken, or one for the whole reply. */
	refused: string[];
	usage: Usage;
}

/**
 * Asks a model once for all thoughts of a chain. Its reply is taken apart thought by thought: one that is too long, holds a
 * protocol's marks, says what cannot be known yet or copies evidence is replaced by the fixed sentence. A provider's
 * failure costs the chain its thoughts, not the export.
 */
export async function modelThoughts(
	task: Task,
	plan: ChainPlan,
	{ model, places, signal }: { model: ChatModel; places: Places; signal?: AbortSignal },
): Promise<ModelThoughts> {
	const { language } = task.tags;
	const fixed = templateThoughts(plan, { language, key: task.id, places });
	const none = (refused: string, usage: Usage): ModelThoughts => ({
		thoughts: fixed,
		by: fixed.map(() => "template"),
		refused: [refused],
		usage,
	});
	let usage = noUsage;
	try {
		const messages = thoughtsPrompt.messages({
			language: nameOf(language),
			count: String(fixed.length),
			question: task.question,
			steps: stepsOf(plan),
			answer: task.answer.value,
		});
		const reply = await askForJson(
			model,
			{ messages },
			{ name: thoughtsPrompt.name, schema: thoughtsPrompt.output },
			signal ? { signal } : {},
		);
		usage = reply.replies.reduce((sum, one) => addUsage(sum, one.usage), noUsage);
		if (reply.is === "misfit") return none("unreadable", usage);
		const written = reply.value.thoughts.map((thought) => thought.replace(/\s+/gu, " ").trim());
		if (written.length !== fixed.length) return none("wrong-number", usage);
		const problems = written.map((thought, at) => thoughtProblem(thought, at, plan));
		return {
			thoughts: fixed.map((sentence, at) => (problems[at] === undefined ? (written[at] ?? sentence) : sentence)),
			by: problems.map((problem) => (problem === undefined ? "model" : "template")),
			refused: problems.flatMap((problem) => problem ?? []),
			usage,
		};
	} catch (error) {
		signal?.throwIfAborted();
		if (error instanceof ModelError) return none("no-reply", usage);
		throw error;
	}
}

/** Marks that protocols read: tags, boxes, labels of actions and answers, at the beginning of a line or anywhere. */
const marks =
	/[<>]|\\boxed|\b(?:final\s+)?answer\s*:|^\s*(?:thought|action|observation|follow up|search|question)\s*\d*\s*:|\b(?:search|finish|lookup)\[|"name"\s*:/im;

/** What is wrong with a thought before step `at` of a plan, by name; undefined where it can be taken. */
export function thoughtProblem(thought: string, at: number, { steps, computed }: ChainPlan): string | undefined {
	if (thought.trim() === "") return "empty";
	if (thought.length > mostCharacters) return "too-long";
	if (marks.test(thought)) return "protocol-marks";
	const texts = steps.flatMap(({ ways }) =>
		ways.map(({ evidence }) => (evidence.kind === "image" ? evidence.caption : evidence.text)),
	);
	if (copiedFrom(thought, texts) !== undefined) return "evidence-copy";
	const laterComputed = at < steps.length ? [...steps.slice(at + 1).flatMap((step) => step.computed), ...computed] : [];
	const later = [...steps.slice(at).map(({ hop }) => hop), ...laterComputed];
	// what is known already may be said, also where a later answer is the same
	const known = steps.slice(0, at).map(({ hop }) => `${hop.question} ${hop.answer.value}`);
	const asked = steps[at]?.hop.question ?? "";
	const leaks = later.some(({ answer }) => {
		const forms = formsOf(answer);
		return states(forms, [thought]) && !states(forms, [...known, asked]);
	});
	return leaks ? "answer-leak" : undefined;
}

function stepsOf({ steps, computed }: ChainPlan): string {
	const lines = steps.flatMap(({ hop, ways, computed: between }, at) => {
		const [way] = ways;
		const text = way?.evidence.kind === "image" ? way.evidence.caption : (way?.evidence.text ?? "");
		return [
			...between.map(({ question, answer }) => `(computed, no search: ${question} ${answer.value})`),
			`Step ${at + 1}: ${hop.question}\nAnswer: ${hop.answer.value}\nEvidence: ${text.slice(0, mostEvidence)}`,
		];
	});
	const last = computed.map(({ question, answer }) => `(computed, no search: ${question} ${answer.value})`);
	return [...lines, ...last].join("\n\n");
}

function nameOf(language: string): string {
	try {
		return new Intl.DisplayNames("en", { type: "language" }).of(language) ?? language;
	} catch {
		return "the question's language";
	}
}
