import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	lookIntoMisses,
	type MissOptions,
	missesOf,
	replayQueries,
	type SearchAgain,
	summariseDiagnoses,
	withMisses,
} from "#diagnosis";
import { Diagnosis, type HopDiagnosis, HopVerdict, noUsage, type RunRecord, type Step, Task } from "#domain";

async function withMissCauses(
	diagnosed: Parameters<typeof missesOf>[0][],
	{ k, ...options }: MissOptions & { k: number },
): Promise<Diagnosis[]> {
	const missed = diagnosed.map((one) => missesOf(one, k));
	const causes = await lookIntoMisses(missed, async () => missed.flat(), options);
	return diagnosed.map(({ diagnosis }, at) => withMisses(diagnosis, causes[at] ?? new Map()));
}

const answer = (value: string) => ({ type: "string" as const, value, accepted: [value] });
const taskOf = (id: string, hops: number, more: object = {}) =>
	Task.parse({
		...{ id, question: "?", answer: answer("a") },
		chain: {
			sink: `h${hops}`,
			hops: Array.from({ length: hops }, (_, at) => ({
				...{ id: `h${at + 1}`, question: `Question ${at + 1} of ${id}?`, modality: "text", answer: answer("a") },
				...{ evidence: [`${id}#${at + 1}`], needs: at === 0 ? [] : [{ hop: `h${at}`, role: "bridge" }] },
			})),
		},
		...more,
	});

const judged = (hop: string, verdict: HopVerdict, more: object = {}): HopDiagnosis => ({
	...{ is: "judged", hop, verdict, aimed: [0], brought: [], evidence: verdict === "solved" ? [hop] : [] },
	...more,
});
const diagnosisOf = (task: Task, hops: HopDiagnosis[], more: object = {}): Diagnosis =>
	Diagnosis.parse({
		...{
			version: 2,
			task: task.id,
			repeat: 0,
			attempt: 0,
			diagnoser: "test",
			shows: "stated",
			unobserved: [],
			hops,
			findings: [],
			notJudged: [],
		},
		firstBroken: hops.find((hop) => hop.is === "judged" && hop.verdict !== "solved")?.hop ?? null,
		primary: null,
		...more,
	});

const searched = (query: string, more: object = {}): Step => ({
	...{ index: 0, results: [], ms: 0 },
	call: { tool: "text_search", arguments: { query, ...more }, valid: true },
});
const recordOf = (task: Task, steps: Step[], repeat = 0): RunRecord => ({
	...{ version: 1, task: task.id, repeat, attempt: 0, at: "" },
	trajectory: { steps, answer: "", abstained: false, stop: "answered", usage: noUsage, ms: 0, messages: [] },
});

