import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** The system's Chromium. */
export const openBrowser = (): Promise<Browser> =>
	chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

/** A page that notes everything that goes wrong in it: errors of scripts, what the console tells, failed requests. */
export async function openPage(
	browser: Browser,
	options: BrowserContextOptions = {},
): Promise<{ page: Page; troubles: string[] }> {
	const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
	const page = await context.newPage();
	const troubles: string[] = [];
	page.on("pageerror", ({ message }) => troubles.push(message));
	page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
	page.on(
		"response",
		(response) => response.status() >= 400 && troubles.push(`${response.status()} ${response.url()}`),
	);
	page.on("dialog", (dialog) => troubles.push(`a dialog: ${dialog.message()}`));
	return { page, troubles };
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe finds wrong with a page, a line each. */
export async function axeProblems(page: Page): Promise<string[]> {
	await page.evaluate(readFileSync(axe, "utf8"));
	const { violations } = await page.evaluate(() =>
		(
			globalThis as unknown as {
				axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
			}
		).axe.run(),
	);
	return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}
