import { describe, expect, test } from "vitest";
import { Setting, type TaskView, Trajectory } from "#domain";
import { type ChatRequest, scriptedModel } from "#models";
import type { AgentContext } from "../agent-context.ts";
import { createPool } from "../pool.ts";
import { type Call, invalidCall } from "../tools/tool-call.ts";
import { toyEvidence } from "../toy-world.ts";
import { converse } from "./conversation.ts";
import { type Budget, type Dialogue, mostRepliesOf, type Reading, textMessage } from "./protocol.ts";
import { saidBy } from "./session.ts";

const view: TaskView = { id: "t", question: "Who founded Tessin Bay?", language: "en", images: [] };

/** The plainest protocol there is: `search X`, `search X and Y`, `answer X`, `hm`; all else is invalid. */
function plain(budget: Budget, more: Partial<Dialogue> = {}): Dialogue {
	const callFor = (query: string): Call => ({ is: "call", tool: "text_search", arguments: { query, k: 2 } });
	return {
		opening: [textMessage("system", "Speak plainly."), textMessage("user", view.question)],
		budget,
		read(reply): Reading {
			const [, word = "", rest = ""] = /^(\S+) ?(.*)$/s.exec(reply.text) ?? [];
			const said = saidBy(reply);
			if (word === "answer") return { said, move: { is: "answer", text: rest } };
			if (word === "hm") return { said, move: { is: "silent" }, plan: "think first" };
			if (word === "search") return { said, move: { is: "calls", calls: rest.split(" and ").map(callFor) } };
			return {
				said,
				move: { is: "calls", calls: [invalidCall("no-action", "say it plainly", { written: reply.text })] },
			};
		},
		respond: ({ outcomes, last }) => {
			const parts = outcomes.map((one) => (one.is === "found" ? one.results.map(({ id }) => id).join() : "no"));
			return [textMessage("user", `${parts.join(" | ") || "go on"}${last ? " (last)" : ""}`)];
		},
		...more,
	};
}

async function talk(replies: string[], dialogue: Dialogue, setting: Partial<Setting> = {}) {
	const requests: ChatRequest[] = [];
	const model = scriptedModel((request, n) => {
		requests.push(request);
		return replies[n] ?? "search on";
	});
	const context: AgentContext = {
		tools: createPool(toyEvidence),
		knowledge: undefined as unknown as AgentContext["knowledge"],
		model,
		setting: Setting.parse({ name: "test", ...setting }),
		signal: new AbortController().signal,
		repeat: 0,
		imagePath: (file) => file,
	};
	const trajectory = Trajectory.parse(await converse(view, context, () => dialogue));
	return { trajectory, requests, lastWords: lastText(requests.at(-1)) };
}

function lastText(request: ChatRequest | undefined): string {
	const part = request?.messages.at(-1)?.content.at(-1);
	return part?.type === "text" ? part.text : "";
}

describe("budgets", () => {
	test.each([
		["observations", 2, ["search a", "nonsense", "answer x"], 3, "answered"],
		["observations", 2, ["search a", "hm", "search b"], 3, "turn-limit"],
		["replies", 2, ["search a", "search b"], 3, "turn-limit"],
		["calls", 2, ["search a and b"], 2, "turn-limit"],
		["calls", 2, ["hm", "hm", "search a", "nonsense", "answer x"], 5, "answered"],
	] as const)("%s ≤ %i with a last answer: %j", async (counts, limit, replies, calls, stop) => {
		const { trajectory, lastWords } = await talk([...replies], plain({ counts, limit, lastAnswer: true }));
		expect(trajectory).toMatchObject({ stop, usage: { calls } });
		expect(lastWords).toMatch(/\(last\)$/);
	});

	test.each([
		["observations", ["search a", "search b"], 2],
		["replies", ["search a", "nonsense"], 2],
		["calls", ["search a", "hm", "search b"], 3],
	] as const)("%s ≤ 2 without a last answer ends when it is spent", async (counts, replies, calls) => {
		const { trajectory, lastWords } = await talk([...replies], plain({ counts, limit: 2, lastAnswer: false }));
		expect(trajectory).toMatchObject({ stop: "turn-limit", answer: null, abstained: false, usage: { calls } });
		expect(lastWords).not.toMatch(/last/);
	});

	test("silence one after another ends it, and a call begins the count anew", async () => {
		const budget = { counts: "calls", limit: 9, lastAnswer: false, silence: 3 } as const;
		const { trajectory } = await talk(["hm", "hm", "search a", "hm", "hm", "hm"], plain(budget));
		expect(trajectory).toMatchObject({ stop: "no-call-limit", plan: "think first", usage: { calls: 6 } });
	});

	test("whatever a protocol counts, a model that never answers comes to an end", async () => {
		const endless = plain({ counts: "calls", limit: 1, lastAnswer: false });
		const { trajectory } = await talk(
			Array.from({ length: 500 }, () => "hm"),
			endless,
		);
		expect(trajectory.stop).toBe("turn-limit");
		expect(trajectory.usage.calls).toBe(mostRepliesOf(endless.budget));
	});

	test("the reply that could only answer carries nothing out", async () => {
		const { trajectory } = await talk(
			["search a", "search b"],
			plain({ counts: "observations", limit: 1, lastAnswer: true }),
		);
		expect(trajectory.steps.map(({ call }) => call?.valid)).toEqual([true, false]);
		expect(trajectory.steps[1]).toMatchObject({ results: [], error: "no-search-left: the last turn may only answer" });
	});
});

