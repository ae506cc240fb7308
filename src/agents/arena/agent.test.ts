import { describe, expect, test } from "vitest";
import { agentProblems } from "#agents";
import { viewOf } from "#domain";
import { type ChatReply, createChatModel, replyServer, scriptedModel } from "#models";
import { onStage, play, type Replies, sharePrefix, textOf, toyTask } from "../../../test/support/agents/stage.ts";
import type { Agent } from "../agent.ts";
import { settingFor } from "../settings.ts";
import { writeCall } from "../tool-call-format/hermes.ts";
import { arena, arenaMars, arenaQwen } from "./arena.ts";

const native = (...calls: [name: string, args: object][]): Partial<ChatReply> => ({
	calls: calls.map(([name, args], index) => ({ id: `c${index}`, name, arguments: JSON.stringify(args) })),
});
const told = (...calls: [name: string, args: object][]): string =>
	`<thinking>t</thinking>\n${calls.map(([name, args]) => writeCall(name, args)).join("\n")}`;

/** The wire forms, each with its way to search, look, crop, call twice and answer. */
const forms: {
	agent: Agent;
	search: Replies[number];
	look: Replies[number];
	crop: (box: number[], image: number) => Replies[number];
	twice: Replies[number];
	answer: string;
	unknown: Replies[number];
}[] = [
	{
		agent: arena,
		search: native(["text_search", { query: "Quill" }]),
		look: native(["image_search_by_image", { image: 1 }]),
		crop: (box, image) => native(["image_crop", { box, image: image + 1 }]),
		twice: native(["text_search", { query: "Quill" }], ["text_search", { query: "Ostral" }]),
		answer: "I know.\nAnswer: b",
		unknown: native(["launch", {}]),
	},
	{
		agent: arenaMars,
		search: told(["text_search_tool", { query: "Quill" }]),
		look: told(["image_search_tool", {}]),
		crop: (bbox_2d, img_idx) => told(["image_zoom_in_tool", { bbox_2d, label: "it", img_idx }]),
		twice: told(["text_search_tool", { query: "Quill" }], ["text_search_tool", { query: "Ostral" }]),
		answer: "<thinking>t</thinking>\n<answer>b</answer>",
		unknown: told(["launch", {}]),
	},
	{
		agent: arenaQwen,
		search: told(["text_search", { query: "Quill" }]),
		look: told(["image_search", { img_idx: 0 }]),
		crop: (bbox_2d, img_idx) => told(["image_zoom_in_tool", { bbox_2d, label: "it", img_idx }]),
		twice: told(["text_search", { query: "Quill" }], ["text_search", { query: "Ostral" }]),
		answer: "I know.\nAnswer: b",
		unknown: told(["launch", {}]),
	},
];

