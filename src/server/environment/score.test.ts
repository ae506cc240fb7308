import { expect, test } from "vitest";
import { createPlaygrounds } from "../../../test/support/server/environment.ts";

const playground = createPlaygrounds();
const first = "<think>a</think><text_search>capital of Velmora</text_search>";
const found = "<information>\n1. Velmora: <answer>Quill</answer>\n</information>";
const last = "<think>b</think><answer>Anna Rehn</answer>";

test("an episode's own trajectory, its replies and its whole response are paid alike", async () => {
	const { ask, act, open, sessions } = await playground();
	const id = await open("text-chain");
	await act(id, { say: first });
	const { reward } = (await act(id, { say: last })).json;
	const trajectory = (await sessions.get(id)).trajectory();
	const played = await ask("POST", "/score", { task: "text-chain", trajectory });
	const { value, ...components } = reward;
	expect(played.json).toEqual({ reward: value, components, valid: true, reasons: [] });
	expect(value).toBe(2.25);
	const unknown = {
		reward: value,
		components: { ...components, newCalls: null, failedCalls: null },
		valid: true,
		reasons: [],
	};
	const text = `${first}\n\n${found}\n\n${last}`;
	const skipped = `${first}\nuser\n${found}\nassistant\n${last}`;
	const messages = [
		{ role: "user", content: "Question" },
		{ role: "assistant", content: first },
		{ role: "user", content: found },
		{ role: "assistant", content: [{ type: "text", text: last }] },
	];
	for (const body of [
		{ task: "text-chain", text },
		{ task: "text-chain", text: skipped },
		{ task: "text-chain", messages },
		{
			data_source: "toy",
			solution_str: text,
			ground_truth: { target: "x" },
			extra_info: { task: "text-chain", index: 0 },
		},
	])
		expect((await ask("POST", "/score", body)).json).toEqual(unknown);
});

test("says why the format is not kept, and that there is no answer", async () => {
	const { ask } = await playground();
	const score = async (text: string) => (await ask("POST", "/score", { task: "text-chain", text })).json;
	expect(await score(`hm${found}${last}`)).toMatchObject({
		reward: 1,
		valid: false,
		reasons: [expect.stringMatching(/^step 1: no-action: /)],
	});
	expect(await score(`${last} and more`)).toMatchObject({
		reward: 1,
		valid: false,
		reasons: ["step 1: 8 characters stand behind its action"],
	});
	// the first answer counts; a policy that goes on after it loses the format
	expect(await score(`${last}${found}${first}`)).toMatchObject({ reward: 1, valid: false });
	expect(await score(first)).toMatchObject({ reward: 1, valid: true, reasons: ["no answer was given: turn-limit"] });
	// what stands in an observation answers nothing
	expect((await score(`${first}${found}`)).components.outcome).toBe(0);
	expect(await score("<think>a</think><answer>Quill</answer>")).toMatchObject({ reward: 1, valid: true });
});

test("what breaks the published form is told; lenient, it costs nothing", async () => {
	const messages = [{ role: "assistant", content: "I know. </think><answer>Anna Rehn</answer>" }];
	const item = { task: "text-chain", messages };
	const { ask } = await playground();
	expect((await ask("POST", "/score", item)).json).toMatchObject({
		...{ reward: 1, valid: false },
		reasons: [
			"step 1: words stand outside the tags",
			"step 1: a tag has no partner, or stands within another",
			"step 1: no thought stands in its tags",
		],
	});
	const apart = [{ role: "assistant", content: "<answer>Anna Rehn</answer>", reasoning_content: "I know." }];
	expect((await ask("POST", "/score", { task: "text-chain", messages: apart })).json).toMatchObject({ reward: 2 });
	const lenient = await playground({ reward: { format: "lenient" } });
	expect((await lenient.ask("POST", "/score", item)).json).toMatchObject({ reward: 2, valid: true, reasons: [] });
});

