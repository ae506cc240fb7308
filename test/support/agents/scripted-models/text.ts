import { type Asked, goldAnswer, goldSteps, type Player } from "./scripted-model.ts";

/** The reader that several agents ask besides: told by the first words of its instructions. */
export function readerReply({ task, said }: Asked): string | undefined {
	if (!said[0]?.text.startsWith("You read passages")) return undefined;
	const question = /Question: ([^\n]*)\s*$/.exec(said.at(-1)?.text ?? "")?.[1];
	const step = goldSteps(task).find(({ query }) => query === question);
	return `The passages tell it.\nAnswer: ${step?.answer ?? goldAnswer(task)}`;
}

/** Turns so far; where the assistant's own message goes on, they are told by what stands in it. */
function turnsIn({ said, turn }: Asked, mark: RegExp): number {
	const last = said.at(-1);
	return last?.role === "assistant" ? (last.text.match(mark)?.length ?? 0) : turn;
}

const react: Player = {
	competent(given) {
		const { task } = given;
		const turn = turnsIn(given, /^Observation \d+:/gm);
		const step = goldSteps(task)[turn];
		return step && turn < 7
			? `Thought ${turn + 1}: Still missing: ${step.query}\nAction ${turn + 1}: Search[${step.query}]\nObservation ${turn + 1}: made up`
			: `Thought ${turn + 1}: All is known.\nAction ${turn + 1}: Finish[${goldAnswer(task)}]`;
	},
	malformed: [
		"Thought 1: I could Search[it] some day.",
		"Thought 1: hm\nAction 1: Fly[Paris]",
		"Thought 1: hm\nAction 1: Search[]",
		"Thought 1: hm\nAction 1: Search[never closed",
		"Action 1: Search[one]\nAction 2: Search[two]",
		"Action 1: Lookup[nothing open]",
		"Action 1: Finish[ ]",
		"Action 1: I shall search.",
		`Action 1: Search${"[".repeat(5000)}`,
	],
};

const selfAsk: Player = {
	competent(given) {
		const { task } = given;
		const turn = turnsIn(given, /^Intermediate answer: /gm);
		const step = goldSteps(task)[turn];
		const read = readerReply(given);
		if (read !== undefined) return read;
		return step && turn < 5
			? `Follow up: ${step.query}\nIntermediate answer: made up`
			: `So the final answer is: ${goldAnswer(task)}`;
	},
	malformed: [
		"Follow up:",
		"So the final answer is:",
		"Intermediate answer: nobody asked",
		"Are follow up questions needed here: No.",
		"Follow up: one?\nFollow up: two?",
		"I would ask a follow up: question.",
	],
};

const ircot: Player = {
	competent(given) {
		const { task } = given;
		const turn = turnsIn(given, /\n/g);
		const step = goldSteps(task)[turn];
		const read = readerReply(given);
		if (read !== undefined) return read;
		return step && turn < 7 ? `${step.query} ${step.answer}. And more.` : `So the answer is: ${goldAnswer(task)}`;
	},
	malformed: ["...", "\n\n\n", "The answer is", "1.", `${"Dr. ".repeat(2000)}`],
};

export const textPlayers = { react, "self-ask": selfAsk, ircot } satisfies Record<string, Player>;
