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
