import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ClientOptions, WebSocket } from "ws";
import { toyEvidence, toyTasks } from "#agents";
import { fakeKnowledge } from "#knowledge";
import { longTest } from "../../../test/long.ts";
import { createPlaygrounds } from "../../../test/support/server/environment.ts";

const playground = createPlaygrounds();
type Options = NonNullable<Parameters<typeof playground>[0]>;

/** A client as the openenv package's: one message, one answer. */
async function connect(url: string, options: ClientOptions = {}) {
	const socket = new WebSocket(url.replace("http", "ws"), options);
	onTestFinished(() => socket.terminate());
	await once(socket, "open");
	async function raw(message: string) {
		const answered = once(socket, "message");
		socket.send(message);
		return JSON.parse(String((await answered)[0]));
	}
	const ask = (type: string, data?: unknown) => raw(JSON.stringify({ type, data }));
	return { socket, raw, ask, step: (data: unknown) => ask("step", data) };
}

async function served(options: Options = {}) {
	const at = await playground(options);
	const url = `${at.server.url}/openenv`;
	return { ...at, url, client: () => connect(`${url}/ws`) };
}

const search = (query: string) => ({ message: `<think>look</think><text_search>${query}</text_search>` });
const answer = (text: string) => ({ message: `<think>known</think><answer>${text}</answer>` });

describe("an episode", () => {
	test("of a protocol in text, to its reward", async () => {
		const { client } = await served();
		const { ask, step } = await client();
		const first = await ask("reset", { task: "text-chain", seed: 3, episode_id: "mine", other: true });
		expect([first.type, first.data.reward, first.data.done]).toEqual(["observation", null, false]);
		const { messages, text, task, metadata, stop } = first.data.observation;
		expect(messages.map(({ role }: { role: string }) => role)).toEqual(["system", "user"]);
		expect([task, metadata.text, stop.includes("</answer>")]).toEqual(["text-chain", text, true]);
		const found = await step(search("capital of Velmora"));
		expect(found.data.observation).toMatchObject({ valid: true, last: false, metadata: { moves: 1 } });
		expect(found.data.observation.text).toContain("Tessin Bay");
		expect(await ask("state")).toEqual({
			type: "state",
			data: { episode_id: "mine", step_count: 1, task: "text-chain", seed: 3, over: false },
		});
		const end = await step(answer("Anna Rehn"));
		expect(end.data).toMatchObject({ reward: 2.25, done: true });
		expect(end.data.observation.metadata).toMatchObject({ stop: "answered", components: { outcome: 1 } });
		expect((await step(answer("Anna Rehn"))).data).toMatchObject({ code: "EXECUTION_ERROR" });
		expect(JSON.stringify([first, found])).not.toMatch(/Rehn|outcome/);
	});

	test("of declared functions, as a client of tools plays it", async () => {
		const { client } = await served({ agent: "function-calling" });
		const { ask, step } = await client();
		const { tools } = (await step({ type: "list_tools" })).data.observation;
		expect(tools.map(({ name }: { name: string }) => name)).toContain("answer");
		expect(tools.some(({ name }: { name: string }) => ["reset", "step", "state", "close"].includes(name))).toBe(false);
		await ask("reset", { task: "image-chain" });
		const crop = { image: 1, box: [0, 0, 500, 500] };
		const cut = (await step({ type: "call_tool", tool_name: "image_crop", arguments: crop })).data.observation;
		expect(cut).toMatchObject({ tool_name: "image_crop", error: null, valid: true, result: { isError: false } });
		expect(cut.result.content.map(({ type }: { type: string }) => type)).toContain("image");
		const wrong = (await step({ type: "call_tool", tool_name: "none" })).data.observation;
		expect([wrong.valid, wrong.result.isError]).toEqual([false, true]);
		const end = await step({ type: "call_tool", tool_name: "answer", arguments: { text: "Song of the Bay" } });
		expect(end.data).toMatchObject({ reward: 1, done: true });
	});

	test("is the task of the id, the place, the seed or the turn", async () => {
		const { client } = await served();
		const { ask } = await client();
		const taskOf = async (asked: object) => (await ask("reset", asked)).data.observation.task;
		const ids = toyTasks.map(({ id }) => id);
		expect(await taskOf({ split: "train", index: 2 })).toBe(ids[2]);
		expect(await taskOf({ seed: ids.length + 1 })).toBe(ids[1]);
		const next = await client();
		const turns = [];
		for (let turn = 0; turn < 3; turn++) turns.push((await next.ask("reset")).data.observation.task);
		expect(turns).toEqual(ids.slice(0, 3));
	});

	longTest("the same moves give the same answers, whatever others play meanwhile", async () => {
		const { client } = await served({ agent: "function-calling" });
		const play = async (query: string) => {
			const { ask, step } = await client();
			const seen = [await ask("reset", { task: "image-chain", seed: 1 })];
			seen.push(await step({ type: "call_tool", tool_name: "text_search", arguments: { query } }));
			const crop = { image: 1, box: [0, 0, 500, 500] };
			seen.push(await step({ type: "call_tool", tool_name: "image_crop", arguments: crop }));
			return JSON.stringify(seen);
		};
		const queries = Array.from({ length: 64 }, (_, at) => (at % 2 === 0 ? "Velmora" : "Ostral"));
		const played = await Promise.all(queries.map(play));
		expect(new Set(played.filter((_, at) => at % 2 === 0)).size).toBe(1);
		expect(new Set(played).size).toBe(2);
	});
});

