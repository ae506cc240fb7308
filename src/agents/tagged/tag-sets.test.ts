import { describe, expect, test } from "vitest";
import { agentProblems } from "#agents";
import { scriptedModel } from "#models";
import { play, type Replies, sharePrefix, textOf, toyTask } from "../../../test/support/agents/stage.ts";
import type { Agent } from "../agent.ts";
import { mostRepliesOf } from "../driver/protocol.ts";
import { settingFor } from "../settings.ts";
import { r1Searcher, research, rSearch, searchR1, tagged } from "./agent.ts";
import { mmsearchR1 } from "./mmsearch.ts";
import { invalidFeedback } from "./prompt.ts";
import {
	mmhopsTags,
	mmsearchTags,
	r1SearcherTags,
	researchTags,
	rSearchTags,
	searchR1Tags,
	type TagSet,
} from "./tag-set.ts";

const text = toyTask("text-chain");

/** Each protocol's own way to search and to answer, its limit, and what happens there. */
const protocols: {
	agent: Agent;
	search: string;
	answer: string;
	/** Searches that get an observation. */
	searches: number;
	/** Replies in all. */
	replies: number;
	last: boolean;
	stop: string[];
	k: number;
}[] = [
	{
		agent: tagged,
		search: "<think>a</think><text_search>Velmora</text_search>",
		answer: "<answer>b</answer>",
		searches: 4,
		replies: 5,
		last: true,
		stop: ["</image_search>", "</text_search>", "</answer>"],
		k: 3,
	},
	{
		agent: searchR1,
		search: "<think>a</think><search>Velmora</search>",
		answer: "<answer>b</answer>",
		searches: 4,
		replies: 5,
		last: true,
		stop: ["</search>", "</answer>"],
		k: 3,
	},
	{
		agent: research,
		search: "<think>a</think> <search>Velmora</search>",
		answer: "<think>c</think><answer>It is \\boxed{b}</answer>",
		searches: 10,
		replies: 11,
		last: true,
		stop: ["</search>"],
		k: 5,
	},
	{
		agent: rSearch,
		search: "I look. <search>Velmora</search>",
		answer: "<original_evidence>e</original_evidence><answer>b</answer>",
		searches: 4,
		replies: 5,
		last: true,
		stop: ["</search>", "</answer>"],
		k: 3,
	},
	{
		agent: r1Searcher,
		search: "<think>a <|begin_of_query|> Velmora <|end_of_query|>",
		answer: "so</think><answer>b</answer>",
		searches: 9,
		replies: 9,
		last: false,
		stop: ["<|end_of_query|>", "</answer>"],
		k: 5,
	},
	{
		agent: mmsearchR1,
		search: "<reason>a</reason><text_search>Velmora</text_search>",
		answer: "<reason>c</reason><answer>b</answer>",
		searches: 2,
		replies: 3,
		last: false,
		stop: ["</search>", "</text_search>", "</answer>"],
		k: 5,
	},
];

