// @module-tag long
/** The comparison of runs in a browser: figures, flips, the list, and a task side by side, by mouse and by keyboard. */
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorkbench, type Studio } from "#workbench";
import { makeSmallWorld } from "./small-world.ts";
import { axeProblems, hasBrowser, openStudio, type StudioBrowser } from "./support/browser.ts";
import { commandsOn } from "./support/commands.ts";

let dir: string;
let run: string;
let data: Studio;
let studio: StudioBrowser;
let page: Page;
const hopscope = commandsOn(() => dir);
interface Answered {
	task: string;
	trajectory: { answer: string | undefined };
}
const hostile = `<img src=x onerror="window.hurt=1"><script>window.hurt=1</script> ‮evil`;

describe.runIf(hasBrowser)("the comparison in a browser", () => {
	beforeAll(async () => {
		dir = await mkdtemp(join(tmpdir(), "hopscope-studio-compare-page-"));
		const { benchmark } = await makeSmallWorld(dir, { countries: 8 });
		const tasks = (await readFile(join(benchmark, "tasks.jsonl"), "utf8")).trim().split("\n");
		const right = new Map(tasks.map((line) => [JSON.parse(line).id, JSON.parse(line).answer.value]));
		run = (await hopscope("run", "-b", "lands", "-a", "extractive", "--json")).json().run;
		await copyRun("other", (record, place) => {
			record.trajectory.answer = place % 2 === 0 ? right.get(record.task) : hostile;
		});
		data = await openWorkbench(dir).openStudio();
		studio = await openStudio(data);
		page = await studio.open("/");
	});
	afterAll(async () => {
		await studio?.close();
		await rm(dir, { recursive: true, force: true });
	});

	/** A copy of the run under another id, by another agent. */
	async function copyRun(id: string, alter: (record: Answered, place: number) => void) {
		const [from, to] = [join(dir, "runs", run), join(dir, "runs", id)];
		await cp(from, to, { recursive: true });
		for (const kept of ["scores.jsonl", "findings.jsonl", "index"])
			await rm(join(to, kept), { recursive: true, force: true });
		const manifest = JSON.parse(await readFile(join(to, "run.json"), "utf8"));
		await writeFile(join(to, "run.json"), JSON.stringify({ ...manifest, id, agent: { ...manifest.agent, name: id } }));
		const records = (await readFile(join(to, "records.jsonl"), "utf8")).trim().split("\n");
		const changed = records.map((line, place) => {
			const record = JSON.parse(line);
			alter(record, place);
			return `${JSON.stringify(record)}\n`;
		});
		await writeFile(join(to, "records.jsonl"), changed.join(""));
	}

	const open = (address: string) =>
		page.evaluate((hash) => {
			location.hash = hash;
		}, address);
	const count = async (name: RegExp) =>
		Number(/\d+/.exec((await page.getByRole("button", { name }).innerText()) ?? "")?.[0]);

	test("runs that are chosen are compared; a figure of the flips shows its tasks, and its address says so", async () => {
		await open(`/compare?runs=${run},other`);
		await page.getByRole("heading", { name: "Differences" }).waitFor();
		await page.getByRole("row", { name: /Accuracy/ }).waitFor();
		const flips = await count(/only B right/);
		expect(flips).toBeGreaterThan(0);
		await page.getByRole("button", { name: /only B right/ }).click();
		await page.getByText(`${flips} of 32 tasks`).waitFor();
		expect(decodeURIComponent(page.url())).toContain("flip:wrong-right");
		await page.reload();
		await page.getByText(`${flips} of 32 tasks`).waitFor();
		await expect.poll(() => page.getByRole("combobox", { name: "Filter" }).inputValue()).toBe("flip:wrong-right");
	});

	test("a flipped task is opened by keyboard, its evidence looked at, and one comes back to its row", async () => {
		await page.keyboard.press("j");
		const chosen = page.locator("[role=row][aria-selected=true]");
		const question = await chosen.locator("a").innerText();
		await page.keyboard.press("Enter");
		await page.getByText("Gold", { exact: false }).first().waitFor();
		await page.getByRole("region", { name: "Run B" }).waitFor();
		await expect.poll(() => page.getByRole("region", { name: "Question" }).innerText()).toBe(question);
		await page.keyboard.press("1");
		const dialog = page.getByRole("dialog", { name: /Hop 1/ });
		await dialog.getByRole("region", { name: "Run A", exact: true }).waitFor();
		await dialog.getByRole("region", { name: "Run B", exact: true }).waitFor();
		await page.keyboard.press("Escape");
		await dialog.waitFor({ state: "hidden" });
		const before = page.url();
		await page.keyboard.press("n");
		await page.waitForFunction((url) => location.href !== url, before);
		// a key that is pressed before the next task is there is that one's
		await page.keyboard.press("N");
		await page.waitForFunction((url) => location.href === url, before);
		await page.keyboard.press("Escape");
		await page.getByRole("heading", { name: "Differences" }).waitFor();
		await page.waitForFunction(
			(text) => document.querySelector("[role=row][aria-selected=true] a")?.textContent === text,
			question,
		);
	});

	test("answers that are markup are text", async () => {
		await open(`/compare?runs=${run},other&where=b:wrong`);
		await page.getByText("onerror").first().waitFor();
		await page.keyboard.press("Enter");
		await page.getByRole("region", { name: "Run B" }).getByText("onerror").waitFor();
		expect(await page.evaluate(() => "hurt" in window)).toBe(false);
	});

	test("an export opened from disk has the same comparison, in any order of its runs", async () => {
		await copyRun("third", (record, place) => {
			if (place % 3 === 0) record.trajectory.answer = "nowhere";
		});
		const out = join(dir, "pages");
		const { page: file } = await openWorkbench(dir).exportStudio([run, "other", "third"], { out });
		const own = await studio.open("/");
		const failed: string[] = [];
		// what the next page leaves unfinished has not failed
		own.on("requestfailed", (request) => {
			if (request.failure()?.errorText !== "net::ERR_ABORTED") failed.push(request.url());
		});
		const compared = async (...runs: string[]) => {
			await own.goto(`${pathToFileURL(file).href}#/compare?runs=${runs.join(",")}`);
			await own.reload();
			await own.getByText("32 of 32 tasks").waitFor();
		};
		// as the server shows it, and led on from: the figures of all three, of two, and of two the other way round
		for (const runs of [
			[run, "other", "third"],
			[run, "other"],
			["other", run],
		]) {
			await compared(...runs);
			const flips = Number(await own.locator("[aria-labelledby=flips] button b").first().innerText());
			expect(flips).toBeGreaterThan(0);
			await own.locator("[aria-labelledby=flips] button").first().click();
			await own.getByText(`${flips} of 32 tasks`).waitFor();
			await own.waitForURL(/where=/);
			const { rows } = await data.comparedRows(runs, {
				...{ where: new URLSearchParams(own.url().split("?")[1]).get("where") ?? "", sort: "", offset: 0, limit: 50 },
			});
			expect(rows).toHaveLength(flips);
			const facets = own.getByRole("complementary", { name: "Facets" });
			await facets.getByText("How they went", { exact: true }).waitFor();
			await facets
				.getByText(/^A (right|wrong), B (right|wrong)/)
				.first()
				.waitFor();
		}
		// sorted, a task side by side, and on to the next that flipped
		await own.getByRole("combobox", { name: "Sort by" }).selectOption({ label: "Steps, B" });
		await own.getByRole("grid", { name: "Compared tasks" }).focus();
		await own.keyboard.press("Enter");
		await own.getByRole("region", { name: "Run B" }).waitFor();
		const before = own.url();
		await own.keyboard.press("n");
		await own.waitForFunction((url) => location.href !== url, before);
		// what was not written is said, and the list is there all the same
		await openWorkbench(dir).exportStudio([run, "other", "third"], { out, sample: 5 });
		await own.goto(`${pathToFileURL(file).href}#/compare?runs=other,third`);
		await own.reload();
		await own.getByText("5 of 5 tasks").waitFor();
		await own.getByText("Of the tasks at most 5 are listed").waitFor();
		expect([failed, studio.complaints]).toEqual([[], []]);
		await own.context().close();
	});

	test("a run that grows moves the list and the differences without a reload", async () => {
		const records = (await readFile(join(dir, "runs", "other", "records.jsonl"), "utf8")).trim().split("\n");
		await copyRun("growing", () => undefined);
		const file = join(dir, "runs", "growing", "records.jsonl");
		const written = (count: number) =>
			writeFile(
				file,
				records
					.slice(0, count)
					.map((line) => `${line}\n`)
					.join(""),
			);
		await written(8);
		const own = await studio.open(`/compare?runs=${run},growing`);
		const unscored = own.getByText(/\d+ without a score in one of them/);
		await unscored.filter({ hasText: "24 " }).waitFor();
		await own.evaluate("window.kept = 1");
		const selected = own.locator("[role=row][aria-selected=true]");
		await selected.locator("a").waitFor();
		await own.keyboard.press("j");
		await selected.and(own.locator("[data-index='1']")).locator("a").waitFor();
		const chosen = await selected.innerText();
		await appendFile(
			file,
			records
				.slice(8, 20)
				.map((line) => `${line}\n`)
				.join(""),
		);
		await unscored.filter({ hasText: "12 " }).waitFor();
		await appendFile(
			file,
			records
				.slice(20)
				.map((line) => `${line}\n`)
				.join(""),
		);
		await unscored.waitFor({ state: "detached" });
		await expect.poll(() => selected.innerText()).toBe(chosen);
		expect(await own.evaluate("window.kept")).toBe(1);
		await own.context().close();
	});

	test("runs that cannot be compared are refused in words", async () => {
		await open(`/compare?runs=${run},${run}`);
		await page.getByText("is given twice").waitFor();
		await open(`/compare?runs=${run},nothing`);
		await page.getByText('no run "nothing"').waitFor();
		// the browser itself notes that the server refused
		expect(studio.complaints.filter((one) => !/status of 4\d\d/.test(one))).toEqual([]);
	});

	test("is accessible in both themes, wide and on a phone", async () => {
		await open(`/compare?runs=${run},other&where=differs:yes`);
		const link = await page.locator("[role=row] a").first().getAttribute("href");
		const task = /compare\/([^?]+)/.exec(link ?? "")?.[1];
		for (const colorScheme of ["light", "dark"] as const)
			for (const width of [1440, 390])
				for (const address of [`/compare?runs=${run},other`, `/compare/${task}?runs=${run},other`]) {
					const own = await studio.open(address, { viewport: { width, height: 900 }, colorScheme });
					await own.locator("[role=row] a, [aria-label=Question]").first().waitFor();
					await own.waitForLoadState("networkidle");
					expect([address, width, colorScheme, await axeProblems(own)]).toEqual([address, width, colorScheme, []]);
					await expect.poll(() => own.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
					await own.context().close();
				}
	});
});
