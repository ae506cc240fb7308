/** The system's Chromium with the pages of the studio in it, served by the real server with given data. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout } from "node:timers/promises";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { startStudio } from "#server";
import type { Studio } from "#workbench";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
	existsSync(path),
);

/** Whether there is a browser to test in; tests that need one are skipped, visibly, where there is none. */
export const hasBrowser = executablePath !== undefined;

/**
 * A seed makes the browser slow: an eighth of the processor, and up to 0.6 s drawn from the seed before each request.
 * What a test reads before it is there then shows itself (CONTRIBUTING.md).
 */
const slow = process.env.HOPSCOPE_SLOW_BROWSER;

async function slowDown(page: Page, seed: string): Promise<void> {
	await throttle(page, 8);
	let asked = 0;
	await page.route("**/*", async (route) => {
		const [high = 0, low = 0] = createHash("sha256").update(`${seed} ${asked++}`).digest();
		await setTimeout((600 * (256 * high + low)) / 65_536);
		// what was left in the meantime asks for nothing any more
		await route.continue().catch(() => undefined);
	});
}

async function throttle(page: Page, rate: number): Promise<void> {
	const session = await page.context().newCDPSession(page);
	await session.send("Emulation.setCPUThrottlingRate", { rate });
}

export interface StudioBrowser {
	/** Opens an address behind the `#`; what the page complained of is gathered in `complaints`. */
	open(address: string, options?: BrowserContextOptions): Promise<Page>;
	/** Errors and warnings of the console, and requests that failed. */
	complaints: string[];
	/** Closes what was opened so far: a page that is left open goes on taking time. */
	closePages(): Promise<void>;
	close(): Promise<void>;
}

export async function openStudio(data: Partial<Studio>): Promise<StudioBrowser> {
	const studio = { close: async () => undefined, stamp: async () => "", ...data } as Studio;
	const server = await startStudio(studio, { port: 0 });
	const browser = await chromium.launch({ executablePath: executablePath as string, args: ["--no-sandbox"] });
	const complaints: string[] = [];
	return {
		complaints,
		async open(address, options = {}) {
			const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
			const page = await context.newPage();
			// against hanging alone, as with the tests themselves
			page.setDefaultTimeout(slow ? 60_000 : 240_000);
			if (slow) await slowDown(page, slow);
			page.on("console", (message) => {
				if (["error", "warning"].includes(message.type())) complaints.push(message.text());
			});
			page.on("pageerror", ({ message }) => complaints.push(message));
			page.on("dialog", (dialog) => {
				complaints.push(`a dialog: ${dialog.message()}`);
				void dialog.dismiss();
			});
			await page.goto(`${server.url}#${address}`);
			return page;
		},
		async closePages() {
			for (const context of browser.contexts()) await context.close();
		},
		async close() {
			await browser.close();
			await server.close();
		},
	};
}

const axeSource = () => readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong with a page as it stands, in a line each. */
export async function axeProblems(page: Page): Promise<string[]> {
	// what is half faded has no contrast of its own
	await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
	// in the way of the browser's own tools, which no policy of the page concerns
	const session = await page.context().newCDPSession(page);
	if (slow) await throttle(page, 1);
	await session.send("Runtime.evaluate", { expression: axeSource() });
	const { result } = await session.send("Runtime.evaluate", {
		expression: "axe.run().then(({ violations }) => JSON.stringify(violations))",
		awaitPromise: true,
	});
	if (slow) await throttle(page, 8);
	const violations: { id: string; nodes: { html: string }[] }[] = JSON.parse(String(result.value));
	return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}
