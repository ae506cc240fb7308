import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { noUsage, reasoningHops, type ScoreRow, type ScoringMode, scoringModes, Task, Trajectory } from "#domain";
import {
	byDeltaStep,
	levelOf,
	metrics,
	modalityCoverageTable,
	scorerVersion,
	scoreTrajectory,
	slices,
	summarise,
} from "#scoring";

type HopSketch = [id: string, modality: string, needs: string[], evidence: string[]];

const answer = (value: string) => ({ type: "string", value, accepted: [value] });

function taskOf(id: string, hops: HopSketch[], more: object = {}): Task {
	const sink = hops.at(-1)?.[0] ?? "";
	const chain = {
		sink,
		hops: hops.map(([hop, modality, needs, evidence]) => ({
			id: hop,
			question: "?",
			modality,
			needs: needs.map((need) => ({ hop: need, role: "bridge" })),
			evidence,
			answer: answer("Oslo"),
		})),
	};
	return Task.parse({ id, question: "?", answer: answer("Oslo"), ...(hops.length > 0 ? { chain } : {}), ...more });
}

function trajectoryOf(searches: [tool: string, ids: string[]][], more: object = {}): Trajectory {
	const steps = searches.map(([tool, ids], index) => ({
		index,
		call: { tool, arguments: {}, valid: true },
		results: ids.map((id, place) => ({ id, score: 1 - place / 100, rank: place + 1 })),
	}));
	const end = { answer: "Oslo", abstained: false, stop: "answered", usage: noUsage, ms: 1 };
	return Trajectory.parse({ steps, ...end, ...more });
}

const chain: HopSketch[] = [
	["one", "image", [], ["flag"]],
	["two", "text", ["one"], ["p1", "p2"]],
	["three", "table", ["two"], ["t1"]],
	["four", "compute", ["three"], []],
];
const task = taskOf("t", chain);
const good = trajectoryOf([
	["image_search_by_image", ["x", "flag"]],
	["text_search", ["p2"]],
	["text_search", ["t1"]],
]);

const scoreOf = (scores: ScoreRow["scores"], name: string) => {
	const score = scores[name];
	return score?.is === "scored" ? score.value : score?.reason;
};
const values = (scores: ScoreRow["scores"], names: string[]) => names.map((name) => scoreOf(scores, name));
const answers = ["em", "f1", "accuracy"];