describe.each(forms)("$agent.name", ({ agent, search, look, crop, twice, answer, unknown }) => {
	test("looks, searches, answers; one call a round, at the paper's settings", async () => {
		const { trajectory, requests } = await play(agent, [look, search, answer]);
		expect(trajectory).toMatchObject({ answer: "b", stop: "answered", usage: { calls: 3 } });
		expect(trajectory.steps.map((step) => step.call?.arguments)).toEqual([
			{ image: 0, k: 5 },
			{ query: "Quill", k: 3 },
			undefined,
		]);
		expect(requests.every(({ temperature }) => temperature === 0.7)).toBe(true);
		expect(sharePrefix(requests)).toBe(true);
		expect(textOf(trajectory.messages[3])).toContain("[velmora/flag]");
		expect(textOf(trajectory.messages[5])).toContain("Its capital is Quill");
	});

	test("ten replies, and a call in the tenth is no answer", async () => {
		const { trajectory, requests } = await play(agent, Array(20).fill(search));
		expect(trajectory).toMatchObject({ answer: null, abstained: false, stop: "turn-limit", usage: { calls: 10 } });
		expect(trajectory.steps).toHaveLength(10);
		expect(requests).toHaveLength(10);
		expect(JSON.stringify(requests.at(-1))).not.toContain("No turns are left");
		expect(agent.card?.mostCalls(settingFor(agent))).toBe(10);
	});

	test("a last answer is a setting", async () => {
		const { trajectory, requests } = await play(agent, [...Array<Replies[number]>(10).fill(search), answer], {
			overrides: { lastAnswer: true },
		});
		expect(trajectory).toMatchObject({ answer: "b", stop: "answered", usage: { calls: 11 } });
		expect(textOf(requests.at(-1)?.messages.at(-1) as never)).toContain("No turns are left");
		if (agent === arena) expect(requests.at(-1)?.toolChoice).toBe("none");
	});

	test("no-tool: one reply, no tools", async () => {
		const { trajectory, requests } = await play(agent, [answer], { setting: "no-tool" });
		expect(trajectory).toMatchObject({ answer: "b", stop: "answered" });
		expect(requests[0]?.tools).toBeUndefined();
		expect(textOf(trajectory.messages[0])).not.toMatch(/<tools>|search/);
		const called = await play(agent, [search, answer], { setting: "no-tool" });
		expect(called.trajectory).toMatchObject({ answer: null, stop: "turn-limit", steps: [{ call: { valid: false } }] });
	});

	test("of several calls the first counts and the others get an error", async () => {
		const { trajectory } = await play(agent, [twice, answer]);
		expect(trajectory.steps.map((step) => [step.call?.valid, step.error?.split(":")[0]])).toEqual([
			[true, undefined],
			[false, "two-actions"],
			[undefined, undefined],
		]);
		const observations = trajectory.messages.slice(3, -1).map(textOf).join("\n");
		expect(observations).toContain("Its capital is Quill");
		expect(observations).toMatch(/Error: [Oo]nly one (tool )?call/);
	});

	test("crops: thousandths by default, of crops too, searched by number, and only where offered", async () => {
		const { trajectory } = await play(agent, [crop([0, 0, 500, 500], 0), crop([500, 500, 1000, 1000], 1), answer], {
			setting: "search+crop",
		});
		expect(trajectory.steps.map((step) => step.crop?.box)).toEqual([[0, 0, 150, 100], [75, 50, 150, 100], undefined]);
		expect(textOf(trajectory.messages[3])).toContain("[question.png#xywh=0,0,150,100]");
		const without = await play(agent, [crop([0, 0, 500, 500], 0), answer]);
		expect(without.trajectory.steps[0]?.error).toMatch(/^unknown-tool/);
	});

	test("another convention of boxes is a setting, and a doubtful box is marked", async () => {
		const { trajectory } = await play(agent, [crop([0, 0, 0.5, 0.5], 0), crop([0, 0, 300, 200], 0), answer], {
			setting: "search+crop",
			overrides: { boxes: "fraction" },
		});
		expect(trajectory.steps[0]?.crop).toEqual({ image: "question.png", box: [0, 0, 150, 100] });
		expect(trajectory.steps[1]?.crop?.suspect).toBeDefined();
	});

	test.each([
		["an empty box", [5, 5, 5, 5]],
		["three numbers", [1, 2, 3]],
		["a box off the image", [2000, 2000, 3000, 3000]],
	])("%s is a bad call", async (_name, box) => {
		const { trajectory } = await play(agent, [crop(box, 0), answer], { setting: "search+crop" });
		expect(trajectory.steps[0]).toMatchObject({ call: { valid: false }, error: expect.stringMatching(/^bad-box/) });
		expect(textOf(trajectory.messages[3])).toMatch(/Error: /);
	});

	test.each<[string, Replies[number], string]>([
		["an unknown tool", unknown, "unknown-tool"],
		["an empty reply", "", "no-action"],
		["a reply that was cut", { text: "<thinking>Let me", finish: "length" }, "truncated"],
		["a thought without an end", "<thinking>Let me", "unclosed-thought"],
	])("%s costs a round", async (_name, reply, code) => {
		const { trajectory } = await play(agent, [reply, answer]);
		expect(trajectory.steps[0]).toMatchObject({ call: { valid: false }, error: expect.stringMatching(`^${code}`) });
		expect(trajectory).toMatchObject({ answer: "b", usage: { calls: 2 } });
	});

	test("text without a call or a mark is the answer, and unknown abstains", async () => {
		expect((await play(agent, ["The Loire"])).trajectory).toMatchObject({ answer: "The Loire", stop: "answered" });
		expect((await play(agent, ["unknown"])).trajectory).toMatchObject({ answer: null, abstained: true });
	});

	test("keeps to the interface", async () => {
		expect(await agentProblems(agent, { model: () => scriptedModel((_, n) => (n < 2 ? search : answer)) })).toEqual([]);
		expect(await agentProblems(agent, { model: () => scriptedModel(() => twice) })).toEqual([]);
	});

	test("over HTTP, pictures of results and crops go over the wire", async () => {
		const script = [look, crop([0, 0, 500, 500], 0), answer].map((reply) =>
			typeof reply === "string" ? reply : { is: "reply", text: "", ...reply },
		);
		const server = await replyServer(script as never);
		try {
			const model = createChatModel(`openai:toy@${server.url}`, {});
			const task = toyTask("image-chain");
			const scene = { task, model, setting: "search+crop" };
			expect(await onStage(agent, scene, (context) => agent.answer(viewOf(task), context))).toMatchObject({
				answer: "b",
				stop: "answered",
			});
			const pictures = server.requests.map(({ body }) => JSON.stringify(body).split("data:image/jpeg").length - 1);
			expect(pictures).toEqual([1, 2, 3]);
		} finally {
			await server.close();
		}
	});
});

