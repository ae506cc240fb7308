import { describe, expect, test } from "vitest";
import { agents, type PolicyMove, settingFor, toyEvidence, toyTasks } from "#agents";
import { diagnoseRecords } from "#diagnosis";
import type { Diagnosis, RunRecord, Task, Trajectory } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { createEnvironment, type PairedRun, preferencePairs } from "#training";
import type { PreferenceOptions } from "./preference-pairs.ts";

const knowledge = fakeKnowledge(toyEvidence, { name: "toy" });
const worded = toyTasks.filter(({ images }) => images.length === 0);
const says = (text: string): PolicyMove => ({ is: "says", text });
const search = (query: string) => says(`<think>look</think><text_search>${query}</text_search>`);
const answer = (text: string) => says(`<think>known</think><answer>${text}</answer>`);

const capital = search("What is the capital of Velmora?");
const founder = search("Who founded Tessin Bay?");
const right = [capital, founder, answer("Anna Rehn")];

/** What a run of one protocol leaves behind when its repeats make these moves. */
async function runOf(
	plays: readonly (readonly PolicyMove[])[],
	{
		tasks = worded,
		agent = "tagged",
		id = "run",
		change = (trajectory) => trajectory,
	}: {
		tasks?: Task[];
		agent?: "tagged" | "function-calling";
		id?: string;
		change?: (trajectory: Trajectory, repeat: number) => Trajectory;
	} = {},
): Promise<PairedRun> {
	const speaker = agents[agent];
	const setting = { ...settingFor(speaker), k: 1 };
	const benchmark = { dir: ".", manifest: { name: "toy" }, tasks } as unknown as Parameters<
		typeof createEnvironment
	>[0]["benchmark"];
	const environment = createEnvironment({ benchmark, knowledge, agent: speaker, setting });
	const records: RunRecord[] = [];
	for (const [repeat, moves] of plays.entries()) {
		const episode = await environment.open("text-chain", { seed: repeat });
		for (const move of moves) await episode.take(move);
		const trajectory = change(episode.trajectory(), repeat);
		records.push({ version: 1, task: "text-chain", repeat, attempt: 0, at: "", trajectory });
	}
	const diagnosed = await diagnoseRecords({ tasks, records, rows: [], evidence: knowledge.evidence });
	const about = { name: speaker.name, version: speaker.version };
	const manifest = { id, agent: about, setting, benchmark: { name: "toy", hash: "0".repeat(64), folder: "." } };
	return {
		manifest,
		tasks,
		diagnosed,
		dir: ".",
		knowledge,
		tools: async (task) => (await environment.open(task.id)).tools,
	};
}

/** The chain of a task with nothing needed by anything: its hops may be worked on in any order. */
const unordered = ({ chain }: Task) => chain && { ...chain, hops: chain.hops.map((hop) => ({ ...hop, needs: [] })) };
/** A diagnosis in which this hop was left out, and worked on in these steps. */
const broken = (diagnosis: Diagnosis, hop: string, steps: number[]) => ({
	...diagnosis,
	firstBroken: hop,
	hops: diagnosis.hops.map((one) =>
		one.hop === hop ? { ...one, verdict: "not-planned", aimed: steps, brought: [] } : one,
	),
});

/** A diagnosis in which every hop was found: of a chain in which nothing needs anything, whatever its order. */
const allSolved = (diagnosis: Diagnosis) => ({
	...diagnosis,
	hops: diagnosis.hops.map((one) => ({ ...one, verdict: "solved" })),
});

const pairsOf = async (plays: readonly (readonly PolicyMove[])[], options: PreferenceOptions = {}) =>
	preferencePairs([await runOf(plays)], options);
const textOf = (messages: { content: { type: string; text?: string }[] }[]) =>
	messages.map(({ content }) => content.map(({ text = "" }) => text).join("")).join("\n");

