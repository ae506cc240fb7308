import { describe, expect, test } from "vitest";
import { toyEvidence, toyTasks } from "#agents";
import { fakeKnowledge, type KnowledgeBase } from "#knowledge";
import { longTest } from "../../../test/long.ts";
import { createPlaygrounds } from "../../../test/support/server/environment.ts";
import { callAndGoAway, readEvents, resultOf } from "../../../test/support/server/open-reward.ts";

const playground = createPlaygrounds();
type Options = NonNullable<Parameters<typeof playground>[0]>;

/** A server with what a client does on it. */
async function served(options: Options = {}) {
	const at = await playground(options);
	const with_ = (session: string) => ({ "x-session-id": session });
	async function create(body: object = { task_spec: { id: "text-chain" } }) {
		const made = readEvents((await at.ask("POST", "/create_session", {})).text);
		const session = made[0]?.data ?? "";
		expect(made).toEqual([
			{ event: "task_id", data: session },
			{ event: "end", data: "" },
		]);
		const created = await at.ask("POST", "/create", body, with_(session));
		return { session, ...created };
	}
	async function call(session: string, name: string, input: object, more: object = {}) {
		const { text } = await at.ask("POST", "/call", { name, input, ...more }, with_(session));
		return resultOf(readEvents(text));
	}
	return {
		...at,
		create,
		call,
		get: (path: string, session: string) => at.ask("GET", path, undefined, with_(session)),
	};
}

const search = (query: string) => ({ text: `<think>look</think><text_search>${query}</text_search>` });
const answer = (text: string) => ({ text: `<think>known</think><answer>${text}</answer>` });

describe("the tasks", () => {
	test("are listed, counted, cut and found by place; without an answer", async () => {
		const { ask } = await served();
		expect((await ask("GET", "/list_environments")).json).toEqual(["toy"]);
		expect((await ask("GET", "/toy/splits")).json).toEqual([{ name: "train", type: "train" }]);
		expect((await ask("POST", "/num_tasks", { split: "train" })).json).toEqual({ num_tasks: toyTasks.length });
		const { tasks, env_name } = (await ask("POST", "/TOY/tasks", { split: "train" })).json;
		expect(env_name).toBe("toy");
		const question = toyTasks[0]?.question;
		expect(tasks[0]).toEqual({ id: "text-chain", split: "train", index: 0, question });
		expect(JSON.stringify(tasks)).not.toMatch(/Rehn|Song of the Bay/);
		const ids = (from: { id: string }[]) => from.map(({ id }) => id);
		const range = (await ask("POST", "/task_range", { split: "train", start: -2 })).json.tasks;
		expect(ids(range)).toEqual(ids(tasks).slice(-2));
		expect((await ask("POST", "/task", { split: "train", index: 1 })).json.task).toEqual(tasks[1]);
	});

	test("a split, a place and an environment that there are not are told where clients look", async () => {
		const { ask } = await served();
		const told = async (path: string, body?: object) => {
			const { status, json } = await ask(body ? "POST" : "GET", path, body);
			return [status, json.detail];
		};
		expect(await told("/tasks", { split: "none" })).toEqual([400, "Invalid split"]);
		expect(await told("/task", { split: "train", index: 99 })).toEqual([400, "Invalid index"]);
		expect(await told("/other/tools")).toEqual([404, 'unknown environment "other"']);
		expect((await told("/tasks", { split: "train", more: 1 }))[0]).toBe(422);
		expect((await told("/prompt"))[1]).toBe("X-Session-ID header is required");
	});
});

