import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildKnowledge } from "#knowledge";
import { hopscope, temporaryFolder } from "./command-line.ts";
import { longTest } from "./long.ts";

/** Which sources each built file holds, as the build tells. */
const shipped: Record<string, string[]> = JSON.parse(readFileSync("node_modules/.cache/shipped.json", "utf8"));
const workspace = join(temporaryFolder(), "workspace");
const [played, walked] = ["lands-tagged-20260101-000000-465c", "lands-walker-20260101-000100-f6a5"];

/** The rooms and packages of which a command line loads a part, told on standard error by a hook of Node's loader. */
async function loadedBy(args: string[]): Promise<Set<string>> {
	const tell =
		'import{writeSync}from"node:fs";export const load=(url,context,next)=>(writeSync(2,"loads "+url+"\\n"),next(url,context));';
	const module = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
	const register = module(`import{register}from"node:module";register(${JSON.stringify(module(tell))});`);
	const { code, err } = await hopscope(args, { node: ["--import", register] });
	expect(code, err).toBe(0);
	const files = [...err.matchAll(/^loads file:(.*)$/gm)].map(([, file = ""]) => file);
	const sources = files.flatMap((file) => shipped[/\/dist\/(.+)$/.exec(file)?.[1] ?? ""] ?? file);
	return new Set(
		sources.flatMap((source) => {
			const [, bundled, room] = /node_modules\/((?:@[^/]+\/)?[^/]+)|(?:^|\/)src\/([^/]+)\//.exec(source) ?? [];
			return bundled ?? (room === undefined ? [] : `#${room}`);
		}),
	);
}

beforeAll(async () => {
	cpSync(join(import.meta.dirname, "fixtures/before-house"), workspace, { recursive: true });
	await buildKnowledge(join(workspace, "corpora/lands"), join(workspace, "knowledge/lands"), { name: "lands" });
});

longTest("the version and the list of commands load the words alone", async () => {
	const least = new Set(["#cli", "#domain", "#store", "commander", "zod"]);
	expect(await loadedBy(["--version"])).toEqual(least);
	expect(await loadedBy(["--help"])).toEqual(least);
});

test("metric loads the measures and no more", async () => {
	const loaded = await loadedBy(["metric", "f1", "--about"]);
	expect(loaded).toEqual(new Set(["#cli", "#domain", "#scoring", "#store", "commander", "zod"]));
});

describe("what is there of a run is read", () => {
	const title = "by hopscope %s without a module of agents, models, encoders or readers";
	const readsAlone = async (...args: string[]) => {
		const loaded = await loadedBy([...args, "--workspace", workspace]);
		expect(loaded).toContain("#workbench");
		const running = ["agents", "models", "encoders", "corpus", "recipes", "training", "atlas", "server"];
		const heavy = ["sharp", "linkedom", "htmlparser2", "@observablehq/plot", "onnxruntime-web", "yaml"];
		expect([...running.map((room) => `#${room}`), ...heavy].filter((one) => loaded.has(one))).toEqual([]);
	};
	test.each([
		["report", played],
		["diagnose", played, "--misses", "0"],
		["compare", played, walked],
		["score", walked],
	])(title, readsAlone);
});

const heavy = ["sharp", "linkedom", "htmlparser2", "tesseract.js", "hyparquet", "yauzl", "@embedpdf/pdfium"];
const more = ["@observablehq/plot", "@lancedb/lancedb", "apache-arrow", "onnxruntime-web", "pdfkit", "yaml", "#atlas"];
const loadsNoMore = async (name: string) => {
	const loaded = await loadedBy([name, "--help"]);
	expect(loaded).toContain("#cli");
	expect([...heavy, ...more].filter((one) => loaded.has(one))).toEqual([]);
};
const title = "%s --help loads no parser, plot, picture or engine";
test.each(["run"])(title, loadsNoMore);
longTest.each(["diagnose", "report", "search"])(title, loadsNoMore);
