// @module-tag long
/** The Task page in the system's Chromium: where a chain broke, by eye, by ear and by keyboard. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { cardWith, hopWith, pageWith, stepWith, testLegend } from "../studio/src/pages/task/testing.ts";
import { axeProblems, hasBrowser, openStudio, type StudioBrowser } from "./support/browser.ts";

const gold = (hop: string) => ({ id: `gold ${hop}`, rank: 1, score: 9, is: "gold" as const, hops: [hop] });
const other = { id: "other", rank: 2, score: 8, is: "other" as const, hops: [] };
const needs = (hop: string) => [{ hop, role: "bridge" }];

const broken = pageWith("broken", {
	messages: 45,
	repeats: 2,
	hops: [
		hopWith("h1", {
			...{ aimed: [0], brought: [0], wanted: [{ id: "gold h1", came: true }], read: "gold h1", carried: "Peru" },
			notes: ["read gold h1 in step 1; later searches used Peru"],
		}),
		hopWith("h2", {
			...{ aimed: [1], brought: [1], verdict: "misread", first: true, took: "Brazil", needs: needs("h1") },
			why: "Its evidence came back, but “Brazil” was read.",
			proof: [
				{
					...{ by: "thought", step: 2, evidence: null },
					text: [
						{ text: "I see ", is: "plain" },
						{ text: "Brazil", is: "wrong" },
					],
				},
				{ by: "evidence", step: 1, evidence: "other", text: [{ text: "Brazil", is: "wrong" }] },
			],
			excerpts: {
				"gold h2": [
					{ text: "… the market was ", is: "plain" },
					{ text: "Chile", is: "gold" },
				],
			},
			wanted: [{ id: "gold h2", came: true }],
		}),
		hopWith("h3", { verdict: "misread", needs: needs("h2"), wanted: [{ id: "gold h3", came: false }], found: 0 }),
	],
	steps: [
		stepWith(0, { aimed: ["h1"], brought: ["h1"], results: [gold("h1"), other], thought: "I begin with the country." }),
		stepWith(1, {
			aimed: ["h2"],
			brought: ["h2"],
			results: [gold("h2"), other],
			read: { text: "Brazil", is: "wrong", hop: null },
		}),
		stepWith(2, {
			...{ stray: true, results: [other], thought: "I see Brazil", ms: 0 },
			query: [
				{ text: "Brazil", is: "wrong" },
				{ text: " railway", is: "plain" },
			],
		}),
	],
	findings: [
		{ kind: "format-failure", also: false, says: "It could not be read.", steps: [1], evidence: [] },
		{ kind: "ended-without-answer", also: true, says: "A limit.", steps: [1], evidence: [] },
	],
	evidence: Object.fromEntries(["gold h1", "gold h2", "gold h3", "other"].map((id) => [id, cardWith(id)])),
});

const hostileText = `<img src=x onerror="alert(1)"><script>alert(2)</script> [link](javascript:alert(3)) \u202E`;
const hostile = pageWith("../../hostile", {
	question: hostileText + "x".repeat(20_000),
	answer: hostileText.repeat(30),
	accepted: [hostileText],
	title: hostileText,
	summary: hostileText,
	tags: [hostileText],
	hops: [
		hopWith("h1", { gold: "y".repeat(300), took: hostileText, question: hostileText, first: true, verdict: "misread" }),
	],
	steps: [
		stepWith(0, { aimed: ["h1"], tool: hostileText, query: [{ text: hostileText, is: "wrong" }], results: [other] }),
	],
	evidence: { other: cardWith("other", { title: hostileText, text: hostileText.repeat(50) }) },
	judged: [{ judge: hostileText, rubric: hostileText, said: hostileText, reason: hostileText }],
});

const long = pageWith("long", {
	hops: ["h1", "h2"].map((id, at) =>
		hopWith(id, {
			aimed: Array.from({ length: 150 }, (_, step) => at * 150 + step),
			first: at === 1,
			verdict: "misread",
		}),
	),
	steps: Array.from({ length: 300 }, (_, index) =>
		stepWith(index, { aimed: [index < 150 ? "h1" : "h2"], results: [{ ...other, id: `page ${index % 200}` }] }),
	),
	evidence: Object.fromEntries(
		Array.from({ length: 200 }, (_, at) => [
			`page ${at}`,
			cardWith(`page ${at}`, {
				kind: "page",
				picture: { name: `page${at}`, width: 600, height: 800, alt: `Page ${at}` },
			}),
		]),
	),
});

const bare = pageWith("bare", {
	title: "Wrong; the task has no gold chain",
	steps: [stepWith(0, { results: [other] })],
});

const pictured = pageWith("pictured", {
	title: "Right",
	hops: [hopWith("h1", { wanted: [{ id: "gold h1", came: true }] })],
	evidence: {
		"gold h1": cardWith("gold h1", {
			...{ kind: "page", picture: { name: "page", width: 600, height: 800, alt: "Page 3" } },
			boxes: [{ corners: [0.1, 0.25, 0.9, 0.5], says: "states the answer of hop 1" }],
		}),
	},
});

const pages = [broken, long, bare, hostile, pictured];
const heard = { next: [] as string[] };

describe.skipIf(!hasBrowser)("the Task page", () => {
	let studio: StudioBrowser;
	let failing = false;

	beforeAll(async () => {
		studio = await openStudio({
			legend: async () => testLegend,
			task: async (_, { task }) => {
				const page = pages.find((one) => one.task === task);
				if (failing || !page) throw new Error("the disk is gone");
				return page;
			},
			next: async (_, { from, step, where, sort }) => {
				heard.next.push(`${where} ${sort}`);
				const index = pages.findIndex(({ task }) => task === from.task) + step;
				const page = pages[index];
				return page ? { task: page.task, repeat: 0, index } : null;
			},
			messages: async (_, { offset, limit }) => ({
				of: 45,
				messages: Array.from({ length: 45 }, (_, at) => ({
					...{ role: "assistant", conversation: null, thought: null, calls: [] },
					content: [{ text: `message ${at}`, length: at === 0 ? 2000 : 9 }],
				})).slice(offset, offset + limit),
			}),
			text: async () => "and so it goes on",
			media: async () => join(import.meta.dirname, "fixtures/before-house/benchmarks/lands/images/Belmont.png"),
			run: async () => Promise.reject(new Error("no run")),
			rows: async () => ({ of: 0, total: 0, rows: [], facets: [], problems: [] }),
		});
	});

	afterEach(() => studio.closePages());
	afterAll(() => studio?.close());

	const address = (task: string, search = "") => `/runs/run/tasks/${encodeURIComponent(task)}${search}`;
	const shown = (page: Page, name: string) => page.getByRole("heading", { name }).waitFor();

	test("opens on the hop that broke, with what was wanted before what came back", async () => {
		const page = await studio.open(address("broken"));
		await shown(page, "Breaks at hop 2: evidence misread");
		const inspector = page.getByRole("complementary", { name: "Inspector" });
		await inspector.getByRole("heading", { name: "Hop 2" }).waitFor();
		await inspector.getByText("Came back").first().waitFor();
		const text = await inspector.innerText();
		expect(text.indexOf("Wanted")).toBeGreaterThan(0);
		expect(text.indexOf("Came back")).toBeGreaterThan(text.indexOf("Wanted"));
		expect(text).toContain("Title of gold h2");
		await page.getByText("chain breaks here").waitFor();
		await page.getByText("never tried").waitFor();
		expect(await page.locator("[data-measured='step:2'] mark", { hasText: "Brazil" }).count()).toBe(1);
		expect(await page.getByText("stray", { exact: true }).count()).toBe(1);
	});

	test("shows where gold evidence stands on the picture of its page", async () => {
		const page = await studio.open(address("pictured", "?at=hop:h1"));
		await page.getByRole("button", { name: "Show in full: Page 3" }).first().click();
		const dialog = page.getByRole("dialog", { name: "Page 3" });
		const [picture, box] = [
			dialog.getByRole("img", { name: "Page 3" }),
			dialog.getByText("states the answer of hop 1").locator(".."),
		];
		await box.waitFor();
		// until its bytes are there the picture has no size, and what stands on it no place
		await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
		const [whole, part] = [await picture.boundingBox(), await box.boundingBox()];
		if (!whole || !part) throw new Error("nothing is drawn");
		expect((part.x - whole.x) / whole.width).toBeCloseTo(0.1, 1);
		expect((part.y - whole.y) / whole.height).toBeCloseTo(0.25, 1);
		expect(part.height / whole.height).toBeCloseTo(0.25, 1);
	});

	test("proves what was read by the words that it was seen in, and by the part of a text that matters", async () => {
		const page = await studio.open(address("broken"));
		const inspector = page.getByRole("complementary", { name: "Inspector" });
		await inspector.getByText("Written before step 3:").waitFor();
		await inspector.getByText("Stands in “Title of other”, which step 2 brought:").waitFor();
		expect(await inspector.locator("mark", { hasText: "Brazil" }).count()).toBe(2);
		expect(await inspector.locator("mark", { hasText: "Chile" }).count()).toBeGreaterThan(0);
		await page.keyboard.press("1");
		await inspector.getByText("The agent's own words before this search").waitFor();
		// a solved hop has nothing in its value's place: what was carried on is said, not shown as broken
		const solved = page.locator("[data-measured='hop:h1'], [data-measured='box:h1']");
		expect((await solved.allInnerTexts()).join(" ")).not.toContain("took");
		await page.getByText("read gold h1 in step 1; later searches used Peru").first().waitFor();
	});

	test("explains its words where they stand and in the help, and leaves out what was not recorded", async () => {
		const page = await studio.open(address("broken"));
		const stray = page.locator("[data-measured='step:2']");
		await stray.waitFor();
		expect(await stray.innerText()).not.toContain("ms");
		await page.locator("[data-measured='step:1']").focus();
		await page.keyboard.press("Tab");
		await stray.getByText("a search for no hop of the chain").waitFor();
		await page.keyboard.press("?");
		const help = page.getByRole("dialog", { name: "Keys and marks" });
		for (const words of ["A search for no hop of the chain", "Dashed red line and ✕", "ended by itself"])
			await help.getByText(words).waitFor();
	});

	test("goes by keyboard: hops, messages, help, neighbours in the filter, and back", async () => {
		const page = await studio.open(address("broken", "?where=outcome%3Awrong&sort=-steps"));
		heard.next.length = 0;
		const hop = (name: string) => page.getByRole("complementary").getByRole("heading", { name });
		await hop("Hop 2").waitFor();
		await page.keyboard.press("1");
		await hop("Hop 1").waitFor();
		expect(page.url()).toContain("at=hop");
		await page.keyboard.press("m");
		const messages = page.getByRole("dialog", { name: "45 messages of broken" });
		await messages.getByText("message 0").waitFor();
		await messages.getByRole("button", { name: "Read on" }).click();
		await messages.getByText("and so it goes on").waitFor();
		await expect
			.poll(async () => {
				await messages.getByRole("region", { name: "Messages" }).press("End");
				return messages.getByRole("article").count();
			})
			.toBe(45);
		await page.keyboard.press("Escape");
		await messages.waitFor({ state: "detached" });
		await page.keyboard.press("?");
		const help = page.getByRole("dialog", { name: "Keys and marks" });
		await help.getByText("next failure").waitFor();
		await page.keyboard.press("Escape");
		await help.waitFor({ state: "hidden" });
		// a key that is pressed before the next answer is there is that one's
		for (const key of ["n", "n"]) await page.keyboard.press(key);
		await page.waitForURL(/tasks\/bare/);
		for (const key of ["N", "N"]) await page.keyboard.press(key);
		await page.waitForURL(/tasks\/broken/);
		expect(new Set(heard.next)).toEqual(new Set(["outcome:wrong -steps"]));
		await page.keyboard.press("Escape");
		await page.waitForURL(/tasks\?where=outcome(:|%3A)wrong&sort=-steps/);
	});

	test("keeps what is looked at in its address", async () => {
		const page = await studio.open(address("broken", "?at=step%3A1"));
		await page.getByText("I begin with the country.").first().waitFor();
		await page.reload();
		await page.getByText("I begin with the country.").first().waitFor();
	});

	test("says what happened where an answer cannot be had, and tries again", async () => {
		failing = true;
		const page = await studio.open(address("bare"));
		const alert = page.getByRole("alert");
		await alert.waitFor();
		failing = false;
		await alert.getByRole("button", { name: "Try again" }).click();
		await shown(page, "Wrong; the task has no gold chain");
		// a refusal is told to the console by the browser itself
		expect(studio.complaints.splice(0).filter((one) => !one.includes("500"))).toEqual([]);
	});

	test("shows text of others as text, however it is made", async () => {
		const page = await studio.open(address("../../hostile"));
		await page.getByRole("complementary").getByRole("heading", { name: "Hop 1" }).waitFor();
		expect(await page.locator("img[src=x], #root script, a[href^='javascript:']").count()).toBe(0);
		expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
	});

	test("puts each hop before its steps on a phone, and the inspector into a sheet", async () => {
		const page = await studio.open(address("broken"), { viewport: { width: 390, height: 844 } });
		await shown(page, "Breaks at hop 2: evidence misread");
		expect(await page.getByRole("complementary").count()).toBe(0);
		const order = await page
			.locator("[data-measured^='hop:'], [data-measured^='step:']")
			.evaluateAll((cards) =>
				cards.map((card) => (card as unknown as { dataset: { measured: string } }).dataset.measured),
			);
		expect(order).toEqual(["hop:h1", "step:0", "hop:h2", "step:1", "hop:h3", "step:2"]);
		await page.locator("[data-measured='hop:h2']").click();
		await page.getByRole("dialog").getByText("Wanted").waitFor();
		await page.getByRole("dialog").getByRole("button", { name: "45 messages" }).click();
		await page.getByRole("dialog", { name: "45 messages of broken" }).getByText("message 0").waitFor();
		expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
	});

	test("fetches no picture of 300 steps that is far from the window", async () => {
		let asked = 0;
		const page = await studio.open(address("bare"));
		await page.route("**/api/media/**", (route) => {
			asked++;
			return route.fulfill({
				status: 200,
				contentType: "image/svg+xml",
				body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
			});
		});
		await shown(page, "Wrong; the task has no gold chain");
		await page.keyboard.press("k");
		await page.locator("[data-measured='step:299']").waitFor({ state: "attached" });
		await page.waitForLoadState("networkidle");
		expect(asked).toBeLessThan(150);
	});

	test.each(["light", "dark"] as const)("has nothing that axe objects to, in the %s", async (colorScheme) => {
		for (const viewport of [
			{ width: 1440, height: 900 },
			{ width: 390, height: 844 },
		])
			for (const task of ["broken", "bare", "../../hostile"]) {
				const page = await studio.open(address(task), { colorScheme, viewport });
				await page.getByRole("region", { name: "Verdict" }).waitFor();
				expect(await axeProblems(page)).toEqual([]);
				await page.context().close();
			}
	});

	test("has complained of nothing", () => {
		expect(studio.complaints).toEqual([]);
	});
});