describe.each(protocols)("$agent.name", ({ agent, search, answer, searches, replies, last, stop, k }) => {
	test("searches with its k, stops where it should, answers", async () => {
		const { trajectory, requests } = await play(agent, [search, answer], { task: text });
		expect(trajectory).toMatchObject({ answer: "b", stop: "answered", usage: { calls: 2 } });
		expect(trajectory.steps[0]?.call).toEqual({
			tool: "text_search",
			arguments: { query: "Velmora", k },
			valid: true,
		});
		expect(requests[0]?.stop).toEqual(stop);
		expect(textOf(trajectory.messages.at(-2))).toContain("Its capital is Tessin Bay");
	});

	test("its budget, turn by turn", async () => {
		const { trajectory, requests } = await play(agent, Array<string>(30).fill(search), { task: text });
		expect(trajectory).toMatchObject({ answer: null, abstained: false, stop: "turn-limit" });
		expect(requests).toHaveLength(replies);
		expect(trajectory.steps.filter((step) => step.call?.valid)).toHaveLength(searches);
		const setting = settingFor(agent);
		expect(agent.card?.mostCalls(setting)).toBe(replies);
		expect(sharePrefix(requests)).toBe(true);
		expect(JSON.stringify(requests.at(-1)?.messages.at(-1))?.includes("No searches are left")).toBe(last);
	});

	test("a last answer counts only where the protocol has one", async () => {
		const script = [...Array<string>(replies - 1).fill("nothing"), answer];
		const { trajectory } = await play(agent, script, { task: text });
		expect(trajectory).toMatchObject({ answer: "b", stop: "answered" });
		expect(trajectory.steps.slice(0, -1).every((step) => step.call?.valid === false)).toBe(true);
	});

	test("keeps to the interface", async () => {
		const model = () => scriptedModel((_, n) => (n < 2 ? search : answer));
		expect(await agentProblems(agent, { model })).toEqual([]);
	});

	test("captions stand for pictures where the setting says so", async () => {
		const { trajectory, requests } = await play(agent, [answer], { setting: "captions" });
		expect(JSON.stringify(requests[0]?.messages)).toContain("resembles the stored image");
		expect(requests[0]?.messages.some(({ content }) => content.some(({ type }) => type === "image"))).toBe(false);
		expect(trajectory.steps[0]?.call?.tool).toBe("image_search_by_image");
	});

	test.skipIf(agent === mmsearchR1)("continued: one assistant message that goes on, without notices", async () => {
		const { trajectory, requests } = await play(agent, [...Array<string>(searches).fill(search), answer], {
			task: text,
			setting: "completion",
		});
		expect(trajectory.answer).toBe(last ? "b" : null);
		const roles = requests.map(({ messages }) =>
			messages.map(({ role }) => role).filter((role) => role === "assistant"),
		);
		expect(roles.map(({ length }) => length)).toEqual([0, ...Array<number>(requests.length - 1).fill(1)]);
		expect(requests.slice(1).every(({ continues }) => continues === true)).toBe(true);
		expect(JSON.stringify(requests.at(-1))).not.toContain("No searches are left");
		expect(requests[0]?.messages.length).toBe(agent === searchR1 || agent === rSearch || agent === r1Searcher ? 1 : 2);
		const whole = requests.map(({ messages }) => textOf(messages.at(-1) as never));
		for (const [index, one] of whole.slice(2).entries()) expect(one.startsWith(whole[index + 1] ?? "-")).toBe(true);
	});
});

test("every set of words has a hash of its own", () => {
	expect(new Set(protocols.map(({ agent }) => agent.promptHash)).size).toBe(protocols.length);
	expect(mostRepliesOf({ counts: "replies", limit: 3, lastAnswer: false })).toBe(3);
});

describe("what the sources print of their results", () => {
	const observation = async (agent: Agent, search: string) =>
		textOf((await play(agent, [search, "<answer>b</answer>"], { task: text })).trajectory.messages.at(-2));

	test("Search-R1", async () => {
		expect(await observation(searchR1, "<search>Quill</search>")).toBe(
			"<information>Doc 1(Title: Ostral) Ostral is a country in the south. Its capital is Quill. It covers 980 km².</information>",
		);
	});
	test("R-Search", async () => {
		expect(await observation(rSearch, "<search>Quill</search>")).toMatch(
			/^<observation>Doc 1\(Title: Ostral\) .*<\/observation>$/,
		);
	});
	test("ReSearch", async () => {
		expect(await observation(research, "<search>Quill</search>")).toMatch(/^<result>\n1\. Ostral: .*\n<\/result>$/);
	});
	test("R1-Searcher", async () => {
		expect(await observation(r1Searcher, "<|begin_of_query|>Quill<|end_of_query|>")).toMatch(
			/^<\|begin_of_documents\|>\n\(1\)Ostral {3}Ostral is .*\n<\|end_of_documents\|>$/,
		);
	});
	test("nothing found", async () => {
		expect(await observation(searchR1, "<search>qqq</search>")).toBe("<information>Nothing was found.</information>");
	});
});

