import { describe, expect, test } from "vitest";
import { type ChatReply, scriptedModel } from "#models";
import { brief, play, sharesPrefix, textOf } from "../../../test/support/agents/scripted-play.ts";
import { agentProblems } from "../testing.ts";
import { planner } from "./planner.ts";

let calls = 0;
const call = (name: string, given: object) => {
	calls += 1;
	return { id: `call-${calls}`, name, arguments: JSON.stringify(given) };
};
const search = (query: string, topk?: number) => call("RAG_search", { query, topk });
const says = (text: string, ...made: ReturnType<typeof call>[]): Partial<ChatReply> => ({ text, calls: made });
const final = (answer: string) => says("Known.", call("Final_Answer", { answer }));
const plan = "1. Search: capital of Velmora\n2. Search: founder of that city";

test("keeps to the interface", async () => {
	const model = () => scriptedModel((_, n) => (n === 0 ? plan : n < 3 ? says("", search("Velmora")) : final("Quill")));
	expect(await agentProblems(planner, { model })).toEqual([]);
	const greedy = () => scriptedModel(() => says("", search("a"), search("b"), search("c")));
	expect(await agentProblems(planner, { model: greedy })).toEqual([]);
});

describe("the loop", () => {
	test("plans without calls, then one search a turn, then the final answer", async () => {
		const { trajectory, requests } = await play(planner, [
			plan,
			says("There are no results yet.", search("capital of Velmora", 1)),
			says("It is Tessin Bay.", search("founder of Tessin Bay")),
			final("Anna Rehn"),
		]);
		expect(trajectory).toMatchObject({ answer: "Anna Rehn", stop: "answered", abstained: false, plan });
		expect(trajectory.steps.map(({ thought, call: made }) => [thought, made?.arguments])).toEqual([
			[undefined, undefined],
			["There are no results yet.", { query: "capital of Velmora", k: 1 }],
			["It is Tessin Bay.", { query: "founder of Tessin Bay", k: 5 }],
			["Known.", undefined],
		]);
		expect(requests.map(({ toolChoice }) => toolChoice)).toEqual(["none", "auto", "auto", "auto"]);
		expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(["RAG_search", "Final_Answer"]);
		expect(sharesPrefix(requests)).toBe(true);
		expect(trajectory.messages.map(({ role }) => role)).toEqual([
			...["system", "user", "assistant", "user", "assistant", "tool", "user", "assistant", "tool", "user", "assistant"],
		]);
		expect(trajectory.messages[5]?.callId).toBe(trajectory.messages[4]?.calls?.[0]?.id);
		expect(textOf(trajectory.messages[5])).toContain('Results for "capital of Velmora" (topk 1):\n\n1. Velmora: ');
		expect(new Set([3, 6, 9].map((at) => textOf(trajectory.messages[at]))).size).toBe(1);
	});

	test("every call inside a message is carried out and answered, and counts", async () => {
		const { trajectory, requests } = await play(
			planner,
			[
				plan,
				says("", search("Velmora"), search("Velmora"), call("web", {}), call("Final_Answer", { answer: "early" })),
			],
			{ setting: { limit: 3 } },
		);
		expect(requests).toHaveLength(2);
		expect(trajectory).toMatchObject({ answer: null, abstained: false, stop: "turn-limit" });
		expect(
			trajectory.steps.slice(1).map(({ call: made, error }) => [made?.tool, made?.valid, error?.split(":")[0]]),
		).toEqual([
			["text_search", true, undefined],
			["text_search", true, undefined],
			["web", false, "unknown-tool"],
			["Final_Answer", false, "two-actions"],
		]);
	});

	test("ten searches and no answer after them", async () => {
		const { trajectory, requests } = await play(planner, (_, n) => (n === 0 ? plan : says("", search(`Velmora ${n}`))));
		expect(requests).toHaveLength(11);
		expect(trajectory).toMatchObject({ answer: null, stop: "turn-limit" });
		expect(brief(trajectory).filter(([tool]) => tool === "text_search")).toHaveLength(10);
	});

	test("a last answer where the setting grants it", async () => {
		const replies = [plan, says("", search("Velmora")), final("Quill")];
		const { trajectory } = await play(planner, replies, { setting: { limit: 1, lastAnswer: true } });
		expect(trajectory).toMatchObject({ answer: "Quill", stop: "answered" });
		expect(textOf(trajectory.messages.at(-2))).toContain("No searches are left");
	});

	test.each([
		["from the start", [], 6],
		["behind a search", [says("", search("Velmora"))], 7],
	])("five replies without a call, the plan not among them, end it: %s", async (_, before, replies) => {
		const { trajectory, requests } = await play(planner, (__, n) => [plan, ...before][n] ?? "Final_Answer: Quill");
		expect(requests).toHaveLength(replies);
		expect(trajectory).toMatchObject({ answer: null, abstained: false, stop: "no-call-limit" });
	});

	test("a call in place of the plan is dropped and counted", async () => {
		const { trajectory } = await play(planner, [says("", search("too early")), final("unknown")]);
		expect(trajectory).toMatchObject({ answer: null, abstained: true, stop: "answered" });
		expect(trajectory.plan).toBeUndefined();
		expect(trajectory.steps[0]?.dropped).toBeGreaterThan(20);
		expect(trajectory.steps.every(({ call: made }) => made === undefined)).toBe(true);
		expect(trajectory.messages[2]).toMatchObject({ role: "assistant", content: [{ text: "(an empty reply)" }] });
		expect(trajectory.messages[2]?.calls).toBeUndefined();
	});

	test("of a thousand calls in one reply sixteen are heard, and as many as are left carried out", async () => {
		const many = Array.from({ length: 1000 }, (_, n) => ({ ...search(`Velmora ${n}`), id: `c${n}` }));
		const { trajectory } = await play(planner, [plan, { text: "", calls: many }]);
		const made = trajectory.steps.flatMap(({ call: one }) => one ?? []);
		expect(made.map(({ valid }) => valid)).toEqual([...Array(10).fill(true), ...Array(6).fill(false)]);
		expect(trajectory.messages.find(({ calls }) => calls)?.calls).toHaveLength(16);
		expect(trajectory.steps[1]?.dropped).toBeGreaterThan(10_000);
		expect(trajectory).toMatchObject({ answer: null, stop: "turn-limit" });
	});

	test("wrong calls get the same words", async () => {
		const { trajectory } = await play(planner, [
			plan,
			{ text: "", calls: [{ id: "a", name: "RAG_search", arguments: "{" }] },
			says("", call("Final_Answer", {})),
			final("x"),
		]);
		const told = trajectory.messages.filter(({ role }) => role === "tool").map(textOf);
		expect(new Set(told).size).toBe(1);
		expect(brief(trajectory).slice(1, 3)).toEqual([
			["RAG_search", false, "bad-json"],
			["Final_Answer", false, "bad-arguments"],
		]);
	});

	test("images before the task, as pictures or captions", async () => {
		const seen = await play(planner, [plan, final("x")], { task: "image-chain" });
		expect(textOf(seen.trajectory.messages[1])).toMatch(/^Image 1:\n\[question\.png\]\nImage 2:/);
		const blind = await play(planner, [plan, final("x")], { task: "image-chain", preset: "captions" });
		expect(textOf(blind.trajectory.messages[1])).toMatch(/^Image 1: resembles the stored image "Flag of Velmora"/);
		expect(blind.trajectory.steps[0]?.call?.tool).toBe("image_search_by_image");
	});
});
