import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseHTML } from "linkedom";
import { type Browser, chromium } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlReport, reportData } from "#reports";
import { scorerVersion, scoreTrajectory } from "#scoring";
import { isLong, longTest } from "../../../test/long.ts";
import { hostile, hostileRun, makeWorld, playRun, randomFrom } from "../../../test/report-runs.ts";

let dir: string;
/** A report as a user has it: five agents, five topologies. */
let page: string;
/** The same of runs whose every text attacks the reader. */
let attacked: string;

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-page-"));
	const world = await makeWorld(dir, { count: 160 });
	const runs = [
		playRun(world, { agent: "gold-replay", reference: "checks the scorer", find: 1, read: 1, wander: 0 }),
		playRun(world, { agent: "oracle", reference: "is handed the evidence", find: 1, read: 0.8, wander: 0 }),
		playRun(world, { agent: "extractive", find: 0.72, read: 0.78, wander: 0.25, faults: true }),
		playRun(world, { agent: "tagged", model: "openai:a-model", find: 0.7, read: 0.85, wander: 0.5 }),
		playRun(world, { agent: "closed-book", reference: "does not search", find: 0, read: 0, wander: 0, abstains: true }),
	];
	page = await htmlReport(runs);
	const small = await makeWorld(join(dir, "hostile"), { count: 20 });
	attacked = await htmlReport([
		hostileRun(small),
		playRun(small, { agent: "extractive", find: 0.5, read: 0.5, wander: 0 }),
	]);
	await writeFile(join(dir, "page.html"), page);
	await writeFile(join(dir, "attacked.html"), attacked);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe("the page", () => {
	test("is one file under 3 MB without script, and its policy allows no more than it holds", () => {
		expect(Buffer.byteLength(page)).toBeLessThan(3_000_000);
		const { document } = parseHTML(page);
		const policy = document.querySelector("meta[http-equiv=Content-Security-Policy]")?.getAttribute("content") ?? "";
		expect(policy).toMatch(/^default-src 'none'; img-src data:; style-src 'sha256-[\w+/]{43}='/);
		expect(policy).not.toContain("unsafe");
		expect(document.querySelectorAll("script, iframe, object, embed, form, [style]")).toHaveLength(0);
		expect(document.querySelectorAll("style")).toHaveLength(1);
		for (const image of all(document, "img")) {
			expect(image.getAttribute("src")).toMatch(/^data:image\/webp;base64,/);
			expect(image.getAttribute("alt")).toBeTruthy();
		}
		expect(document.querySelectorAll("img").length).toBeGreaterThan(20);
	});

	test("names plots, captions tables, keeps headings in order, opens one failure", () => {
		const { document } = parseHTML(page);
		const levels = all(document, "h1, h2, h3, h4, h5, h6").map((heading) => Number(heading.localName[1]));
		expect(levels[0]).toBe(1);
		expect(levels.filter((level) => level === 1)).toHaveLength(1);
		for (const [index, level] of levels.entries()) expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1);
		for (const plot of all(document, "svg.plot")) expect(plot.getAttribute("aria-label")).toBeTruthy();
		expect(document.querySelectorAll("figure svg.plot").length).toBe(10);
		for (const table of all(document, "table")) expect(table.querySelector("caption")).not.toBeNull();
		for (const cell of all(document, "th")) expect(cell.getAttribute("scope")).toMatch(/^(row|col|colgroup)$/);
		expect(document.querySelectorAll("details[open]")).toHaveLength(1);
		expect(document.querySelectorAll("details").length).toBe(36);
		expect(document.querySelector(".lede")?.textContent).toMatch(
			/answers \d\d\u00a0% right \(95 % interval \d\d–\d\d\)/,
		);
		expect(document.querySelector(".lede")?.textContent).toMatch(
			/For comparison: gold-replay \(checks the scorer\) 100 \(9\d–100\)\u00a0%; oracle \(is handed the evidence\)/,
		);
		expect(document.querySelector(".lede strong")?.textContent).not.toMatch(/gold-replay|oracle|closed-book/);
		const cells = all(document, ".ranking tbody td[title]").map((cell) => cell.getAttribute("title") ?? "");
		expect(cells).toHaveLength(5 * 8);
		for (const title of cells)
			expect(title).toMatch(/^95 % interval: (Wilson|clustered Wilson|clustered t) over 80 clusters of 1\d\d tasks/);
		expect(
			all(document, ".note, .notes")
				.map((note) => note.textContent)
				.join(" "),
		).toMatch(/Method: .*clustered Wilson \(.*\bHPS\b.*Unit: 80 clusters of tasks that share/);
		expect(document.querySelector(".ranking thead")?.textContent).toContain("Bounds %");
		expect(all(document, ".ranking tbody td").some((cell) => /^\d\d–\d\d$/.test(cell.textContent ?? ""))).toBe(true);
		const ids = all(document, "[id]").map((element) => element.id);
		for (const link of all(document, "nav a")) expect(ids).toContain(link.getAttribute("href")?.slice(1));
	});

	test("names no winner that mostly failed to answer, and says of a run what was not scored", async () => {
		const world = await makeWorld(join(dir, "flaky"), { count: 40 });
		const flaky = playRun(world, { ...skill, agent: "flaky", find: 1, read: 1 });
		flaky.rows = flaky.rows.slice(0, 4);
		const steady = playRun(world, { ...skill, agent: "steady", find: 1, read: 0.9 });
		const lede = async (runs: (typeof flaky)[]) =>
			parseHTML(await htmlReport(runs)).document.querySelector(".lede")?.textContent;
		expect(await lede([flaky, steady])).toMatch(
			/^steady answers .*no significant difference to another run, so no winner/,
		);
		expect(await lede([flaky])).toMatch(/of the 4 answers scored, 10–100\u00a0% of the 40 expected/);
	});

	test("gives several benchmarks a section each, and holds without runs", async () => {
		const world = await makeWorld(join(dir, "two"), { count: 12 });
		const [one, other] = [playRun(world, skill), playRun(world, skill)];
		other.manifest.id = "on-another";
		other.manifest.benchmark = { ...other.manifest.benchmark, name: "another" };
		const { document } = parseHTML(await htmlReport([one, other]));
		expect(all(document, "h2").map((heading) => heading.textContent)).toEqual([
			"made-up",
			"another",
			"What the numbers mean",
		]);
		expect(parseHTML(await htmlReport([])).document.querySelector("h1")?.textContent).toBe("No runs");
	});

	test("shows what agents did that talk with a model, under names that fit, whole in the legend", async () => {
		const world = await makeWorld(join(dir, "talking"), { count: 12 });
		const model = "openai:a-model@http://127.0.0.1:8000/v1";
		const run = playRun(world, { ...skill, model });
		run.rows = run.records.map(({ task, repeat, attempt, trajectory }) => {
			const gold = world.tasks.find(({ id }) => id === task);
			if (!gold) throw new Error(task);
			const messages = [{ role: "assistant" as const, content: [] }];
			const scored = scoreTrajectory(gold, { ...trajectory, messages }, { limit: 8 });
			return { version: 1 as const, task, repeat, attempt, scorer: scorerVersion, ...scored };
		});
		const { document } = parseHTML(await htmlReport([run]));
		const [table] = all(document, "table").filter((one) => /What the agents did/.test(one.textContent ?? ""));
		expect(table?.textContent).toMatch(/Calls.*Calls written.*Calls rejected.*Invalid.*Rounds.*Utilisation/s);
		expect(table?.querySelector("bdi")?.textContent).toMatch(/ · a-model$/);
		expect(document.querySelector(".run-name")?.textContent).toContain(model);
		const without = parseHTML(await htmlReport([playRun(world, skill)])).document;
		expect(without.body?.textContent).not.toContain("What the agents did");
	});

	test("calls no hop broken of an agent that took no step", async () => {
		const world = await makeWorld(join(dir, "idle"), { count: 12 });
		const run = playRun(world, { ...skill, read: 0 });
		for (const { trajectory } of run.records) trajectory.steps = [];
		const { document } = parseHTML(await htmlReport([run]));
		expect(document.querySelector(".hops")?.textContent).toContain("It answered without searching.");
		expect(document.querySelectorAll(".broken")).toHaveLength(0);
		expect(document.querySelector("summary")?.textContent).toMatch(/hops, no search/);
	});

	longTest("stays under 3 MB with many runs and large pictures, and says what it left out", async () => {
		const world = await makeWorld(join(dir, "large"), { count: 40 });
		const random = randomFrom(3);
		const noise = Buffer.from(Uint8Array.from({ length: 400 * 400 * 3 }, () => Math.floor(random() * 256)));
		const picture = await sharp(noise, { raw: { width: 400, height: 400, channels: 3 } })
			.png()
			.toBuffer();
		for (let index = 0; index < 12; index++) await writeFile(join(world.dir, `images/${index}.png`), picture);
		const runs = Array.from({ length: 6 }, (_, index) => {
			const run = playRun(world, { ...skill, find: 0.3 }, { seed: index });
			run.manifest.id = `run-${index}`;
			return run;
		});
		const html = await htmlReport(runs);
		expect(Buffer.byteLength(html)).toBeLessThan(3_000_000);
		expect(html).toMatch(/pictures? left out to keep it small/);
	});

	test("shows no file from outside the benchmark's folder, and no vector file", async () => {
		const world = await makeWorld(join(dir, "outside"), { count: 10 });
		await symlink(join(dir, "images/1.png"), join(world.dir, "images/link.png"));
		await writeFile(
			join(world.dir, "images/vector.png"),
			`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`,
		);
		const files = [
			"../images/1.png",
			join(dir, "images/1.png"),
			"images/link.png",
			"images/vector.png",
			"images/none.png",
		];
		for (const [index, task] of world.tasks.entries())
			task.images = task.images.map((image) => ({ ...image, file: files[index % files.length] ?? "" }));
		const { document } = parseHTML(await htmlReport([playRun(world, { ...skill, find: 0, read: 0 })]));
		expect(document.querySelectorAll("details").length).toBeGreaterThan(5);
		expect(document.querySelectorAll(".picture img")).toHaveLength(0);
		expect(all(document, ".asked").filter((one) => one.textContent?.includes("not shown")).length).toBeGreaterThan(2);
	});
});