test("R-Search's evidence is kept with the last search", async () => {
	const { trajectory } = await play(
		rSearch,
		[
			"First. <search>capital of Velmora</search>",
			"Known. <original_evidence>Its capital is Tessin Bay.</original_evidence><answer>Tessin Bay</answer>",
		],
		{ task: text },
	);
	expect(trajectory.steps).toMatchObject([
		{ thought: "First.", subAnswer: "Its capital is Tessin Bay." },
		{ thought: "Known." },
	]);
	expect(trajectory.cited).toBeUndefined();
	expect(textOf(trajectory.messages.at(-1))).toContain("<original_evidence>");
});

describe("MMSearch-R1", () => {
	const look = "<reason>a</reason><search><img></search>";
	const search = "<reason>b</reason><text_search>anthem of Velmora</text_search>";
	const answer = "<reason>c</reason><answer>Song of the Bay</answer>";

	test("image, text, answer: each result a new message with the question and what may follow", async () => {
		const { trajectory, requests } = await play(mmsearchR1, [look, search, answer]);
		expect(trajectory).toMatchObject({ answer: "Song of the Bay", stop: "answered" });
		expect(trajectory.steps.map((step) => step.call?.arguments)).toEqual([
			{ image: 0, k: 5 },
			{ query: "anthem of Velmora", k: 5 },
			undefined,
		]);
		const [, , , afterImage, , afterText] = trajectory.messages;
		expect(textOf(afterImage)).toMatch(
			/^Searched results:\n<information>\n1\. Flag of Velmora\n\[velmora\/flag\]\n<\/information>\nOriginal question: What is the anthem.*\nTake from/,
		);
		expect(textOf(afterText)).toMatch(
			/^Searched results:\n<information>\n1\. Velmora: .*\nOriginal question: .*\nJudge/s,
		);
		expect(trajectory.messages.map(({ role }) => role)).toEqual([
			"system",
			"user",
			"assistant",
			"user",
			"assistant",
			"user",
			"assistant",
		]);
		expect(sharePrefix(requests)).toBe(true);
	});

	test("a second look is refused and costs a reply", async () => {
		const { trajectory } = await play(mmsearchR1, [look, look, answer]);
		expect(trajectory.steps.map((step) => [step.call?.valid, step.error?.split(":")[0]])).toEqual([
			[true, undefined],
			[false, "no-search-left"],
			[undefined, undefined],
		]);
		expect(textOf(trajectory.messages[5])).toMatch(/^Original question: .*\nYour last turn held no action/);
	});

	test("a third text search is refused", async () => {
		const { trajectory } = await play(mmsearchR1, [search, search, search, answer], { overrides: { limit: 4 } });
		expect(trajectory.steps.map((step) => step.call?.valid)).toEqual([true, true, false, undefined]);
		expect(textOf(trajectory.messages[0])).toContain("You have 4 replies in all");
	});

	test.each([
		"<reason>b</reason> Unable to answer due to lack of relevant information.",
		"<answer>Unable to answer due to lack of relevant information</answer>",
		"<answer>unknown</answer>",
	])("%s abstains", async (reply) => {
		const { trajectory } = await play(mmsearchR1, [look, reply]);
		expect(trajectory).toMatchObject({ answer: null, abstained: true, stop: "answered" });
	});

	test("a setting may add a last reply", async () => {
		const { trajectory, requests } = await play(mmsearchR1, [look, search, search, answer], {
			overrides: { lastAnswer: true },
		});
		expect(trajectory.answer).toBe("Song of the Bay");
		expect(textOf(requests.at(-1)?.messages.at(-1) as never)).toMatch(/This is your last reply/);
	});
});

