// @module-tag long
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test as plainTest } from "vitest";
import { lockFolder, writeJson } from "#store";
import { openWorkbench } from "#workbench";
import { axeProblems, hasBrowser, openStudio, type StudioBrowser } from "./support/browser.ts";
import { commandsOn } from "./support/commands.ts";
import { makeTownsOfStudio, recordOfTown, writeStudioRun } from "./support/studio-run.ts";

const test = plainTest.skipIf(!hasBrowser);
const towns = 20;
let workspace = "";
let studio: StudioBrowser;
const hopscope = commandsOn(() => workspace);
const records = (many = towns) => Array.from({ length: many }, (_, n) => recordOfTown(n, { towns }));

beforeAll(async () => {
	if (!hasBrowser) return;
	workspace = await mkdtemp(join(tmpdir(), "studio-runs-"));
	await makeTownsOfStudio(workspace, { towns });
	for (const id of ["first", "second", "third"]) await writeStudioRun(workspace, { id, towns, records: records() });
	await hopscope("score", "first");
	studio = await openStudio(await openWorkbench(workspace).openStudio());
});
afterAll(async () => {
	await studio?.close();
	await rm(workspace, { recursive: true, force: true });
});

const rowOf = (page: Page, id: string) => page.locator("tbody tr").filter({ hasText: id }).first();
/** What `hopscope report` says of a run with all answers. */
async function accuracyOfAll() {
	const [{ metrics }] = (await hopscope("report", "first", "--json")).json().runs;
	const percent = (share: number) => (100 * share).toFixed(0);
	const { value, low, high } = metrics.accuracy;
	return { value: `${percent(value)} %`, interval: `${percent(low)}–${percent(high)} %` };
}
const tagsOf = async (id: string) => JSON.parse(await readFile(join(workspace, "runs", id, "tags.json"), "utf8"));

test("a run is told with its accuracy and interval, what could be read, and the median time", async () => {
	const page = await studio.open("/");
	const row = rowOf(page, "first");
	const { value, interval } = await accuracyOfAll();
	await row.getByText(interval).waitFor();
	expect(await row.innerText()).toContain(value);
	expect(await row.locator("[data-label=readable]").innerText()).toBe("100 %");
	expect(await row.locator("[data-label='median time']").innerText()).toBe("907 ms");
	expect(await row.getByRole("progressbar").getAttribute("aria-label")).toBe("ended with errors, 20 of 20 answers");
	// one whose scores are not on disk is worked out
	await rowOf(page, "second").getByText(interval).waitFor();
	expect(studio.complaints).toEqual([]);
	await page.context().close();
});

test("tags are given and taken by keys, of several runs at once, and words that are no tags are refused", async () => {
	const page = await studio.open("/");
	await rowOf(page, "first").waitFor();
	for (const key of ["x", "j", "x", "t"]) await page.keyboard.press(key);
	const dialog = page.getByRole("dialog", { name: "Tags of 2 runs" });
	await dialog.waitFor();
	await page.keyboard.type("paper baseline");
	await page.keyboard.press("Enter");
	await dialog.getByRole("button", { name: "Take away the tag paper" }).waitFor();
	await page.keyboard.type("<b>");
	await page.keyboard.press("Enter");
	await dialog.getByRole("alert").getByText('"<b>" is no tag').waitFor();
	expect(await axeProblems(page)).toEqual([]);
	await dialog.getByRole("button", { name: "Take away the tag baseline" }).click();
	await dialog.getByText("baseline").waitFor({ state: "detached" });
	await page.keyboard.press("Escape");
	const chosen = await page.locator("tbody tr", { hasText: "paper" }).locator("a").first().innerText();
	expect(await tagsOf(chosen)).toEqual(["paper"]);
	expect(await page.locator("tbody tr", { hasText: "paper" }).count()).toBe(2);
	await page.reload();
	await page.getByRole("searchbox").fill("paper");
	await page.getByText("2 of 3 runs").waitFor();
	// the refusal, which the browser tells of by itself
	expect(studio.complaints.splice(0)).toEqual([expect.stringContaining("400")]);
	await page.context().close();
});

test("a run is deleted with its re-runs and pages after asking, never one that is being written", async () => {
	const dir = await writeStudioRun(workspace, { id: "doomed", towns, records: records() });
	await writeStudioRun(workspace, { id: "doomed-again", towns, records: records() });
	const manifest = JSON.parse(await readFile(join(dir, "run.json"), "utf8"));
	const intervention = { of: "doomed", what: { is: "again" } };
	await writeJson(join(workspace, "runs/doomed-again/run.json"), { ...manifest, id: "doomed-again", intervention });
	await mkdir(join(workspace, "reports/doomed"), { recursive: true });
	await writeFile(join(workspace, "reports/doomed/index.html"), "");
	const page = await studio.open("/", { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
	await page.getByRole("checkbox", { name: "Choose doomed", exact: true }).click();
	const release = await lockFolder(dir);
	const ask = page.getByRole("button", { name: "Delete …" });
	await ask.click();
	const dialog = page.getByRole("dialog", { name: "Delete 1 run?" });
	await dialog.getByText("doomed is being written: stop that first").waitFor();
	expect(await dialog.getByRole("button", { name: "Delete 2 runs" }).isDisabled()).toBe(true);
	const refused = await page.evaluate(async () => {
		const answer = await fetch("/api/runs?runs=doomed", { method: "DELETE" });
		return [answer.status, (await answer.json()).error.code];
	});
	expect(refused).toEqual([409, "run-written"]);
	await release();
	await page.keyboard.press("Escape");
	expect(existsSync(dir)).toBe(true);
	await ask.click();
	await dialog.getByText("1 re-run with a part of the world changed goes with it").waitFor();
	await dialog.getByText("reports/doomed").waitFor();
	expect(await axeProblems(page)).toEqual([]);
	// what has the focus changes nothing
	await page.keyboard.press("Enter");
	expect(existsSync(dir)).toBe(true);
	await ask.click();
	await dialog.getByRole("button", { name: "Delete 2 runs" }).click();
	await rowOf(page, "doomed").waitFor({ state: "detached" });
	for (const gone of [dir, join(workspace, "runs/doomed-again"), join(workspace, "reports/doomed")])
		expect([gone, existsSync(gone)]).toEqual([gone, false]);
	await ask.waitFor({ state: "detached" });
	expect(studio.complaints.splice(0)).toEqual([expect.stringContaining("409")]);
	await page.context().close();
});

test("a run that is being written moves with its accuracy; errors are counted alike and lead to their tasks", async () => {
	const dir = await writeStudioRun(workspace, { id: "growing", towns, records: records(5) });
	const release = await lockFolder(dir);
	const page = await studio.open("/");
	const row = rowOf(page, "growing");
	await row.getByText("5 of 20").waitFor();
	const rest = records().slice(5);
	await appendFile(join(dir, "records.jsonl"), rest.map((record) => `${JSON.stringify(record)}\n`).join(""));
	await row.getByText("20 of 20").waitFor();
	await row.getByText((await accuracyOfAll()).interval).waitFor();
	await release();
	await row.getByRole("link", { name: "growing" }).click();
	const errors = page.getByRole("region", { name: "Errors" });
	await errors.getByText("model: the server went away").waitFor();
	expect(await axeProblems(page)).toEqual([]);
	await errors.getByRole("link").click();
	await page.getByText("4 of 20 tasks").waitFor();
	expect(studio.complaints).toEqual([]);
	await page.context().close();
});