describe("SenseNova-MARS's words", () => {
	const observations = async (reply: Replies[number], scene: Parameters<typeof play>[2] = {}) =>
		(await play(arenaMars, [reply, "<answer>b</answer>"], { setting: "search+crop", ...scene })).trajectory.messages[3];

	test("a zoom", async () => {
		const message = await observations(
			told(["image_zoom_in_tool", { bbox_2d: [0, 0, 500, 500], label: "x", img_idx: 0 }]),
		);
		expect(message?.content).toEqual([
			{ type: "text", text: "<tool_response>\nHere is the zoomed image:" },
			{ type: "image", file: "question.png#xywh=0,0,150,100" },
			{ type: "text", text: "\n</tool_response>" },
		]);
	});
	test("an image search", async () => {
		expect((await observations(told(["image_search_tool", {}])))?.content).toEqual([
			{ type: "text", text: "<tool_response>\nReverse Image Search Results:" },
			{ type: "text", text: "\n\nTitle 1: Flag of Velmora\nThumbnail 1: " },
			{ type: "image", file: "velmora/flag" },
			{ type: "text", text: "\n</tool_response>" },
		]);
	});
	test.each<[string, string, string, object?]>([
		[
			"nothing alike",
			told(["image_search_tool", {}]),
			"No matching images were found.",
			{ image_search_by_image: async () => ({ results: [] }) },
		],
		["an unknown tool", told(["launch", {}]), "Error: Unknown tool 'launch'."],
		[
			"a bad box",
			told(["image_zoom_in_tool", { bbox_2d: [1], label: "x", img_idx: 0 }]),
			"Error: Invalid bbox format.",
		],
		["no query", told(["text_search_tool", { query: "" }]), "Error: Search not available."],
		["broken JSON", "<tool_call>{</tool_call>", "Error: Invalid tool call format."],
	])("%s", async (_name, reply, words, tools) => {
		const message = await observations(reply, tools ? { tools } : {});
		expect(textOf(message)).toBe(`<tool_response>\n${words}\n</tool_response>`);
	});
	test("its tools, as they are told", async () => {
		const { trajectory } = await play(arenaMars, ["<answer>b</answer>"], { setting: "search+crop" });
		const [system, user] = trajectory.messages.map(textOf);
		const tools = (/<tools>\n([\s\S]*?)\n<\/tools>/.exec(system ?? "")?.[1] ?? "")
			.split("\n")
			.map((line) => JSON.parse(line) as { function: { name: string; parameters: { required: string[] } } });
		expect(tools.map((tool) => [tool.function.name, tool.function.parameters.required])).toEqual([
			["image_zoom_in_tool", ["bbox_2d", "label", "img_idx"]],
			["text_search_tool", ["query"]],
			["image_search_tool", []],
		]);
		expect(user).toMatch(/^\[question\.png\]\nQuestion: /);
	});
	test("live, the web stands behind the same names", async () => {
		const { trajectory } = await play(arenaMars, [told(["text_search_tool", { query: "x" }]), "<answer>b</answer>"], {
			setting: "live",
			tools: { web_search: async () => ({ results: [] }) },
		});
		expect(trajectory.steps[0]?.call).toMatchObject({ tool: "web_search", valid: true });
	});
});

test("what stands behind the first call stays out of the history", async () => {
	const reply = `${told(["text_search_tool", { query: "Quill" }])}\n<answer>guess</answer>`;
	const { trajectory } = await play(arenaMars, [reply, "<answer>b</answer>"]);
	expect(trajectory.answer).toBe("b");
	expect(JSON.stringify(trajectory.messages)).not.toContain("guess");
	expect(trajectory.steps[0]?.dropped).toBe("<answer>guess</answer>".length);
});

test("every form has a hash of its own", () => {
	expect(new Set(forms.map(({ agent }) => agent.promptHash)).size).toBe(3);
});
