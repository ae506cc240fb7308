import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toyTasks } from "#agents";
import { noUsage, type RunRecord, Task, type Trajectory } from "#domain";
import { groupReport, rewardedGroups } from "#training";
import { countCalls, trajectoryReward } from "../reward/trajectory-reward.ts";

const [chained, , bare] = toyTasks.filter(({ images }) => images.length === 0);
const task = Task.parse(chained);

/** A trajectory of so many calls that brought something new, that brought nothing new, and that were malformed. */
function made({
	right = true,
	fresh = 2,
	useless = 0,
	invalid = 0,
	stop = "answered",
}: {
	right?: boolean;
	fresh?: number;
	useless?: number;
	invalid?: number;
	stop?: Trajectory["stop"];
} = {}): Trajectory {
	const calls = [
		...Array.from({ length: fresh }, (_, at) => ({ valid: true, brings: [`e${at}`] })),
		...Array.from({ length: useless }, () => ({ valid: true, brings: [] as string[] })),
		...Array.from({ length: invalid }, () => ({ valid: false, brings: [] as string[] })),
	];
	const steps = calls.map(({ valid, brings }, index) => ({
		index,
		call: { tool: "text_search", arguments: { query: "q" }, valid },
		results: brings.map((id) => ({ id, score: 1, rank: 1 })),
		ms: 0,
	}));
	const error = stop === "error" ? { error: { boundary: "model" as const, message: "gone" } } : {};
	const answer = stop === "answered" ? (right ? "Anna Rehn" : "Quill") : null;
	return { steps, answer, abstained: false, stop, usage: noUsage, ms: 0, messages: [], ...error };
}

const recordsOf = (trajectories: readonly Trajectory[], of = task): RunRecord[] =>
	trajectories.map((trajectory, repeat) => ({
		...{ version: 1, task: of.id, repeat, attempt: 0, at: "2026-01-01T00:00:00Z" },
		trajectory,
	}));

const groupsOf = (trajectories: readonly Trajectory[], options: Parameters<typeof rewardedGroups>[1] = {}) =>
	rewardedGroups({ tasks: [task], records: recordsOf(trajectories), repeats: trajectories.length }, options);

describe("groups of a run", () => {
	test("rewards, advantages and the filter's word, worked", async () => {
		const [group] = await groupsOf([
			made({ fresh: 2, useless: 1 }),
			made({ fresh: 2, invalid: 1 }),
			made({ right: false }),
			made({ right: false, invalid: 1 }),
		]);
		expect(group?.members.map(({ reward }) => reward?.value)).toEqual([2.75, 1, 1, 0]);
		// Python's statistics: (x - mean) / pstdev of 2.75, 1, 1, 0
		const expected = [1.577986, -0.189358, -0.189358, -1.199269];
		for (const [at, one] of (group?.members ?? []).entries()) expect(one.advantage).toBeCloseTo(expected[at] ?? 9, 5);
		expect(group).toMatchObject({ kept: true, answers: "mixed", flat: false, rewarded: 4 });
	});

	test("an error is no member, whatever the others are", async () => {
		const [group] = await groupsOf([made(), made({ stop: "error" }), made({ stop: "budget" }), made({ right: false })]);
		expect(group?.members.map(({ reward, advantage }) => [reward?.value ?? null, advantage])).toEqual([
			[2.5, 1],
			[null, null],
			[null, null],
			[1, -1],
		]);
		const report = groupReport(group ? [group] : []);
		expect(report.records).toEqual({
			expected: 4,
			rewarded: 2,
			without: { "model error": 1, "the run's budget was used up": 1 },
		});
		expect(report.groups).toMatchObject({ n: 1, lacking: 1, single: 0, none: 0 });
	});

	test("the paper's filter drops what is all wrong, DAPO's what is all right too; a reward for all is flat", async () => {
		const tasks = [1, 2, 3].map((n) => Task.parse({ ...chained, id: `t${n}` }));
		const rights = [
			[true, true],
			[true, false],
			[false, false],
		];
		const records = tasks.flatMap((one, at) =>
			recordsOf(
				(rights[at] ?? []).map((right) => made({ right })),
				one,
			),
		);
		const report = async (filter: "paper" | "dapo") =>
			groupReport(await rewardedGroups({ tasks, records, repeats: 2 }, { filter }));
		const paper = await report("paper");
		expect(paper.groups.kept).toMatchObject({ count: 2, of: 3 });
		expect(paper.groups.flat).toMatchObject({ count: 1, of: 2 });
		expect(paper.byHops).toMatchObject([{ hops: 2, groups: 3, dropped: { count: 1 }, allWrong: 1, allRight: 1 }]);
		expect(paper.byTopology).toMatchObject([{ topology: "text-only-chain", dropped: { count: 1 } }]);
		expect((await report("dapo")).groups.kept).toMatchObject({ count: 1, of: 3 });
	});

	test("what was not run, and calls to be capped by hops that are not stated, have no reward", async () => {
		const other = Task.parse(bare);
		const records = recordsOf([{ ...made(), answer: "Velmora" }], other);
		const [group] = await rewardedGroups({ tasks: [other], records, repeats: 2 }, { calls: "capped" });
		expect(group?.members.map(({ reason }) => reason)).toEqual([
			"the task states no hops to cap the calls at",
			"not run",
		]);
		expect(group).toMatchObject({ kept: null, answers: null });
		expect(groupReport(group ? [group] : [])).toMatchObject({
			groups: { n: 0, none: 1 },
			means: { reward: { value: null } },
		});
	});
});