describe("a summary", () => {
	test("has every expected hop in a count, and every record at one place of its chain", () => {
		const verdict = fc.option(fc.constantFrom(...HopVerdict.options), { nil: null });
		const item = fc.record({
			verdicts: fc.array(verdict, { minLength: 1, maxLength: 4 }),
			recorded: fc.boolean(),
			cluster: fc.constantFrom("a", "b", "c"),
		});
		fc.assert(
			fc.property(fc.array(item, { maxLength: 12 }), (drawn) => {
				const items = drawn.map(({ verdicts, recorded, cluster }, at) => {
					const task = taskOf(`t${at}`, verdicts.length, { cluster });
					const hops = verdicts.map(
						(one, place): HopDiagnosis =>
							one === null
								? { is: "not-judged", hop: `h${place + 1}`, reason: "no value" }
								: judged(`h${place + 1}`, one),
					);
					return { task, diagnosis: recorded ? diagnosisOf(task, hops) : undefined };
				});
				const { hops, byPlace, firstBroken, unbroken, expected, recorded } = summariseDiagnoses(items);
				expect(expected).toBe(drawn.length);
				expect(recorded).toBe(drawn.filter((one) => one.recorded).length);
				const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
				for (const at of [hops, ...byPlace]) {
					expect(at.judged + sum(Object.values(at.notJudged))).toBe(at.expected);
					expect(sum(Object.values(at.verdicts).map(({ count }) => count))).toBe(at.judged);
				}
				expect(sum(byPlace.map((at) => at.expected))).toBe(hops.expected);
				expect(hops.expected).toBe(sum(drawn.map(({ verdicts }) => verdicts.length)));
				expect(sum(firstBroken.map(({ share }) => share.count)) + unbroken.count).toBe(unbroken.of);
			}),
			{ numRuns: 60 },
		);
	});

	test("takes the repeats of a task, and tasks of one cluster, as one group", () => {
		const task = taskOf("t", 1, { cluster: "c" });
		const other = taskOf("u", 1, { cluster: "c" });
		const items = [task, task, other].map((one) => ({
			task: one,
			diagnosis: diagnosisOf(one, [judged("h1", "misread")]),
		}));
		// Wilson of one group: 1 of 1
		expect(summariseDiagnoses(items).hops.verdicts.misread).toMatchObject({
			...{ count: 3, of: 3, value: 1, groups: 1, method: "clustered-wilson" },
			low: expect.closeTo(0.2065, 4),
		});
	});

	test("of nothing is empty, and of tasks without a chain says nothing of hops", () => {
		expect(summariseDiagnoses([])).toMatchObject({ expected: 0, byPlace: [], unbroken: { value: null, of: 0 } });
		const task = Task.parse({ id: "t", question: "?", answer: answer("a") });
		const reason = "the task has no gold chain";
		const diagnosis = diagnosisOf(task, [], { notJudged: [{ what: ["misread"], reason }] });
		expect(summariseDiagnoses([{ task, diagnosis }])).toMatchObject({
			...{ withChain: 0, hops: { expected: 0 }, notJudged: [{ what: ["misread"], reason, records: 1 }] },
			primary: { nothing: { count: 1, of: 1 } },
		});
	});
});