describe("scoreTrajectory", () => {
	test("a chain walked to the end", () => {
		const { outcome, scores } = scoreTrajectory(task, good);
		expect(outcome).toBe("right");
		expect(values(scores, answers)).toEqual([1, 1, 1]);
		expect(values(scores, ["hps", "hps-coverage", "rollout-deviation", "delta-step", "steps", "order"])).toEqual([
			1, 1, 0, 0, 3, 1,
		]);
		expect(values(scores, ["hit@1", "hit@3", "hit@5", "hit", "modality-coverage"])).toEqual([0, 1, 1, 1, 1]);
		expect(scores["modality-coverage"]).toMatchObject({
			details: { text: { gold: 2, steps: 2, covered: 2 }, image: { gold: 1, steps: 1, covered: 1 } },
		});
	});

	test("invalid calls and other tools are no retrieval steps", () => {
		const steps = [
			{ index: 0, call: { tool: "text_search", arguments: {}, valid: false } },
			{ index: 1, call: { tool: "image_crop", arguments: {}, valid: true } },
			{ index: 2, thought: "hm" },
		];
		const { scores } = scoreTrajectory(task, trajectoryOf([], { steps }));
		expect(values(scores, ["steps", "delta-step", "rollout-deviation", "hps", "hit@5", "order"])).toEqual([
			0, -3, 3, 0, 0, 0,
		]);
	});

	test("behaviour: calls, those that were invalid, rounds, and the share of the limit that was used", () => {
		const steps = [
			{ index: 0, call: { tool: "text_search", arguments: {}, valid: false } },
			{ index: 1, call: { tool: "image_crop", arguments: {}, valid: true } },
			{ index: 2, thought: "hm" },
		];
		const said = (role: string, conversation?: string) => ({
			role,
			content: [],
			...(conversation ? { conversation } : {}),
		});
		const messages = [said("user"), said("assistant"), said("user"), said("assistant"), said("assistant", "reader")];
		const talked = trajectoryOf([], { steps, messages } as never);
		const names = ["calls", "invalid-calls", "rounds", "utilisation"];
		expect(values(scoreTrajectory(task, talked, { limit: 8 }).scores, names)).toEqual([1, 1, 2, 0.125]);
		const { scores } = scoreTrajectory(task, trajectoryOf([], { steps }));
		expect(scores.rounds).toMatchObject({ is: "unscored", reason: "no conversation was recorded" });
		expect(scores.utilisation).toMatchObject({ is: "unscored", reason: "the setting names no limit" });
		const broken = trajectoryOf([], { stop: "error", error: { boundary: "model", message: "gone" } });
		for (const name of names) expect(scoreTrajectory(task, broken, { limit: 8 }).scores[name]?.is).toBe("unscored");
	});

	test("order: what was needed first must have come first", () => {
		const backwards = trajectoryOf([
			["text_search", ["t1"]],
			["text_search", ["p1"]],
			["image_search_by_image", ["flag"]],
		]);
		expect(scoreOf(scoreTrajectory(task, backwards).scores, "order")).toBe(0);
		const again = trajectoryOf([
			["text_search", ["p1"]],
			["image_search_by_image", ["flag"]],
			["text_search", ["p2", "t1"]],
		]);
		expect(scoreOf(scoreTrajectory(task, again).scores, "order")).toBe(1);
		const half = trajectoryOf([
			["image_search_by_image", ["flag"]],
			["text_search", ["p1"]],
		]);
		expect(scoreTrajectory(task, half).scores.order).toMatchObject({ value: 0.5, details: { pairs: 2, solved: 1 } });
		// a computing hop between two retrieving ones is looked through
		const through = taskOf("c", [
			["a", "text", [], ["a"]],
			["sum", "compute", ["a"], []],
			["b", "text", ["sum"], ["b"]],
		]);
		const straight = trajectoryOf([
			["text_search", ["a"]],
			["text_search", ["b"]],
		]);
		expect(scoreOf(scoreTrajectory(through, straight).scores, "order")).toBe(1);
	});

	test("errors and used-up budgets score nothing, with the reason", () => {
		const error = { boundary: "model" as const, message: "HTTP 500" };
		const failed = scoreTrajectory(task, { ...good, answer: null, stop: "error", error });
		expect(failed.outcome).toBe("error");
		expect(new Set(values(failed.scores, Object.keys(failed.scores)))).toEqual(new Set(["model error: HTTP 500"]));
		const spent = scoreTrajectory(task, { ...good, stop: "budget" });
		expect(spent.outcome).toBe("budget");
		expect(Object.values(spent.scores).every((score) => score.is === "unscored")).toBe(true);
		expect(Object.keys(spent.scores).sort()).toEqual(Object.keys(scoreTrajectory(task, good).scores).sort());
	});

	test("abstaining scores 0, or 1 where there is no answer; running out of turns is wrong", () => {
		const abstained = { ...good, answer: null, abstained: true };
		expect(scoreTrajectory(task, abstained).outcome).toBe("abstained");
		expect(values(scoreTrajectory(task, abstained).scores, [...answers, "hps"])).toEqual([0, 0, 0, 1]);
		const unanswerable = { ...task, answer: { type: "none" as const, value: "", accepted: [""] } };
		expect(scoreTrajectory(unanswerable, abstained).outcome).toBe("right");
		expect(values(scoreTrajectory(unanswerable, abstained).scores, answers)).toEqual([1, 1, 1]);
		expect(scoreTrajectory(unanswerable, good).outcome).toBe("wrong");
		const late = { ...good, answer: null, stop: "turn-limit" as const };
		expect(scoreTrajectory(task, late).outcome).toBe("wrong");
		expect(values(scoreTrajectory(task, late).scores, answers)).toEqual([0, 0, 0]);
		expect(scoreTrajectory(unanswerable, late).outcome).toBe("wrong");
		expect(scoreTrajectory(task, { ...good, answer: "Bergen" }).outcome).toBe("wrong");
	});

	test("a task without a chain has no chain scores", () => {
		const { outcome, scores } = scoreTrajectory(taskOf("plain", []), good);
		expect(outcome).toBe("right");
		expect(values(scores, ["accuracy", "steps", "hps", "hit@5"])).toEqual([
			1,
			3,
			"the task has no gold chain",
			"the task has no gold chain",
		]);
	});

	test("hit@k of several searches: each list is cut to k before they are joined", () => {
		const two = taskOf("two", [
			["a", "text", [], ["a"]],
			["b", "text", ["a"], ["b"]],
		]);
		const searched = trajectoryOf([
			["text_search", ["x", "a"]],
			["text_search", ["b", "y"]],
		]);
		expect(values(scoreTrajectory(two, searched).scores, ["hit@1", "hit@3"])).toEqual([0, 1]);
		const retrieve = trajectoryOf([["text_search", ["x", "a", "b"]]]);
		expect(values(scoreTrajectory(two, retrieve).scores, ["hit@1", "hit@3", "hps", "hps-coverage"])).toEqual([
			0, 1, 0.5, 1,
		]);
	});

	test("em and f1 go by the task's declared language, and details say so", () => {
		const chinese = (language: string) =>
			taskOf("zh", [], { tags: { language }, answer: { type: "text", value: "巴黎铁塔", accepted: ["巴黎铁塔"] } });
		const said = trajectoryOf([], { answer: "「巴黎铁塔」在巴黎。" });
		const { f1, em } = scoreTrajectory(chinese("zh-Hans"), said).scores;
		// four of seven characters, and all four of the gold
		expect(f1).toMatchObject({
			value: (2 * (4 / 7)) / (4 / 7 + 1),
			details: { mode: "hopscope", options: { cjkCharacters: true } },
		});
		expect(em).toMatchObject({ value: 0, details: { options: { nfkc: true, unicodePunctuation: true } } });
		for (const language of ["en", "und"])
			expect(scoreTrajectory(chinese(language), said).scores.f1).toEqual({
				is: "scored",
				value: 0,
				details: { mode: "hopscope" },
			});
	});

	test("every score of an answer names the mode, and only tracer-official compares otherwise in em and f1", () => {
		const gold = { type: "string", value: "Harbour One", accepted: ["Harbour One", "Port 1"] };
		// both scripts compare with one answer
		const single = { "tracer-official": [0, 0, 0], mmlongbench: [1, 1, 0] } as Record<string, number[]>;
		const asked = taskOf("t", [], { answer: gold });
		const said = trajectoryOf([], { answer: "the port 1" });
		for (const mode of scoringModes) {
			const { outcome, scores } = scoreTrajectory(asked, said, { mode });
			expect(values(scores, answers), mode).toEqual(single[mode] ?? [1, 1, 1]);
			expect(outcome).toBe(mode in single ? "wrong" : "right");
			for (const name of answers) expect(scores[name]).toMatchObject({ details: { mode } });
			for (const answer of [null, "Harbour One"])
				for (const name of answers)
					expect(scoreTrajectory(asked, { ...said, answer }, { mode }).scores[name]).toMatchObject({
						...{ value: answer === null ? 0 : 1, details: { mode } },
					});
		}
		const none = taskOf("n", [], { answer: { type: "none", value: "", accepted: [""] } });
		const declined = { ...said, answer: null, abstained: true };
		expect(values(scoreTrajectory(none, declined, { mode: "tracer-official" }).scores, answers)).toEqual([1, 1, 1]);
	});

	test("a full date accepts its year in mode mmhops alone", () => {
		const time = { type: "time", value: "1 January 1981", accepted: ["1 January 1981"] };
		const asked = taskOf("t", [], { answer: { ...time, time: { iso: "1981-01-01", precision: "day" } } });
		const right = (mode: ScoringMode) => scoreTrajectory(asked, trajectoryOf([], { answer: "1981" }), { mode }).outcome;
		expect([right("mmhops"), right("hopscope")]).toEqual(["right", "wrong"]);
	});

	test("an agent that only searches has its searches scored and no answer", () => {
		const searching = { ...good, answer: null, searchOnly: true as const };
		const unanswerable = { ...task, answer: { type: "none" as const, value: "", accepted: [""] } };
		for (const each of [task, unanswerable]) {
			const { outcome, scores } = scoreTrajectory(each, searching);
			expect(outcome).toBe("abstained");
			expect(values(scores, [...answers, "hps", "hit@3"])).toEqual([...Array(3).fill("the agent only searches"), 1, 1]);
		}
		expect(scoreTrajectory(task, { ...searching, stop: "error" }).outcome).toBe("error");
	});

	test("recognising what the image shows is no reasoning hop, in levels and in groups", () => {
		const answer = { type: "string" as const, value: "A", accepted: ["A"] };
		const chained = (relational: number) =>
			Task.parse({
				...{ id: `v${relational}`, question: "Who?", answer },
				chain: {
					sink: `h${relational}`,
					hops: Array.from({ length: relational + 1 }, (_, at) => ({
						...{ id: `h${at}`, question: "?", evidence: [`e${at}`], answer },
						...(at === 0
							? { modality: "image", needs: [], region: { image: "i", box: [0, 0, 9, 9] } }
							: { modality: "text", needs: [{ hop: `h${at - 1}`, role: "bridge" }] }),
					})),
				},
			});
		const tasks = [4, 5, 9, 10].map(chained);
		expect(tasks.map((one) => reasoningHops(one).length)).toEqual([4, 5, 9, 10]);
		expect(tasks.map((one) => levelOf(one))).toEqual(["L1", "L2", "L2", "L3"]);
		const groups = slices(
			tasks.map((one) => ({ task: one })),
			"level",
		);
		expect(groups.map(({ name, items }) => [name, items.length])).toEqual([
			["L1", 1],
			["L2", 2],
			["L3", 1],
		]);
		const textual = Task.parse({
			...{ id: "t", question: "Who?", answer },
			chain: { sink: "a", hops: [{ id: "a", question: "?", modality: "text", evidence: ["e"], answer }] },
		});
		expect([reasoningHops(textual).length, levelOf(textual)]).toEqual([1, "L1"]);
	});

	test("a task with several modalities stands in the group of each", () => {
		const tagged = { ...task, tags: { ...task.tags, evidenceModality: "text, figure" } };
		expect(slices([{ task: tagged }], "evidenceModality").map(({ name }) => name)).toEqual(["figure", "text"]);
	});

	test("calls that were rejected are counted apart, and enter nothing", () => {
		// sixteen calls in each of two replies where one is carried out, and a reply that holds none
		const calls = Array.from({ length: 32 }, (_, index) => ({
			...{
				index,
				round: Math.floor(index / 16),
				...(index % 16 > 0 ? { error: "two-actions: one call a reply" } : {}),
			},
			call: { tool: "text_search", arguments: { query: "a", k: 3 }, valid: index % 16 === 0 },
		}));
		const none = { index: 32, call: { tool: "none", arguments: {}, valid: false }, error: "no-action: neither" };
		const { scores } = scoreTrajectory(task, trajectoryOf([], { steps: [...calls, none] }), { limit: 10 });
		expect(values(scores, ["calls-written", "calls", "calls-rejected", "invalid-calls", "utilisation"])).toEqual([
			...[32, 2, 30, 31, 0.2],
		]);
		expect(values(scores, ["steps", "search-rounds"])).toEqual([2, 2]);
	});

	test("average-k is what was asked for, summed by reply, over the replies that searched", () => {
		// the published script on these replies: topk 5 and 5 in one, 30 in the next: (5 + 5 + 30) / 2
		const search = (index: number, round: number, asked: number, k = asked) => ({
			...{ index, round, results: [{ id: `p${index}`, score: 1, rank: 1 }] },
			call: { tool: "text_search", arguments: { query: "a", k }, valid: true, asked },
		});
		const steps = [search(0, 1, 5), search(1, 1, 5), search(2, 2, 30, 20)];
		const { scores } = scoreTrajectory(task, trajectoryOf([], { steps }));
		expect(scores["average-k"]).toEqual({ is: "scored", value: 20, details: { asked: 40, returned: 3, rounds: 2 } });
		expect(values(scores, ["steps", "search-rounds"])).toEqual([3, 2]);
	});

	test("on the web nothing can match ids of a knowledge base: unscored, with the reason", () => {
		const web = { ...good, steps: good.steps.map((step) => ({ ...step, call: { ...step.call, tool: "web_search" } })) };
		const matching = ["hps", "hps-coverage", "order", "hit", "hit@1", "hit@3", "hit@5"];
		const reason = "it searched the web, whose addresses match no id of the gold evidence";
		for (const scores of [
			scoreTrajectory(task, web as never).scores,
			scoreTrajectory(task, trajectoryOf([]), { tools: ["web_search", "web_read"] }).scores,
		]) {
			expect(values(scores, matching)).toEqual(matching.map(() => reason));
			expect(scores["rollout-deviation"]?.is).toBe("scored");
		}
		expect(values(scoreTrajectory(task, web as never).scores, ["rollout-deviation", "accuracy"])).toEqual([0, 1]);
		expect(values(scoreTrajectory(task, trajectoryOf([])).scores, ["hps"])).toEqual([0]);
		const page = "https://example.org/a";
		const there = Task.parse({
			...{ id: "w", question: "Who?", answer: { type: "string", value: "A", accepted: ["A"] } },
			chain: {
				...{
					sink: "h",
					hops: [{ id: "h", question: "Who?", modality: "text", evidence: [page], answer: task.answer }],
				},
			},
		});
		const found = trajectoryOf([], {
			steps: [
				{
					...{ index: 0, call: { tool: "web_search", arguments: {}, valid: true } },
					results: [{ id: page, score: 1, rank: 1 }],
				},
			],
		});
		expect(values(scoreTrajectory(there, found).scores, ["hps", "hit@1"])).toEqual([1, 1]);
	});

	test("average-k is over retrieval steps, and needs one", () => {
		expect(scoreOf(scoreTrajectory(task, good).scores, "average-k")).toBe(4 / 3);
		expect(scoreOf(scoreTrajectory(task, trajectoryOf([["text_search", []]])).scores, "average-k")).toBe(0);
		expect(scoreOf(scoreTrajectory(task, trajectoryOf([])).scores, "average-k")).toBe("nothing was searched");
	});

	test("a row says what the metrics say of its parts", () => {
		const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 6 });
		const hops = fc.array(fc.tuple(ids, fc.boolean()), { minLength: 1, maxLength: 4 });
		const tool = fc.constantFrom("text_search", "image_search_by_text", "page_search");
		fc.assert(
			fc.property(hops, fc.array(fc.tuple(tool, ids, fc.boolean()), { maxLength: 5 }), (drawn, searches) => {
				const sketch = drawn.map(([evidence, needs], index): HopSketch => {
					return [`h${index}`, "text", needs && index > 0 ? [`h${index - 1}`] : [], evidence];
				});
				const made = trajectoryOf(searches.map(([name, found]): [string, string[]] => [name, found]));
				// ranks decide, not places
				for (const [index, [, , turned]] of searches.entries()) if (turned) made.steps[index]?.results.reverse();
				const { scores } = scoreTrajectory(taskOf("t", sketch), made);
				const gold = drawn.map(([evidence]) => evidence);
				const steps = searches.map(([, found]) => found);
				const same = (name: string, metric: string, input: unknown) => {
					const found = scores[name];
					expect(found?.is === "scored" ? found.value : null, name).toBe(metrics[metric]?.measure(input).result.value);
				};
				same("hps", "hps", { gold, steps });
				same("hps-coverage", "hps", { gold, steps, mode: "coverage" });
				same("hit", "hit", { hops: gold, ranked: steps.flat(), k: 100 });
				for (const k of [1, 3, 5])
					same(`hit@${k}`, "hit", { hops: gold, ranked: steps.flatMap((step) => step.slice(0, k)), k: 100 });
			}),
		);
	});
});

