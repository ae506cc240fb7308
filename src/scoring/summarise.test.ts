/** Summaries of grouped records against a plain reading of what they are said to be. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Outcome, type Score, type ScoreRow, scored, Task, unscored } from "#domain";
import { clusterOf, interval, mean, type ScoredItem, scorerOf, slices, summarise } from "#scoring";

const answer = (value: string) => ({ type: "string" as const, value, accepted: [value] });

/** A task with so many hops that look something up, and one that computes. */
const taskOf = (id: string, { hops, cluster }: { hops: number; cluster: string | null }): Task =>
	Task.parse({
		...{ id, question: "?", answer: answer("a"), ...(cluster === null ? {} : { cluster }) },
		...(hops < 0
			? {}
			: {
					chain: {
						sink: "last",
						hops: [
							...Array.from({ length: hops }, (_, at) => ({
								...{ id: `h${at}`, question: "?", modality: at % 2 === 0 ? "text" : "image", answer: answer("a") },
								evidence: [`e${at}`],
							})),
							{ id: "last", question: "?", modality: "compute", answer: answer("a") },
						],
					},
				}),
	});

const values: Record<string, fc.Arbitrary<number>> = {
	accuracy: fc.constantFrom(0, 1),
	f1: fc.constantFrom(0, 0.25, 1 / 3, 1),
	hps: fc.constantFrom(0, 0.5, 1),
	steps: fc.nat(9),
	"modality-coverage": fc.constantFrom(0, 0.5, 1),
};
const metrics = Object.keys(values);

const scoresDrawn = fc.record(
	Object.fromEntries(
		metrics.map((name) => [
			name,
			fc.option(
				fc.oneof(
					{ weight: 4, arbitrary: (values[name] as fc.Arbitrary<number>).map((value): Score => scored(value)) },
					fc.constantFrom("only searches", "no steps").map((reason): Score => unscored(reason)),
				),
				{ nil: undefined, freq: 8 },
			),
		]),
	),
);
const outcome = fc.constantFrom<Outcome>("right", "wrong", "abstained", "error", "budget");

const items = fc
	.array(fc.record({ hops: fc.integer({ min: -1, max: 3 }), cluster: fc.constantFrom(null, null, "a", "b") }), {
		minLength: 1,
		maxLength: 8,
	})
	.chain((shapes) => {
		const tasks = shapes.map((shape, at) => taskOf(`t${at}`, shape));
		const record = fc.record({
			task: fc.constantFrom(...tasks),
			row: fc.option(fc.record({ outcome, scores: scoresDrawn }), { nil: undefined, freq: 6 }),
		});
		// in any order: repeats of a task need not stand together
		return fc.array(record, { maxLength: 40 });
	})
	.map((drawn): ScoredItem[] =>
		drawn.map(({ task, row }, repeat) => {
			if (!row) return { task };
			const scores = Object.fromEntries(
				Object.entries(row.scores).flatMap(([name, score]) => (score ? [[name, score]] : [])),
			);
			const key = { version: 1 as const, task: task.id, repeat, attempt: 0, scorer: "test" };
			return { task, row: { ...key, outcome: row.outcome, scores } as ScoreRow };
		}),
	);

const gold = ({ chain }: Task) => chain?.hops.filter(({ evidence }) => evidence.length > 0).length ?? 0;
const add = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

/** As the docstrings have it, with no thought of speed. */
function plainly(all: readonly ScoredItem[], metric: string) {
	const scorer = scorerOf(metric);
	const ratio = scorer?.aggregation === "ratio";
	const wanted = all.filter(({ task }) => !scorer?.needs.includes("chain") || gold(task) > 0);
	const tasks = [...new Set(wanted.map(({ task }) => task))].map((task) => {
		const own = wanted.filter((item) => item.task === task);
		const scores = own.flatMap(({ row }) => {
			const score = row?.scores[metric];
			return score?.is === "scored" ? [score.value] : [];
		});
		return { task, scores, expected: own.length, weight: ratio ? gold(task) : 1 };
	});
	const measured = tasks.filter(({ scores }) => scores.length > 0);
	const whole = add(measured.map(({ weight }) => weight));
	const bound = (missing: 0 | 1) =>
		add(
			tasks.map(
				({ scores, expected, weight }) => (weight * (add(scores) + missing * (expected - scores.length))) / expected,
			),
		) / add(tasks.map(({ weight }) => weight));
	return {
		value: measured.length === 0 ? null : add(measured.map(({ scores, weight }) => weight * mean(scores))) / whole,
		interval: interval(
			measured.map(({ scores }) => mean(scores)),
			{ clusters: measured.map(({ task }) => clusterOf(task)), share: scorer?.aggregation !== "mean" },
		),
		tasks: measured.length,
		expected: wanted.length,
		scored: add(measured.map(({ scores }) => scores.length)),
		inapplicable: all.length - wanted.length,
		bounds: scorer?.aggregation === "mean" || wanted.length === 0 ? null : [bound(0), bound(1)],
	};
}

test("of records in any order is what a plain reading of each task by itself says", () => {
	fc.assert(
		fc.property(items, fc.constantFrom(...metrics), (all, metric) => {
			const found = summarise(all, { metric });
			const plain = plainly(all, metric);
			for (const name of ["tasks", "expected", "scored", "inapplicable"] as const)
				expect(found[name]).toBe(plain[name]);
			if (plain.value === null) expect(found.value).toBeNull();
			else expect(found.value).toBeCloseTo(plain.value, 12);
			if (plain.bounds === null) expect(found.bounds).toBeNull();
			else for (const [at, end] of plain.bounds.entries()) expect(found.bounds?.[at]).toBeCloseTo(end, 12);
			if (scorerOf(metric)?.aggregation !== "ratio") {
				expect(found.method).toBe(plain.interval.method);
				expect(found.groups).toBe(plain.interval.groups);
				expect(found.reason).toBe(plain.interval.reason);
			}
			expect(add(Object.values(found.missing))).toBe(plain.expected - plain.scored);
			const unread = all.filter(({ row }) => !row).length;
			expect(found.outcomes.missing ?? 0).toBe(unread);
			expect(add(Object.values(found.outcomes))).toBe(all.length);
		}),
	);
});

test("the order in which tasks take turns changes nothing", () => {
	fc.assert(
		fc.property(items, fc.constantFrom(...metrics), (all, metric) => {
			const tasks = [...new Set(all.map(({ task }) => task))];
			const together = tasks.flatMap((task) => all.filter((item) => item.task === task));
			const { outcomes, ...found } = summarise(all, { metric });
			const { outcomes: others, ...sorted } = summarise(together, { metric });
			expect(found).toEqual(sorted);
			expect(outcomes).toEqual(others);
		}),
	);
});

test("slices hold every record once, and each says what its own records say", () => {
	fc.assert(
		fc.property(items, (all) => {
			const groups = slices(all, "hops");
			expect(groups.flatMap((group) => group.items).length).toBe(all.length);
			for (const { items: own } of groups) {
				expect(new Set(own)).toEqual(new Set(all.filter((item) => own.includes(item))));
				for (const metric of metrics) expect(summarise(own, { metric })).toEqual(summarise([...own], { metric }));
			}
		}),
	);
});

test("records that came to a list since it was summarised are counted", () => {
	const task = taskOf("t", { hops: 1, cluster: null });
	const list: ScoredItem[] = [{ task }];
	expect(summarise(list, { metric: "accuracy" }).expected).toBe(1);
	list.push({ task });
	expect(summarise(list, { metric: "accuracy" }).expected).toBe(2);
});
