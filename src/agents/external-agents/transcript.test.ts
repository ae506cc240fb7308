import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Step } from "#domain";
import type { ChatMessage } from "#models";
import { createRecorder } from "../driver/recorder.ts";
import type { Tools } from "../tools/tools.ts";
import type { ModelReply } from "./dialects/dialect.ts";
import { createTranscript } from "./transcript.ts";

const say = (role: ChatMessage["role"], text: string): ChatMessage => ({ role, content: [{ type: "text", text }] });
const reply = (text: string, ...names: string[]): ModelReply => ({
	text,
	calls: names.map((name, n) => ({ id: `c${n}`, name, arguments: "{}" })),
	usage: { calls: 1, inputTokens: 10, outputTokens: 1 },
	model: "wise",
});

function opened() {
	const kept = new Map<string, string[]>();
	const recorder = createRecorder({} as Tools, { signal: new AbortController().signal });
	const transcript = createTranscript(
		{
			recorder,
			keep: (messages, { conversation = "" } = {}) =>
				void kept.set(
					conversation,
					messages.map(({ role }) => role),
				),
		},
		{ images: new Map([[createHash("sha256").update("bytes").digest("hex"), "images/q.png"]]) },
	);
	const step = (tool: string): Step =>
		recorder.note({ ...transcript.about(tool), call: { tool, arguments: {}, valid: true } });
	return { kept, recorder, transcript, step };
}

test("a conversation that goes on is one, its replies go to the steps that follow them", () => {
	const { kept, recorder, transcript, step } = opened();
	const first = [say("system", "s"), say("user", "q")];
	transcript.answered(transcript.asked({ messages: first }), reply("A plan."), { ms: 5 });
	const second = [...first, say("assistant", "A plan. "), say("user", "Go on.")];
	const conversation = transcript.asked({ messages: second });
	transcript.answered(conversation, reply("Look.", "mcp__hopscope__text_search", "hopscope-page_search"), { ms: 7 });
	step("page_search");
	step("text_search");
	step("text_search");
	transcript.answered(
		transcript.asked({ messages: [...second, say("assistant", "Look."), say("tool", "r")] }),
		reply("Quill"),
		{ ms: 1 },
	);
	transcript.close();
	expect(recorder.steps.map(({ thought, call, ms, usage }) => [thought, call?.tool, ms, usage?.calls])).toEqual([
		["A plan.", undefined, 5, 1],
		["Look.", "page_search", 7, 1],
		[undefined, "text_search", 0, undefined],
		[undefined, "text_search", 0, undefined],
		[undefined, undefined, 1, 1],
	]);
	expect([...kept]).toEqual([["", ["system", "user", "assistant", "user", "assistant", "tool", "assistant"]]]);
	expect(transcript.usage).toEqual({ calls: 3, inputTokens: 30, outputTokens: 3 });
	expect(transcript.models).toEqual(["wise"]);
});

test("parts of an agent that speak at the same time keep their own conversations and steps", () => {
	const { kept, recorder, transcript, step } = opened();
	const one = transcript.asked({ messages: [say("system", "planner"), say("user", "q")] });
	const two = transcript.asked({ messages: [say("system", "reader"), say("user", "q")] });
	transcript.answered(one, reply("From one.", "page_search"), { ms: 0 });
	transcript.answered(two, reply("From two.", "text_search"), { ms: 0 });
	step("page_search");
	step("text_search");
	transcript.close();
	expect(recorder.steps.map(({ thought, role }) => [thought, role])).toEqual([
		["From one.", undefined],
		["From two.", "conversation 2"],
	]);
	expect([...kept.keys()]).toEqual(["", "2"]);
});

test("a request that names the reply it goes on from has that conversation before it", () => {
	const { kept, transcript } = opened();
	transcript.answered(transcript.asked({ messages: [say("user", "q")] }), { ...reply("a"), id: "r1" }, { ms: 0 });
	transcript.answered(transcript.asked({ messages: [say("user", "more")], previous: "r1" }), reply("b"), { ms: 0 });
	transcript.asked({ messages: [say("user", "lost")], previous: "unknown" });
	expect([...kept]).toEqual([
		["", ["user", "assistant", "user", "assistant"]],
		["2", ["user"]],
	]);
});

test("images are kept by name", () => {
	const { transcript } = opened();
	const file = (address: string) => (transcript.image(address) as { file: string }).file;
	expect(file(`data:image/png;base64,${Buffer.from("bytes").toString("base64")}`)).toBe("images/q.png");
	expect(file("data:image/png;base64,eA==")).toBe(`sha256:${createHash("sha256").update("x").digest("hex")}`);
	expect(file("https://example.org/a.png")).toBe("https://example.org/a.png");
});

test("what leads to the last reply's answer is a thought; without a marked answer all of it is one, and no thought", () => {
	const said = (text: string) => {
		const { recorder, transcript } = opened();
		transcript.answered(transcript.asked({ messages: [say("user", "q")] }), reply(text), { ms: 0 });
		transcript.close();
		return recorder.steps.map(({ thought }) => thought);
	};
	expect(said("It was founded in 1901.\nSo the page says.\n**Answer:** 1901")).toEqual([
		"It was founded in 1901.\nSo the page says.",
	]);
	expect(said("Answer: 1901")).toEqual([undefined]);
	expect(said("It was founded in 1901.")).toEqual([undefined]);
});
