import { type Fact, leaksIn } from "./answer-leak.ts";
import { copiesIn } from "./evidence-copy.ts";
import type { TrainingExample } from "./example.ts";

/** A rule that an example broke, with what shows it. */
export interface ExampleProblem {
	rule: ExampleRule;
	detail: string;
}

interface Given {
	/** What may be said only once it is known. */
	facts: readonly Fact[];
	/** The thoughts of the policy's turns, in order; undefined for a turn without one. */
	thoughts: readonly (string | undefined)[];
	/** Marks between which the protocol has evidence copied. */
	quotesBetween?: { open: string; close: string } | undefined;
}

/** What an example must keep to, each rule by its name; each says in words what breaks it. */
const rules = {
	"answer-leak": (example: TrainingExample, { facts }: Given) => leaksIn(example, facts),
	"evidence-copy": (example: TrainingExample, { quotesBetween }: Given) =>
		copiesIn(example, { between: quotesBetween }),
	alternation: (example: TrainingExample) => turnProblems(example),
	"image-count": (example: TrainingExample) => imageProblems(example),
	"empty-thought": (_: TrainingExample, { thoughts }: Given) =>
		thoughts.flatMap((thought, at) => (thought?.trim() ? [] : [`turn ${at + 1} acts without a thought`])),
	"train-mask": ({ messages }: TrainingExample) =>
		messages.flatMap(({ role, train }, at) =>
			train === (role === "assistant") ? [] : [`message ${at + 1} is ${role}'s and ${train ? "" : "not "}trained on`],
		),
} as const;
export type ExampleRule = keyof typeof rules;
export const exampleRules = Object.keys(rules) as ExampleRule[];

/** What is wrong with an example; empty where nothing is. */
export function exampleProblems(example: TrainingExample, given: Given): ExampleProblem[] {
	return exampleRules.flatMap((rule) => rules[rule](example, given).map((detail) => ({ rule, detail })));
}

/** Shown first, said last, in turns; every result of a call answers one that was made. */
function turnProblems({ messages }: TrainingExample): string[] {
	const problems: string[] = [];
	let open = new Set<string>();
	for (const [at, { role, calls = [], callId }] of messages.entries()) {
		const former = messages[at - 1]?.role;
		if (role === "system") problems.push(`message ${at + 1} is the system's, behind the beginning`);
		if (role === "assistant" && (at === 0 || former === "assistant"))
			problems.push(`message ${at + 1} is said with nothing shown before it`);
		if (role === "tool" && (callId === undefined || !open.delete(callId)))
			problems.push(`message ${at + 1} answers no call`);
		else if (role !== "tool" && open.size > 0) problems.push(`a call before message ${at + 1} has no answer`);
		if (role !== "tool") open = new Set(calls.map(({ id }) => id));
	}
	if (messages.at(-1)?.role !== "assistant") problems.push("it does not end with what is said");
	return problems;
}

/** Every image that is shown is there, and every one that is there is shown. */
function imageProblems({ messages, images }: TrainingExample): string[] {
	const shown = new Set(
		messages.flatMap(({ content }) => content.flatMap((part) => (part.type === "image" ? [part.image] : []))),
	);
	const missing = [...shown].filter((image) => images[image] === undefined);
	const unused = images.flatMap((_, image) => (shown.has(image) ? [] : [image]));
	return [
		...missing.map((image) => `image ${image} is shown and not there`),
		...unused.map((image) => `image ${image} is never shown`),
	];
}
