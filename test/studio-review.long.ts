// @module-tag long
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test as plainTest } from "vitest";
import type { Review } from "#domain";
import { csvRows, csvText, sha256 } from "#store";
import { openWorkbench } from "#workbench";
import { axeProblems, hasBrowser, openStudio, type StudioBrowser } from "./support/browser.ts";
import { commandsOn, makeTowns } from "./support/commands.ts";
import { hostileDocument, makeHostileSources } from "./support/hostile-sources.ts";

const test = plainTest.skipIf(!hasBrowser);
let studio: StudioBrowser;
let workspace = "";
let run = "";
let picture: Buffer;

const script = '<img src=x onerror="alert(1)"><script>alert(2)</script>';

const townsIn = async (place: string) => {
	const image = { id: "a", file: "images/a.png", width: 400, height: 200, sha256: sha256(picture) };
	// the benchmark is written where its images are
	await mkdir(join(place, "benchmarks/towns/images"), { recursive: true });
	await writeFile(join(place, "benchmarks/towns/images/a.png"), picture);
	await makeTowns(place, {
		towns: 14,
		more: (n) => ({
			question: n === 0 ? `${script} \u202eHow many inhabitants has Town 0?` : `How many inhabitants has Town ${n}?`,
			...(n === 1 ? { images: [image] } : {}),
			chain: {
				hops: [
					{
						...{ id: "h1", question: `Which town is number ${n}?`, modality: n === 1 ? "image" : "text" },
						...(n === 1 ? { region: { image: "a", box: [40, 20, 120, 100] } } : {}),
						evidence: [`town#${n}`],
						answer: { type: "string", value: `Town ${n}`, accepted: [`Town ${n}`] },
					},
					{
						...{ id: "h2", question: `How many live in Town ${n}?`, modality: "text", evidence: [`town#${n}`] },
						needs: [{ hop: "h1", role: "bridge" }],
						answer: { type: "string", value: `${n}00`, accepted: [`${n}00`] },
					},
				],
				sink: "h2",
			},
		}),
	});
	const given = ["review", "queue", "towns", "--reviewers", "ana,ben", "--to", join(place, "sheets")];
	await commandsOn(() => place)(...given);
};

beforeAll(async () => {
	if (!hasBrowser) return;
	picture = await sharp({ create: { width: 400, height: 200, channels: 3, background: "#88aacc" } })
		.png()
		.toBuffer();
	workspace = await mkdtemp(join(tmpdir(), "studio-review-"));
	await townsIn(workspace);
	await makeHostileSources(workspace);
	const hopscope = commandsOn(() => workspace);
	run = (await hopscope("run", "--benchmark", "towns", "--agent", "extractive", "--json")).json().run;
	const answers = join(workspace, "runs", run, "labels/answers.jsonl");
	await hopscope("judge", "sample", run, "--out", answers, "--rubric", "tracer");
	await hopscope("diagnose", run, "--without-gold");
	studio = await openStudio(await openWorkbench(workspace).openStudio({}));
});

afterAll(async () => {
	await studio?.close();
});

const at = (page: Page, place: string) => page.goto(`${page.url().split("#")[0]}#/review/${place}`);
const item = (page: Page) => decodeURIComponent(/item=([^&]+)/.exec(page.url())?.[1] ?? "");
const saved = (page: Page) => page.getByRole("status").filter({ hasText: "saved" }).waitFor();
const reviewsIn = (place: string) => readFile(join(place, "benchmarks/towns/reviews/reviews.jsonl"), "utf8");
const linesIn = async (place: string): Promise<Review[]> =>
	(await reviewsIn(place)).split("\n").flatMap((line) => (line ? [JSON.parse(line)] : []));

/** Waits until another item than this is shown, hop by hop. */
async function anotherThan(page: Page, before: string): Promise<void> {
	await page.waitForURL(/item=/);
	// the address is ahead of what is shown
	await page.locator(`main[data-item]:not([data-item=${JSON.stringify(before)}])`).waitFor();
	await page.getByText("Hidden until you decide").waitFor();
}

