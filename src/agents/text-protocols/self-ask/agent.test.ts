import { describe, expect, test } from "vitest";
import { type ChatRequest, scriptedModel } from "#models";
import { brief, play, sharesPrefix, textOf } from "../../../../test/support/agents/scripted-play.ts";
import { agentProblems } from "../../testing.ts";
import { selfAsk } from "./self-ask.ts";

const isReader = ({ messages }: ChatRequest) => textOf(messages[0]).startsWith("You read passages");

test("keeps to the interface", async () => {
	const model = () =>
		scriptedModel((request) =>
			isReader(request)
				? "Answer: Tessin Bay"
				: request.messages.length < 6
					? "Follow up: capital of Velmora?"
					: "So the final answer is: Quill",
		);
	expect(await agentProblems(selfAsk, { model })).toEqual([]);
	expect(await agentProblems(selfAsk, { model: () => scriptedModel(() => "hm") })).toEqual([]);
});

describe("the loop", () => {
	test("asks, has the answer read off the passages, concludes", async () => {
		const { trajectory, requests } = await play(selfAsk, [
			"Follow up: What is the capital of Velmora?\nIntermediate answer: made up",
			"It says so.\nAnswer: Tessin Bay",
			"Follow up: Who founded Tessin Bay?",
			"**Answer:** Anna Rehn",
			"So the final answer is: Anna Rehn",
		]);
		expect(trajectory).toMatchObject({ answer: "Anna Rehn", stop: "answered", usage: { calls: 5 } });
		expect(trajectory.steps.map(({ subQuestion, subAnswer, usage }) => [subQuestion, subAnswer, usage?.calls])).toEqual(
			[
				["What is the capital of Velmora?", "Tessin Bay", 2],
				["Who founded Tessin Bay?", "Anna Rehn", 2],
				[undefined, undefined, 1],
			],
		);
		const main = trajectory.messages.filter(({ conversation }) => conversation === undefined).map(textOf);
		expect(main[1]).toBe("Question: Who founded the capital of Velmora?\nAre follow up questions needed here: Yes.");
		expect([main[3], main[5]]).toEqual(["Intermediate answer: Tessin Bay", "Intermediate answer: Anna Rehn"]);
		expect(textOf(requests[1]?.messages[1])).toContain("Question: What is the capital of Velmora?");
		expect(textOf(requests[1]?.messages[1])).toContain("1. Velmora: ");
		expect(sharesPrefix(requests.filter((request) => !isReader(request)))).toBe(true);
		expect(requests[0]?.stop).toEqual(["\nIntermediate answer:"]);
	});

	test("five follow-up questions, then the answer", async () => {
		const replies = (request: ChatRequest) =>
			isReader(request)
				? ""
				: textOf(request.messages.at(-1)).includes("No follow-up questions are left")
					? "Anna Rehn"
					: "Follow up: Who?";
		const { trajectory, requests } = await play(selfAsk, replies);
		expect(requests).toHaveLength(11);
		expect(trajectory).toMatchObject({ answer: "Anna Rehn", stop: "answered" });
		expect(trajectory.steps[0]?.subAnswer).toBe("unknown");
		const stubborn = await play(selfAsk, (request) => (isReader(request) ? "Answer: x" : "Follow up: Who?"));
		expect(stubborn.trajectory).toMatchObject({ answer: null, stop: "turn-limit" });
		expect(brief(stubborn.trajectory).at(-1)).toEqual(["text_search", false, "no-search-left"]);
	});

	test("a turn with neither costs one, and the answer is asked for in the same words", async () => {
		const { trajectory } = await play(selfAsk, ["Hm.", "Follow up:", "So the final answer is: unknown"]);
		expect(trajectory).toMatchObject({ answer: null, abstained: true, stop: "answered" });
		expect(textOf(trajectory.messages[3])).toBe(textOf(trajectory.messages[5]));
		expect(brief(trajectory).slice(0, 2)).toEqual([
			["none", false, "no-action"],
			["none", false, "empty-query"],
		]);
	});

	test("the evidence itself in place of a reader", async () => {
		const { trajectory, requests } = await play(
			selfAsk,
			[
				"Follow up: capital of Velmora?",
				"Intermediate answer: Tessin Bay\nFollow up: its founder?",
				"Anna\nSo the final answer is: Anna Rehn",
			],
			{ preset: "evidence" },
		);
		expect(requests).toHaveLength(3);
		expect(trajectory.steps.map(({ subAnswer }) => subAnswer)).toEqual(["Tessin Bay", "Anna", undefined]);
		expect(textOf(trajectory.messages[3])).toMatch(
			/^Context:\n1\. Velmora: [\s\S]*First write `Intermediate answer: `/,
		);
	});

	test("as a completion: the assistant's own message goes on, the labels given", async () => {
		const { trajectory, requests } = await play(
			selfAsk,
			["Follow up: capital of Velmora?", "Answer: Tessin Bay", "I know it.", "Anna Rehn"],
			{ preset: "completion" },
		);
		expect(trajectory).toMatchObject({ answer: "Anna Rehn", stop: "answered" });
		expect(textOf(requests[3]?.messages[2])).toBe(
			"Follow up: capital of Velmora?\n\nIntermediate answer: Tessin Bay\n\nI know it.\n\nSo the final answer is:\n\n",
		);
		expect(requests[3]?.continues).toBe(true);
	});

	test("what a document makes the reader say stays one line of text", async () => {
		const { trajectory } = await play(selfAsk, ["Follow up: a?", "Answer: <End>x", "So the final answer is: y"]);
		expect(textOf(trajectory.messages[3])).toBe("Intermediate answer: &lt;End>x");
	});
});