describe("an episode", () => {
	test("of a protocol in text: its own words through one tool, the reward at the end", async () => {
		const { create, call, get } = await served();
		const { session, json } = await create();
		expect(json).toEqual({ sid: session });
		const prompt = (await get("/prompt", session)).json;
		expect(prompt.map(({ detail }: { detail: object }) => detail)).toEqual([{ role: "system" }, { role: "user" }]);
		const messages = (await get("/toy/messages", session)).json;
		expect(messages.map(({ role }: { role: string }) => role)).toEqual(["system", "user"]);
		expect(messages[0].detail.stop).toContain("</answer>");
		const { tools, terminal_tool } = (await get("/task_tools", session)).json;
		expect([tools.map(({ name }: { name: string }) => name), terminal_tool]).toEqual([["say"], null]);
		const first = await call(session, "say", search("capital of Velmora"));
		expect(first).toMatchObject({ ok: true, output: { reward: null, finished: false } });
		expect(first.output.metadata).toEqual({ valid: true, dropped: 0, moves: 1, last: false });
		expect(first.output.blocks[0].text).toContain("Tessin Bay");
		await call(session, "say", search("founder of Tessin Bay"));
		const end = await call(session, "say", answer("Anna Rehn"));
		expect(end.output).toMatchObject({ reward: 2.5, finished: true, blocks: [{ type: "text" }] });
		expect(end.output.metadata).toMatchObject({ stop: "answered", components: { outcome: 1, format: 1, tool: 2 } });
		const more = await call(session, "say", answer("Anna Rehn"));
		expect([more.ok, more.reason]).toEqual([false, "episode_finished"]);
		expect((await get("/prompt", session)).json).toEqual(prompt);
	});

	test("of declared functions: the tools, an answer, and the words of a last message", async () => {
		const { create, call, ask, get } = await served({ agent: "function-calling" });
		const { session } = await create({ split: "train", index: 0 });
		const { tools, terminal_tool } = (await ask("GET", "/tools")).json;
		expect(tools.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(["text_search", "answer"]));
		expect(terminal_tool).toMatchObject({ name: "say", arg: "text" });
		expect((await get("/task_tools", session)).json).toEqual((await ask("GET", "/tools")).json);
		// a client that binds tools as functions sends null for what was left out
		const found = await call(session, "text_search", { query: "capital of Velmora", k: null });
		expect(found.output.metadata.valid).toBe(true);
		const wrong = await call(session, "no_such_tool", {});
		expect([wrong.ok, wrong.output.metadata.valid]).toEqual([true, false]);
		const textless = await call(session, "answer", { answer: "Anna Rehn" });
		expect([textless.ok, textless.reason]).toEqual([false, "input_validation"]);
		const end = await call(session, "say", { text: "It was her.\nAnswer: Anna Rehn" });
		expect(end.output).toMatchObject({ finished: true, reward: 1, metadata: { components: { invalidCalls: 1 } } });
	});

	test("shows the pictures of the question and of results as blocks", async () => {
		const { create, call, get } = await served({ agent: "function-calling" });
		const { session } = await create({ task_spec: { id: "image-chain" } });
		const images = (blocks: { type: string; data: string }[]) => blocks.filter(({ type }) => type === "image");
		const [picture] = images((await get("/prompt", session)).json);
		expect(Buffer.from(picture?.data ?? "", "base64").subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
		const cut = () => call(session, "image_crop", { image: 1, box: [0, 0, 500, 500] });
		const [first, second] = [await cut(), await cut()];
		expect([first, second].map(({ output }) => images(output.blocks).length)).toEqual([1, 1]);
		expect(images((await call(session, "page_search", { query: "anthem" })).output.blocks)).toHaveLength(1);
	});

	test("no gold is shown before an answer was given", async () => {
		const { create, call, ask, get } = await served({ agent: "function-calling" });
		const { session } = await create();
		const seen = [
			await get("/prompt", session),
			await get("/messages", session),
			await get("/task_tools", session),
			await ask("POST", "/tasks", { split: "train" }),
			await call(session, "text_search", { query: "area of Ostral" }),
		];
		expect(JSON.stringify(seen)).not.toMatch(/Rehn|requiredHops|outcome/);
	});
});

describe("calls", () => {
	test("sent again with their task play nothing, also while at work and after the client went away", async () => {
		const waits = slow();
		const { server, create, call, sessions } = await served({ knowledge: waits.knowledge });
		const { session } = await create();
		const asked = { name: "say", input: search("capital of Velmora") };
		const task = await callAndGoAway(server.url, session, asked);
		const again = [
			call(session, "say", asked.input, { task_id: task }),
			call(session, "say", asked.input, { task_id: task }),
		];
		waits.release();
		const [one, two] = await Promise.all(again);
		expect(one).toEqual(two);
		expect(one.output.metadata.moves).toBe(1);
		expect(waits.searches()).toBe(1);
		expect((await sessions.get(session)).last?.moves).toBe(1);
		const other = await call(session, "say", answer("x"), { task_id: task });
		expect(other.error).toContain("another move");
	});

	test("that break end the stream with an error, never with a reward", async () => {
		const knowledge = { ...fakeKnowledge(toyEvidence), search: () => Promise.reject(new Error("/srv/index is gone")) };
		const { create, call, problems } = await served({ knowledge });
		const { session } = await create();
		const broken = await call(session, "say", search("Velmora"));
		expect(Object.keys(broken)).toEqual(["error"]);
		expect(broken.error).not.toContain("/srv");
		expect(problems.join()).toContain("index is gone");
	});

	longTest("64 episodes at once see nothing of each other", async () => {
		const { create, call } = await served();
		const played = await Promise.all(
			Array.from({ length: 64 }, async (_, at) => {
				const { session } = await create();
				const first = await call(session, "say", search(`marker${at}  図${" ".repeat(at)} Velmora`));
				const end = await call(session, "say", answer(at % 2 === 0 ? "Anna Rehn" : `marker${at}`));
				return { session, first, end };
			}),
		);
		expect(new Set(played.map(({ session }) => session)).size).toBe(64);
		expect(new Set(played.map(({ first }) => JSON.stringify(first))).size).toBe(1);
		expect(played.map(({ end }) => end.output.reward)).toEqual(played.map((_, at) => (at % 2 === 0 ? 2.25 : 1)));
	});
});

describe("sessions", () => {
	test("are begun by a task or by a place, of this environment, and by nothing else", async () => {
		const { create } = await served();
		const refused = async (body: object) => {
			const { status, json } = await create(body);
			return [status, String(json.detail)];
		};
		expect((await create({ env_name: "toy", task_spec: { id: "text-chain", question: "kept" } })).status).toBe(200);
		expect((await refused({ env_name: "other", split: "train", index: 0 }))[0]).toBe(404);
		expect((await refused({ split: "train" }))[0]).toBe(422);
		expect((await refused({ task_spec: { id: "text-chain" }, split: "train", index: 0 }))[0]).toBe(422);
		expect((await refused({ task_spec: { id: "none" } }))[0]).toBe(400);
		expect((await refused({ split: "train", index: 0, secrets: {} }))[0]).toBe(422);
		expect((await refused({ split: "train", index: 0, toolset_name: "codex" }))[0]).toBe(400);
	});

	test("begun again whose answer was lost it is the same; a used one is taken", async () => {
		const { ask, create, call } = await served();
		const { session } = await create();
		const again = () => ask("POST", "/create", { task_spec: { id: "text-chain" } }, { "x-session-id": session });
		expect((await again()).status).toBe(200);
		await call(session, "say", search("Velmora"));
		expect((await again()).json.detail).toBe("Session already exists");
	});

	test("live as long as they are pinged and no longer than asked for; a full server asks for patience", async () => {
		let time = 0;
		const limits = { most: 1, idle: 900, now: () => time };
		const { ask, create } = await served({ limits });
		const { session } = await create();
		const ping = () => ask("POST", "/ping", undefined, { "x-session-id": session });
		time = 800;
		expect((await ping()).json).toEqual({ status: "ok" });
		time = 1600;
		expect((await ping()).status).toBe(200);
		const full = await create();
		expect([full.status, full.headers.get("retry-after")]).toEqual([503, "2"]);
		expect((await ask("POST", "/delete", undefined, { "x-session-id": session })).json).toEqual({ sid: session });
		expect((await ping()).status).toBe(404);
		expect((await create()).status).toBe(200);
	});

	test("want the token, as X-API-Key too", async () => {
		const { ask } = await served({ server: { token: "secret" } });
		expect((await ask("GET", "/list_environments")).status).toBe(401);
		expect((await ask("GET", "/list_environments", undefined, { "x-api-key": "wrong" })).status).toBe(401);
		expect((await ask("GET", "/list_environments", undefined, { "x-api-key": "secret" })).status).toBe(200);
	});

	test("a full server refuses a call by its status, so that it is sent again", async () => {
		const waits = slow();
		const { ask, create } = await served({ knowledge: waits.knowledge, server: { concurrency: 1, queue: 0 } });
		const { session } = await create();
		const { session: other } = await create();
		const call = (id: string) =>
			ask("POST", "/call", { name: "say", input: search("Velmora") }, { "x-session-id": id });
		const first = call(session);
		await waits.begun;
		expect((await call(other)).status).toBe(503);
		waits.release();
		expect((await first).status).toBe(200);
	});
});

/** A knowledge base whose searches wait until they are released. */
function slow() {
	const inner = fakeKnowledge(toyEvidence, { name: "toy" });
	let searches = 0;
	let release = () => {};
	let begin = () => {};
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	const begun = new Promise<void>((resolve) => {
		begin = resolve;
	});
	const knowledge: KnowledgeBase = {
		...inner,
		async search(query) {
			searches += 1;
			begin();
			await released;
			return inner.search(query);
		},
	};
	return { knowledge, begun, release: () => release(), searches: () => searches };
}