describe("calls that brought something new", () => {
	const step = (index: number, tool: string, more: object) => ({
		...{ index, call: { tool, arguments: {}, valid: true }, results: [], ms: 0 },
		...more,
	});
	const crop = (index: number, box: [number, number, number, number], image = "q1") =>
		step(index, "image_crop", { crop: { image, box } });

	test("the same part cut again is not new, another part or image is", () => {
		const steps = [crop(0, [0, 0, 9, 9]), crop(1, [0, 0, 9, 9.2]), crop(2, [1, 0, 9, 9]), crop(3, [0, 0, 9, 9], "q2")];
		expect(countCalls({ steps })).toEqual({ validCalls: 4, newCalls: 3, failedCalls: 0, invalidCalls: 0 });
	});

	test("searches that bring nothing, or what was brought before, are valid and not new", () => {
		const results = [{ id: "e1", score: 1, rank: 1 }];
		const steps = [
			step(0, "text_search", { results }),
			step(1, "text_search", {}),
			step(2, "image_search_by_text", { results }),
		];
		expect(countCalls({ steps })).toEqual({ validCalls: 3, newCalls: 1, failedCalls: 0, invalidCalls: 0 });
	});

	test("an action that names two images is one call, looked up in two", () => {
		const results = (id: string) => [{ id, score: 1, rank: 1 }];
		const looks = (...ids: string[]) =>
			ids.map((id, at) => ({
				...{ index: at, results: results(id), ms: 0 },
				call: {
					...{ tool: "image_search_by_image", arguments: { image: at, k: 1 }, valid: true },
					...(at === 0 ? {} : { joined: true as const }),
				},
			}));
		expect(countCalls({ steps: looks("a", "b") })).toEqual({
			...{ validCalls: 1, newCalls: 1, failedCalls: 0, invalidCalls: 0 },
		});
		const twice = [...looks("a"), ...looks("a", "b")];
		expect(countCalls({ steps: twice })).toMatchObject({ validCalls: 2, newCalls: 2 });
	});

	test("a call at which the tool failed is the tool's: valid, not new, not useless", async () => {
		const failed = (index: number) => step(index, "web_read", { error: "HTTP 503" });
		const steps = [step(0, "text_search", { results: [{ id: "e1", score: 1, rank: 1 }] }), failed(1), failed(2)];
		expect(countCalls({ steps })).toEqual({ validCalls: 3, newCalls: 1, failedCalls: 2, invalidCalls: 0 });
		const [group] = await groupsOf([{ ...made(), steps }]);
		const { means, useless } = groupReport(group ? [group] : []);
		expect(means.useless.value).toBe(0);
		expect(useless.records).toEqual([1, 0, 0, 0]);
	});

	test("a trajectory of which only the answer is known, and one without hops to cap at, are refused by name", async () => {
		const { chain: _chain, ...chainless } = task;
		const unscored = { code: "unscored", facts: { task: task.id } };
		await expect(trajectoryReward(task, { ...made(), answerOnly: true })).rejects.toMatchObject(unscored);
		await expect(trajectoryReward(Task.parse(chainless), made(), { calls: "capped" })).rejects.toMatchObject(unscored);
	});
});

describe("useless calls", () => {
	test("pay in the published form alone", async () => {
		const groups = await groupsOf([made(), made({ useless: 1 }), made({ useless: 3 })]);
		const { records, slopes } = groupReport(groups).useless;
		expect(records).toEqual([1, 1, 0, 1]);
		expect(slopes.map(({ calls, means, ofRight }) => [calls, means, ofRight.value])).toEqual([
			["all", [2.5, 2.75, null, 3.25], 0.25],
			["capped", [2.5, 2.5, null, 2.5], 0],
			["new", [2.5, 2.5, null, 2.5], 0],
		]);
	});

	test("the slope is within tasks: that hard tasks take more calls says nothing of the calls", async () => {
		const tasks = [Task.parse({ ...chained, id: "easy" }), Task.parse({ ...chained, id: "hard" })];
		const [easy, hard] = tasks;
		const records = [
			...recordsOf([made(), made({ useless: 1 })], easy),
			...recordsOf([made({ right: false, useless: 4 }), made({ right: false, useless: 5 })], hard),
		];
		const { slopes } = groupReport(await rewardedGroups({ tasks, records, repeats: 2 })).useless;
		// easy: (0, 2.5), (1, 2.75); hard: (4, 1), (5, 1); demeaned: sums 0.125 + 0 over 0.5 + 0.5
		expect(slopes[0]).toMatchObject({ calls: "all", ofAll: { value: 0.125 }, ofRight: { value: 0.25 } });
	});

	test("gamma a call in the published form and nothing in the others, wherever all are right and find the same", async () => {
		const counts = fc.array(fc.nat({ max: 6 }), { minLength: 2, maxLength: 5 });
		await fc.assert(
			fc.asyncProperty(counts, fc.integer({ min: 1, max: 8 }), async (useless, eighths) => {
				const gamma = eighths / 8;
				const groups = await groupsOf(
					useless.map((count) => made({ useless: count })),
					{ gamma },
				);
				const [all, capped, fresh] = groupReport(groups, { gamma }).useless.slopes;
				if (new Set(useless).size === 1) expect(all?.ofRight.value).toBeNull();
				else {
					expect(all?.ofRight.value).toBeCloseTo(gamma, 9);
					expect([capped?.ofRight.value, fresh?.ofRight.value]).toEqual([0, 0]);
				}
			}),
			{ numRuns: 30 },
		);
	});

	test("one without records that differ in them is not known", async () => {
		const { slopes } = groupReport(await groupsOf([made(), made()])).useless;
		expect(slopes[0]?.ofRight).toMatchObject({ value: null, reason: expect.stringContaining("no task") });
	});
});
