import { describe, expect, test } from "vitest";
import { agents, type PolicyMove, settingFor, toyEvidence, toyTasks } from "#agents";
import { HopscopeError } from "#domain";
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

	// MMhops-R1: R_format is 1 if all thoughts and actions stand in their tags; by hand, right and one call 1 + 1 + 0.25
	test.each([
		["as published", "<think>look</think>\n<text_search>Tessin Bay</text_search>", 2.25],
		["no thought", "<text_search>Tessin Bay</text_search>", 1],
		["prose outside tags", "I look. <think>look</think><text_search>Tessin Bay</text_search>", 1],
		["a stray closing tag", "<think>look</think></answer><text_search>Tessin Bay</text_search>", 1],
		[
			"an observation of its own",
			"<think>look</think><information>1. x</information><text_search>Tessin Bay</text_search>",
			1,
		],
	])("%s: strict by default, lenient where it is set so", async (_, turn, strict) => {
		const moves = [says(turn), answer("Anna Rehn")];
		const { episode, turns } = await play(moves);
		expect(turns.map(({ valid }) => valid)).toEqual([true, true]);
		expect(await episode.reward()).toMatchObject({ value: strict, validCalls: 1, invalidCalls: 0 });
		const lenient = await play(moves, environmentOf("tagged", { format: "lenient" }));
		expect(await lenient.episode.reward()).toMatchObject({ value: 2.25, format: 1 });
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

	test("an answer is right by the benchmark's scoring, unless the reward names another", async () => {
		const tasks = benchmark.tasks.map((task) => ({
			...task,
			answer: { type: "string" as const, value: "Anna Rehn", accepted: ["Anna Rehn", "A. Rehn"] },
		}));
		const outcomeBy = async (manifest: object, reward: RewardOptions = {}) => {
			const own = { ...benchmark, tasks, manifest: { ...benchmark.manifest, ...manifest } };
			const knowledge = fakeKnowledge(toyEvidence, { name: "toy" });
			const setting = settingFor(agents.tagged);
			const environment = createEnvironment({ benchmark: own, knowledge, agent: agents.tagged, setting, reward });
			const { episode } = await play([answer("A. Rehn")], environment);
			return (await episode.reward()).outcome;
		};
		expect(await outcomeBy({})).toBe(1);
		expect(await outcomeBy({ scoring: "tracer-official" })).toBe(0);
		expect(await outcomeBy({ scoring: "tracer-official" }, { scoring: "hopscope" })).toBe(1);
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

	test("pays nothing to a policy that took no turn", async () => {
		const { episode } = await play([]);
		expect(await episode.reward()).toMatchObject({ value: 0, outcome: 0, format: 0 });
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

	test("a move behind the end is refused again, and not held", async () => {
		const session = await createSessions(environmentOf()).open("a", { task: "text-chain" });
		await session.act(answer("Anna Rehn"), { request: "end" });
		const behind = () => session.act(search("x"), { request: "behind" });
		await expect(behind()).rejects.toMatchObject({ code: "episode-over" });
		await expect(behind()).rejects.toMatchObject({ code: "episode-over" });
		// its id was not used up
		await expect(session.act(search("y"), { request: "behind" })).rejects.toMatchObject({ code: "episode-over" });
		expect((await session.act(answer("Anna Rehn"), { request: "end" })).reward?.value).toBe(2);
	});

	test("only the reward is tried again, where no judge could be asked, whatever it threw", async () => {
		const errors = [new Error("away"), new HopscopeError("no-model", "the judge is gone", "Wait.")];
		const isRight = async () => {
			const error = errors.shift();
			if (error) throw error;
			return true;
		};
		const session = await createSessions(environmentOf("tagged", { isRight })).open("a", { task: "text-chain" });
		const act = () => session.act(answer("Anna Rehn"), { request: "1" });
		await expect(act()).rejects.toMatchObject({ code: "reward-failed" });
		await expect(act()).rejects.toMatchObject({ code: "reward-failed" });
		expect(await act()).toMatchObject({ moves: 1, reward: { value: 2 } });
	});

	test("a move that is too long is refused and costs nothing", async () => {
		const session = await createSessions(environmentOf()).open("a", { task: "text-chain" });
		const long = {
			is: "calls" as const,
			calls: [{ name: "text_search", arguments: { query: "a".repeat(3_000_000) } }],
		};
		await expect(async () => session.act(long)).rejects.toMatchObject({ code: "bad-action" });
		expect((await session.act(answer("Anna Rehn"))).reward).toMatchObject({ value: 2, format: 1 });
	});

	test("pictures beyond the bound are as sessions beyond it, and those that are over give way", async () => {
		const environment = environmentOf();
		const picture = { type: "image" as const, data: Buffer.alloc(100), mediaType: "image/png", file: "a.png" };
		const sessions = createSessions(
			{
				...environment,
				async open(...asked) {
					const data = Buffer.alloc(100);
					return {
						...(await environment.open(...asked)),
						opening: [{ role: "user", content: [{ ...picture, data }] }],
					};
				},
			},
			{ pictures: 150 },
		);
		const first = await sessions.open("a", { task: "text-chain" });
		await sessions.open("b", { task: "text-chain" });
		await expect(sessions.open("c", { task: "text-chain" })).rejects.toMatchObject({ code: "too-many-sessions" });
		await first.act(answer("Anna Rehn"));
		await sessions.open("c", { task: "text-chain" });
		await expect(sessions.get("a")).rejects.toMatchObject({ code: "unknown-session" });
		sessions.closeAll();
		expect((await sessions.open("d", { task: "text-chain" })).over).toBe(false);
	});

	test("an episode that broke has no reward, and gives way to a new one", async () => {
		const knowledge = { ...fakeKnowledge(toyEvidence), search: () => Promise.reject(new Error("the index is gone")) };
		const environment = createEnvironment({
			...{ benchmark, knowledge, agent: agents.tagged },
			setting: settingFor(agents.tagged),
		});
		const sessions = createSessions(environment, { most: 1 });
		const session = await sessions.open("a", { task: "text-chain" });
		await expect(session.act(search("x"))).rejects.toMatchObject({ code: "tool-failed" });
		expect(session.over).toBe(true);
		await expect(session.reward()).rejects.toMatchObject({ code: "tool-failed" });
		await expect(environment.reward("text-chain", session.trajectory())).rejects.toMatchObject({ code: "unscored" });
		expect((await sessions.open("b", { task: "text-chain" })).over).toBe(false);
	});

	test("a name that is ended and taken again while it was being opened stays taken", async () => {
		const environment = environmentOf();
		let fail: (error: Error) => void = () => {};
		const opening = new Promise<never>((_, reject) => {
			fail = reject;
		});
		let first = true;
		const sessions = createSessions({
			...environment,
			open(...asked) {
				if (!first) return environment.open(...asked);
				first = false;
				return opening;
			},
		});
		const lost = sessions.open("a", { task: "text-chain" });
		sessions.close("a");
		const session = await sessions.open("a", { task: "text-chain" });
		fail(new Error("its picture is gone"));
		await expect(lost).rejects.toThrow("its picture is gone");
		expect(await sessions.get("a")).toBe(session);
	});

	test("ended in the middle of a move, it says so", async () => {
		let found: (results: never[]) => void = () => {};
		const knowledge = {
			...fakeKnowledge(toyEvidence),
			search: () =>
				new Promise<never[]>((resolve) => {
					found = resolve;
				}),
		};
		const environment = createEnvironment({
			...{ benchmark, knowledge, agent: agents.tagged },
			setting: settingFor(agents.tagged),
		});
		const sessions = createSessions(environment);
		const session = await sessions.open("a", { task: "text-chain" });
		const step = session.act(search("x"));
		await new Promise((resolve) => setImmediate(resolve));
		sessions.close("a");
		found([]);
		await expect(step.then(() => session.act(search("y")))).rejects.toMatchObject({ code: "unknown-session" });
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
