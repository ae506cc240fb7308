// @module-tag long
/** The pages of knowledge bases and benchmarks in the system's Chromium, over an invented world and over a hostile one. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openWorkbench, type Studio } from "#workbench";
import { makeSmallWorld, type SmallWorld } from "./small-world.ts";
import { axeProblems, hasBrowser, openStudio, type StudioBrowser } from "./support/browser.ts";
import { hostileDocument, hostileTask, makeHostileSources } from "./support/hostile-sources.ts";

const phone = { viewport: { width: 390, height: 844 } };

describe.skipIf(!hasBrowser)("the pages of what questions are asked of", () => {
	let folder = "";
	let world: SmallWorld;
	let studio: Studio;
	let browser: StudioBrowser;
	const opened: Page[] = [];

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "studio-sources-"));
		world = await makeSmallWorld(folder, { countries: 6 });
		await makeHostileSources(folder);
		await openWorkbench(folder).run({ benchmark: "lands", agent: "gold-replay" });
		studio = await openWorkbench(folder).openStudio({});
		browser = await openStudio(studio);
	});
	afterEach(async () => {
		for (const page of opened.splice(0)) {
			expect(await page.evaluate(() => "hurt" in window)).toBe(false);
			await page.context().close();
		}
		expect(browser.complaints.splice(0)).toEqual([]);
	});
	afterAll(async () => {
		await browser?.close();
		await rm(folder, { recursive: true, force: true });
	});

	const open = async (address: string, options?: Parameters<StudioBrowser["open"]>[1]): Promise<Page> => {
		const page = await browser.open(address, options);
		opened.push(page);
		return page;
	};
	const list = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
	const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).first().waitFor();
	const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "");
	const flatOn = (page: Page) =>
		page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
	const country = () => world.evidence.find(({ id }) => id.startsWith("country/")) as { title: string };

	test("from the list to what each index brings, and on to the document at the passage that was found", async () => {
		const page = await open("/knowledge");
		await page.getByRole("link", { name: "lands", exact: true }).first().click();
		await page.getByRole("searchbox", { name: "Query" }).fill(country().title);
		await page.keyboard.press("Enter");
		for (const mode of ["Lexical", "Dense", "Hybrid"]) await list(page, mode).getByRole("listitem").first().waitFor();
		await page.getByRole("status").filter({ hasText: "different results" }).waitFor();
		const brought = await studio.sources.search("lands", { text: country().title, target: "text", k: 10 });
		for (const { mode, hits } of brought.lists) {
			const shown = list(page, mode.charAt(0).toUpperCase() + mode.slice(1)).locator("code");
			await expect.poll(() => shown.allTextContents()).toEqual(hits.map(({ id }) => id));
		}
		const address = page.url();

		// by keys alone: the second result, its document, and back to it
		await page.keyboard.press("Escape");
		await page.keyboard.press("j");
		await page.keyboard.press("j");
		const second = brought.lists.flatMap(({ hits }) => hits)[1]?.id ?? "";
		const title = brought.evidence[second]?.title ?? "";
		await expect.poll(() => focused(page)).toBe(title);
		await page.keyboard.press("Enter");
		await heading(page, "Passages");
		await page.locator("article[data-pointed] code").getByText(second, { exact: true }).waitFor();
		await page.reload();
		await heading(page, "Passages");
		await page.locator("article[data-pointed] code").getByText(second, { exact: true }).waitFor();
		await page.keyboard.press("Escape");
		await list(page, "Dense").getByRole("listitem").first().waitFor();
		await page.waitForURL(address);
		await page.reload();
		await list(page, "Dense").getByRole("listitem").first().waitFor();
		await expect.poll(() => page.getByRole("searchbox", { name: "Query" }).inputValue()).toBe(country().title);

		await page.keyboard.press("a");
		await page.getByRole("table").getByRole("columnheader", { name: "Lexical" }).waitFor();
		await expect.poll(() => page.getByRole("rowheader").count()).toBe(brought.agreed.length);
		await page.keyboard.press("?");
		await page.getByRole("dialog").getByText("write a query").waitFor();
		await page.keyboard.press("Escape");
		await page.goBack();
		await list(page, "Lexical").waitFor();
	});

	test("a picture finds pictures: one that was found, and one that is handed over", async () => {
		const page = await open(`/knowledge/lands?q=${encodeURIComponent(country().title)}&target=image`);
		await page.getByRole("button", { name: "like this" }).first().click();
		const first = list(page, "Picture").getByRole("listitem").first();
		await first.waitFor();
		await page.waitForURL(/image=/);
		const given = decodeURIComponent(/image=([^&]+)/.exec(page.url())?.[1] ?? "");
		await first.locator("code").getByText(given, { exact: true }).waitFor();
		await page.reload();
		await first.waitFor();
		await first.getByRole("button").first().click();
		await page.getByRole("dialog").waitFor();
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Without the picture" }).click();
		await first.waitFor({ state: "detached" });

		const flag = world.evidence.find(({ kind }) => kind === "image");
		if (flag?.kind !== "image") throw new Error("the world has pictures");
		await page.locator("input[type=file]").setInputFiles(join(world.corpus, flag.file));
		await first.waitFor();
		await first.locator("code").getByText(flag.id, { exact: true }).waitFor();
		await page.locator("input[type=file]").setInputFiles({
			...{ name: "notes.txt", mimeType: "text/plain" },
			buffer: Buffer.from("no picture"),
		});
		await page.getByRole("alert").getByText("This is no picture.").waitFor();
	});

	test("a document has its pages with the blocks that were read, and shows where a passage stands on them", async () => {
		const page = await open(`/knowledge/hostile/documents/${encodeURIComponent(hostileDocument)}`);
		const sheet = page.getByRole("article", { name: /^Page/ }).first();
		await sheet.getByRole("img").waitFor();
		await expect.poll(() => sheet.locator("[data-kind]").count()).toBe(2);
		await page.getByRole("button", { name: "page 1", exact: true }).first().click();
		await page.getByRole("button", { name: "page 1", exact: true, pressed: true }).first().waitFor();
		// by keys: to the next passage, and to what there is to press
		const pointed = page.locator("article[data-pointed] code");
		await page.keyboard.press("j");
		await pointed.getByText(`${hostileDocument}#page=1.2`).waitFor();
		await page.keyboard.press("k");
		await pointed.getByText(`${hostileDocument}#page=1.1`).waitFor();
		await page.keyboard.press("?");
		await page.getByRole("dialog").getByText("point at the previous one").waitFor();
		await page.keyboard.press("Escape");
		// where it stands is drawn in the picture at full size too
		await sheet.getByRole("button", { name: "full size" }).click();
		await page.getByRole("dialog").getByRole("img").waitFor();
		await page.keyboard.press("Escape");
		await page.getByText("2 blocks").click();
		await page.getByRole("link", { name: "Search in it" }).click();
		await page.getByText("only in").waitFor();
		await page.getByRole("searchbox", { name: "Query" }).fill("inhabitants");
		await page.keyboard.press("Enter");
		await list(page, "Lexical").getByRole("listitem").first().waitFor();
		await page.getByRole("button", { name: "In every document" }).click();
		await page.getByText("only in").waitFor({ state: "detached" });
	});

	test("a benchmark's tasks are filtered by what they are made of, and one is read hop by hop", async () => {
		const page = await open("/benchmarks");
		await page.getByRole("link", { name: "lands", exact: true }).first().click();
		await page.getByText("24 of 24 tasks").waitFor();
		const { facets } = await studio.sources.rows("lands", { where: "", sort: "", offset: 0, limit: 0 });
		const value = facets.find(({ name }) => name === "hops")?.values.find(({ value: hops }) => hops !== "1");
		if (!value) throw new Error("the world has chains");
		const distributions = page.getByRole("complementary", { name: "Distributions" });
		await distributions.getByRole("checkbox", { name: new RegExp(`^${value.value}\\b`) }).click();
		await page.getByText(`${value.count} of 24 tasks`).waitFor();
		const { rows } = await studio.sources.rows("lands", { where: value.where, sort: "", offset: 0, limit: 3 });
		await page.reload();
		await page.getByText(`${value.count} of 24 tasks`).waitFor();

		await page.keyboard.press("j");
		await page.keyboard.press("Enter");
		await heading(page, rows[1]?.task ?? "");
		// going back finds the same row, going on the same task
		await page.goBack();
		await page
			.locator("[role=row][aria-selected=true]")
			.getByText(rows[1]?.question ?? "")
			.waitFor();
		await page.goForward();
		await heading(page, rows[1]?.task ?? "");
		const chain = page.getByRole("navigation", { name: "Gold chain" });
		await expect.poll(() => chain.getByRole("button").count()).toBe(rows[1]?.hops.length);
		await page.keyboard.press("2");
		const second = page.locator("article[data-pointed]");
		await second.getByText("Hop 2").waitFor();
		await second.getByRole("link", { name: "its document" }).first().waitFor();
		await page.reload();
		await second.getByRole("link", { name: "its document" }).first().waitFor();

		// the next and the previous within the filter
		await page.keyboard.press("n");
		await heading(page, rows[2]?.task ?? "");
		await page.keyboard.press("p");
		await heading(page, rows[1]?.task ?? "");
		await page.keyboard.press("k");
		await heading(page, rows[0]?.task ?? "");
		await page.keyboard.press("Escape");
		await page.getByText(`${value.count} of 24 tasks`).waitFor();
		await expect.poll(() => page.getByRole("combobox", { name: "Filter" }).inputValue()).toBe(value.where);
	});

	test("what checks find leads to the tasks that they find it in", async () => {
		const page = await open("/benchmarks/hostile");
		await page.getByText("2 of 2 tasks").waitFor();
		await page.keyboard.press("2");
		await page.getByRole("heading", { name: /\d+ error/ }).waitFor();
		await page.getByRole("button", { name: "show the tasks" }).first().click();
		await page.getByText(/^\d of 2 tasks$/).waitFor();
		await page.waitForURL(/problem/);
		await page.goBack();
		await page.getByRole("heading", { name: /\d+ error/ }).waitFor();
		await page.keyboard.press("3");
		await heading(page, "Runs over it");
		await page.keyboard.press("1");
		await page.getByRole("grid", { name: "Tasks" }).waitFor();
		await page.keyboard.press("/");
		await page.keyboard.type("colour:red");
		await page.keyboard.press("Enter");
		await page.getByText("left out").waitFor();
	});

	test("an address that names nothing, or another place, is told so and leads back", async () => {
		for (const [address, says] of [
			["/knowledge/..%2F..%2Fetc", "The knowledge base could not be opened"],
			["/knowledge/lands/documents/..%2F..%2F..%2Fetc%2Fpasswd", "The document could not be opened"],
			["/benchmarks/..%2F..", "The tasks could not be fetched"],
			["/benchmarks/lands/tasks/..%2F..%2Fbenchmark.json", "The task could not be fetched"],
		] as const) {
			const page = await open(address);
			await page.getByText(says).waitFor();
			expect(await axeProblems(page)).toEqual([]);
			await page.getByRole("navigation", { name: "Where you are" }).getByRole("link").first().click();
			await page.getByText(says).waitFor({ state: "detached" });
			// the browser itself says that the server refused
			await expect.poll(() => browser.complaints.length).toBeGreaterThan(0);
			const refused = browser.complaints.splice(0);
			expect(refused.filter((one) => !/status of 40[04]/.test(one))).toEqual([]);
		}
	});

	const views: [name: string, address: string, settled: string][] = [
		["knowledge bases", "/knowledge", "lands"],
		["a knowledge base", "/knowledge/hostile", "Indexes"],
		["what was found", "/knowledge/hostile?q=inhabitants", "different results"],
		["where indexes agree", "/knowledge/hostile?q=inhabitants&view=agree", "came back from several"],
		["a document", `/knowledge/hostile/documents/${encodeURIComponent(hostileDocument)}`, "Passages"],
		["benchmarks", "/benchmarks", "Lands"],
		["a benchmark", "/benchmarks/hostile", "2 of 2 tasks"],
		["its integrity", "/benchmarks/hostile?view=integrity", "No model was asked"],
		["about it", "/benchmarks/hostile?view=about", "Runs over it"],
		["a task", `/benchmarks/hostile/tasks/${encodeURIComponent(hostileTask)}?at=1`, "its document"],
	];
	test.each(
		views,
	)("%s: hostile texts are texts, axe finds nothing in either theme, and a phone shows it whole", async (...view) => {
		const [, address, settled] = view;
		for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, phone] as const) {
			const page = await open(address, options);
			await page.getByText(settled).first().waitFor();
			expect(await axeProblems(page)).toEqual([]);
			await expect.poll(() => flatOn(page)).toBe(true);
			expect(await page.locator("[onerror], [onload], a[href^='javascript:' i], main script, base").count()).toBe(0);
		}
	});
});
