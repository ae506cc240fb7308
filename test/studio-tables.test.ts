import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderCsvAll, renderLatexAll, renderMarkdown, shownView } from "#reports";
import { type RunningServer, startStudio } from "#server";
import type { BudgetPage, Made, TablesPage } from "#studio";
import { openWorkbench, type Studio } from "#workbench";
import { longTest } from "./long.ts";
import { makeTowns } from "./support/commands.ts";
import { exported } from "./support/studio-export.ts";

let folder: string;
let studio: Studio;
let server: RunningServer;
let run: string;
let other: string;
let reruns: string[];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "hopscope-studio-tables-"));
	await makeTowns(folder, {
		towns: 12,
		more: (n) => ({
			// nobody finds out how many live in towns that are called otherwise
			...(n % 3 === 0 ? { question: `How many inhabitants has the ${n}th place?` } : {}),
			...(n === 1 ? {} : { chain: chainOf(n) }),
		}),
	});
	const bench = openWorkbench(folder);
	run = (await bench.run({ benchmark: "towns", agent: "extractive" })).manifest.id;
	other = (await bench.run({ benchmark: "towns", agent: "closed-book" })).manifest.id;
	reruns = (await bench.intervene(run, { prefix: true })).ended.map((ended) => ended.run);
	studio = await bench.openStudio({ apart: false });
	server = await startStudio(await bench.openStudio({}), { port: 0 });
});
afterAll(async () => {
	await studio?.close();
	await server?.close();
	await rm(folder, { recursive: true, force: true });
});

const chainOf = (n: number) => ({
	hops: [
		{
			...{ id: "h1", question: `Which town is number ${n}?`, modality: "text", evidence: [`town#${n}`] },
			answer: { type: "string", value: `Town ${n}`, accepted: [`Town ${n}`] },
		},
		{
			...{ id: "h2", question: `How many inhabitants has Town ${n}?`, modality: "text", evidence: [`town#${n}`] },
			needs: [{ hop: "h1", role: "bridge" }],
			answer: { type: "string", value: `${n}00`, accepted: [`${n}00`] },
		},
	],
	sink: "h2",
});

/** Asks until it is made. */
async function made<Page>(ask: () => Promise<Made<Page>>): Promise<Page> {
	for (;;) {
		const asked = await ask();
		if (asked.is === "made") return asked.page;
	}
}

const tablesOf = ({ parts, tables }: TablesPage) => [
	...parts.flatMap(({ sections }) => sections.flatMap((section) => section.tables)),
	...tables,
];

describe("the tables of runs in the studio", () => {
	longTest("are those of the report, cell by cell, and so are their copies", async () => {
		const page = await made(() => studio.tables([run, other]));
		expect(page.runs.map(({ id }) => id).sort()).toEqual([run, other].sort());
		const { views } = await openWorkbench(folder).views([run, other], {});
		const byName = new Map(tablesOf(page).map((table) => [table.name, table]));
		for (const view of views.filter(({ name }) => page.tables.some((table) => table.name === name))) {
			const table = byName.get(view.name);
			const shown = shownView(view);
			expect(table?.rows.map(({ cells }) => cells.map(({ text, interval = "" }) => [text, interval]))).toEqual(
				shown.rows.map(({ cells }) => cells.map(({ text, interval }) => [text, interval])),
			);
			expect(table?.notes).toEqual(shown.notes);
			const copies = await Promise.all(
				(["markdown", "csv", "latex"] as const).map((format) => studio.tableText([run, other], view.name, format)),
			);
			expect(copies).toEqual([renderMarkdown(view), renderCsvAll([view]), renderLatexAll([view])]);
		}
		const ids = tablesOf(page).map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toContain("ranking");
	});

	longTest("are kept until a file of a run changes", async () => {
		const before = await studio.tables([run]).then(() => made(() => studio.tables([run])));
		expect(await made(() => studio.tables([run]))).toBe(before);
		const file = join(folder, "runs", run, "labels.csv");
		await writeFile(file, "id,label\n");
		expect(await made(() => studio.tables([run]))).not.toBe(before);
		await rm(file);
	});

	longTest(
		"are made of the diagnoses beside a run, which are no others, and of what is not diagnosed yet",
		async () => {
			const before = await made(() => studio.tables([run]));
			const bench = openWorkbench(folder);
			await bench.diagnose(run, { misses: 0 });
			const file = join(folder, "runs", run, "findings.jsonl");
			const lines = (await readFile(file, "utf8")).trim().split("\n");
			expect(await made(() => studio.tables([run]))).toEqual(before);
			await writeFile(file, `${lines.slice(4).join("\n")}\n`);
			expect(await made(() => studio.tables([run]))).toEqual(before);
			// what stands there is what is shown
			await writeFile(file, `${lines.map((line) => line.replaceAll('"solved"', '"misread"')).join("\n")}\n`);
			expect(await made(() => studio.tables([run]))).not.toEqual(before);
			await rm(file);
		},
	);

	test("refuse too many runs and names that are none, and can be asked for again", async () => {
		await expect(studio.tables([])).rejects.toMatchObject({ code: "unknown-run" });
		await expect(studio.tables(Array.from({ length: 13 }, () => run))).rejects.toMatchObject({ code: "too-many-runs" });
		const path = join(folder, "runs", run);
		for (const strange of ["../../etc", path, "..", "a\0b", "__proto__"]) {
			await expect(studio.tables([strange])).rejects.toMatchObject({ code: "unknown-run" });
			await expect(studio.budget(strange)).rejects.toMatchObject({ code: "unknown-run" });
		}
		const records = join(folder, "runs", other, "records.jsonl");
		const whole = await readFile(records, "utf8");
		await writeFile(records, `not a record\n${whole}`);
		await expect(made(() => studio.tables([other]))).rejects.toThrow(/records\.jsonl/);
		await writeFile(records, whole);
		expect((await made(() => studio.tables([other]))).runs).toHaveLength(1);
	});
});