describe("the cause of a miss", () => {
	const task = taskOf("t", 3);
	const missed = (hops: string[]) =>
		diagnosisOf(
			task,
			["h1", "h2", "h3"].map((hop) => judged(hop, hops.includes(hop) ? "retrieval-miss" : "solved")),
		);
	const held = async (id: string) =>
		id === "t#3" ? undefined : ({ kind: "passage", id } as unknown as Awaited<ReturnType<typeof evidenceNever>>);
	const evidenceNever = async () => undefined;

	test("is told by the gold sub-question where the own query does not find it, with as many results as were asked for", async () => {
		const asked: SearchAgain[] = [];
		const search = async (one: SearchAgain) => {
			asked.push(one);
			return ["x", "y", "z", one.text === "Question 1 of t?" ? "t#1" : "w", "t#2"];
		};
		const shown = (k: number) => recordOf(task, [searched("q", { k })]);
		const causesAt = async (k: number) => {
			const diagnosed = [{ task, record: shown(k), diagnosis: missed(["h1", "h2", "h3"]) }];
			const [found] = await withMissCauses(diagnosed, { search, evidence: held, k: 3 });
			return found?.hops.map((hop) => (hop.is === "judged" ? hop.miss : undefined));
		};
		expect(await causesAt(4)).toEqual([
			{ is: "bad-query", rank: 4 },
			{ is: "weak-retriever", rank: 5 },
			{ is: "not-in-knowledge-base" },
		]);
		expect((await causesAt(3))?.[0]).toEqual({ is: "weak-retriever", rank: 4 });
		// the own query of all three once and two gold sub-questions, twice; what is not in the knowledge base is not searched for
		expect(asked.map(({ text, k }) => [text, k]).sort()).toEqual(
			[
				...[
					["q", 4],
					["q", 3],
				],
				...[1, 2, 1, 2].map((hop) => [`Question ${hop} of t?`, 100]),
			].sort(),
		);
		expect(new Set(asked.map(({ target }) => target))).toEqual(new Set(["passage"]));
	});

	/** The causes of a miss of the one hop by these steps; `finds` is what each query brings. */
	async function causeOf(
		steps: Step[],
		{
			finds = {},
			aimed,
			k = 3,
			one = taskOf("t", 1),
		}: {
			finds?: Record<string, string[]>;
			aimed?: number[];
			k?: number;
			one?: Task;
		} = {},
	) {
		const indexed = steps.map((step, index) => ({ ...step, index }));
		const hop = judged("h1", "retrieval-miss", { aimed: aimed ?? indexed.map(({ index }) => index) });
		const asked: SearchAgain[] = [];
		const search = async (again: SearchAgain) => {
			asked.push(again);
			return finds[again.text ?? `image ${again.image}`] ?? [];
		};
		const diagnosed = [{ task: one, record: recordOf(one, indexed), diagnosis: diagnosisOf(one, [hop]) }];
		const [found] = await withMissCauses(diagnosed, { search, evidence: held, k });
		const [read] = found?.hops ?? [];
		return { miss: read?.is === "judged" ? read.miss : undefined, asked };
	}
	const gold = "Question 1 of t?";

	test("is the tool where the own query finds it now, and the gold sub-question is not asked then", async () => {
		// a sound query that ended in an error, and one that showed nothing
		for (const failed of [{ error: "HTTP 503" }, { results: [] }]) {
			const { miss, asked } = await causeOf([{ ...searched("sound"), ...failed }], {
				finds: { sound: ["x", "t#1"], [gold]: ["t#1"] },
			});
			expect(miss).toEqual({ is: "tool-or-k", rank: 2 });
			expect(asked).toHaveLength(1);
		}
	});

	test("is the tool's only within as many results as were asked for", async () => {
		const finds = { own: ["x", "y", "t#1"], [gold]: ["x", "t#1"] };
		const at = async (k: number) => (await causeOf([searched("own", { k })], { finds })).miss;
		expect(await at(3)).toEqual({ is: "tool-or-k", rank: 3 });
		expect(await at(2)).toEqual({ is: "bad-query", rank: 2 });
		expect(await at(1)).toEqual({ is: "weak-retriever", rank: 2 });
		// where the model does not choose, as many as the setting shows
		expect((await causeOf([searched("own")], { finds, k: 3 })).miss).toEqual({ is: "tool-or-k", rank: 3 });
	});

	test("is told by all queries that aimed at the hop, at the best rank, and by no other", async () => {
		const finds = { first: ["x", "y", "t#1"], second: ["x", "t#1"], other: ["t#1"] };
		const steps = [searched("first"), searched("second"), searched("other"), searched("second")];
		const { miss, asked } = await causeOf(steps, { finds, aimed: [0, 1, 3] });
		expect(miss).toEqual({ is: "tool-or-k", rank: 2 });
		expect(asked.map(({ text }) => text)).toEqual(["first", "second"]);
	});

	test("is the retriever's where neither finds it", async () => {
		const { miss, asked } = await causeOf([searched("own")]);
		expect(miss).toEqual({ is: "weak-retriever", rank: null });
		expect(asked.map(({ text }) => text)).toEqual(["own", gold]);
	});

	test("falls back to the gold sub-question where the own query cannot be made again, and says why", async () => {
		const call = (tool: string, given: object) => ({
			...searched("q"),
			call: { tool, arguments: { ...given }, valid: true },
		});
		const web = call("web_search", { query: "q" });
		const finds = { q: ["t#1"], [gold]: ["t#1"] };
		expect(await causeOf([web], { finds })).toMatchObject({
			miss: { is: "bad-query", rank: 1, notReplayed: "a search of the web" },
			asked: [{ text: gold }],
		});
		const crop = call("image_search_by_image", { image: "crop-1" });
		expect((await causeOf([crop])).miss).toEqual({
			...{ is: "weak-retriever", rank: null, notReplayed: "it names no image" },
		});
		expect((await causeOf([call("image_search_by_image", { image: 0 })])).miss).toMatchObject({
			notReplayed: "a search with a crop",
		});
		expect((await causeOf([call("web_read", { url: "u" })])).miss).toMatchObject({
			notReplayed: "no search for it is recorded",
		});
		// one that can be made again tells all the same; one that finds nothing leaves the other's reason
		expect((await causeOf([web, searched("q")], { finds })).miss).toEqual({ is: "tool-or-k", rank: 1 });
		expect((await causeOf([web, searched("other")], { finds })).miss).toMatchObject({
			...{ is: "bad-query", notReplayed: "a search of the web" },
		});
	});

	test("takes a picture, documents and a way of searching that the record names", async () => {
		const image = { id: "q", file: "q.png", width: 1, height: 1, sha256: "0".repeat(64) };
		const one = taskOf("t", 1, { images: [image] });
		const steps = [
			{ ...searched("q"), call: { tool: "image_search_by_image", arguments: { image: 0, k: 2 }, valid: true } },
			{ ...searched("q"), call: { tool: "page_search", arguments: { query: "p", mode: "late" }, valid: true } },
			searched("t", { documents: ["d"] }),
		];
		const { asked } = await causeOf(steps, { one });
		expect(asked.slice(0, 3)).toMatchObject([
			{ target: "image", image: 0, k: 2 },
			{ target: "page", text: "p", mode: "late", k: 3 },
			{ target: "passage", text: "t", documents: ["d"], k: 3 },
		]);
	});

	test("is counted among the causes of a summary", async () => {
		const miss = { is: "tool-or-k" as const, rank: 1 };
		const hops = ["h1", "h2", "h3"].map((hop) =>
			judged(hop, "retrieval-miss", hop === "h3" ? {} : { miss: hop === "h1" ? miss : { is: "bad-query", rank: 1 } }),
		);
		const { misses } = summariseDiagnoses([{ task, diagnosis: diagnosisOf(task, hops) }]);
		expect(misses).toMatchObject({
			...{ missed: 3, lookedInto: 2 },
			causes: { "tool-or-k": { count: 1, of: 2 }, "bad-query": { count: 1, of: 2 }, "weak-retriever": { count: 0 } },
		});
	});

	test("differs between repeats that asked otherwise", async () => {
		const search = async ({ text }: SearchAgain) => (text === "good" ? ["t#1"] : []);
		const diagnosed = ["good", "bad"].map((query, repeat) => ({
			...{ task, record: recordOf(task, [searched(query)], repeat), diagnosis: missed(["h1"]) },
		}));
		const found = await withMissCauses(diagnosed, { search, evidence: held, k: 3 });
		expect(found.map(({ hops: [first] }) => first)).toMatchObject([
			{ miss: { is: "tool-or-k", rank: 1 } },
			{ miss: { is: "weak-retriever", rank: null } },
		]);
	});

	test("is looked for once over repeats, at most as often as allowed", async () => {
		let searches = 0;
		const search = async () => {
			searches += 1;
			return [];
		};
		const diagnosed = [0, 1, 2].map((repeat) => ({
			...{ task, record: recordOf(task, [searched("q")], repeat), diagnosis: missed(["h1", "h2"]) },
		}));
		const found = await withMissCauses(diagnosed, { search, evidence: held, k: 3, most: 1 });
		// the own query and the gold sub-question
		expect(searches).toBe(2);
		const causes = found.flatMap(({ hops }) =>
			hops.flatMap((hop) => (hop.is === "judged" && hop.miss ? [hop.miss] : [])),
		);
		expect(causes).toEqual(Array(3).fill({ is: "weak-retriever", rank: null }));
		await withMissCauses(diagnosed, { search, evidence: held, k: 3, most: 0 });
		expect(searches).toBe(2);
	});

	test("of a hop that identifies a question image is looked for with that image", async () => {
		const image = { id: "q", file: "q.png", width: 1, height: 1, sha256: "0".repeat(64) };
		const seen = taskOf("t", 1, { images: [image] });
		Object.assign(seen.chain?.hops[0] ?? {}, { modality: "image" });
		const asked: SearchAgain[] = [];
		const evidence = async () => ({ kind: "image" }) as unknown as Awaited<ReturnType<typeof held>>;
		const search = async (one: SearchAgain) => {
			asked.push(one);
			return ["t#1"];
		};
		const diagnosed = [
			{ task: seen, record: recordOf(seen, []), diagnosis: diagnosisOf(seen, [judged("h1", "retrieval-miss")]) },
		];
		await withMissCauses(diagnosed, { search, evidence, k: 3 });
		expect(asked).toMatchObject([{ target: "image", image: 0 }]);
		expect(asked[0]?.text).toBeUndefined();
	});
});

