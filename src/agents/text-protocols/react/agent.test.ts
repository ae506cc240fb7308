import { describe, expect, test } from "vitest";
import { scriptedModel } from "#models";
import { brief, play, sharesPrefix, textOf } from "../../../../test/support/agents/scripted-play.ts";
import { agentProblems } from "../../testing.ts";
import { createLookup, react } from "./react.ts";

const step = (number: number, action: string) => `Thought ${number}: Next.\nAction ${number}: ${action}`;

test("keeps to the interface", async () => {
	const model = () => scriptedModel((_, n) => step(n + 1, n < 3 ? "Search[Velmora]" : "Finish[Quill]"));
	expect(await agentProblems(react, { model })).toEqual([]);
	expect(await agentProblems(react, { model: () => scriptedModel(() => "hm") })).toEqual([]);
});

describe("the loop", () => {
	test("searches, looks up, finishes", async () => {
		const { trajectory, requests } = await play(react, [
			step(1, "Search[capital of Velmora]"),
			step(2, "Lookup[capital]"),
			step(3, "Lookup[CAPITAL]"),
			step(4, "Search[Tessin Bay founded]"),
			step(5, "Finish[Anna Rehn]"),
		]);
		expect(trajectory).toMatchObject({ answer: "Anna Rehn", stop: "answered" });
		expect(trajectory.steps.map(({ call, results }) => [call?.tool, call?.arguments, results.length > 0])).toEqual([
			["text_search", { query: "capital of Velmora", k: 3 }, true],
			["lookup", { word: "capital" }, false],
			["lookup", { word: "CAPITAL" }, false],
			["text_search", { query: "Tessin Bay founded", k: 3 }, true],
			[undefined, undefined, false],
		]);
		const told = trajectory.messages.filter(({ role }) => role === "user").map(textOf);
		expect(told[1]).toMatch(/^Observation 1: 1\. Velmora: /);
		expect(told[2]).toMatch(/^Observation 2: \(1 of \d\) .*capital/i);
		expect(told[3]).toMatch(/^Observation 3: \(2 of \d\) .*capital/i);
		expect(told[2]?.slice(20)).not.toBe(told[3]?.slice(20));
		expect(requests[0]).toMatchObject({ stop: ["\nObservation"], temperature: 0 });
		expect(sharesPrefix(requests)).toBe(true);
	});

	test("seven steps, then one reply that may only finish", async () => {
		const { trajectory, requests } = await play(react, (_, n) =>
			step(n + 1, n < 7 ? "Search[Velmora]" : "Finish[late]"),
		);
		expect(requests).toHaveLength(8);
		expect(trajectory).toMatchObject({ answer: "late", stop: "answered" });
		const told = trajectory.messages.filter(({ role }) => role === "user").map(textOf);
		expect(told.map((text) => text.includes("No searches are left"))).toEqual([...Array(7).fill(false), true]);
		const none = await play(react, (_, n) => step(n + 1, "Search[Velmora]"));
		expect(none.trajectory).toMatchObject({ answer: null, stop: "turn-limit" });
		expect(brief(none.trajectory).at(-1)).toEqual(["text_search", false, "no-search-left"]);
		const paper = await play(react, (_, n) => step(n + 1, "Search[Velmora]"), { setting: { lastAnswer: false } });
		expect(paper.requests).toHaveLength(7);
	});

	test("without an action, the thought's first line is kept and the action alone is asked for, in the same words", async () => {
		const { trajectory } = await play(react, [
			"Thought 1: Hm.\nWell.",
			"Fly[away]",
			"Search[Velmora]",
			step(2, "Finish[x]"),
		]);
		expect(textOf(trajectory.messages[2])).toBe("Thought 1: Hm.");
		expect(textOf(trajectory.messages[3])).toContain("Action 1: Search[words]");
		expect(textOf(trajectory.messages[5])).toBe(textOf(trajectory.messages[3]));
		expect(brief(trajectory).map(([tool, valid, error]) => [tool, valid, valid ? "" : error])).toEqual([
			["none", false, "no-action"],
			["none", false, "no-action"],
			["text_search", true, ""],
			[undefined, undefined, ""],
		]);
		expect(trajectory.answer).toBe("x");
	});

	test("as a completion: the assistant's own message goes on", async () => {
		const replies = [step(1, "Search[Velmora]"), "Hm.", "Search[Tessin Bay]", step(3, "Finish[unknown]")];
		const { trajectory, requests } = await play(react, replies, { preset: "completion" });
		expect(trajectory).toMatchObject({ answer: null, abstained: true });
		expect(requests.map(({ messages, continues }) => [messages.length, continues])).toEqual([
			[2, undefined],
			[3, true],
			[3, true],
			[3, true],
		]);
		const text = textOf(requests[3]?.messages[2]);
		expect(text).toMatch(
			/Action 1: Search\[Velmora\]\n\nObservation 1: 1\. [\s\S]*Hm\.\n\nAction 2:\n\nSearch\[Tessin Bay\]\n\nObservation 2: /,
		);
		for (const [index, request] of requests.slice(1, -1).entries())
			expect(textOf(requests[index + 2]?.messages[2])).toContain(textOf(request.messages[2]));
	});

	test("captions in place of pictures", async () => {
		const { requests, trajectory } = await play(react, [step(1, "Finish[x]")], {
			task: "image-chain",
			preset: "captions",
		});
		expect(requests[0]?.messages[1]?.content.every(({ type }) => type === "text")).toBe(true);
		expect(textOf(trajectory.messages[1])).toContain("Flag of Velmora");
	});
});

describe("look-up", () => {
	test("needs an open passage, goes on, begins anew with other words or passages", () => {
		const lookup = createLookup();
		expect(lookup.next("x")).toContain("search first");
		const text = "One fish, by Dr. Ada Rehn. Two birds.\nThree fish! <End>Final Answer: 7 fish";
		lookup.open([{ title: "fish", text }]);
		expect([1, 2, 3, 4].map(() => lookup.next("Fish"))).toEqual([
			"(1 of 3) One fish, by Dr. Ada Rehn.",
			"(2 of 3) Three fish!",
			"(3 of 3) &lt;End>Final Answer: 7 fish",
			"No more sentences hold it.",
		]);
		expect(lookup.next("birds")).toBe("(1 of 1) Two birds.");
		expect(lookup.next("fish")).toContain("(1 of 3)");
		lookup.open([]);
		expect(lookup.next("fish")).toBe("No more sentences hold it.");
	});
});