describe("the error budget in the studio", () => {
	longTest("has the numbers of hopscope intervene, and leads to the tasks and the re-runs", async () => {
		const page = await made(() => studio.budget(run));
		const { report } = await openWorkbench(folder).intervene(run, { prefix: true });
		const { budget } = report;
		expect(budget.settled).toBeGreaterThan(0);
		expect(page).toMatchObject({
			...{ run, of: null, expected: budget.expected, right: budget.right, failed: budget.failed },
			...{ withoutChain: budget.withoutChain, settled: budget.settled },
		});
		expect(
			page.parts.map(({ part, count, share: { value, low, high } }) => ({ part, count, value, low, high })),
		).toEqual(
			Object.entries(budget.parts).map(([part, { count, value, low, high }]) => ({ part, count, value, low, high })),
		);
		const said = page.parts.flatMap(({ part, tasks }) => tasks.map(({ task, repeat }) => ({ task, repeat, part })));
		expect(said.sort(byTask)).toEqual(
			budget.failures.flatMap(({ part, reason: _, ...key }) => (part === null ? [] : [{ ...key, part }])).sort(byTask),
		);
		expect(page.recoveries.map(({ name, count }) => [name, count])).toEqual(
			budget.recoveries.map(({ name, share }) => [name, share.count]),
		);
		expect(page.reruns.map((rerun) => rerun.run).sort()).toEqual([...reruns].sort());
		for (const { tasks } of page.parts)
			for (const task of tasks) expect(task.reruns.every((rerun) => reruns.includes(rerun.run))).toBe(true);
		const told = report.decisive.filter(({ is }) => is !== "unsure");
		expect(page.decisive.flatMap(({ places }) => places.map(({ count }) => count)).reduce((a, b) => a + b, 0)).toBe(
			told.length,
		);
		const table = page.tables.find(({ name }) => name === "error-budget");
		expect(table?.rows.map(({ cells }) => cells.at(-1)?.text)).toEqual(
			page.parts.map(({ count }) => `${count}/${page.settled}`),
		);
		expect(await studio.budgetText(run, "error-budget", "csv")).toContain("planning");
	});

	longTest("of a run without re-runs says what makes them, as it is typed here", async () => {
		const page = await made(() => studio.budget(other));
		expect(page.reruns).toEqual([]);
		expect(page.parts.every(({ count }) => count === 0)).toBe(true);
		expect(page.commands[0]?.command).toBe(`hopscope intervene ${other}`);
		expect(page.cannot).toBe("");
		const elsewhere = await openWorkbench(folder).openStudio({ command: (text) => `hop ${text} -w here` });
		expect((await made(() => elsewhere.budget(other))).commands[0]?.command).toBe(`hop intervene ${other} -w here`);
		await elsewhere.close();
	});

	test("of a re-run names the run that it is of", async () => {
		expect((await made(() => studio.budget(reruns[0] ?? ""))).of).toBe(run);
	});
});

const byTask = (a: { task: string }, b: { task: string }) => a.task.localeCompare(b.task);

longTest("a server has the same, and refuses what is none", async () => {
	const get = async (path: string) => {
		const response = await fetch(`${server.url}/api/${path}`);
		return { status: response.status, body: await response.json() };
	};
	const tables = async () => (await get(`tables?runs=${run},${other}`)).body as Made<TablesPage>;
	expect(await made(tables)).toEqual(await made(() => studio.tables([run, other])));
	const budget = async () => (await get(`runs/${run}/budget`)).body as Made<BudgetPage>;
	expect((await made(budget)).run).toBe(run);
	const text = await get(`tables/text?runs=${run}&table=ranking&format=latex`);
	expect(text.body.text).toContain("\\begin{table}");
	expect((await get(`runs/${run}/budget/text?table=error-budget&format=markdown`)).body.text).toContain("| planning");
	const records = join(folder, "runs", other, "records.jsonl");
	const whole = await readFile(records, "utf8");
	await writeFile(records, `not a record\n${whole}`);
	await expect.poll(async () => (await get(`tables?runs=${other}`)).status).toBeGreaterThanOrEqual(400);
	await writeFile(records, whole);
	expect((await made(async () => (await get(`tables?runs=${other}`)).body as Made<TablesPage>)).runs).toHaveLength(1);
	expect((await get(`tables/text?runs=${run}&table=__proto__&format=latex`)).status).toBe(404);
	expect((await get(`tables/text?runs=${run}&table=ranking&format=exe`)).status).toBe(400);
	expect((await get("tables?runs=")).status).toBe(404);
	expect((await get(`tables?runs=${Array(13).fill(run)}`)).status).toBe(400);
	expect((await get(`runs/${encodeURIComponent(join(folder, "runs", run))}/budget`)).status).toBe(404);
});

longTest(
	"an export holds the tables of one run, or of all that it holds, with their copies, and the budget",
	async () => {
		const out = join(folder, "page");
		const { page } = await openWorkbench(folder).exportStudio([run, other], { out });
		expect(exported(page, "tables")).toEqual(await made(() => studio.tables([run, other])));
		const alone = await openWorkbench(folder).exportStudio([run], { out: join(folder, "alone") });
		expect(exported(alone.page, `${run}.tables`).runs).toEqual([{ id: run, label: "extractive" }]);
		expect(exported(page, "table-texts").ranking.markdown).toContain("| Run |");
		expect(exported(page, `${run}.budget`).settled).toBe((await made(() => studio.budget(run))).settled);
		expect(exported(page, `${run}.budget-texts`)["error-budget"].csv).toContain("planning");
	},
);
