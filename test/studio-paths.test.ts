/** The studio over real runs in the system's Chromium: the way from the runs to one answer, served and opened from disk. */
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorkbench, type Studio } from "#workbench";
import { longTest } from "./long.ts";
import { axeProblems, hasBrowser, openStudio, type StudioBrowser } from "./support/browser.ts";
import { makeTownsOfStudio, recordOfTown, writeStudioRun } from "./support/studio-run.ts";

const towns = 60;
const attack =
	`<script>window.hurt=1</script><img src=x onerror="window.hurt=1"><svg onload="window.hurt=1"> ` +
	`[a](javascript:window.hurt=1) ![b](https://evil.example/b.png) \u202egnp.exe\u2066 <a href="javascript:window.hurt=1">c</a>` +
	`<style>*{display:none}</style><base href="https://evil.example/"> `;
const hostileId = (n: number) => `../../t${n}"><img src=x onerror=window.hurt=1>\u202e`;

describe.skipIf(!hasBrowser)("the pages of the studio over real runs", () => {
	const folders: string[] = [];
	let workspace: string;
	let studio: Studio;
	let served: StudioBrowser;

	beforeAll(async () => {
		workspace = await mkdtemp(join(tmpdir(), "hopscope-studio-paths-"));
		folders.push(workspace);
		await makeTownsOfStudio(workspace, { towns });
		const records = Array.from({ length: towns }, (_, n) => recordOfTown(n, { towns }));
		await writeStudioRun(workspace, { towns, records });
		const others = records.map((record, n) => ({ ...recordOfTown(n + 1, { towns }), task: record.task }));
		await writeStudioRun(workspace, { id: "other", towns, records: others });
		studio = await openWorkbench(workspace).openStudio();
		// its index, so that no page waits for it
		await studio.run("made-up");
		served = await openStudio(studio);
	});
	afterAll(async () => {
		await served?.close();
		for (const folder of folders) await rm(folder, { recursive: true, force: true });
	});

	const hasHeading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).first().waitFor();
	const counted = (page: Page, some: number) => page.getByText(`${some} of ${towns} tasks`, { exact: true }).waitFor();
	const selectedRow = (page: Page) => page.locator("[role=row][aria-selected=true]");
	const totalOf = async (where: string) =>
		(await studio.rows("made-up", { where, sort: "", offset: 0, limit: 0 })).total;

	/** The way that people go: a run, a bar of its picture, its tasks, one of them, and back. */
	async function goThrough(page: Page) {
		await page.getByRole("link", { name: "made-up" }).first().click();
		await hasHeading(page, "made-up");
		await page.getByRole("main").locator("svg a").first().click();
		const filter = page.getByRole("combobox", { name: "Filter" });
		await filter.waitFor();
		const broken = await filter.inputValue();
		expect(broken).toMatch(/^broken:\d/);
		await counted(page, await totalOf(broken));

		// by a facet, and by typed words
		await filter.fill("");
		await page.keyboard.press("Enter");
		await counted(page, towns);
		await page.locator("aside label", { hasText: /^wrong/ }).click();
		await counted(page, await totalOf("outcome:wrong"));
		await page.keyboard.press("/");
		await page.keyboard.press("End");
		await page.keyboard.type(" inhabitants tokens>9000 hops:2");
		await page.keyboard.press("Enter");
		const where = "outcome:wrong inhabitants tokens>9000 hops:2";
		const { rows, total } = await studio.rows("made-up", { where, sort: "-tokens", offset: 0, limit: 100 });
		expect(total).toBeGreaterThan(20);
		await counted(page, total);

		// sorted, scrolled, opened; back finds the place again, and so does a reload
		await page.getByRole("button", { name: "Tokens" }).click();
		await page.locator("[role=row][data-index='0']", { hasText: `${rows[0]?.task}·0` }).waitFor();
		await page.keyboard.press("End");
		const last = selectedRow(page).filter({ hasText: `${rows.at(-1)?.task}·0` });
		await last.waitFor();
		await page.keyboard.press("k");
		const chosen = rows.at(-2)?.task ?? "";
		const selected = selectedRow(page).filter({ hasText: `${chosen}·0` });
		await selected.waitFor();
		await page.keyboard.press("Enter");
		await hasHeading(page, chosen);
		await page.goBack();
		await selected.waitFor();
		await page.reload();
		await selected.waitFor();
		await counted(page, total);
		await page.keyboard.press("Enter");
		await hasHeading(page, chosen);

		// one answer by its keys
		const inspector = page.getByRole("complementary", { name: "Inspector" });
		for (const place of [2, 1]) {
			await page.keyboard.press(String(place));
			await inspector.getByRole("heading", { name: `Hop ${place}` }).waitFor();
		}
		await page.keyboard.press("m");
		const messages = page.getByRole("dialog", { name: /^2 messages/ });
		await messages.getByText(`Question ${chosen.slice(1)}`).waitFor();
		await page.keyboard.press("Escape");
		await messages.waitFor({ state: "detached" });
		await page.keyboard.press("?");
		await page.getByRole("dialog", { name: "Keys and marks" }).getByText("next failure").waitFor();
		await page.keyboard.press("Escape");
		await page.getByRole("dialog").waitFor({ state: "detached" });
		// all of the filter went wrong: the next failure is the next row
		for (const [key, at] of [
			["n", -1],
			["N", -2],
			["k", -3],
			["j", -2],
			["j", -1],
		] as const) {
			await page.keyboard.press(key);
			await hasHeading(page, rows.at(at)?.task ?? "");
		}
		await page.keyboard.press("Escape");
		await last.waitFor();
		await counted(page, total);
	}

	test("the way from the runs to one answer, and back", async () => {
		const page = await served.open("/");
		await goThrough(page);
		await page.context().close();
		expect(served.complaints).toEqual([]);
	});

	longTest(
		"the same from disk: nothing is asked of the network, and of the folder its data and pictures alone",
		async () => {
			const out = join(workspace, "exported");
			const { page: file } = await openWorkbench(workspace).exportStudio(["made-up"], { out });
			const page = await served.open("/");
			const asked: string[] = [];
			const failed: string[] = [];
			await page.goto("about:blank");
			page.on("request", (request) => asked.push(request.url()));
			page.on("requestfailed", (request) => failed.push(request.url()));
			await page.goto(pathToFileURL(file).href);
			// nothing can be changed there
			await page.getByRole("checkbox", { name: "Choose made-up" }).check();
			const chosen = page.getByRole("region", { name: "Chosen runs" });
			expect(await chosen.getByRole("button").allInnerTexts()).toEqual(["Choose none"]);
			for (const key of ["t", "#", "Delete"]) await page.keyboard.press(key);
			expect(await page.getByRole("dialog").count()).toBe(0);
			await goThrough(page);
			const { rows } = await studio.rows("made-up", { where: "images>0", sort: "", offset: 0, limit: 1 });
			await page.goto(`${pathToFileURL(file).href}#/runs/made-up/tasks/${rows[0]?.task}`);
			const picture = page.getByRole("button", { name: /Question image/ }).locator("img");
			await picture.waitFor();
			const width = () => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
			await expect.poll(width).toBeGreaterThan(100);
			const folder = pathToFileURL(out).href;
			const others = asked.filter(
				(url) =>
					!url.startsWith("data:") &&
					!/^\/(index\.html|studio\.(js|css)|(data|media)\/[^/]+)(#.*)?$/.test(url.replace(folder, "")),
			);
			expect([others, failed]).toEqual([[], []]);
			expect(asked.some((url) => url.includes("/media/"))).toBe(true);
			await page.context().close();
			expect(served.complaints).toEqual([]);
		},
	);

	longTest("a run that grows moves what is shown of it without a reload", async () => {
		const few = Array.from({ length: 10 }, (_, n) => recordOfTown(n, { towns }));
		const dir = await writeStudioRun(workspace, { id: "growing", towns, records: few });
		const append = (from: number, to: number) =>
			appendFile(
				join(dir, "records.jsonl"),
				Array.from({ length: to - from }, (_, at) => `${JSON.stringify(recordOfTown(from + at, { towns }))}\n`).join(
					"",
				),
			);
		const run = await served.open("/runs/growing");
		const tasks = await served.open("/runs/growing/tasks");
		await tasks.getByText("10 of 10 tasks", { exact: true }).waitFor();
		const shown = async () => (await run.getByRole("main").innerText()).replace(/\s+/g, " ");
		await run.getByRole("main").locator("svg a").first().waitFor();
		const before = await shown();
		for (const page of [run, tasks]) await page.evaluate("window.kept = 1");
		await append(10, 25);
		await tasks.getByText("25 of 25 tasks", { exact: true }).waitFor();
		await expect.poll(async () => (await shown()) !== before).toBe(true);
		await append(25, towns);
		await tasks.getByText(`${towns} of ${towns} tasks`, { exact: true }).waitFor();
		for (const page of [run, tasks]) {
			expect(await page.evaluate("window.kept")).toBe(1);
			await page.context().close();
		}
		expect(served.complaints).toEqual([]);
	});

	longTest.each(["light", "dark"] as const)("axe objects to nothing of real runs, in the %s", async (colorScheme) => {
		const page = await served.open("/", { colorScheme });
		for (const [address, ready] of [
			["/", page.getByRole("link", { name: "made-up" })],
			["/runs/made-up", page.getByRole("main").locator("svg a")],
			["/runs/made-up/tasks", selectedRow(page)],
			["/runs/made-up/tasks/t1", page.getByRole("complementary", { name: "Inspector" })],
			["/runs/made-up/tasks/t4", page.getByRole("region", { name: "Verdict" })],
			["/tables?runs=made-up", page.getByRole("table")],
			["/runs/made-up/budget", page.getByRole("heading", { level: 2 })],
			["/compare?runs=made-up,other", page.locator("[role=grid]:not([aria-busy=true]) [role=row] a")],
			["/review", page.getByRole("main")],
		] as const) {
			await page.goto(`${page.url().split("#")[0]}#${address}`);
			await ready.first().waitFor();
			expect([address, await axeProblems(page)]).toEqual([address, []]);
		}
		await page.context().close();
	});

	longTest("of a hostile run nothing runs, nothing is fetched elsewhere, and every page keeps its width", async () => {
		const dir = await mkdtemp(join(tmpdir(), "hopscope-studio-hostile-"));
		folders.push(dir);
		const [few, long] = [6, attack.repeat(3000)];
		await makeTownsOfStudio(dir, {
			towns: few,
			more: (n) => ({
				id: hostileId(n),
				question: n === 1 ? "W".repeat(100_000) : attack.repeat(50),
				tags: { language: "en", kind: attack },
			}),
		});
		const records = Array.from({ length: few }, (_, n) => {
			const record = recordOfTown(n, { towns: few, said: long });
			const steps = record.trajectory.steps.map((step) => ({
				...step,
				thought: attack,
				subAnswer: attack,
				call: { tool: attack, arguments: { query: attack }, valid: true },
			}));
			return {
				...record,
				task: hostileId(n),
				trajectory: {
					...record.trajectory,
					...{ steps, answer: attack, plan: attack },
					...(record.trajectory.error ? { error: { boundary: "model" as const, message: attack } } : {}),
				},
			};
		});
		const ids = Array.from({ length: few }, (_, n) => hostileId(n));
		await writeStudioRun(dir, { id: "hostile", towns: few, records, tasks: ids, agent: attack });
		const own = await openStudio(await openWorkbench(dir).openStudio());
		try {
			const asked: string[] = [];
			for (const width of [1440, 390]) {
				const page = await own.open("/", { viewport: { width, height: 900 } });
				const [base = ""] = page.url().split("#");
				page.on("request", (request) => asked.push(request.url()));
				const task = (n: number) => `/runs/hostile/tasks/${encodeURIComponent(hostileId(n))}`;
				for (const [address, ready] of [
					["/", page.getByRole("link", { name: "hostile" })],
					["/runs/hostile", page.getByRole("main").locator("svg a")],
					["/tables?runs=hostile", page.getByRole("table")],
					["/runs/hostile/budget", page.getByRole("heading", { level: 2 })],
					["/runs/hostile/tasks", page.locator("[role=row][data-index='0'] a")],
					[task(1), page.getByRole("region", { name: "Verdict" })],
					[task(2), page.getByRole("region", { name: "Verdict" })],
				] as const) {
					await page.goto(`${base}#${address}`);
					await ready.first().waitFor();
					const state = await page.evaluate(
						"({ hurt: window.hurt, wide: document.documentElement.scrollWidth > innerWidth, " +
							"made: document.querySelectorAll('#root script, #root base, #root style, img[src=x], [onerror], [onload], a[href^=javascript]').length })",
					);
					expect([address, width, state]).toEqual([address, width, { wide: false, made: 0 }]);
				}
				await page.keyboard.press("m");
				await page.getByRole("dialog").getByText("onerror").first().waitFor();
				expect(await page.evaluate("window.hurt")).toBeUndefined();
				// the list leads to the answer whatever its id is
				await page.goto(`${base}#/runs/hostile/tasks`);
				await page.locator("[role=row][data-index='2'] a").click();
				await page.getByRole("region", { name: "Verdict" }).waitFor();
				expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain("t2");
				await page.context().close();
				expect(asked.filter((url) => !url.startsWith(base) && !url.startsWith("data:"))).toEqual([]);
			}
			expect(own.complaints).toEqual([]);
		} finally {
			await own.close();
		}
	});
});