describe("preference pairs", () => {
	test("right against wrong at the turn in which the hop was left out", async () => {
		const { pairs, byVerdict, noPair } = await pairsOf([right, [capital, answer("Quill")]]);
		expect(byVerdict).toEqual({ "not-planned": 1 });
		expect(noPair).toEqual({});
		const [pair] = pairs;
		expect(pair).toMatchObject({ place: "broken-hop", hop: "b", turn: 1, task: "text-chain" });
		expect(pair?.source).toMatchObject({ chosen: { repeat: 0 }, rejected: { repeat: 1 }, agent: "tagged" });
		expect(pair?.prompt.map(({ role, train }) => [role, train])).toEqual([
			["user", false],
			["assistant", false],
			["user", false],
		]);
		expect(pair?.system).toContain("<text_search>");
		expect(textOf(pair?.chosen ?? [])).toContain("Who founded Tessin Bay?");
		expect(textOf(pair?.rejected ?? [])).toContain("Quill");
		expect(pair?.chosen).toHaveLength(1);
	});

	test("a wrong reading is broken where the wrong value is said", async () => {
		const { pairs } = await pairsOf([right, [capital, founder, answer("Quill")]]);
		expect(pairs).toMatchObject([{ place: "broken-hop", hop: "b", turn: 2 }]);
		expect(["unsupported", "misread"]).toContain(pairs[0]?.verdict);
	});

	test("two that part before the hop was broken are left out, paired from there, or whole", async () => {
		const plays = [right, [search("capital city of Velmora"), answer("Quill")]];
		expect((await pairsOf(plays)).noPair).toEqual({ "they part before the hop was broken": 1 });
		const from = await pairsOf(plays, { apart: "first-difference" });
		expect(from.pairs).toMatchObject([{ place: "first-difference", turn: 0, hop: "b" }]);
		expect(from.pairs[0]?.chosen.filter(({ role }) => role === "assistant")).toHaveLength(3);
		const later = [[...right], [capital, search("Where is Tessin Bay?"), founder, answer("Quill")]];
		const whole = await pairsOf(later, { apart: "whole" });
		expect(whole.pairs).toMatchObject([{ place: "whole", turn: 1 }]);
		expect(whole.pairs[0]?.prompt).toHaveLength(1);
		expect(textOf(whole.pairs[0]?.rejected ?? [])).toContain("Where is Tessin Bay?");
	});

	test("the same search behind another thought, and a start on another hop that was solved, are no turn to prefer by", async () => {
		const early = "they part before the hop was broken";
		const thought = says("<think>first the city</think><text_search>What is the capital of Velmora?</text_search>");
		const plays = [right, [thought, answer("Quill")]];
		const run = await runOf(plays);
		// its first broken hop could have been worked on in any turn
		const diagnosed = run.diagnosed.map((one, at) =>
			at === 0 ? one : ({ ...one, diagnosis: broken(one.diagnosis, "b", []) } as typeof one),
		);
		const tasks = run.tasks.map((task) => ({ ...task, chain: unordered(task) }) as Task);
		const free = diagnosed.map((one) => ({ ...one, task: tasks.find(({ id }) => id === one.task.id) ?? one.task }));
		expect((await preferencePairs([{ ...run, tasks, diagnosed: free }])).noPair).toEqual({ [early]: 1 });

		const swapped = await runOf([
			[founder, capital, answer("Anna Rehn")],
			[capital, answer("Quill")],
		]);
		const other = swapped.diagnosed.map(
			(one, at) =>
				({
					...one,
					task: tasks.find(({ id }) => id === one.task.id) ?? one.task,
					diagnosis: at === 0 ? allSolved(one.diagnosis) : broken(one.diagnosis, "b", []),
				}) as typeof one,
		);
		expect(other[1]?.diagnosis.hops).toMatchObject([
			{ hop: "a", verdict: "unobserved", aimed: [0], brought: [0] },
			{ hop: "b" },
		]);
		const { noPair, noSide } = await preferencePairs([{ ...swapped, tasks, diagnosed: other }]);
		expect({ noPair, noSide }).toEqual({ noPair: { [early]: 1 }, noSide: {} });
		const apart = await preferencePairs([{ ...swapped, tasks, diagnosed: other }], { apart: "first-difference" });
		expect(apart.pairs).toMatchObject([{ place: "first-difference", turn: 0 }]);
	});

	test("the whole rest, where it is asked for: observations among it are not trained on", async () => {
		const { pairs } = await pairsOf([right, [capital, answer("Quill")]], { extent: "rest" });
		expect(pairs[0]?.chosen.map(({ role, train }) => [role, train])).toEqual([
			["assistant", true],
			["user", false],
			["assistant", true],
		]);
	});

	test("a prompt with either side is what the record says, to the character", async () => {
		const run = await runOf([right, [capital, answer("Quill")]]);
		const { pairs } = await preferencePairs([run], { extent: "rest" });
		for (const side of ["chosen", "rejected"] as const) {
			const record = run.diagnosed[side === "chosen" ? 0 : 1]?.record;
			const said = record?.trajectory.messages.filter(({ role }) => role !== "system") ?? [];
			const [pair] = pairs;
			expect(
				[...(pair?.prompt ?? []), ...(pair?.[side] ?? [])].map(({ role, content }) => ({ role, content })),
			).toEqual(said.map(({ role, content }) => ({ role, content })));
		}
	});

	test("luck, errors, held-out tasks and what was said twice make no pair, and are counted", async () => {
		const lucky = await pairsOf([[answer("Anna Rehn")], [capital, answer("Quill")]]);
		expect(lucky.pairs).toEqual([]);
		expect(lucky.noPair).toEqual({ "no right one of the task": 1 });
		expect(Object.keys(lucky.noSide)).toEqual([expect.stringMatching(/^right, but/)]);

		const broken = await runOf([right, [capital, answer("Quill")]], {
			change: (trajectory, repeat) =>
				repeat === 0 ? trajectory : { ...trajectory, stop: "error", error: { boundary: "tool", message: "gone" } },
		});
		expect(await preferencePairs([broken])).toMatchObject({ pairs: [], noSide: { "broken off by error": 1 } });

		const tasks = worded.map((task) => ({ ...task, tags: { ...task.tags, split: "test" } }));
		const held = await runOf([right, [capital, answer("Quill")]], { tasks });
		expect(await preferencePairs([held])).toMatchObject({
			pairs: [],
			noSide: { "held out of training by its split": 2 },
		});
		expect((await preferencePairs([held], { splits: ["test"] })).pairs).toHaveLength(1);

		const twice = await pairsOf([right, [capital, answer("Quill")], [capital, answer("Quill")]]);
		expect(twice.pairs).toHaveLength(1);
		expect(twice.noPair).toEqual({ "the same pair again": 1 });
	});

	test("a miss of the retriever's is not held against the policy", async () => {
		const run = await runOf([right, [capital, answer("Quill")]]);
		const miss = async (miss: object | undefined) => {
			const diagnosed = run.diagnosed.map((one, at) => {
				if (at === 0) return one;
				const hops = one.diagnosis.hops.map((hop) =>
					hop.is === "judged" && hop.hop === "b"
						? { ...hop, verdict: "retrieval-miss" as const, aimed: [1], brought: [], ...(miss ? { miss } : {}) }
						: hop,
				);
				return { ...one, diagnosis: { ...one.diagnosis, hops } } as typeof one;
			});
			return preferencePairs([{ ...run, diagnosed }]);
		};
		expect((await miss({ is: "bad-query", rank: 1 })).byVerdict).toEqual({ "retrieval-miss": 1 });
		expect((await miss({ is: "weak-retriever", rank: null })).noSide).toEqual({
			"wrong by a miss of the retriever's: weak-retriever": 1,
		});
		expect((await miss({ is: "tool-or-k", rank: 2 })).noSide).toEqual({
			"wrong by a miss of the tool's: its own query finds it now": 1,
		});
		expect((await miss({ is: "bad-query", rank: 1, notReplayed: "a search of the web" })).noSide).toEqual({
			"wrong by a miss whose query could not be made again": 1,
		});
		expect((await miss(undefined)).noSide).toEqual({ "wrong by a miss whose cause is not known": 1 });
	});

	/** The pairs of a right and a wrong record whose hops were judged so. */
	async function judgedAs(
		plays: readonly (readonly PolicyMove[])[],
		hops: { of: number; hop: string; is: object }[],
		more: (at: number) => object = () => ({}),
	) {
		const run = await runOf(plays);
		const diagnosed = run.diagnosed.map((one, at) => {
			const changed = one.diagnosis.hops.map((hop) => ({
				...hop,
				...hops.find(({ of, hop: id }) => of === at && id === hop.hop)?.is,
			}));
			return { ...one, diagnosis: { ...one.diagnosis, hops: changed, ...more(at) } } as typeof one;
		});
		return preferencePairs([{ ...run, diagnosed }]);
	}

	test("a hop of which nothing shows how it was read makes no pair, neither on the right side nor on the wrong one", async () => {
		const plays = [right, [capital, answer("Quill")]];
		// the right one may have answered by luck
		const lucky = await judgedAs(plays, [{ of: 0, hop: "b", is: { verdict: "unobserved" } }]);
		expect(lucky).toMatchObject({ pairs: [], noPair: { "nothing shows that the right one solved that hop": 1 } });
		// and of the wrong one nobody knows where it went wrong
		const open = await judgedAs(plays, [{ of: 1, hop: "b", is: { verdict: "unobserved" } }], (at) =>
			at === 1 ? { firstBroken: null, unobserved: ["a", "b"], primary: "unobserved" } : {},
		);
		expect(open).toMatchObject({ pairs: [], noSide: { "wrong, and nothing shows which hop broke": 1 } });
	});

	test("a tool that failed is not held against the policy, and what was known is nothing to prefer", async () => {
		const plays = [right, [capital, answer("Quill")]];
		const failed = await judgedAs(plays, [{ of: 1, hop: "b", is: { verdict: "tool-failed", aimed: [1] } }]);
		expect(failed).toMatchObject({ pairs: [], noSide: { "wrong by a tool that failed": 1 } });
		const known = await judgedAs(plays, [{ of: 0, hop: "a", is: { verdict: "skipped-known" } }]);
		expect(known).toMatchObject({ pairs: [], noSide: { "right, but a hop was known, not found": 1 } });
	});

	test("a miss spans the searches that aimed at the hop, whoever else brought its evidence", async () => {
		const tried = search("Who was it that founded the place?");
		const wrong = [capital, tried, answer("Quill")];
		const miss = { verdict: "retrieval-miss", miss: { is: "bad-query", rank: 1 } };
		const spanOf = async (is: object) => {
			const { pairs, noPair } = await judgedAs([right, wrong], [{ of: 1, hop: "b", is: { ...miss, ...is } }], (at) =>
				at === 1 ? { firstBroken: "b", primary: "retrieval-miss" } : {},
			);
			return pairs[0] ?? noPair;
		};
		// the two part in the turn of its one search
		expect(await spanOf({ aimed: [1], brought: [] })).toMatchObject({ place: "broken-hop", turn: 1 });
		expect(await spanOf({ aimed: [1], brought: [0] })).toMatchObject({ place: "broken-hop", turn: 1 });
		// it aimed at it only afterwards: they part before
		expect(await spanOf({ aimed: [2], brought: [0] })).toEqual({ "they part before the hop was broken": 1 });
	});

	test("a wrong reading that no reply says in these words is broken where it was seen", async () => {
		const plays = [right, [capital, search("Who founded the town of Merrow?"), answer("Quill")]];
		const misread = {
			...{ verdict: "misread", used: "elsewhere", aimed: [0], brought: [0], seen: { by: "query", step: 1 } },
		};
		const seen = await judgedAs(plays, [{ of: 1, hop: "a", is: misread }], (at) =>
			at === 1 ? { firstBroken: "a", primary: "misread" } : {},
		);
		expect(seen.pairs).toMatchObject([{ hop: "a", verdict: "misread", place: "broken-hop", turn: 1 }]);
	});

	test("runs of one protocol are set against one another, of two they are not", async () => {
		const one = await runOf([right], { id: "one" });
		const two = await runOf([[capital, answer("Quill")]], { id: "two" });
		expect((await preferencePairs([one, two])).pairs[0]?.source).toMatchObject({
			chosen: { run: "one" },
			rejected: { run: "two" },
		});
		const other = { ...two, manifest: { ...two.manifest, agent: { name: "tagged", version: "0" } } };
		expect((await preferencePairs([one, other])).noPair).toEqual({ "no right one of the task": 1 });
	});

	test("calls in the provider's form: ids of the provider part nobody, and the functions stand beside", async () => {
		const calls = (id: string, query: string): PolicyMove => ({
			is: "calls",
			calls: [{ name: "text_search", arguments: { query }, id }],
		});
		const asked = (id: string) => [calls(`${id}-1`, "What is the capital of Velmora?")];
		const run = await runOf(
			[
				[...asked("x"), calls("x-2", "Who founded Tessin Bay?"), { is: "answers", text: "Anna Rehn" }],
				[...asked("y"), { is: "answers", text: "Quill" }],
			],
			{ agent: "function-calling" },
		);
		const { pairs, noPair, noSide } = await preferencePairs([run]);
		expect({ noPair, noSide }).toEqual({ noPair: {}, noSide: {} });
		expect(pairs).toMatchObject([{ turn: 1, place: "broken-hop" }]);
		expect(pairs[0]?.chosen[0]?.calls?.[0]).toMatchObject({ id: "call-2", name: "text_search" });
		expect(pairs[0]?.tools?.map(({ name }) => name)).toContain("text_search");
		expect(await preferencePairs([{ ...run, tools: undefined }])).toMatchObject({
			pairs: [],
			noPair: { "the functions that were offered cannot be told": 1 },
		});
	});
});