test("ten items are reviewed by keys alone, six or fewer an item, into the files of hopscope review import", async () => {
	const page = await studio.open("/review/towns?reviewer=ana");
	await anotherThan(page, "nothing");
	const ways: { keys: string[]; told: Partial<Review> }[] = [
		{ keys: ["y", "y", "r"], told: { decision: "retain", hops: hopsOf(true, true) } },
		{ keys: ["Y", "r"], told: { decision: "retain", hops: hopsOf(true, true) } },
		{ keys: ["r"], told: { decision: "retain" } },
		{
			keys: ["2", "n", "d", "1", "Enter"],
			told: { decision: "discard", reasons: ["lacking_evidence"], hops: { h2: wrong } },
		},
		{ keys: ["d", "2", "3", "Enter"], told: { decision: "discard", reasons: ["ambiguous", "under_specified"] } },
		{ keys: ["y", "u", "r"], told: { decision: "retain", hops: { h1: right } } },
		{
			keys: ["y", "n", "d", "7", "Enter"],
			told: { decision: "discard", reasons: ["bad_linkage"], hops: hopsOf(true, false) },
		},
		{ keys: ["U"], told: { decision: "unsure" } },
		{ keys: ["d", "Enter"], told: { decision: "discard", reasons: [] } },
		{ keys: ["1", "n", "n", "d", "Enter"], told: { decision: "discard", hops: hopsOf(false, false) } },
	];
	const decided: { item: string; told: Partial<Review> }[] = [];
	for (const { keys, told } of ways) {
		const here = item(page);
		for (const key of keys) await page.keyboard.press(key);
		await saved(page);
		await page.keyboard.press("Enter");
		expect(keys.length + 1, keys.join(" ")).toBeLessThanOrEqual(6);
		decided.push({ item: here, told });
		await anotherThan(page, here);
	}
	await page.getByText("10 of 14 decided").waitFor();
	const lines = await linesIn(workspace);
	expect(lines).toMatchObject(
		decided.map(({ item: id, told }) => ({ item: id, reviewer: "ana", blind: true, ...told })),
	);

	// the same decisions in the sheets that were given out, taken in from there
	const other = await mkdtemp(join(tmpdir(), "studio-review-"));
	await townsIn(other);
	const hopscope = commandsOn(() => other);
	const sheet = join(other, "ana.jsonl");
	await writeFile(sheet, lines.map((review) => `${JSON.stringify({ shown: {}, review })}\n`).join(""));
	expect((await hopscope("review", "import", "towns", sheet, "--json")).json()).toMatchObject({
		added: 10,
		problems: 0,
	});
	expect(await reviewsIn(other)).toBe(await reviewsIn(workspace));

	const [header = [], ...rows] = csvRows(await readFile(join(other, "sheets/review-ana.csv"), "utf8"), ",");
	const cell = (row: string[], name: string) => row[header.indexOf(name)] ?? "";
	const filled = rows.map((row) => {
		const said = lines.find(({ item: id }) => id === cell(row, "item"));
		const written: Record<string, string> = {
			decision: said?.decision ?? "",
			reasons: said?.reasons.join(" | ") ?? "",
		};
		return row.map((given, column) => written[header[column] ?? ""] ?? given);
	});
	const csv = join(other, "sheets/review-ben.csv");
	await writeFile(csv, csvText([header, ...filled]));
	await hopscope("review", "import", "towns", csv);
	const inOrder = (all: Review[]) => all.sort((a, b) => (a.item < b.item ? -1 : 1));
	const asSheets = lines.map(({ item: id, decision, reasons, round, blind }) => ({
		...{ item: id, reviewer: "ben", decision, reasons, round, blind },
	}));
	expect(inOrder((await linesIn(other)).slice(10))).toEqual(inOrder(asSheets as Review[]));

	// whoever is quick is not held up: Enter goes on once the decision is kept
	const eleventh = item(page);
	for (const key of ["r", "Enter"]) await page.keyboard.press(key);
	await anotherThan(page, eleventh);
	expect((await linesIn(workspace)).at(-1)).toMatchObject({ item: eleventh, decision: "retain" });
	expect(studio.complaints).toEqual([]);
	await page.context().close();
});