function rowOf(of: Task, trajectory: Trajectory, repeat = 0): ScoreRow {
	return { version: 1, task: of.id, repeat, attempt: 0, scorer: scorerVersion, ...scoreTrajectory(of, trajectory) };
}

describe("summarise", () => {
	const wrong = trajectoryOf([["text_search", ["x"]]], { answer: "Bergen" });
	const tasks = ["a", "b", "c", "d"].map((id) => taskOf(id, chain));
	const [a = task, b = task, c = task, d = task] = tasks;
	const items = [
		{ task: a, row: rowOf(a, good) },
		{ task: b, row: rowOf(b, wrong) },
		{ task: c, row: rowOf(c, { ...good, stop: "error" }) },
		{ task: d },
	];

	test("what is missing stays in the counts and in the bounds", () => {
		expect(summarise(items, { metric: "accuracy" })).toMatchObject({
			value: 0.5,
			method: "wilson",
			unit: "task",
			expected: 4,
			scored: 2,
			tasks: 2,
			missing: { error: 1, missing: 1 },
			bounds: [0.25, 0.75],
			outcomes: { right: 1, wrong: 1, error: 1, missing: 1 },
		});
		expect(summarise(items, { metric: "steps" })).toMatchObject({ value: 2, bounds: null });
		expect(summarise([], { metric: "f1" })).toMatchObject({ value: null, reason: "no values", bounds: null });
		expect(summarise([{ task: d }], { metric: "f1" })).toMatchObject({ value: null, bounds: [0, 1], expected: 1 });
	});

	test("counts that are all 0 or 1 are not taken for shares", () => {
		const rows = [a, b, c].map((each) => ({ task: each, row: rowOf(each, wrong) }));
		expect(summarise(rows, { metric: "steps" })).toMatchObject({ value: 1, low: 1, high: 1, method: "t" });
		expect(summarise(rows, { metric: "hps" })).toMatchObject({ value: 0, low: 0, method: "wilson" });
	});

	test("repeats of a task are averaged first", () => {
		const repeats = [rowOf(a, good), rowOf(a, wrong, 1), rowOf(a, wrong, 2)].map((row) => ({ task: a, row }));
		const found = summarise([...repeats, { task: b, row: rowOf(b, good) }], { metric: "accuracy" });
		expect(found).toMatchObject({ value: (1 / 3 + 1) / 2, expected: 4, scored: 4, tasks: 2, method: "wilson" });
		expect(found.low).toBeGreaterThanOrEqual(0);
		expect(found.high).toBeLessThanOrEqual(1);
	});

	test("a ladder or a declared cluster is one group", () => {
		const ladder = tasks.slice(0, 2).map((each) => ({ ...each, ladder: { id: "l", level: 2 } }));
		const declared = tasks.slice(2).map((each) => ({ ...each, cluster: "image 7" }));
		const all = [...ladder, ...declared].map((each, index) => ({
			task: each,
			row: rowOf(each, index % 2 ? wrong : good),
		}));
		expect(summarise(all, { metric: "f1" })).toMatchObject({ unit: "cluster", groups: 2, method: "clustered-wilson" });
	});

	test("tasks that give a metric nothing to measure are not missing", () => {
		const plain = taskOf("plain", []);
		const found = summarise([{ task: a, row: rowOf(a, good) }, { task: plain }], { metric: "hps" });
		expect(found).toMatchObject({ expected: 1, inapplicable: 1, missing: {}, bounds: [1, 1] });
	});

	test("modality coverage sums over hops, split by whether the question has an image", () => {
		const image = { id: "i", file: "i.png", width: 1, height: 1, sha256: "0".repeat(64) };
		const pictured = { ...b, images: [image] };
		const one = trajectoryOf([["text_search", ["p1"]]]);
		const rows = [
			{ task: a, row: rowOf(a, good) },
			{ task: pictured, row: rowOf(pictured, one) },
		];
		expect(summarise(rows, { metric: "modality-coverage" })).toMatchObject({
			value: 4 / 6,
			method: "clustered-wilson",
		});
		expect(
			modalityCoverageTable(rows).map(({ image, modality, covered, gold }) => [image, modality, covered, gold]),
		).toEqual([
			[true, "text", 1, 2],
			[true, "image", 0, 1],
			[false, "text", 2, 2],
			[false, "image", 1, 1],
		]);
		const repeated = modalityCoverageTable([...rows, { task: a, row: rowOf(a, one, 1) }]);
		expect(repeated.map(({ covered, gold, n }) => [covered, gold, n])).toEqual([
			[1, 2, 1],
			[0, 1, 1],
			[1.5, 2, 1],
			[0.5, 1, 1],
		]);
		const short = taskOf("w", [["a", "text", [], ["a"]]]);
		const bounded = summarise([...rows, { task: short }], { metric: "modality-coverage" });
		expect(bounded).toMatchObject({ value: 4 / 6, bounds: [4 / 7, 5 / 7] });
		const words = taskOf("w", [
			["a", "text", [], ["a"]],
			["b", "text", ["a"], ["b"]],
		]);
		const textual = [{ task: words, row: rowOf(words, one) }];
		expect(modalityCoverageTable(textual)).toEqual([]);
		expect(modalityCoverageTable(textual, { textOnly: true })).toMatchObject([{ covered: 1, gold: 2 }]);
		const fork: HopSketch[] = [
			["a", "text", [], ["a"]],
			["b", "text", [], ["b"]],
		];
		const coverageOf = (hops: HopSketch[]) => {
			const of = taskOf("f", hops);
			return modalityCoverageTable([{ task: of, row: rowOf(of, one) }]).map(({ modality, gold }) => [modality, gold]);
		};
		expect(coverageOf([...fork, ["c", "text", ["a", "b"], ["c"]]])).toEqual([]);
		// a fork of texts that goes on to an image is not of text alone
		expect(coverageOf([...fork, ["c", "image", ["a", "b"], ["c"]]])).toEqual([
			["text", 2],
			["image", 1],
		]);
	});

	test("by the difference of steps", () => {
		const points = byDeltaStep(items);
		expect(points.map(({ delta, items: own }) => [delta, summarise(own, { metric: "f1" }).value])).toEqual([
			[-2, 0],
			[0, 1],
		]);
	});
});