test("calls in the provider's form", async () => {
	const { ask } = await playground({ agent: "function-calling" });
	const call = (name: string, given: string) => ({ id: name, type: "function", function: { name, arguments: given } });
	const messages = [
		{ role: "assistant", content: null, tool_calls: [call("text_search", '{"query": "Velmora"}')] },
		{ role: "tool", tool_call_id: "text_search", content: "…" },
		{ role: "assistant", content: "", tool_calls: [call("image_crop", '{"image": 1, "box": [0, 0, 500, 500]}')] },
		{ role: "assistant", content: "Answer: Song of the Bay" },
	];
	expect((await ask("POST", "/score", { task: "image-chain", messages })).json).toMatchObject({
		reward: 2.5,
		components: { validCalls: 2, invalidCalls: 0 },
	});
	const text = await ask("POST", "/score", { task: "image-chain", text: "Answer: Song of the Bay" });
	expect([text.status, text.json.error.code]).toEqual([422, "no-text-form"]);
});

test("what cannot be scored is an error with its status, never a 0", async () => {
	const { ask } = await playground();
	const trajectory = {
		steps: [],
		answer: null,
		abstained: false,
		usage: { calls: 0, inputTokens: 0, outputTokens: 0 },
		ms: 1,
	};
	const failed = { ...trajectory, stop: "error", error: { boundary: "tool", message: "gone" } };
	const searches = Array.from({ length: 7 }, () => first).join(found);
	for (const [body, status, code] of [
		[{ task: "text-chain", trajectory: failed }, 422, "unscored"],
		[{ task: "text-chain", text: searches }, 422, "too-many-turns"],
		[{ task: "text-chain", text: " " }, 422, "nothing-said"],
		[{ task: "none", text: last }, 404, "unknown-task"],
		[{ task: "text-chain" }, 400, "bad-request"],
		[{ task: "text-chain", text: 1 }, 400, "bad-request"],
		[{ solution_str: last }, 400, "bad-request"],
		[{ task: "text-chain", trajectory: { steps: 1 } }, 400, "bad-request"],
	] as const) {
		const reply = await ask("POST", "/score", body);
		expect([code, reply.status, reply.json.error?.code]).toEqual([code, status, code]);
		expect(reply.json.reward).toBeUndefined();
	}
	const counting = await playground({ reward: { calls: "new" } });
	const reply = await counting.ask("POST", "/score", { task: "text-chain", text: `${first}${found}${last}` });
	expect([reply.status, reply.json.error.code]).toEqual([422, "results-unknown"]);
	const judged = await playground({ reward: { isRight: () => Promise.reject(new Error("away")) } });
	const away = await judged.ask("POST", "/score", { task: "text-chain", text: last });
	expect([away.status, away.json.error.code]).toEqual([503, "reward-failed"]);
});

test("a batch: each item its own outcome", async () => {
	const { ask } = await playground();
	const good = { task: "text-chain", text: last };
	const { json } = await ask("POST", "/score/batch", { items: [good, { task: "none", text: last }, good] });
	expect(
		json.items.map((item: { reward?: number; error?: { code: string } }) => item.reward ?? item.error?.code),
	).toEqual([2, "unknown-task", 2]);
	expect((await ask("POST", "/score/batch", { items: [{ task: "none", text: last }] })).status).toBe(404);
	expect((await ask("POST", "/score/batch", { items: [] })).json).toEqual({ items: [] });
	expect((await ask("POST", "/score/batch", [])).status).toBe(400);
});

test("a batch is taken whole, however few places there are to wait", async () => {
	const { ask } = await playground({ server: { concurrency: 1, queue: 2 } });
	const items = Array(40).fill({ task: "text-chain", text: "<think>a</think><answer>Anna Rehn</answer>" });
	const { status, json } = await ask("POST", "/score/batch", { items });
	expect(status).toBe(200);
	expect(new Set(json.items.map(({ reward }: { reward?: number }) => reward))).toEqual(new Set([2]));
});