const right = { right: true, reasons: [] };
const wrong = { right: false, reasons: [] };
const hopsOf = (first: boolean, second: boolean) => ({ h1: first ? right : wrong, h2: second ? right : wrong });

test("a skipped item stays open, a draft outlives a reload, and a decision is taken back", async () => {
	const page = await studio.open("/review/towns?reviewer=ben");
	await anotherThan(page, "nothing");
	const first = item(page);
	await page.keyboard.press("s");
	await anotherThan(page, first);
	await page.getByText("0 of 14 decided").waitFor();
	const second = item(page);
	for (const key of ["y", "n"]) await page.keyboard.press(key);
	await page.reload();
	await page.getByText("Hop 2 wrong").waitFor();
	expect(item(page)).toBe(second);
	await page.keyboard.press("r");
	await saved(page);
	await page.getByRole("heading", { name: "Other reviewers" }).waitFor();
	await page.keyboard.press("z");
	await page.getByText("Hidden until you decide").waitFor();
	// what was put together comes back with it
	await page.getByText("Hop 2 wrong").waitFor();
	await page.getByText("0 of 14 decided").waitFor();
	// a reason by a word of it
	for (const key of ["d", "0"]) await page.keyboard.press(key);
	await page.keyboard.type("image");
	for (const key of ["Enter", "Enter"]) await page.keyboard.press(key);
	await saved(page);
	expect((await linesIn(workspace)).slice(-3)).toMatchObject([
		{ item: second, reviewer: "ben", decision: "retain", blind: true },
		{ item: second, reviewer: "ben", withdrawn: true },
		{ item: second, reviewer: "ben", decision: "discard", reasons: ["image_bad"], blind: false },
	]);
	expect(studio.complaints).toEqual([]);
	await page.context().close();
});

