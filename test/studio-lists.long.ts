// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	besideIn,
	legend,
	type NextQuery,
	type Row,
	type RowsQuery,
	type RunLine,
	type RunPage,
	rowsPage,
	select,
} from "#studio";
import { createCategory, type Table } from "../src/studio/table.ts";
import { axeProblems, hasBrowser, openStudio, type StudioBrowser } from "./support/browser.ts";

const many = 3000;
const hostile = '<img src=x onerror="alert(1)">'.repeat(400);
const outcomes = ["right", "wrong", "abstained"] as const;
const rows = Array.from(
	{ length: many },
	(_, at): Row => ({
		task: `task/${at}`,
		repeat: 0,
		question: at === 1 ? hostile : `What is asked by task ${at}?`,
		picture: null,
		hops: [
			{ verdict: "solved", first: false },
			{ verdict: at % 3 === 0 ? "solved" : "misread", first: at % 3 !== 0 },
		],
		outcome: outcomes[at % 3] ?? "right",
		primary: at % 3 === 0 ? null : "misread",
		answer: "an answer",
		gold: "a value",
		steps: 3,
		ms: 1200,
		tokens: at,
		cost: null,
	}),
);

function tableOf(): Table {
	const category = (textOf: (row: Row) => string | null) => {
		const column = createCategory(many);
		for (const [at, row] of rows.entries()) column.set(at, textOf(row));
		return column.done();
	};
	return {
		rows: many,
		numbers: new Map([["tokens", Float64Array.from(rows, ({ tokens }) => tokens)]]),
		categories: new Map([
			["task", category(({ task }) => task)],
			["question", category(({ question }) => question)],
			["outcome", category(({ outcome }) => outcome)],
			["broken", category(({ primary }) => (primary === null ? null : "2"))],
			["hop2", category(({ hops }) => hops[1]?.verdict ?? null)],
		]),
	};
}
const table = tableOf();

const line: RunLine = {
	id: "run",
	at: "2026-10-03T09:30:00.000Z",
	agent: "react",
	model: null,
	benchmark: "atlas",
	intervention: null,
	done: many,
	errors: 0,
	total: many,
	live: false,
	accuracy: { value: 1 / 3, low: 0.32, high: 0.35, n: many },
	form: { actions: 3, read: 1, ill: true },
	latency: { p50: 1200, p95: 3400 },
	calls: 0,
	tokens: 0,
	cost: null,
	currency: null,
	tags: [],
};

const runPage: RunPage = {
	line,
	facts: [{ name: "Agent", value: "react" }],
	cautions: ["Only 1 of 3 actions could be read."],
	headline: "Chains break most at hop 2.",
	outcomes: outcomes.map((outcome) => ({ outcome, count: many / 3 })),
	errors: [],
	breaks: {
		places: [
			{
				place: 2,
				onwards: false,
				where: "broken:2",
				chains: many,
				share: { value: 0.667, low: 0.65, high: 0.68, n: many },
				count: 2000,
				possible: 0,
				verdicts: { misread: 2000 },
			},
		],
		sound: 1000,
		unobserved: 0,
		soundWhere: "broken:none",
		unobservedWhere: "",
		chains: many,
		without: 0,
	},
	metrics: [],
	slices: [],
	latency: { p50: 1200, p95: 1200 },
	columns: [
		{ name: "outcome", title: "Outcome", numeric: false },
		{ name: "tokens", title: "Tokens", numeric: true },
	],
};

const facets = [{ name: "outcome", title: "Outcome", titles: Object.fromEntries(outcomes.map((one) => [one, one])) }];

const data = {
	legend: async () => legend(),
	runs: async () => ({ workspace: "workspace", live: true, runs: [line, { ...line, id: "other" }] }),
	run: async () => runPage,
	rows: async (_: string, query: RowsQuery) =>
		rowsPage(query, { table, facets, selection: select(query, table), rowAt: (at) => rows[at] as Row }),
	async next(_: string, { from, step, failures, ...query }: NextQuery) {
		const shown = select(query, table).rows;
		const among = failures ? select({ ...query, where: `${query.where} -outcome:right` }, table).rows : undefined;
		const index = besideIn(shown, { from: Number(from.task.slice(5)), step, among });
		return index === undefined ? null : { task: `task/${shown[index]}`, repeat: 0, index };
	},
};

describe.skipIf(!hasBrowser)("the lists of the studio", () => {
	let browser: StudioBrowser;
	beforeAll(async () => {
		browser = await openStudio(data);
	});
	afterAll(() => browser.close());

	it("goes from the runs to a run, and from a bar to the tasks that it stands for", async () => {
		const page = await browser.open("/");
		await page.locator("tbody a", { hasText: "run" }).first().waitFor();
		expect(await axeProblems(page)).toEqual([]);
		for (const key of ["x", "j", "x"]) await page.keyboard.press(key);
		const compare = page.getByText("Compare", { exact: true });
		await expect.poll(() => compare.getAttribute("href")).toBe("#/compare?runs=run,other");
		await page.keyboard.press("k");
		await page.keyboard.press("Enter");
		await page.getByText("Chains break most at hop 2.").waitFor();
		expect(await axeProblems(page)).toEqual([]);
		await page.locator("svg a").first().click();
		await page.getByText("2,000 of 3,000 tasks").waitFor();
		expect(new URL(page.url()).hash).toContain("where=broken%3A2");
		await page.context().close();
	});

	it("filters by facets and a completed text, sorts, and finds its place again", async () => {
		const page = await browser.open("/runs/run/tasks");
		await page.getByText("3,000 of 3,000 tasks").waitFor();
		expect(await axeProblems(page)).toEqual([]);
		await page.locator("aside label", { hasText: "wrong" }).click();
		await page.getByText("1,000 of 3,000 tasks").waitFor();
		await page.keyboard.press("/");
		await page.keyboard.press("End");
		await page.keyboard.type(" tok");
		// the columns may still be on their way
		await page.getByRole("option", { name: "tokens>" }).waitFor();
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		await page.keyboard.type("1500");
		await page.keyboard.press("Enter");
		await page.getByText("500 of 3,000 tasks", { exact: true }).waitFor();
		await page.getByRole("button", { name: "Tokens" }).click();
		const first = page.locator("[role=row][data-index='0']", { hasText: "2,998" });
		await first.waitFor();
		await page.keyboard.press("End");
		const last = page.locator("[aria-selected=true][data-index='499']", { hasText: "1,501" });
		await last.waitFor();
		await page.waitForURL(/row=499/);
		await page.reload();
		await last.waitFor();
		await page.context().close();
	});

	it("goes to the next failure in the order that is set, and draws what is hostile as text", async () => {
		const page = await browser.open("/runs/run/tasks");
		await page.locator("[role=row][data-index='1']", { hasText: "<img src=x" }).waitFor();
		await page.keyboard.press("n");
		await page.locator("[aria-selected=true][data-index='1']").waitFor();
		await page.keyboard.press("n");
		await page.keyboard.press("n");
		await page.locator("[aria-selected=true][data-index='4']").waitFor();
		await page.context().close();
		expect(browser.complaints).toEqual([]);
	});
});