const all = (document: Document, selector: string) => Array.from(document.querySelectorAll(selector));

const skill = { agent: "extractive", find: 0.5, read: 0.5, wander: 0.2 };

describe("hostile records", () => {
	test("are text, bounded, and without characters that act on the reader", async () => {
		const { document } = parseHTML(attacked);
		expect(document.querySelectorAll("script, iframe, b, a[href^=javascript]")).toHaveLength(0);
		expect(document.querySelector("h1")?.textContent).toContain("<script>");
		expect(document.querySelector(".case")?.textContent).toContain("<script>");
		for (const element of all(document, "*"))
			for (const name of element.getAttributeNames()) expect(name).not.toMatch(/^(on|style$)/);
		expect(attacked).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
		expect(Buffer.byteLength(attacked)).toBeLessThan(1_500_000);
		const data = await reportData([hostileRun(await makeWorld(join(dir, "hostile-data"), { count: 10 }))]);
		expect(JSON.stringify(data).length).toBeLessThan(300_000);
		expect(hostile).toHaveLength(1_000_000);
	});
});

const browserPath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";

describe.skipIf(!existsSync(browserPath))("in Chromium", () => {
	let browser: Browser;
	beforeAll(async () => {
		const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
		browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu", ...quiet] });
	});
	afterAll(() => browser?.close());

	test.each(
		isLong ? ["page.html", "attacked.html"] : ["attacked.html"],
	)("%s opens quietly, fetches nothing and fits, wide and narrow, in light and dark", async (file) => {
		const tab = await browser.newPage();
		const heard: string[] = [];
		const fetched: string[] = [];
		tab.on("console", (message) => heard.push(message.text()));
		tab.on("pageerror", (error) => heard.push(String(error)));
		tab.on("dialog", (dialog) => heard.push(dialog.message()));
		tab.on("request", (request) => fetched.push(request.url()));
		await tab.goto(pathToFileURL(join(dir, file)).href);
		await tab.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
		for (const [width, height] of [
			[1440, 900],
			[390, 844],
		] as const) {
			await tab.setViewportSize({ width, height });
			for (const colorScheme of ["light", "dark"] as const) {
				await tab.emulateMedia({ colorScheme });
				const sizes = await tab.evaluate("[document.documentElement.scrollWidth, innerWidth]");
				expect(sizes).toEqual([width, width]);
				const ground = await tab.evaluate("getComputedStyle(document.body).backgroundColor");
				expect(ground).toBe(colorScheme === "dark" ? "rgb(17, 19, 21)" : "rgb(255, 255, 255)");
			}
		}
		expect(heard).toEqual([]);
		expect(fetched.filter((url) => !/^(file|data):/.test(url))).toEqual([]);
		expect(await tab.evaluate("'attacked' in window")).toBe(false);
		await tab.close();
	});
});
