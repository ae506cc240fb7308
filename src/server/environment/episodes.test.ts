import { expect, test } from "vitest";
import { toyEvidence, toyTasks } from "#agents";
import { fakeKnowledge } from "#knowledge";
import { answer, createPlaygrounds, search } from "../../../test/support/server/environment.ts";

const playground = createPlaygrounds();

test("an episode is opened, played, looked at, paid and ended", async () => {
	const { ask, act } = await playground();
	const opened = await ask("POST", "/v1/episodes", { task: "text-chain", id: "one", seed: 3 });
	expect(opened.json).toMatchObject({
		episode: "one",
		task: "text-chain",
		seed: 3,
		stop: ["</image_search>", "</text_search>", "</answer>"],
		tools: [],
		budget: { counts: "observations", limit: 4, lastAnswer: true },
	});
	expect(opened.json.opening[1].content).toEqual([
		{ type: "text", text: "Question: Who founded the capital of Velmora?" },
	]);
	const first = await act("one", search("capital of Velmora"));
	expect(first.json).toMatchObject({ over: false, last: false, valid: true, dropped: 0, moves: 1 });
	expect(first.json.observation[0]).toMatchObject({ role: "user", content: [{ type: "text" }] });
	expect(first.json.reward).toBeUndefined();
	const wrong = await act("one", { say: "hm" });
	expect(wrong.json).toMatchObject({ over: false, valid: false, moves: 2 });
	const end = await act("one", answer("Anna Rehn"));
	expect(end.json).toMatchObject({
		over: true,
		observation: [],
		reward: { value: 1, outcome: 1, format: 0, validCalls: 1, invalidCalls: 1, newCalls: 1, requiredHops: 2 },
	});
	const state = await ask("GET", "/v1/episodes/one");
	expect(state.json).toMatchObject({ over: true, opening: opened.json.opening, step: end.json });
	expect((await act("one", answer("again"))).json.error.code).toBe("episode-over");
	expect((await ask("DELETE", "/v1/episodes/one")).json).toEqual({ episode: "one", ended: true });
	expect((await ask("DELETE", "/v1/episodes/one")).json).toEqual({ episode: "one", ended: false });
	expect((await ask("GET", "/v1/episodes/one")).status).toBe(404);
});

test("tasks are found by split and place, and the environment tells what it is", async () => {
	const { ask } = await playground({ agent: "function-calling" });
	const about = await ask("GET", "/v1/environment");
	expect(about.json).toMatchObject({ benchmark: "toy", agent: "function-calling", splits: { train: toyTasks.length } });
	expect(about.json.actions.map(({ name }: { name: string }) => name)).toEqual([
		...about.json.tools.map(({ name }: { name: string }) => name),
		"answer",
	]);
	const { json } = await ask("GET", "/v1/environment/tasks/train");
	expect(json.tasks).toEqual(toyTasks.map(({ id }) => id));
	expect((await ask("POST", "/v1/episodes", { split: "train", index: 2 })).json.task).toBe(json.tasks[2]);
	for (const [asked, code] of [
		[{ split: "train", index: 99 }, "unknown-task"],
		[{ split: "none", index: 0 }, "unknown-split"],
		[{ task: "none" }, "unknown-task"],
	] as const) {
		const refused = await ask("POST", "/v1/episodes", asked);
		expect([refused.status, refused.json.error.code]).toEqual([404, code]);
	}
});

test("declared calls, messages as chat completions have them, pictures by reference", async () => {
	const { ask, act, server } = await playground({ agent: "function-calling" });
	const more = { form: "chat", images: "reference", id: "pic-1" };
	const opened = (await ask("POST", "/v1/episodes", { task: "image-chain", ...more })).json;
	expect(opened.tools[0]).toMatchObject({ type: "function", function: { name: "text_search" } });
	const { url } = opened.opening[1].content.find(({ type }: { type: string }) => type === "image_url").image_url;
	expect(url).toMatch(/^\/v1\/episodes\/pic-1\/images\/[0-9a-f]{32}$/);
	const picture = await fetch(server.url + url);
	expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
	const box = [0, 0, 16, 16];
	const turn = await act("pic-1", { calls: [{ name: "image_crop", arguments: { image: 1, box }, id: "c1" }] });
	expect(turn.json.valid).toBe(true);
	expect(turn.json.said.tool_calls[0]).toMatchObject({ id: "c1", function: { name: "image_crop" } });
	expect(turn.json.observation[0]).toMatchObject({ role: "tool", tool_call_id: "c1" });
	expect(turn.json.observation[1].content[1].image_url.url).not.toBe(url);
	const other = await ask("POST", "/v1/episodes", { task: "image-chain", ...more, id: "pic-2" });
	expect((await fetch(server.url + url.replace("/pic-1/", "/pic-2/"))).status).toBe(200);
	expect(other.text.replaceAll("pic-2", "pic-1")).toBe(JSON.stringify(opened));
	const foreign = turn.json.observation[1].content[1].image_url.url.replace("/pic-1/", "/pic-2/");
	expect((await fetch(server.url + foreign)).status).toBe(404);
});

