// @module-tag long
/** The tables of runs and the error budget in the system's Chromium: read, filtered, copied, and led on from. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TablesPage } from "#studio";
import { openWorkbench, type Studio } from "#workbench";
import { axeProblems, hasBrowser, openStudio, type StudioBrowser } from "./support/browser.ts";
import { makeTowns } from "./support/commands.ts";

let folder: string;
let studio: Studio;
let browser: StudioBrowser;
let run: string;
let other: string;

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

const attack = `<img src=x onerror="alert(1)"><script>alert(2)</script>](javascript:alert(3)) \u202E`;

beforeAll(async () => {
	if (!hasBrowser) return;
	folder = await mkdtemp(join(tmpdir(), "hopscope-tables-page-"));
	await makeTowns(folder, {
		towns: 12,
		more: (n) => ({
			...(n % 3 === 0 ? { question: `How many inhabitants has the ${n}th place?` } : {}),
			chain: chainOf(n),
		}),
	});
	const bench = openWorkbench(folder);
	run = (await bench.run({ benchmark: "towns", agent: "extractive" })).manifest.id;
	other = (await bench.run({ benchmark: "towns", agent: "closed-book" })).manifest.id;
	await bench.intervene(run, { prefix: true });
	studio = await bench.openStudio({});
	browser = await openStudio({
		...studio,
		tables: async (runs) => (runs[0] === "hostile" ? hostile() : studio.tables(runs)),
	});
});
afterAll(async () => {
	await browser?.close();
	await studio?.close();
	if (folder) await rm(folder, { recursive: true, force: true });
});

/** The tables of a run whose every word attacks the reader. */
async function hostile() {
	const made = await studio.tables([run]);
	if (made.is === "making") return made;
	const attacked = JSON.parse(JSON.stringify(made.page), (key, value) =>
		typeof value === "string" && !["id", "name", "svg", "kind"].includes(key) ? `${attack}${value}` : value,
	) as TablesPage;
	return { is: "made" as const, page: attacked };
}

const settled = (page: Page) => page.waitForSelector("main:not([aria-busy=true]) h2");

describe.skipIf(!hasBrowser)("the Tables page", () => {
	test("says what to take away, and unfolds, filters and copies tables by keyboard", async () => {
		const page = await browser.open(`/tables?runs=${run},${other}`);
		await settled(page);
		await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
		expect(await page.textContent("main")).toContain("answers");
		const count = async () => Number.parseInt((await page.textContent("search p")) ?? "", 10);
		const all = await count();
		expect(all).toBeGreaterThan(15);
		await page.keyboard.press("o");
		await page.keyboard.press("/");
		await page.keyboard.type("verdicts by place");
		await page.keyboard.press("Enter");
		await expect.poll(count).toBe(1);
		expect(page.url()).toContain("q=verdicts");
		await page.waitForSelector("#table-hop-verdicts table");
		await page.reload();
		await settled(page);
		await page.waitForSelector("#table-hop-verdicts table");
		expect(await count()).toBe(1);
		const drawing = page.locator("#table-hop-verdicts img").first();
		await drawing.scrollIntoViewIfNeeded();
		await expect.poll(() => drawing.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(300);
		expect(await drawing.getAttribute("alt")).toContain("figures are those of the table");
		await page.getByRole("button", { name: "as Markdown" }).click();
		await page.getByText("Copied", { exact: true }).waitFor();
		const copied = await page.evaluate(() => navigator.clipboard.readText());
		expect(copied).toBe(await studio.tableText([run, other], "hop-verdicts", "markdown"));
		await page.goBack().catch(() => undefined);
		await page.close();
	});

	test.each(["light", "dark"] as const)("is clean to axe in %s", async (colorScheme) => {
		const page = await browser.open(`/tables?runs=${run},${other}`, { colorScheme });
		await settled(page);
		await page.keyboard.press("o");
		expect(await axeProblems(page)).toEqual([]);
		await page.close();
	});

	test("shows hostile words as words", async () => {
		const page = await browser.open("/tables?runs=hostile");
		await settled(page);
		await page.keyboard.press("o");
		expect(await page.textContent("main")).toContain("<script>alert(2)</script>");
		expect(await page.locator("main script, main img[onerror], main a[href^=javascript]").count()).toBe(0);
		await page.close();
	});

	test("fits a phone, and says what is wrong with an address", async () => {
		const page = await browser.open(`/tables?runs=${run}`, { viewport: { width: 390, height: 844 } });
		await settled(page);
		await page.keyboard.press("o");
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
		await page.close();
		const none = await browser.open("/tables");
		await none.getByText("No run is named").waitFor();
		await none.close();
	});
});

describe.skipIf(!hasBrowser)("the Error budget page", () => {
	test("leads from a part to its tasks and to what each re-run made of them", async () => {
		const page = await browser.open(`/runs/${run}`);
		await settled(page);
		await page.keyboard.press("b");
		await page.waitForURL(/budget$/);
		// the address is ahead of what is shown
		await page.locator("#lost-to").waitFor();
		const made = await studio.budget(run);
		if (made.is === "making") throw new Error("not made");
		const part = made.page.parts.find(({ count }) => count > 0);
		await page.locator("main button[aria-expanded]:not([disabled])").first().click();
		const list = page.getByRole("region", { name: `Lost to ${part?.name}` });
		await expect.poll(() => list.locator("ol > li").count()).toBe(part?.count);
		await list.getByRole("link").first().click();
		await page.waitForURL(new RegExp(`runs/${run}/tasks/${part?.tasks[0]?.task}`));
		await page.goBack();
		await page.getByText(`hopscope intervene ${run} --settle`).first().waitFor();
		await page.close();
	});

	test.each(["light", "dark"] as const)("is clean to axe in %s", async (colorScheme) => {
		const page = await browser.open(`/runs/${run}/budget`, { colorScheme });
		await settled(page);
		await page.locator("main button[aria-expanded]:not([disabled])").first().click();
		expect(await axeProblems(page)).toEqual([]);
		await page.close();
	});

	test("of a run without re-runs says how to make them", async () => {
		const page = await browser.open(`/runs/${other}/budget`);
		await settled(page);
		await page.getByRole("heading", { name: /^What \d+ failures were lost to is not known yet\.$/ }).waitFor();
		await page.getByText(`hopscope intervene ${other}`, { exact: true }).waitFor();
		await page.close();
	});
});

test.skipIf(!hasBrowser)("an export opens both from disk, and links to no run that it does not hold", async () => {
	const out = join(folder, "page");
	const { page: file } = await openWorkbench(folder).exportStudio([run, other], { out });
	const page = await browser.open("/");
	const complaints = browser.complaints.length;
	await page.goto(`${pathToFileURL(file)}#/tables?runs=${run},${other}`);
	await settled(page);
	await page.getByRole("button", { name: "Copy “Accuracy and chain metrics” as LaTeX" }).click();
	await page.getByText("Copied", { exact: true }).or(page.locator("textarea")).first().waitFor();
	await page.goto("about:blank");
	await page.goto(`${pathToFileURL(file)}#/runs/${run}/budget`);
	await settled(page);
	const links = await page
		.locator("main a")
		.evaluateAll((found) => found.map((link) => link.getAttribute("href") ?? ""));
	expect(links.filter((link) => !link.startsWith(`#/runs/${run}`))).toEqual([]);
	expect(browser.complaints.slice(complaints)).toEqual([]);
	await page.close();
});

test.skipIf(!hasBrowser)("no page complained of anything", () => {
	expect(browser.complaints).toEqual([]);
});
