import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ScoreRow, scored, Task, unscored } from "#domain";
import { finish, looksOver, losers, type RaceRules, type Racer, type Scorer, scorerOf } from "#scoring";
import { tailOf } from "./race.ts";

const scorer = (name: string): Scorer => {
	const found = scorerOf(name);
	if (!found) throw new Error(`no score is called ${name}`);
	return found;
};
const tasks = Array.from({ length: 400 }, (_, at) =>
	Task.parse({ id: `t${at}`, question: "?", answer: { type: "string", value: "x", accepted: ["x"] } }),
);
/** A racer by what each of its answers scored; null: none. */
const racer = (name: string, values: readonly (number | null)[], metric = "accuracy"): Racer => ({
	name,
	items: values.map((value, at) => {
		const task = tasks[at] as Task;
		const score = value === null ? unscored("the provider failed") : scored(value);
		return { task, row: { task: task.id, outcome: "right", scores: { [metric]: score } } as unknown as ScoreRow };
	}),
});
const times = (count: number, value: number | null) => Array<number | null>(count).fill(value);
const rules = (more: Partial<RaceRules> = {}): RaceRules => ({
	...{ metric: scorer("accuracy"), alpha: 0.05, margin: 0.02, settings: 3, tasks: 400 },
	...more,
});
const names = (stands: readonly { name: string }[]) => stands.map(({ name }) => name);

describe("looks", () => {
	test("double, and the last is all tasks", () => {
		expect(looksOver(480)).toEqual([20, 40, 80, 160, 480]);
		expect(looksOver(100)).toEqual([20, 40, 100]);
		expect(looksOver(31)).toEqual([20, 31]);
		expect(looksOver(20)).toEqual([20]);
		expect(looksOver(3)).toEqual([3]);
	});

	test("property: they rise to the number of tasks, and the chance of error is parted among them", () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 2, max: 50 }), (count, settings) => {
				const looks = looksOver(count);
				expect(looks.at(-1)).toBe(count);
				expect(looks.every((look, at) => at === 0 || look > (looks[at - 1] ?? 0))).toBe(true);
				const dropping = Math.max(1, looks.length - 1);
				expect(tailOf({ alpha: 0.05, settings, tasks: count }) * dropping * (settings - 1)).toBeCloseTo(0.05, 12);
			}),
		);
	});
});

describe("a race", () => {
	test("drops what is surely worse by more than the margin, and nothing else", () => {
		const best = racer("best", times(80, 1));
		const near = racer("near", [...times(76, 1), ...times(4, 0)]);
		const far = racer("far", [...times(40, 1), ...times(40, 0)]);
		expect(names(losers([best, near, far], rules()))).toEqual(["far"]);
		// it is 50 points behind, and 60 are allowed
		expect(losers([best, near, far], rules({ margin: 0.6 }))).toEqual([]);
		// of few tasks nothing is sure
		expect(losers([racer("best", times(5, 1)), racer("far", times(5, 0.5))], rules())).toEqual([]);
	});

	test("takes an answer without a score for what it might have been", () => {
		const best = racer("best", times(80, 1));
		const broken = racer("broken", [...times(20, 0), ...times(60, null)]);
		expect(losers([best, broken], rules({ settings: 2 }))).toEqual([]);
		expect(losers([racer("none", times(80, null)), racer("either", times(80, null))], rules())).toEqual([]);
	});

	test("knows that less can be better", () => {
		const metric = scorer("rollout-deviation");
		expect(metric.direction).toBe("lower");
		const chained = tasks.map((task) => ({
			...task,
			chain: { hops: [{ id: "a", question: "?", modality: "text", needs: [], evidence: ["e"] }], sink: "a" },
		}));
		const of = (name: string, value: (at: number) => number): Racer => ({
			name,
			items: chained.slice(0, 80).map((task, at) => ({
				task: task as unknown as Task,
				row: { task: task.id, outcome: "right", scores: { [metric.name]: scored(value(at)) } } as unknown as ScoreRow,
			})),
		});
		const racers = [of("short", (at) => at % 2), of("long", (at) => 5 + (at % 3))];
		expect(names(losers(racers, rules({ metric, margin: 0.5, settings: 2 })))).toEqual(["long"]);
	});

	test("says at its end who is not significantly worse, and who is surely within the margin", () => {
		const best = racer("best", [...times(300, 1), ...times(100, 0)]);
		const same = racer("same", [...times(299, 1), ...times(101, 0)]);
		// 12 lost and none gained of 400: about 3 points, surely some
		const worse = racer("worse", [...times(288, 1), ...times(112, 0)]);
		const ended = finish([best, same, worse], rules());
		expect(ended).toMatchObject([
			{ name: "best", best: true, worse: false, within: true },
			{ name: "same", best: false, worse: false, within: true },
			{ name: "worse", best: false, worse: true, within: false },
		]);
		expect(ended[1]?.behind.value).toBeCloseTo(-1 / 400, 12);
		expect(ended[2]?.behind).toMatchObject({ n: 400, tasks: 400 });
		// nobody has a score
		expect(finish([racer("none", times(5, null))], rules())).toEqual([]);
	});
});
