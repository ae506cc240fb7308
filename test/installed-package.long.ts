// @module-tag long
/**
 * What `npm pack` makes, as it lands in a folder that depends on it: the package's own files and the packages that its
 * `dependencies` bring, and nothing else of the checkout. They are linked from the checkout's, so that no test asks the
 * network.
 */
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "./command-line.ts";

const repository = join(import.meta.dirname, "..");
const folder = temporaryFolder();
const installed = join(folder, "node_modules", "hopscope");
let dependencies: string[];

beforeAll(() => {
	execFileSync("npm", ["pack", "--pack-destination", folder, "--loglevel=error"], { cwd: repository });
	const archive = readdirSync(folder).find((file) => file.endsWith(".tgz")) as string;
	mkdirSync(installed, { recursive: true });
	execFileSync("tar", ["-xzf", join(folder, archive), "-C", installed, "--strip-components=1"]);
	dependencies = execFileSync("npm", ["ls", "--omit=dev", "--all", "--parseable", "--loglevel=error"], {
		cwd: repository,
		encoding: "utf8",
	})
		.split("\n")
		.filter((path) => path.includes("node_modules"));
	const modules = join(repository, "node_modules");
	// a package below another one comes with it
	for (const path of dependencies
		.map((path) => relative(modules, path))
		.filter((path) => !path.includes("node_modules"))) {
		const link = join(folder, "node_modules", path);
		mkdirSync(dirname(link), { recursive: true });
		symlinkSync(join(modules, path), link);
	}
	writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "user", type: "module", private: true }));
});

const node = (...args: string[]) =>
	execFileSync(process.execPath, ["--preserve-symlinks", "--preserve-symlinks-main", ...args], {
		cwd: folder,
		encoding: "utf8",
		env: { ...process.env, NODE_OPTIONS: "" },
	});

test("the quick start runs from the package", () => {
	const { bin } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as { bin: { hopscope: string } };
	const out = node(join(installed, bin.hopscope), "quickstart", "--json", "--workspace", join(folder, "workspace"));
	const { agents } = JSON.parse(out) as { agents: { agent: string; accuracy: { value: number } }[] };
	expect(agents.find(({ agent }) => agent === "gold-replay")?.accuracy.value).toBe(1);
});

test("a program can import the package and use its workbench", () => {
	const program = `import { openWorkbench } from "hopscope"; console.log((await openWorkbench("empty").runs()).runs.length)`;
	expect(node("--input-type=module", "--eval", program).trim()).toBe("0");
});

/** One name of every entry at least, and what the compiler must refuse: a name without a type would pass everywhere. */
const program = `
import { type Agent, openWorkbench, type RunRecord } from "hopscope";
import { agents, type Tools } from "hopscope/agents";
import { formats } from "hopscope/benchmarks";
import { type KnowledgeBase, openKnowledge } from "hopscope/knowledge";
import { interval, metrics } from "hopscope/metrics";
import { startServer } from "hopscope/server";
import { scriptedModel } from "hopscope/testing";
import { createEnvironment, TrainingExample } from "hopscope/training";

const bench = openWorkbench("empty");
const { runs } = await bench.runs();
const parsed = TrainingExample.safeParse({});
export const refused = (base: KnowledgeBase) => [
	// @ts-expect-error
	((text: string) => text)(runs.length),
	// @ts-expect-error
	bench.run({ benchmark: 5 }),
	// @ts-expect-error
	bench.fly(),
	// @ts-expect-error
	{ task: 5 } satisfies Partial<RunRecord>,
	// @ts-expect-error
	{ answer: 5 } satisfies Agent,
	// @ts-expect-error
	5 satisfies Tools,
	// @ts-expect-error
	base.fly(),
	// @ts-expect-error
	formats.fly(),
	// @ts-expect-error
	parsed.data?.fly(),
];
const values = [agents, formats, openKnowledge, interval, metrics, startServer, scriptedModel, createEnvironment];
console.log(runs.length, parsed.success, values.includes(undefined as never));
`;

test.each([
	["nodenext", "nodenext"],
	["esnext", "bundler"],
])("a TypeScript program finds the types of every entry: module %s, resolution %s", (module, resolution) => {
	writeFileSync(join(folder, "program.ts"), program);
	const compiler = join(repository, "node_modules", "typescript", "bin", "tsc");
	const options = ["--strict", "--target", "es2022", "--types", "node", "--outDir", "compiled"];
	// libraries are checked too, as they are where nobody asks for less
	node(compiler, "--module", module, "--moduleResolution", resolution, ...options, "program.ts");
	expect(node(join(folder, "compiled", "program.js")).trim()).toBe("0 false false");
});

test("a condition that bundlers set leads to the built files", () => {
	const out = node("--conditions=development", "--input-type=module", "--eval", 'await import("hopscope/agents")');
	expect(out).toBe("");
});

test("the installation takes at most 300 MB", () => {
	const bytes = [installed, ...dependencies.filter((path) => !/node_modules.*node_modules/.test(path))].map(sizeOf);
	expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300 * 2 ** 20);
});

/** Bytes on disk below a folder, as `du` counts them. */
function sizeOf(path: string): number {
	const stat = lstatSync(path);
	if (!stat.isDirectory()) return stat.blocks * 512;
	return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), stat.blocks * 512);
}