describe("what is recorded", () => {
	test("calls of one reply are steps in their order; the reply's cost stands on the first", async () => {
		const { trajectory } = await talk(
			["search Tessin and Velmora", "answer Anna Rehn"],
			plain({ counts: "replies", limit: 5, lastAnswer: false }),
		);
		const [first, second, third] = trajectory.steps;
		expect([first?.call?.arguments.query, second?.call?.arguments.query]).toEqual(["Tessin", "Velmora"]);
		expect(first?.usage?.calls).toBe(1);
		expect(second?.usage).toBeUndefined();
		expect(third).toMatchObject({ results: [], usage: { calls: 1 } });
		expect(trajectory).toMatchObject({ answer: "Anna Rehn", usage: { calls: 2 } });
	});

	test("an answer to a sub-question belongs to the search before it", async () => {
		const dialogue = plain({ counts: "replies", limit: 5, lastAnswer: false });
		const read: Dialogue["read"] = (reply) => ({ ...dialogue.read(reply), subAnswer: "Anna" });
		const { trajectory } = await talk(["search Tessin", "answer Anna"], { ...dialogue, read });
		expect(trajectory.steps.map(({ subAnswer }) => subAnswer)).toEqual(["Anna", undefined]);
	});

	test("an answer to a sub-question that was not searched for stays with it", async () => {
		const dialogue = plain({ counts: "replies", limit: 5, lastAnswer: false });
		const replies = new Map<string, Partial<Reading>>([
			["hm", { subQuestion: "Which bay?" }],
			["answer x", { subAnswer: "Tessin" }],
		]);
		const read: Dialogue["read"] = (reply) => ({ ...dialogue.read(reply), ...replies.get(reply.text) });
		const { trajectory } = await talk(["search Tessin", "hm", "answer x"], { ...dialogue, read });
		expect(trajectory.steps.map(({ subAnswer }) => subAnswer)).toEqual([undefined, "Tessin", undefined]);
	});

	test("a call that the tools refuse is the model's mistake, not an error", async () => {
		const dialogue = plain({ counts: "replies", limit: 5, lastAnswer: false });
		const read: Dialogue["read"] = (reply) =>
			reply.text === "crop"
				? { said: saidBy(reply), move: { is: "calls", calls: [{ is: "call", tool: "image_crop", arguments: {} }] } }
				: dialogue.read(reply);
		const { trajectory } = await talk(["crop", "answer x"], { ...dialogue, read });
		expect(trajectory).toMatchObject({ stop: "answered", answer: "x" });
		expect(trajectory.steps[0]).toMatchObject({ call: { tool: "image_crop", valid: false }, error: /not offered/ });
	});

	test("tools stay declared and the choice is made reply by reply", async () => {
		const tools = [{ name: "text_search", description: "search", parameters: { type: "object" } }];
		const more = { tools, toolChoice: (n: number) => (n === 0 ? "none" : "auto") } as const;
		const { requests } = await talk(
			["hm", "answer x"],
			plain({ counts: "replies", limit: 5, lastAnswer: false }, more),
		);
		expect(requests.map(({ toolChoice }) => toolChoice)).toEqual(["none", "auto"]);
		expect(requests.every((request) => request.tools === tools)).toBe(true);
	});
});

describe("the history only grows at its end", () => {
	test("as turns", async () => {
		const { requests } = await talk(
			["search a", "", "hm", "answer x"],
			plain({ counts: "replies", limit: 9, lastAnswer: false }),
		);
		const texts = requests.map(({ messages }) => JSON.stringify(messages));
		for (const [n, text] of texts.entries()) expect(text.startsWith((texts[n - 1] ?? "[]").slice(0, -1))).toBe(true);
		expect(requests.at(-1)?.messages).toHaveLength(8);
	});

	test("as one message that goes on", async () => {
		const { requests, trajectory } = await talk(
			["search Tessin", "hm", "answer x"],
			plain({ counts: "replies", limit: 9, lastAnswer: false }),
			{ form: "continued" },
		);
		expect(requests.map(({ continues }) => continues)).toEqual([undefined, true, true]);
		expect(requests.map(({ messages }) => messages.length)).toEqual([2, 3, 3]);
		const [, second = "", third = ""] = requests.map(lastText);
		expect(third.startsWith(second)).toBe(true);
		expect(second).toMatch(/^search Tessin\n\ntessin\/article/);
		expect(trajectory.messages).toHaveLength(3);
		expect(JSON.stringify(trajectory.messages)).toContain("answer x");
	});
});