test("what does not fit is refused and told where", async () => {
	const { ask, act, open } = await playground({ server: { maxBytes: 5000 } });
	const id = await open("text-chain");
	for (const body of [{}, { task: 1 }, { task: "a", split: "b" }, { task: "text-chain", seed: -1 }, { tsk: "a" }, []])
		expect((await ask("POST", "/v1/episodes", body)).status).toBe(400);
	for (const move of [
		{},
		{ say: "a", answer: "b" },
		{ say: 1 },
		{ calls: [] },
		{ calls: [{}] },
		{ sey: "a" },
		"{",
		"null",
	])
		expect((await act(id, move as object)).status).toBe(400);
	expect((await act(id, { say: "x".repeat(6000) })).status).toBe(413);
	expect((await ask("POST", "/v1/episodes", { task: "text-chain", id: "../x" })).status).toBe(400);
	expect((await ask("GET", `/v1/episodes/${id}/act`)).status).toBe(405);
	expect((await act("nobody", answer("x"))).status).toBe(404);
	const page = { origin: "https://evil.example" };
	expect((await ask("DELETE", `/v1/episodes/${id}`, undefined, page)).status).toBe(403);
	expect((await ask("POST", "/v1/episodes", { task: "text-chain" }, page)).status).toBe(403);
	expect((await act(id, answer("Anna Rehn"))).json.reward.value).toBe(2);
});

test("a token guards every route", async () => {
	const { ask, server } = await playground({ server: { token: "secret" } });
	const open = server.routes.filter((route) => !route.startsWith("WEBSOCKET") && !route.endsWith("/health"));
	for (const route of open) {
		const [method = "", path = ""] = route.split(" ");
		const { status } = await ask(method, path.replaceAll("*", "x"), method === "POST" ? {} : undefined);
		expect([route, status]).toEqual([route, 401]);
	}
	const authorization = { authorization: "Bearer secret" };
	expect((await ask("POST", "/v1/episodes", { task: "text-chain" }, authorization)).status).toBe(200);
});

test("what fails is never a reward of 0: tools and judges", async () => {
	const gone = { ...fakeKnowledge(toyEvidence), search: () => Promise.reject(new Error("index /secret/path is gone")) };
	const broken = await playground({ knowledge: gone });
	const id = await broken.open("text-chain");
	for (const again of [1, 2]) {
		const reply = await broken.act(id, { ...search("Velmora"), request: "a" });
		expect([again, reply.status, reply.json.error.code]).toEqual([again, 500, "tool-failed"]);
		expect(reply.text).not.toContain("secret");
	}
	expect(broken.problems[0]).toContain("/secret/path is gone");
	expect((await broken.act(id, answer("Anna Rehn"))).json.error.code).toBe("episode-over");

	let away = true;
	const isRight = async () => {
		if (away) throw new Error("the judge is away");
		return true;
	};
	const judged = await playground({ reward: { isRight } });
	const other = await judged.open("text-chain");
	const last = { ...answer("A. Rehn"), request: "end" };
	const refused = await judged.act(other, last);
	expect([refused.status, refused.json.error.code]).toEqual([503, "reward-failed"]);
	expect(refused.headers.get("retry-after")).toBe("5");
	expect((await judged.ask("GET", `/v1/episodes/${other}`)).json).toMatchObject({ over: true });
	away = false;
	const paid = await judged.act(other, last);
	expect(paid.json).toMatchObject({ over: true, moves: 1, reward: { value: 2, outcome: 1 } });
	expect((await judged.act(other, last)).text).toBe(paid.text);
});

test("too many, idle, and over", async () => {
	let time = 0;
	const { ask, open, act } = await playground({ limits: { most: 2, idle: 1000, now: () => time } });
	const [a, b] = [await open("text-chain"), await open("text-chain")];
	const refused = await ask("POST", "/v1/episodes", { task: "text-chain" });
	expect([refused.status, refused.json.error.code]).toEqual([503, "too-many-sessions"]);
	await act(b, answer("x"));
	// one that is over gives way
	const c = await open("text-chain");
	expect((await ask("GET", `/v1/episodes/${b}`)).status).toBe(404);
	time = 900;
	expect((await ask("GET", `/v1/episodes/${a}`)).status).toBe(200);
	time = 1500;
	expect((await ask("GET", `/v1/episodes/${c}`)).status).toBe(404);
	expect((await ask("GET", `/v1/episodes/${a}`)).status).toBe(200);
});
