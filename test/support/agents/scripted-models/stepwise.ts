import { sayStepwise } from "../../../../src/agents/stepwise/action.ts";
import { type Asked, goldAnswer, goldSteps, type Player } from "./scripted-model.ts";
import { readerReply } from "./text.ts";

const searches = ["text", "image-by-image", "image-by-text"] as const;

function player({ turns }: { turns: number }): Player {
	return {
		competent(given: Asked) {
			const { task, turn } = given;
			const steps = goldSteps(task);
			const [former, step] = [steps[turn - 1], steps[turn]];
			const read = readerReply(given);
			if (read !== undefined) return read;
			if (!step || turn >= turns) {
				const answers = { thought: "All is known.", act: { is: "answer" as const, text: goldAnswer(task) } };
				return sayStepwise(answers, { searches }) ?? "";
			}
			const act = { is: "search" as const, ...step, tool: step.tool === "page_search" ? "text_search" : step.tool };
			return sayStepwise({ thought: "The next fact is missing.", subAnswer: former?.answer, act }, { searches }) ?? "";
		},
		malformed: [
			"<Thought> I could write <Search> Text Retrieval: x </Search> now.</Thought>",
			"<Search> Text Retrieval: no thought before",
			"<Thought> a <Sub-Question> b <Search> Web Retrieval: c",
			"<Thought> a <Sub-Question> b <Search> Text Retrieval:",
			"<Thought> a <Sub-Question> b <Search> Image Retrieval with Input Image: 99",
			"<Thought> a <Sub-Question> b <Search>",
			"<Thought> a <Sub-Question> b <Search> No Retrieval",
			"<End>",
			"<Thought> Final Answer: within a thought",
			"<Search>".repeat(3000),
		],
	};
}

export const stepwisePlayers = {
	stepwise: player({ turns: 10 }),
	omnisearch: player({ turns: 4 }),
} satisfies Record<string, Player>;
