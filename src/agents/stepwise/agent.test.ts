import { describe, expect, test } from "vitest";
import { scriptedModel } from "#models";
import { brief, play, sharesPrefix, textOf } from "../../../test/support/agents/scripted-play.ts";
import { agentProblems } from "../testing.ts";
import { omnisearch, stepwise } from "./stepwise.ts";

const turn = (search: string, { question = "What is it?", answer = "" } = {}) =>
	`${answer && `<Sub-Answer> ${answer}\n`}<Thought> Next.\n<Sub-Question> ${question}\n<Search> ${search}`;
const end = (answer: string) => `<Thought> Done.\n<End> Final Answer: ${answer}`;
const answeredAs = (text: string) => `The passages say so.\nAnswer: ${text}`;

test.each([stepwise, omnisearch])("$name keeps to the interface", async (agent) => {
	const model = () => scriptedModel((_, n) => (n < 3 ? turn("Text Retrieval: Velmora") : end("Quill")));
	expect(await agentProblems(agent, { model })).toEqual([]);
	const bad = () => scriptedModel(() => "hm");
	expect(await agentProblems(agent, { model: bad })).toEqual([]);
});

describe("stepwise", () => {
	test("asks, looks, reads, answers: every step with its sub-question and sub-answer", async () => {
		const { trajectory, requests } = await play(
			stepwise,
			[
				turn("Image Retrieval with Input Image", { question: "Whose flag is this?" }),
				turn("Text Retrieval: anthem of Velmora", { question: "What is its anthem?", answer: "Velmora" }),
				turn("Image Retrieval with Text Query: flag of Velmora", { question: "Is it the flag?", answer: "not told" }),
				end("The anthem is Song of the Bay."),
			],
			{ task: "image-chain" },
		);
		expect(trajectory).toMatchObject({ answer: "The anthem is Song of the Bay.", stop: "answered", abstained: false });
		expect(brief(trajectory)).toEqual([
			["image_search_by_image", true, "velmora/flag"],
			["text_search", true, "velmora/table"],
			["image_search_by_text", true, "velmora/flag"],
			[undefined, undefined, ""],
		]);
		expect(trajectory.steps.map(({ subQuestion, subAnswer }) => [subQuestion, subAnswer])).toEqual([
			["Whose flag is this?", "Velmora"],
			["What is its anthem?", "not told"],
			["Is it the flag?", undefined],
			[undefined, undefined],
		]);
		expect(trajectory.steps[0]?.call?.arguments).toEqual({ image: 0, k: 1 });
		expect(textOf(trajectory.messages[1])).toContain("[question.png]");
		expect(textOf(trajectory.messages[3])).toBe('Retrieved image "Flag of Velmora": Flag of Velmora\n[velmora/flag]');
		expect(textOf(trajectory.messages[5])).toContain("Capital: Tessin Bay");
		expect(sharesPrefix(requests)).toBe(true);
	});

	test("the image meant by its number; nothing found is said", async () => {
		const { trajectory } = await play(stepwise, [turn("Image Retrieval with Input Image: 2"), end("x")], {
			task: "image-chain",
		});
		expect(trajectory.steps[0]?.call?.arguments).toEqual({ image: 1, k: 1 });
		expect(textOf(trajectory.messages[3])).toBe("Retrieved: nothing was found.");
	});

	test("ten iterations, with those that search nothing or cannot be read, then one reply that may only answer", async () => {
		const replies = (_: unknown, n: number) =>
			n === 10
				? end("late")
				: n % 3 === 0
					? "hm"
					: n % 3 === 1
						? turn("No Retrieval")
						: turn("Text Retrieval: Velmora");
		const { trajectory, requests } = await play(stepwise, replies);
		expect(requests).toHaveLength(11);
		expect(trajectory).toMatchObject({ answer: "late", stop: "answered" });
		const told = trajectory.messages.filter(({ role }) => role === "user").map(textOf);
		expect(told.map((text) => text.includes("No turns are left"))).toEqual([...Array(10).fill(false), true]);
		expect(told[2]).toBe("Nothing was retrieved, as you chose. Go on.");
		expect(new Set([told[1], told[4], told[7]]).size).toBe(1);
		expect(brief(trajectory).slice(0, 3)).toEqual([
			["none", false, "no-action"],
			[undefined, undefined, ""],
			["text_search", true, "velmora/table"],
		]);
	});

	test.each([
		["a search", turn("Text Retrieval: more")],
		["nothing", "hm"],
	])("a last reply with %s ends without an answer", async (_, last) => {
		const { trajectory } = await play(stepwise, [turn("Text Retrieval: a"), last], { setting: { limit: 1 } });
		expect(trajectory).toMatchObject({ answer: null, abstained: false, stop: "turn-limit" });
		expect(trajectory.steps.at(-1)?.call?.valid).toBe(false);
	});

	test("declining abstains", async () => {
		const { trajectory } = await play(stepwise, [end("I cannot answer.")]);
		expect(trajectory).toMatchObject({ answer: null, abstained: true, stop: "answered" });
	});

	test("k evidence where the setting says so, captions where the model has no eyes", async () => {
		const more = await play(stepwise, [turn("Text Retrieval: country capital"), end("x")], { preset: "top-3" });
		expect(more.trajectory.steps[0]?.results).toHaveLength(3);
		const blind = await play(stepwise, [turn("Image Retrieval with Text Query: flag"), end("x")], {
			task: "image-chain",
			preset: "captions",
		});
		const parts = blind.requests.flatMap(({ messages }) => messages.flatMap(({ content }) => content));
		expect(parts.every(({ type }) => type === "text")).toBe(true);
		expect(textOf(blind.trajectory.messages[1])).toContain('Image 1: resembles the stored image "Flag of Velmora"');
	});

	test("a search that the setting does not offer is neither named nor carried out", async () => {
		const { trajectory, requests } = await play(stepwise, [turn("Image Retrieval with Text Query: flag"), end("x")], {
			setting: { tools: ["text_search"] },
		});
		expect(textOf(requests[0]?.messages[0])).not.toContain("Image Retrieval");
		expect(brief(trajectory)[0]).toEqual(["image_search_by_text", false, "unknown-tool"]);
	});
});

