import { expect, test } from "vitest";
import { toyEvidence } from "#agents";
import { fakeKnowledge } from "#knowledge";
import { longTest } from "../../../test/long.ts";
import { createPlaygrounds, type Playground } from "../../../test/support/server/environment.ts";

const playground = createPlaygrounds();
const message = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const call = { type: "function_call", name: "text_search", arguments: "{}", call_id: "a" };

/** As their simple agent does: the cookies of the last answer go with the next request. */
async function rollout({ ask }: Playground, task: string) {
	let cookie = (await ask("POST", "/seed_session", { task, responses_create_params: { input: [] } })).headers.get(
		"set-cookie",
	);
	const post = async (path: string, body: unknown) => {
		const reply = await ask("POST", path, body, { cookie: cookie?.split(";")[0] ?? "" });
		if (reply.status === 200) cookie = reply.headers.get("set-cookie");
		return reply;
	};
	const verify = (output: object[], more: object = {}) =>
		post("/verify", { task, responses_create_params: { input: [] }, response: { id: "r", output, ...more } });
	return { post, verify };
}

test("a rollout: seed, tools by their names, verify", async () => {
	const at = await playground({ agent: "function-calling" });
	const { post, verify } = await rollout(at, "text-chain");
	const found = await post("/text_search", { query: "capital of Velmora" });
	expect(found.headers.get("content-type")).toMatch(/^text\/plain/);
	expect(found.text).toContain("Tessin Bay");
	expect((await post("/no_such_tool", {})).text).toContain("Error");
	await post("/text_search", { query: "who founded Tessin Bay", k: null });
	const output = [call, { type: "function_call_output", output: "…" }, message("Answer: Anna Rehn")];
	const verified = await verify(output);
	expect(verified.json).toMatchObject({
		task: "text-chain",
		response: { id: "r", output },
		reward: 1,
		reward_components: { outcome: 1, format: 0, validCalls: 2, invalidCalls: 1 },
		outcome: 1,
	});
	expect((await verify(output)).text).toBe(verified.text);
});

test("a rollout that stops without an answer is paid as one, one that broke is an error", async () => {
	const at = await playground({ agent: "function-calling" });
	const stopped = await rollout(at, "text-chain");
	// the call never came: a policy that took no turn wrote nothing well
	expect((await stopped.verify([call])).json).toMatchObject({ reward: 0, outcome: 0 });
	const gone = { ...fakeKnowledge(toyEvidence), search: () => Promise.reject(new Error("gone")) };
	const broken = await rollout(await playground({ agent: "function-calling", knowledge: gone }), "text-chain");
	expect((await broken.post("/text_search", { query: "x" })).status).toBe(500);
	const refused = await broken.verify([message("Answer: Anna Rehn")]);
	expect([refused.status, refused.json.error.code]).toEqual([500, "tool-failed"]);
	expect(refused.json.reward).toBeUndefined();
	const cutOff = await broken.verify([call]);
	expect([cutOff.status, cutOff.json.error.code, cutOff.json.reward]).toEqual([500, "tool-failed", undefined]);
});

test("sessions are kept apart, and nothing is answered without one", async () => {
	const at = await playground({ agent: "function-calling" });
	const [one, two] = [await rollout(at, "text-chain"), await rollout(at, "text-chain")];
	await one.post("/text_search", { query: "Velmora" });
	expect((await two.verify([message("Answer: Anna Rehn")])).json).toMatchObject({ reward: 2, validCalls: 0 });
	expect((await one.verify([message("Answer: Anna Rehn")])).json).toMatchObject({ reward: 2.25, validCalls: 1 });
	for (const path of ["/text_search", "/verify", "/anything/else"])
		expect((await at.ask("POST", path, { response: { output: [] } })).status).toBe(404);
	expect((await at.ask("POST", "/seed_session", {})).status).toBe(400);
});

longTest("means by task and over all, and whether responses can be verified again", async () => {
	const { ask } = await playground();
	const rows = [
		{ _ng_task_index: 0, reward: 2, outcome: 1 },
		{ _ng_task_index: 0, reward: 1, outcome: 0 },
		{ _ng_task_index: 1, reward: 0, outcome: 0, more: "x" },
	];
	const { json } = await ask("POST", "/aggregate_metrics", { verify_responses: rows });
	expect(json.group_level_metrics).toMatchObject([
		{ _ng_task_index: 0, "mean/reward": 1.5, "max/reward": 2, "min/reward": 1 },
		{ _ng_task_index: 1, "mean/reward": 0 },
	]);
	expect(json.agent_metrics).toMatchObject({ "mean/reward": 1, "mean/outcome": 1 / 3 });
	expect(json.key_metrics).toEqual({ "mean/reward": 1 });
	expect((await ask("POST", "/aggregate_metrics", { verify_responses: [] })).json.key_metrics).toEqual({
		"mean/reward": null,
	});
	expect((await ask("GET", "/reverify_mode")).json).toBe("unsupported");
	// a name that every object has by inheritance
	const odd = '{"verify_responses":[{"reward":1,"constructor":1},{"reward":2}]}';
	const shared = Object.keys((await ask("POST", "/aggregate_metrics", odd)).json.agent_metrics);
	expect(shared).toEqual(["mean/reward", "min/reward", "max/reward"]);
	// quadratic it would take minutes
	const many = { verify_responses: Array(300_000).fill({ reward: 1 }) };
	expect((await ask("POST", "/aggregate_metrics", many)).json.key_metrics).toEqual({ "mean/reward": 1 });
});