/** Replies in the tags of a set, with what becomes of them: a search, or why there is none. */
const replies: [name: string, reply: (tags: TagSet) => Replies[number], becomes: (tags: TagSet) => string][] = [
	["a search", ({ think, ...tags }) => `${think.open}a${think.close}${query(tags)}`, () => "found"],
	["its end kept by the server", ({ actions }) => `${actions.text_search.open}Velmora`, () => "found"],
	["text behind it", (tags) => `${query(tags)} and so on`, () => "found"],
	[
		"an answer behind it",
		(tags) => `${query(tags)}${tags.actions.answer.open}x${tags.actions.answer.close}`,
		() => "found",
	],
	["two searches", (tags) => `${query(tags)}${query(tags, "Ostral")}`, () => "found"],
	["unicode", (tags) => query(tags, "Velmora 東京 🗼 «Île» ½"), () => "found"],
	[
		"information made up before it",
		(tags) => `${tags.information.open}${query(tags, "x")}${tags.information.close}${query(tags)}`,
		() => "found",
	],
	[
		"a search within a thought",
		(tags) => `${tags.think.open}${query(tags)}${tags.think.close}`,
		({ thinking }) => (thinking === "searching" ? "found" : "no-action"),
	],
	["an action within it", ({ actions }) => `${actions.text_search.open}a ${actions.answer.open}b`, () => "two-actions"],
	[
		"the end of another",
		({ actions }) => `${actions.text_search.open}a${actions.answer.close}`,
		() => "mismatched-tags",
	],
	["no action", () => "It is Paris.", () => "no-action"],
	["a call in JSON", () => '{"name": "text_search", "arguments": {"query": "x"}}', () => "no-action"],
	["an unknown tool", () => "<launch>now</launch>", () => "unknown-tool"],
	["no query", (tags) => query(tags, " \n"), () => "empty-query"],
	["no answer", ({ actions }) => `${actions.answer.open} ${actions.answer.close}`, () => "empty-answer"],
	["cut within it", ({ actions }) => ({ text: `${actions.text_search.open}Vel`, finish: "length" }), () => "truncated"],
	["cut before it", ({ think }) => ({ text: `${think.open}So`, finish: "length" }), () => "truncated"],
];
const query = ({ actions }: Pick<TagSet, "actions">, words = "Velmora") =>
	`${actions.text_search.open}${words}${actions.text_search.close}`;

describe.each([
	["MMhops-R1", mmhopsTags, tagged],
	["Search-R1", searchR1Tags, searchR1],
	["ReSearch", researchTags, research],
	["R-Search", rSearchTags, rSearch],
	["R1-Searcher", r1SearcherTags, r1Searcher],
	["MMSearch-R1", mmsearchTags, mmsearchR1],
] as const)("replies in the tags of %s", (_set, tags, agent) => {
	test.each(replies)("%s", async (_name, reply, becomes) => {
		const close = `${tags.actions.answer.open}b${tags.actions.answer.close}`;
		const { trajectory } = await play(agent, [reply(tags), close], { task: text });
		const [step] = trajectory.steps;
		expect(step?.error?.split(":")[0] ?? "found").toBe(becomes(tags));
		expect(step?.call?.valid).toBe(becomes(tags) === "found");
		const observation = textOf(trajectory.messages[3]);
		if (becomes(tags) === "found") {
			expect(observation).toContain(`${tags.information.open}${tags.layout.edge}`);
			expect(observation).toContain("Its capital is Tessin Bay");
			expect(textOf(trajectory.messages[2]).endsWith(tags.actions.text_search.close)).toBe(true);
		} else {
			expect(observation.endsWith(invalidFeedback(tags))).toBe(true);
			expect(observation).not.toContain(tags.information.open);
		}
		expect(trajectory.answer).toBe("b");
	});
});
