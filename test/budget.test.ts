/** The budget over a made-up checkout: what a room, a number and a decision must do for the check to pass. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "./command-line.ts";

// a variable, because the script has no declarations
const script = join(import.meta.dirname, "..", "scripts", "budget.mjs");
const { checkBudget, measureTexts, writeBudget } = await import(script);

const base = temporaryFolder();
let made = 0;
let folder: string;

const write = (file: string, text: string) => {
	mkdirSync(dirname(join(folder, file)), { recursive: true });
	writeFileSync(join(folder, file), text);
};
const git = (...args: string[]) =>
	execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@localhost", ...args], { cwd: folder });
const commit = () => {
	git("add", ".");
	git("commit", "-qm", "Change");
};
const check = () => checkBudget(folder, measureTexts(folder));
const room = (lines: number) => "export const one = 1;\n".repeat(lines);

beforeEach(() => {
	made += 1;
	folder = join(base, String(made));
	mkdirSync(folder);
	git("init", "-q");
	write(".gitignore", "node_modules\n");
	write("src/graph/index.ts", `import { a } from "a";\n\n// why\n${room(3)}`);
	write("src/graph/words.yaml", "a: 1\n");
	write("src/graph/index.test.ts", room(9));
	write("docs/page.md", "Four words | stand here.\n<!-- table -->\n1 2 3\n<!-- end of table -->\n");
	writeBudget(folder, measureTexts(folder));
	commit();
});

test("today's figures pass, each counted at its place", () => {
	expect(JSON.parse(readFileSync(join(folder, "budget.json"), "utf8"))).toEqual({
		"lines of data": 1,
		"lines of src/graph": 3,
		"lines of tests": 9,
		"words of documentation": 4,
		// the comments' own words are of what is made
		"words of generated documentation": 7,
	});
	expect(check()).toEqual({ above: [], below: [], unmeasured: [], undecided: [] });
});

test("a room that grows by a line is above its number; code moved to a room without one, too", () => {
	write("src/graph/index.ts", room(4));
	expect(check().above).toEqual([{ key: "lines of src/graph", budget: 3, figure: 4 }]);
	write("src/graph/index.ts", room(2));
	write("src/index.ts", room(1));
	const { above, below } = check();
	expect(above).toEqual([{ key: "lines of src", budget: null, figure: 1 }]);
	expect(below).toEqual([{ key: "lines of src/graph", budget: 3, figure: 2 }]);
});

test("layout, comments and imports are no growth", () => {
	write("src/graph/index.ts", `import { a } from "a";\nimport { b } from "b";\n/* why\nand how */\n${room(3)}\n\n`);
	expect(check().above).toEqual([]);
});

test("writing lowers numbers and raises none that it is not told to", () => {
	write("src/graph/index.ts", room(2));
	write("src/graph/index.test.ts", room(10));
	writeBudget(folder, measureTexts(folder));
	expect(check()).toMatchObject({ above: [{ key: "lines of tests", budget: 9, figure: 10 }], below: [] });
	writeBudget(folder, measureTexts(folder), { raise: true });
	expect(check()).toMatchObject({ above: [], below: [] });
});

test("a raised number needs a decision that names it, from and to, before and after it is committed", () => {
	write("src/graph/index.ts", room(5));
	writeBudget(folder, measureTexts(folder), { raise: true });
	const raise = "`lines of src/graph`: 3 → 5";
	expect(check()).toMatchObject({ above: [], undecided: [raise] });
	commit();
	expect(check().undecided).toEqual([raise]);
	write("docs/decisions/graph.md", "- `lines of src/graph`: 3 → 4: too little\n");
	expect(check().undecided).toEqual([raise]);
	write("docs/decisions/graph.md", `- ${raise}: a second index\n`);
	commit();
	expect(check()).toMatchObject({ above: [], undecided: [] });
});

test("the tests' processor time fails at one and a half times its number", () => {
	const key = "npm test, processor time in loops";
	writeBudget(folder, { [key]: 100 }, { raise: true });
	expect(checkBudget(folder, { [key]: 150 }).above).toEqual([]);
	expect(checkBudget(folder, { [key]: 151 }).above).toEqual([{ key, budget: 100, figure: 151 }]);
	expect(checkBudget(folder, { [key]: undefined })).toMatchObject({ above: [], unmeasured: [key] });
});
