import { describe, expect, test } from "vitest";
import { agents, type PolicyMove, settingFor, toyEvidence, toyTasks } from "#agents";
import { fakeKnowledge } from "#knowledge";
import { createEnvironment, createSessions, type RewardOptions } from "#training";

const benchmark = {
	dir: ".",
	manifest: { name: "toy" },
	tasks: toyTasks.filter(({ images }) => images.length === 0),
} as unknown as Parameters<typeof createEnvironment>[0]["benchmark"];

const environmentOf = (agent: keyof typeof agents = "tagged", reward: RewardOptions = {}) =>
	createEnvironment({
		benchmark,
		knowledge: fakeKnowledge(toyEvidence, { name: "toy" }),
		agent: agents[agent],
		setting: settingFor(agents[agent]),
		reward,
	});

const says = (text: string): PolicyMove => ({ is: "says", text });
const search = (query: string) => says(`<think>look</think><text_search>${query}</text_search>`);
const answer = (text: string) => says(`<think>known</think><answer>${text}</answer>`);

async function play(moves: PolicyMove[], environment = environmentOf()) {
	const episode = await environment.open("text-chain");
	const turns = [];
	for (const move of moves) turns.push(await episode.take(move));
	return { episode, turns };
}

describe("an episode", () => {
	test("pays by the published formula, components beside it", async () => {
		const { episode, turns } = await play([
			search("capital of Velmora"),
			search("founder of Tessin Bay"),
			answer("Anna Rehn"),
		]);
		expect(turns.map(({ over, valid }) => [over, valid])).toEqual([
			[false, true],
			[false, true],
			[true, true],
		]);
		expect(await episode.reward()).toMatchObject({ value: 2.5, outcome: 1, format: 1, tool: 2, requiredHops: 2 });
	});

	test("a malformed turn costs the format and with it what the calls bring", async () => {
		const { episode, turns } = await play([says("hm"), search("Tessin Bay"), answer("Anna Rehn")]);
		expect(turns[0]).toMatchObject({ over: false, valid: false });
		expect(await episode.reward()).toMatchObject({ value: 1, outcome: 1, format: 0, validCalls: 1, invalidCalls: 1 });
	});

	test("the variants do not pay for searching the same again", async () => {
		const moves = [search("Tessin Bay"), search("Tessin Bay"), search("Tessin Bay"), answer("Anna Rehn")];
		const paid = async (calls: "all" | "capped" | "new") =>
			(await (await play(moves, environmentOf("tagged", { calls }))).episode.reward()).value;
		expect([await paid("all"), await paid("capped"), await paid("new")]).toEqual([2.75, 2.5, 2.25]);
	});

	test("a tool that breaks, and a judge that fails, are errors and no reward", async () => {
		const environment = environmentOf("tagged", { isRight: () => Promise.reject(new Error("the judge is away")) });
		const { episode } = await play([answer("Anna Rehn")], environment);
		await expect(episode.reward()).rejects.toMatchObject({
			code: "reward-failed",
			cause: { message: "the judge is away" },
		});
		const knowledge = { ...fakeKnowledge(toyEvidence), search: () => Promise.reject(new Error("the index is gone")) };
		const broken = createEnvironment({
			benchmark,
			knowledge,
			agent: agents.tagged,
			setting: settingFor(agents.tagged),
		});
		const other = await broken.open("text-chain");
		await expect(other.take(search("x"))).rejects.toThrow("the index is gone");
		await expect(other.take(answer("Anna Rehn"))).rejects.toMatchObject({ code: "episode-over" });
	});

	test("declared calls and a plain answer play the protocols that call functions", async () => {
		const { episode, turns } = await play(
			[
				{ is: "calls", calls: [{ name: "text_search", arguments: { query: "Tessin Bay" } }] },
				{ is: "calls", calls: [{ name: "no_such_tool", arguments: {} }] },
				{ is: "answers", text: "Anna Rehn" },
			],
			environmentOf("function-calling"),
		);
		expect(episode.tools.map(({ name }) => name)).toContain("text_search");
		expect(turns.map(({ valid }) => valid)).toEqual([true, false, true]);
		expect(turns[0]?.observation[0]).toMatchObject({ role: "tool", callId: "call-1" });
		expect(await episode.reward()).toMatchObject({ value: 1, outcome: 1, format: 0 });
	});

	test("shows no gold", async () => {
		const environment = environmentOf();
		const episode = await environment.open("text-chain");
		expect(JSON.stringify(episode.opening)).not.toContain("Rehn");
	});
});

describe("sessions", () => {
	test("a request sent again plays nothing, another move under its id is refused", async () => {
		const session = await createSessions(environmentOf()).open("a", { task: "text-chain" });
		const [one, two] = await Promise.all([
			session.act(search("Tessin Bay"), { request: "1" }),
			session.act(search("Tessin Bay"), { request: "1" }),
		]);
		expect(two).toBe(one);
		expect(() => session.act(answer("x"), { request: "1" })).toThrow("another move");
		expect((await session.act(answer("Anna Rehn"))).reward?.value).toBe(2.25);
	});

	test("a name is one episode: opened again it is the same, with another task it is refused", async () => {
		const sessions = createSessions(environmentOf(), { most: 2 });
		const first = await sessions.open("a", { task: "text-chain" });
		expect(await sessions.open("a", { task: "text-chain" })).toBe(first);
		await expect(sessions.open("a", { task: "comparison" })).rejects.toMatchObject({ code: "session-exists" });
		await sessions.open("b", { task: "comparison" });
		await expect(sessions.open("c", { task: "comparison" })).rejects.toMatchObject({ code: "too-many-sessions" });
		expect(sessions.close("a")).toBe(true);
		await expect(sessions.get("a")).rejects.toMatchObject({ code: "unknown-session" });
	});

	test("the idle are ended", async () => {
		let time = 0;
		const sessions = createSessions(environmentOf(), { idle: 100, now: () => time });
		await sessions.open("a", { task: "text-chain" });
		time = 60;
		await sessions.open("b", { task: "text-chain" });
		time = 120;
		await expect(sessions.get("a")).rejects.toMatchObject({ code: "unknown-session" });
		expect((await sessions.get("b")).id).toBe("b");
	});
});
