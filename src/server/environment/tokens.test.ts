import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { answer, createPlaygrounds, search } from "../../../test/support/server/environment.ts";
import { readEvents, resultOf } from "../../../test/support/server/open-reward.ts";

const playground = createPlaygrounds();
const tokens = { token: "of-the-trainer", policyToken: "of-the-policy" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const [trainer, policy] = [bearer(tokens.token), bearer(tokens.policyToken)];
/** What only whoever knows the gold could say. */
const gold = /Rehn|requiredHops|outcome|"reward":\d/;

test("a policy opens an episode and acts; the trainer alone sees what it is worth", async () => {
	const { ask } = await playground({ server: tokens });
	const seen: string[] = [];
	const act = async (move: object) => {
		const reply = await ask("POST", "/v1/episodes/one/act", { ...move, request: String(seen.length) }, policy);
		expect(reply.status).toBe(200);
		seen.push(reply.text);
		return reply.json;
	};
	seen.push((await ask("POST", "/v1/episodes", { task: "text-chain", id: "one" }, policy)).text);
	await act(search("capital of Velmora"));
	const end = await act(answer("Somebody Else"));
	expect([end.over, end.valid, end.reward]).toEqual([true, true, undefined]);
	seen.push((await ask("GET", "/v1/episodes/one", undefined, policy)).text);
	expect(seen.join("\n")).not.toMatch(gold);
	const { json } = await ask("GET", "/v1/episodes/one", undefined, trainer);
	expect(json.step.reward).toMatchObject({ value: 1, outcome: 0, requiredHops: 2 });
	expect((await ask("DELETE", "/v1/episodes/one", undefined, policy)).json).toMatchObject({ ended: true });
});

test("everything but playing is the trainer's, whatever spelling the token comes in", async () => {
	const { ask, server } = await playground({ server: tokens });
	const played =
		/^\S+ \/(v1\/(environment|episodes)|mcp|openenv|seed_session|\*|create|call|ping|delete|prompt|messages)/;
	const ofOpenReward = /\/(list_environments|version|tools|task_tools|splits|tasks|num_tasks|task|task_range)$/;
	const others = server.routes.filter(
		(route) =>
			!route.startsWith("WEBSOCKET") && !route.endsWith("/health") && !played.test(route) && !ofOpenReward.test(route),
	);
	expect(others).toEqual(
		expect.arrayContaining(["POST /score", "POST /score/batch", "POST /verify", "POST /retrieve", "POST /v1/search"]),
	);
	for (const route of others) {
		const [method = "", path = ""] = route.split(" ");
		const refused = await ask(method, path.replaceAll("*", "x"), method === "POST" ? {} : undefined, policy);
		expect([route, refused.status, refused.json.error.code]).toEqual([route, 403, "trainers-only"]);
	}
	const basic = { authorization: `Basic ${Buffer.from(`any:${tokens.policyToken}`).toString("base64")}` };
	for (const headers of [basic, { "x-api-key": tokens.policyToken }])
		expect((await ask("POST", "/score", {}, headers)).status).toBe(403);
	for (const headers of [{}, bearer(`${tokens.policyToken} `.repeat(2)), bearer(""), bearer("of-the-trainer2")])
		expect((await ask("POST", "/v1/episodes", { task: "text-chain" }, headers)).status).toBe(401);
	const scored = { task: "text-chain", messages: [{ role: "assistant", content: answer("Anna Rehn").say }] };
	expect((await ask("POST", "/score", scored, trainer)).json.reward).toBe(2);
	// health says that it answers, and no more
	expect((await ask("GET", "/health", undefined, policy)).json).toEqual({ ok: true, status: "healthy" });
});

test("the standards' episodes tell a policy no reward either", async () => {
	const { ask, server } = await playground({ server: tokens });
	const told: string[] = [];
	// Open Reward Standard
	const named = { "x-session-id": "ors", "x-api-key": tokens.policyToken };
	expect((await ask("POST", "/create", { task_spec: { id: "text-chain" } }, named)).status).toBe(200);
	const called = await ask("POST", "/call", { name: "say", input: { text: answer("Anna Rehn").say } }, named);
	const output = resultOf(readEvents(called.text)) as { output: { reward: number | null; finished: boolean } };
	expect(output.output).toMatchObject({ reward: null, finished: true });
	told.push(called.text);
	expect((await ask("GET", "/v1/episodes/ors", undefined, trainer)).json.step.reward.value).toBe(2);
	// OpenEnv
	const socket = new WebSocket(`${server.url.replace("http", "ws")}/openenv/ws`, { headers: policy });
	onTestFinished(() => socket.terminate());
	await once(socket, "open");
	async function send(type: string, data: object) {
		const answered = once(socket, "message");
		socket.send(JSON.stringify({ type, data }));
		return String((await answered)[0]);
	}
	told.push(await send("reset", { task: "text-chain" }), await send("step", { message: answer("Anna Rehn").say }));
	expect(JSON.parse(told.at(-1) ?? "").data).toMatchObject({ reward: null, done: true });
	// NeMo Gym, whose verifying is the trainer's
	const cookie = (await ask("POST", "/seed_session", { task: "text-chain" }, policy)).headers.get("set-cookie") ?? "";
	const message = { type: "message", content: [{ type: "output_text", text: answer("Anna Rehn").say }] };
	const verify = (headers: object) =>
		ask("POST", "/verify", { response: { output: [message] } }, { cookie: cookie.split(";")[0] ?? "", ...headers });
	expect((await verify(policy)).status).toBe(403);
	expect((await verify(trainer)).json.reward).toBe(2);
	const echoed = answer("Anna Rehn").say;
	expect(told.map((text) => text.replaceAll(echoed, "")).join("\n")).not.toMatch(gold);
});

test("a policy's token needs a trainer's beside it; one token alone is everybody's, as before", async () => {
	await expect(playground({ server: { policyToken: "a" } })).rejects.toMatchObject({ code: "no-trainers-token" });
	await expect(playground({ server: { token: "a", policyToken: "a" } })).rejects.toMatchObject({ exitCode: 2 });
	const { ask } = await playground({ server: { token: "a" } });
	await ask("POST", "/v1/episodes", { task: "text-chain", id: "one" }, bearer("a"));
	const end = await ask("POST", "/v1/episodes/one/act", answer("Anna Rehn"), bearer("a"));
	expect(end.json.reward.value).toBe(2);
});
