import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { Task } from "#domain";
import { ModelError, scriptedModel } from "#models";
import { auditTasks, type Check, definePrompt, fail, pass, rules, stringAnswer } from "#recipes";
import { longTest } from "../../../test/long.ts";
import { player } from "../../../test/support/recipes/player.ts";
import { skipped } from "../engine/check.ts";

let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-audit-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const task = (id: string, question: string, answer: string) =>
	Task.parse({ id, question, answer: stringAnswer(answer), tags: { language: "en" } });

const four = [
	task("fine", "Which river runs through the town where the author was born?", "Douro"),
	task("both", "In which town, Porto or not, was the mayor of Porto born?", "Porto and Gaia"),
	task("shown", "What is the name of the mayor as described in the text?", "Ada Byron"),
	task("year", "When did the author of the long poem die?", "1936"),
];

test("every check looks at every task, and counts what it would have dropped", async () => {
	const report = await auditTasks(four, [{ name: "rules", checks: Object.values(rules) }], { dir });
	const row = (check: string) => report.rows.find((one) => one.check === check);
	expect(report.items).toBe(4);
	expect(report.rows.map(({ check }) => check)).toEqual(Object.keys(rules));
	expect(row("no-bare-number")).toMatchObject({
		...{ looked: 4, passed: 3, failed: 1, skipped: 0, faults: 0, reasons: { numeric_intermediate: 1 } },
		examples: [{ task: "year", reason: "numeric_intermediate", detail: "1936" }],
		// Wilson's interval of 1 in 4, as statsmodels.proportion_confint(1, 4, method="wilson") has it
		share: { value: 0.25, low: expect.closeTo(0.0456, 4), high: expect.closeTo(0.6994, 4) },
	});
	expect(row("no-source-reference")).toMatchObject({ failed: 1, examples: [{ task: "shown" }] });
	expect(row("single-answer")).toMatchObject({ failed: 1, examples: [{ task: "both" }] });
	// rules that look at chains are for none of them
	expect(row("hidden-names-absent")).toMatchObject({ looked: 0, share: null });
	for (const { looked, passed, failed, skipped: missed, faults } of report.rows)
		expect(passed + failed + missed + faults).toBe(looked);
});

const guess = definePrompt("guess", 1, {
	variables: ["question"],
	instructions: "Answer from what you know.",
	output: z.object({ answer: z.string() }),
});
const closedBook: Check = {
	...{ kind: "probe", name: "closed-book", version: 1, calls: [{ role: "solver", each: 1, prompt: guess.hash }] },
	async look(item, context) {
		const { value } = await context.ask("solver", guess, { question: item.questions[0]?.text ?? "" });
		return value.answer === item.answer.value ? fail("closed_book") : pass();
	},
};
const unseen: Check = {
	...{ kind: "check", name: "unseen", version: 1 },
	look: () => skipped("no image"),
};
const groups = (rule = "no-bare-number") => [
	{ name: "one", checks: [rules[rule], closedBook].flatMap((check) => check ?? []) },
	{ name: "two", checks: [unseen] },
];

test("a recipe is survived where no check of it fails; a skipped check is told with what it lacks", async () => {
	const solver = player({
		guess: ({ material }) => ({ answer: material.question?.includes("river") ? "Douro" : "?" }),
	});
	const report = await auditTasks(four, groups(), { dir, models: { solver } });
	expect(report.survival).toMatchObject([
		{ group: "one", survived: 2, open: 0, share: { value: 0.5 } },
		{ group: "two", survived: 4, open: 0 },
	]);
	expect(report.rows[1]).toMatchObject({ check: "closed-book", failed: 1, examples: [{ task: "fine" }] });
	expect(report.rows[2]).toMatchObject({ check: "unseen", skipped: 4, share: null, lacking: "no image" });
	// nobody plays the solver: skipped, and not passed
	await rm(dir, { recursive: true });
	const without = await auditTasks(four, groups(), { dir });
	expect(without.rows[1]).toMatchObject({ passed: 0, failed: 0, skipped: 4, share: null });
});

test("trouble with a model is neither passed nor failed, and leaves the task open unless a rule decides", async () => {
	const solver = scriptedModel(() => {
		throw new ModelError("no such model");
	});
	const report = await auditTasks(four, groups(), { dir, models: { solver } });
	expect(report.rows[1]).toMatchObject({ looked: 4, passed: 0, failed: 0, faults: 4, share: null });
	expect(report.survival[0]).toMatchObject({ survived: 0, open: 3, share: { value: 0 } });
});

/** Collects what is not used any more, so that the heap is what is held. */
function held(): number {
	setFlagsFromString("--expose-gc");
	runInNewContext("gc")();
	return process.memoryUsage().heapUsed / 2 ** 20;
}

longTest("tasks are read as a stream, at a pace of 100,000 a minute, and none is kept", async () => {
	const most = 20_000;
	const heap: number[] = [];
	function* many(): Generator<Task> {
		for (let n = 0; n < most; n += 1) {
			if (n % 5000 === 1000) heap.push(held());
			const { question, answer, ...rest } = four[n % four.length] as Task;
			yield { ...rest, id: `t${n}`, question: `${n}: ${question}`, answer };
		}
	}
	const started = process.cpuUsage();
	const report = await auditTasks(many(), [{ name: "rules", checks: Object.values(rules) }], { dir });
	const { user } = process.cpuUsage(started);
	expect(report.items).toBe(most);
	expect(report.rows.find(({ check }) => check === "no-bare-number")?.failed).toBe(most / 4);
	// processor time, since other tests share the machine
	expect(user / 1e6).toBeLessThan((60 * most) / 100_000);
	// 15,000 tasks between the first look and the last: to keep them would take over 30 MiB
	expect(Math.max(...heap.slice(1)) - (heap[0] ?? 0)).toBeLessThan(10);
});