test("slices hold every item once, numbers ascending, the rest last", () => {
	const long = Array.from({ length: 11 }, (_, index): HopSketch => {
		return [`h${index}`, "text", index > 0 ? [`h${index - 1}`] : [], [`e${index}`]];
	});
	const items = [
		{ task: taskOf("plain", []) },
		{ task: taskOf("long", long, { tags: { language: "es", split: "test" } }) },
		{ task: taskOf("chain", chain, { tags: { language: "en", hops: "odd" } }) },
	];
	const names = (by: string) => slices(items, by).map(({ name, items: held }) => `${name}: ${held.length}`);
	expect(names("hops")).toEqual(["3: 1", "11: 1", "(none): 1"]);
	expect(names("tag:hops")).toEqual(["odd: 1", "(none): 2"]);
	expect(names("topology")).toEqual(["image-initiated-chain: 1", "text-only-chain: 1", "(none): 1"]);
	expect(names("language")).toEqual(["en: 1", "es: 1", "und: 1"]);
	expect(names("modality")).toEqual(["text only: 1", "with images: 1", "(none): 1"]);
	expect(names("answer-type")).toEqual(["string: 3"]);
	expect(names("split")).toEqual(["test: 1", "(none): 2"]);
	expect(names("constructor")).toEqual(["(none): 3"]);
});