describe("what does not fit", () => {
	test("is told by the standard's codes, and the connection goes on", async () => {
		const { client } = await served();
		const { raw, ask, step } = await client();
		const code = async (answered: Promise<{ type: string; data: { code: string } }>) => {
			const { type, data } = await answered;
			expect(type).toBe("error");
			return data.code;
		};
		expect(await code(raw("{"))).toBe("INVALID_JSON");
		expect(await code(raw("[]"))).toBe("VALIDATION_ERROR");
		expect(await code(ask("dance"))).toBe("UNKNOWN_TYPE");
		expect(await code(step({ message: "x" }))).toBe("SESSION_ERROR");
		expect(await code(ask("reset", { task: "none" }))).toBe("VALIDATION_ERROR");
		expect(await code(ask("reset", { seed: -1 }))).toBe("VALIDATION_ERROR");
		await ask("reset", { task: "text-chain" });
		for (const action of [{}, { message: 1 }, { message: "x", more: 1 }, { type: "call_tool", tool_name: "none" }])
			expect(await code(step(action))).toBe("VALIDATION_ERROR");
		expect((await step(answer("Anna Rehn"))).data.reward).toBe(2);
	});

	test("a tool that breaks is an error and no reward", async () => {
		const knowledge = { ...fakeKnowledge(toyEvidence), search: () => Promise.reject(new Error("/srv/index is gone")) };
		const { client, problems } = await served({ knowledge });
		const { ask, step } = await client();
		await ask("reset", { task: "text-chain" });
		const { type, data } = await step(search("Velmora"));
		expect([type, data.code, JSON.stringify(data).includes("/srv")]).toEqual(["error", "EXECUTION_ERROR", false]);
		expect(problems.join()).toContain("index is gone");
	});

	test("a server that is full says so, and has room again when a client is gone", async () => {
		const { client, sessions } = await served({ limits: { most: 1 } });
		const [one, two] = [await client(), await client()];
		await one.ask("reset");
		expect((await two.ask("reset")).data.code).toBe("CAPACITY_REACHED");
		one.socket.send(JSON.stringify({ type: "close" }));
		await once(one.socket, "close");
		expect(sessions.size).toBe(0);
		expect((await two.ask("reset")).type).toBe("observation");
		two.socket.terminate();
		await expect.poll(() => sessions.size).toBe(0);
	});

	test("messages that are too long or too many end the connection", async () => {
		const { client, sessions } = await served();
		const closed = async (messages: string[]) => {
			const { socket } = await client();
			for (const message of messages) socket.send(message);
			return (await once(socket, "close"))[0];
		};
		expect(await closed([JSON.stringify({ type: "step", data: { message: "x".repeat(5_000_000) } })])).toBe(1009);
		expect(await closed(Array(400).fill(JSON.stringify({ type: "reset", data: { task: "text-chain" } })))).toBe(1008);
		await expect.poll(() => sessions.size).toBe(0);
	});

	test("nor may long ones pile up behind one that is at work", async () => {
		const knowledge = { ...fakeKnowledge(toyEvidence), search: () => new Promise<never>(() => {}) };
		const { client } = await served({ knowledge });
		const { socket, ask } = await client();
		await ask("reset", { task: "text-chain" });
		const long = JSON.stringify({ type: "step", data: { message: "x".repeat(900_000) } });
		for (const message of [JSON.stringify({ type: "step", data: search("Velmora") }), ...Array(10).fill(long)])
			socket.send(message);
		expect((await once(socket, "close"))[0]).toBe(1008);
	});

	test("pages of other sites and those without the token get no connection", async () => {
		const { url } = await served({ server: { token: "secret" } });
		const status = (address: string, options: ClientOptions = {}) =>
			new Promise((resolve) => {
				const socket = new WebSocket(`${address.replace("http", "ws")}/ws`, options);
				socket.once("unexpected-response", (_, response) => resolve(response.statusCode));
				socket.once("open", () => resolve("open"));
				socket.once("error", () => {});
				onTestFinished(() => socket.terminate());
			});
		const headers = { authorization: "Bearer secret" };
		expect(await status(url)).toBe(401);
		expect(await status(url, { headers })).toBe("open");
		expect(await status(url.replace("://", "://any:secret@"))).toBe("open");
		expect(await status(url, { headers, origin: "https://elsewhere.example" })).toBe(403);
		expect(await status(`${url}/none`, { headers })).toBe(404);
	});
});