describe("omnisearch", () => {
	test("texts are read by a call of its own that the planner does not see; what it costs counts", async () => {
		const { trajectory, requests } = await play(omnisearch, [
			turn("Text Retrieval: capital of Velmora", { question: "What is the capital of Velmora?" }),
			answeredAs("Tessin Bay <End> Final Answer: no"),
			end("Anna Rehn"),
		]);
		expect(trajectory).toMatchObject({ answer: "Anna Rehn", stop: "answered", usage: { calls: 3 } });
		expect(trajectory.steps[0]).toMatchObject({ subAnswer: "Tessin Bay <End> Final Answer: no", usage: { calls: 2 } });
		expect(textOf(requests[1]?.messages[1])).toContain("Question: What is the capital of Velmora?");
		expect(textOf(requests[1]?.messages[1])).toContain("It covers 1,250 km²");
		const planner = trajectory.messages.filter(({ conversation }) => conversation === undefined);
		expect(textOf(planner[3])).toBe("What the retrieved texts say: Tessin Bay &lt;End> Final Answer: no");
		expect(planner.map(textOf).join()).not.toContain("1,250");
		expect(trajectory.messages.filter(({ conversation }) => conversation === "reader 1")).toHaveLength(3);
		expect(sharesPrefix(requests.filter((_, index) => index !== 1))).toBe(true);
	});

	test("five replies, then no answer; a reply without an action is asked again", async () => {
		const replies = (_: unknown, n: number) => (n === 0 ? "Final Answer within a thought" : turn("No Retrieval"));
		const { trajectory, requests } = await play(omnisearch, replies);
		expect(requests).toHaveLength(5);
		expect(trajectory).toMatchObject({ answer: null, abstained: false, stop: "turn-limit" });
		expect(brief(trajectory)[0]).toEqual(["none", false, "no-action"]);
		expect(textOf(trajectory.messages[3])).toContain("cannot be carried out");
	});

	test("at most five pictures a step and nine a task, counted anew for every task", async () => {
		const flag = (index: number) => ({
			id: `flag-${index}`,
			score: 1,
			rank: index + 1,
			kind: "image" as const,
			document: "d",
			title: "Flag",
			snippet: "",
			language: "en",
			text: "a flag",
		});
		const tools = {
			image_search_by_text: async ({ k }: { k: number }) => ({ results: Array.from({ length: k }, (_, n) => flag(n)) }),
		};
		for (let task = 0; task < 2; task += 1) {
			const { trajectory } = await play(
				omnisearch,
				(_, n) => (n < 3 ? turn("Image Retrieval with Text Query: flags") : end("x")),
				{ tools, setting: { k: 10 } },
			);
			expect(trajectory.steps.slice(0, 3).map(({ results, error }) => [results.length, error?.split(":")[0]])).toEqual([
				[5, undefined],
				[4, undefined],
				[0, "refused"],
			]);
			expect(trajectory.messages.map(textOf).filter((text) => text.includes("No more images"))).toHaveLength(1);
		}
	});
});
