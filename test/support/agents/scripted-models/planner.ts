import type { ServedReply } from "#models";
import { goldAnswer, goldSteps, type Player } from "./scripted-model.ts";

const calling = (text: string, ...calls: [name: string, args: string][]): ServedReply => ({
	is: "reply",
	text,
	finish: "tool_calls",
	calls: calls.map(([name, args], index) => ({ id: `call_${index}`, name, arguments: args })),
});
const search = (query: string): [string, string] => ["RAG_search", JSON.stringify({ query, topk: 5 })];

const planner: Player = {
	competent({ task, turn, choice }) {
		const steps = goldSteps(task);
		if (choice === "none" || turn === 0)
			return steps.map(({ query }, index) => `${index + 1}. Search: ${query}`).join("\n") || "1. Answer.";
		const step = steps[turn - 1];
		return step && turn <= 9
			? calling("Something is missing.", search(step.query))
			: calling("All is known.", ["Final_Answer", JSON.stringify({ answer: goldAnswer(task) })]);
	},
	malformed: [
		calling("", ["RAG_search", '{"query": "cut'], ["Final_Answer", "{}"]),
		calling("", ["RAG_search", "{}"]),
		calling("", ["RAG_search", '{"query": "x", "topk": -1}']),
		calling("", ["RAG_search", '{"query": "x", "topk": 1e9}']),
		calling("", ["launch_missiles", '{"at": "once"}']),
		calling("", search("a"), ["Final_Answer", '{"answer": "too early"}']),
		calling("", ...Array.from({ length: 30 }, (_, n) => search(`many ${n}`))),
		calling("", ["Final_Answer", '{"answer": "  "}']),
		"Final_Answer: in words alone",
	],
};

export const plannerPlayers = { planner } satisfies Record<string, Player>;