describe("a replay", () => {
	const task = taskOf("t", 2);
	const steps = [searched("first"), { ...searched("second"), index: 1 }];
	const diagnosis = diagnosisOf(task, [
		judged("h1", "solved", { aimed: [0], brought: [0], evidence: ["t#1"] }),
		judged("h2", "retrieval-miss", { aimed: [1], brought: [] }),
	]);
	const diagnosed = [{ task, record: recordOf(task, steps), diagnosis }];

	test("tells misses that vanish from hops that are lost", async () => {
		const search = async ({ text }: SearchAgain) => (text === "second" ? ["x", "t#2"] : ["x"]);
		expect(await replayQueries(diagnosed, { search, k: 3 })).toMatchObject({
			missed: { hops: [{ hop: "h2", found: { step: 1, id: "t#2", rank: 2 } }], vanished: { count: 1, of: 1 } },
			found: { hops: [{ hop: "h1", found: null }], lost: { count: 1, of: 1 } },
			...{ left: { missed: 0, found: 0 }, notReplayed: {} },
		});
	});

	test("makes equal searches once, with the k that is asked for, and bounds them", async () => {
		const asked: SearchAgain[] = [];
		const search = async (one: SearchAgain) => {
			asked.push(one);
			return [];
		};
		const again = await replayQueries([...diagnosed, ...diagnosed], { search, k: 3, asked: 7 });
		expect(asked.map(({ text, k }) => [text, k])).toEqual([
			["second", 7],
			["first", 7],
		]);
		expect(again.missed.vanished.of).toBe(2);
		const few = await replayQueries([...diagnosed, ...diagnosed], { search, k: 3, most: 1 });
		expect(few.left).toEqual({ missed: 1, found: 1 });
	});

	test("makes the queries that aimed at a missed hop, and those that had to do with one that was found", async () => {
		const all = ["aimed", "brought"].map((query, index) => ({ ...searched(query), index }));
		const replayed = async (verdict: HopVerdict, evidence: string[]) => {
			const hop = judged("h1", verdict, { aimed: [0], brought: [1], evidence });
			const one = { task, record: recordOf(task, all), diagnosis: diagnosisOf(task, [hop]) };
			return replayQueries([one], { search: async () => [], k: 3 });
		};
		expect((await replayed("unobserved", ["t#1"])).found.hops).toMatchObject([{ steps: [0, 1] }]);
		expect((await replayed("misread", ["t#1"])).found.hops).toMatchObject([{ steps: [0, 1] }]);
		// another hop's search brought its evidence: its own missed it all the same
		const missed = await replayed("retrieval-miss", ["t#1"]);
		expect(missed.missed.hops).toMatchObject([{ steps: [0] }]);
		expect(missed.found.hops).toEqual([]);
		expect((await replayed("not-planned", [])).left).toEqual({ missed: 0, found: 0 });
	});

	test("says what cannot be made again", async () => {
		const call = (tool: string, given: object) => ({
			...searched("q"),
			call: { tool, arguments: { ...given }, valid: true },
		});
		const reasons = async (step: Step) => {
			const one = {
				task,
				record: recordOf(task, [step]),
				diagnosis: diagnosisOf(task, [judged("h1", "retrieval-miss")]),
			};
			const { notReplayed } = await replayQueries([one], { search: async () => [], k: 3 });
			return Object.keys(notReplayed);
		};
		expect(await reasons(call("web_search", { query: "q" }))).toEqual(["a search of the web"]);
		expect(await reasons(call("image_search_by_image", { image: 4 }))).toEqual(["a search with a crop"]);
		expect(await reasons(call("text_search", {}))).toEqual(["it names no query"]);
	});
});