test("an edit is written, and a box is drawn by mouse and by keys", async () => {
	const page = await studio.open("/review/towns?reviewer=ben&item=t1");
	const surface = page.locator("[data-draws]").first();
	await surface.waitFor();
	const { x, y, width, height } = (await surface.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
	await page.mouse.move(x + width * 0.25, y + height * 0.25);
	await page.mouse.down();
	await page.mouse.move(x + width * 0.75, y + height * 0.5, { steps: 4 });
	await page.mouse.up();
	for (const key of ["b", "Enter", "ArrowRight", "Shift+ArrowDown", "Enter"]) await page.keyboard.press(key);
	await page.getByText("2 of your boxes").waitFor();
	await page.keyboard.press("Escape");
	// at a hop that looks at no picture the same key opens the question's
	for (const key of ["2", "b"]) await page.keyboard.press(key);
	const whole = page.getByRole("dialog").locator("[data-draws]");
	await whole.waitFor();
	for (const key of ["Enter", "ArrowLeft", "Enter"]) await page.keyboard.press(key);
	await page.getByRole("dialog").getByText("3 of your boxes").waitFor();
	await page.keyboard.press("Escape");
	await whole.waitFor({ state: "detached" });
	await page.keyboard.press("e");
	await page.getByRole("textbox", { name: "Question" }).fill("How many people live in Town 1?");
	await page.keyboard.press("Control+Enter");
	await saved(page);
	const last = (await linesIn(workspace)).at(-1);
	expect(last).toMatchObject({ item: "t1", decision: "edit", edits: { question: "How many people live in Town 1?" } });
	expect(last?.pointed?.map(({ picture: on, hop }) => [on, hop])).toEqual([
		[{ is: "image", id: "a" }, "h1"],
		[{ is: "image", id: "a" }, "h1"],
		[{ is: "image", id: "a" }, "h2"],
	]);
	for (const [at_, corner] of [100, 50, 300, 100].entries())
		expect(Math.abs((last?.pointed?.[0]?.box[at_] ?? 0) - corner)).toBeLessThanOrEqual(3);
	expect(studio.complaints).toEqual([]);
	await page.context().close();
});

test("hostile texts are texts, and axe finds nothing in either theme", async () => {
	for (const colorScheme of ["light", "dark"] as const) {
		const page = await studio.open("/review/towns?reviewer=ben&item=t0", { colorScheme });
		await page.getByText("<script>alert(2)</script>").first().waitFor();
		expect(await axeProblems(page)).toEqual([]);
		await page.keyboard.press("d");
		await page.getByText("Why is it dropped?").waitFor();
		expect(await axeProblems(page)).toEqual([]);
		for (const place of ["", "towns"]) {
			await at(page, place);
			await page.getByText("ana").first().waitFor();
			expect(await axeProblems(page)).toEqual([]);
		}
		expect(studio.complaints).toEqual([]);
		await page.context().close();
	}
});

test("what is in conflict is settled by a third person, and the standing follows", async () => {
	const page = await studio.open("/review");
	const conflict = (await linesIn(workspace)).find(
		({ reviewer, decision }) => reviewer === "ana" && decision === "retain",
	);
	await at(page, `towns?reviewer=ben&item=${conflict?.item}`);
	await page
		.getByRole("heading", { name: "Hidden until you decide" })
		.or(page.getByRole("heading", { name: "Other reviewers" }))
		.waitFor();
	if (await page.getByRole("heading", { name: "Other reviewers" }).isVisible()) await page.keyboard.press("z");
	await page.getByText("Hidden until you decide").waitFor();
	// a hop that was pressed with the mouse does not keep Enter
	await page.getByRole("button", { name: /Hop 2/ }).click();
	for (const key of ["d", "8", "Enter"]) await page.keyboard.press(key);
	await saved(page);
	await at(page, "towns");
	await page.getByLabel(/Settle \d+ conflict/).fill("dora");
	await page.keyboard.press("Enter");
	await page.getByText("What you settle").waitFor();
	await page.getByText("Reviewer 2").waitFor();
	await page.keyboard.press("r");
	await saved(page);
	expect((await linesIn(workspace)).at(-1)).toMatchObject({
		reviewer: "dora",
		round: "adjudication",
		decision: "retain",
	});
	expect(studio.complaints).toEqual([]);
	await page.context().close();
});

test("boxes are drawn in the pictures of pages, by keys", async () => {
	const page = await studio.open("/review/hostile?reviewer=ana&item=1");
	await page.getByText("Hidden until you decide").waitFor();
	await page.locator("[data-draws]").first().waitFor();
	for (const key of ["b", "Enter", "ArrowDown", "Shift+ArrowRight", "Enter"]) await page.keyboard.press(key);
	await page.getByText("1 of your boxes").waitFor();
	for (const key of ["Enter", "Enter", "Delete", "Escape"]) await page.keyboard.press(key);
	await page.getByText("1 of your boxes").waitFor();
	await page.reload();
	await page.getByText("1 of your boxes").waitFor();
	await page.keyboard.press("r");
	await saved(page);
	const file = join(workspace, "benchmarks/hostile/reviews/reviews.jsonl");
	const [said] = (await readFile(file, "utf8")).trim().split("\n");
	expect(JSON.parse(said ?? "")).toMatchObject({
		decision: "retain",
		// of a page of 300 by 400 pixels
		pointed: [{ picture: { is: "evidence", id: `${hostileDocument}#page=1` }, hop: "1", box: [105, 152, 204, 272] }],
	});
	expect(await page.evaluate(() => "hurt" in window)).toBe(false);
	expect(studio.complaints).toEqual([]);
	await page.context().close();
});

/** Labels the first items of a queue by keys alone, each with its own; the last key keeps what was said. */
async function label(queue: string, reviewer: string, answers: string[][]): Promise<void> {
	const page = await studio.open(`/review/${queue}?reviewer=${reviewer}`);
	await anotherThan(page, "nothing");
	for (const keys of answers) {
		const here = item(page);
		for (const key of keys) await page.keyboard.press(key);
		await saved(page);
		expect(keys.length + 1, keys.join(" ")).toBeLessThanOrEqual(6);
		await page.keyboard.press("Enter");
		await anotherThan(page, here);
	}
	expect(studio.complaints).toEqual([]);
	await page.context().close();
}

/** Goes to what is in conflict as a third person, from the standing of a queue, by keys. */
async function settles(queue: string, reviewer: string, options = {}): Promise<Page> {
	const page = await studio.open(`/review/${queue}`, options);
	await page.getByLabel("Your name").fill(reviewer);
	for (const key of ["Tab", "Tab", "Enter"]) await page.keyboard.press(key);
	await page.getByRole("heading", { name: "What you settle" }).waitFor();
	return page;
}

test("answers that two people label differently are settled by a third, and judges are held against that", async () => {
	const queue = `answers/${run}`;
	await label(queue, "ana", [
		["2", "1", "Enter"],
		["2", "1", "Enter"],
	]);
	await label(queue, "ben", [
		["0", "2", "Enter"],
		["2", "1", "Enter"],
	]);
	const page = await settles(queue, "dora");
	await page.getByText("0 of 1 decided").waitFor();
	await page.getByText("1 says right, 1 says wrong").waitFor();
	expect(await page.getByText("ana").or(page.getByText("ben")).count()).toBe(0);
	expect(await axeProblems(page)).toEqual([]);
	// a draft, and the item, outlive a reload
	await page.keyboard.press("2");
	await page.reload();
	await page.getByRole("button", { name: "2 2", pressed: true }).waitFor();
	for (const key of ["ArrowDown", "1", "Enter"]) await page.keyboard.press(key);
	await saved(page);
	await page.getByText("ben", { exact: true }).first().waitFor();
	// taken back, and said again
	await page.keyboard.press("z");
	await page.getByText("Hidden until you decide").waitFor();
	await page.keyboard.press("Enter");
	await saved(page);
	await page.keyboard.press("Enter");
	await page.getByText("All 1 item decided").waitFor();
	await page.getByRole("link", { name: /how far the review is/ }).click();
	await page.getByRole("listitem").filter({ hasText: "1 settled" }).waitFor();
	expect(await page.getByRole("button", { name: /Settle/ }).count()).toBe(0);
	const file = join(workspace, "runs", run, "labels/answers.jsonl");
	expect(await readFile(file, "utf8")).toContain(`"rater":"dora","kind":"human","round":"adjudication"`);
	expect(studio.complaints).toEqual([]);
	await page.context().close();
});

test("searches on which two people differ are settled by a third, on a phone too", async () => {
	const queue = `hops/${run}`;
	await label(queue, "ana", [["y", "N", "Enter"]]);
	await label(queue, "ben", [["N", "Enter"]]);
	const page = await settles(queue, "dora", { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
	await expect.poll(() => page.getByRole("group", { name: /.+/ }).filter({ hasText: "Cannot say" }).count()).toBe(1);
	expect(await axeProblems(page)).toEqual([]);
	expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
	await page.getByRole("button", { name: "No", exact: true }).click();
	await page.getByRole("button", { name: "Keep these answers" }).click();
	await saved(page);
	await page.getByRole("heading", { name: "The reading without gold" }).waitFor();
	await at(page, queue);
	await page.getByRole("listitem").filter({ hasText: "1 settled" }).waitFor();
	const labels = (await readFile(join(workspace, "runs", run, "labels/hops.jsonl"), "utf8")).trim().split("\n");
	expect(JSON.parse(labels.at(-1) ?? "")).toMatchObject({ rater: "dora", round: "adjudication", is: false });
	expect(studio.complaints).toEqual([]);
	await page.context().close();
});