describe("tools by JSON-RPC", () => {
	test("over HTTP: an episode is made, named in every call, and ended", async () => {
		const { ask, sessions } = await served({ agent: "function-calling" });
		const rpc = async (method: string, params: object = {}) =>
			(await ask("POST", "/openenv/mcp", { jsonrpc: "2.0", id: 1, method, params })).json;
		expect((await rpc("tools/list")).result.tools[0]).toMatchObject({ name: "text_search", input_schema: {} });
		const { session_id, text } = (await rpc("openenv/session/create", { task: "text-chain" })).result;
		expect(text).toContain("Who founded");
		const found = await rpc("tools/call", { session_id, name: "text_search", arguments: { query: "Velmora" } });
		expect(found.result).toMatchObject({ isError: false, data: expect.stringContaining("Tessin Bay") });
		expect(JSON.stringify(found)).not.toContain("reward");
		expect((await rpc("tools/call", { session_id: "none", name: "answer" })).error.code).toBe(-32602);
		expect((await rpc("tools/call", { name: "answer" })).error.code).toBe(-32602);
		expect((await rpc("initialize")).error.code).toBe(-32601);
		expect((await ask("POST", "/openenv/mcp", {})).json).toMatchObject({ jsonrpc: "2.0", error: { code: -32600 } });
		expect((await rpc("openenv/session/close", { session_id })).result.closed).toBe(true);
		expect(sessions.size).toBe(0);
	});

	test("over a connection: of its own, and beside an episode's messages", async () => {
		const { url, client } = await served();
		const bare = await connect(`${url}/mcp`);
		const request = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: "a", method, params });
		const rpc = (method: string, params: object) => bare.raw(JSON.stringify(request(method, params)));
		expect((await bare.raw("{")).error.code).toBe(-32600);
		expect((await rpc("tools/call", { name: "say", arguments: { text: "x" } })).error.code).toBe(-32602);
		expect((await rpc("openenv/session/create", { task: "text-chain" })).result.session_id).toEqual(expect.any(String));
		const said = await rpc("tools/call", { name: "say", arguments: { text: search("Velmora").message } });
		expect(said.result.data).toContain("Tessin Bay");
		const { ask } = await client();
		await ask("reset", { task: "text-chain" });
		const listed = await ask("mcp", request("tools/list"));
		expect([listed.type, listed.data.result.tools[0].name]).toEqual(["mcp", "say"]);
	});
});

test("the environment describes itself", async () => {
	const { ask } = await served();
	const told = async (path: string) => (await ask("GET", `/openenv${path}`)).json;
	expect(await told("/health")).toEqual({ status: "healthy" });
	expect(await told("/metadata")).toMatchObject({ name: "toy", description: expect.stringContaining("tagged") });
	const { action, observation, state } = await told("/schema");
	expect([action, observation, state].every((schema) => typeof schema === "object")).toBe(true);
	expect(Object.keys(observation.properties)).toContain("messages");
	expect((await told("/openapi.json")).info.version).toMatch(/^1\./);
});
