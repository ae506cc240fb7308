import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCommand } from "#cli";
import { longTest } from "../../test/long.ts";

const place = mkdtempSync(join(tmpdir(), "hopscope-make-tables-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const workspace = join(place, "workspace");
const tables = join(place, "moons");
cpSync("examples/tables", tables, { recursive: true });

async function hopscope(...args: string[]) {
	const [out, err]: [string[], string[]] = [[], []];
	const output = { write: (text: string) => void out.push(text), say: (text: string) => void err.push(text) };
	const code = await runCommand([...args, "--workspace", workspace], output);
	return { code, out: out.join("\n"), err: err.join("\n") };
}

longTest("tables become a benchmark, and the benchmark a second version when they change", async () => {
	const phrases = join(place, "phrases.yaml");
	const template = ["make", "template", "--graph", tables, "--phrases", phrases];
	expect(await hopscope(...template, "--init")).toMatchObject({ code: 0 });
	const yaml = readFileSync(phrases, "utf8");
	expect(yaml).toContain("When was {} discovered?");
	expect(await hopscope(...template, "--init")).toMatchObject({
		code: 2,
		err: expect.stringContaining("is there already"),
	});
	writeFileSync(
		phrases,
		yaml.replace("Which astronomer has {} as its birthplace?", "Which astronomer was born in {}?"),
	);

	const made = await hopscope(...template, "--set", "tasks=12", "--set", "ladders=1", "--json");
	expect(made.code, made.err).toBe(0);
	expect(JSON.parse(made.out)).toMatchObject({ benchmark: "moons", tasks: 12, faults: 0 });
	const first = join(workspace, "benchmarks", "moons");
	expect(readFileSync(join(first, "tasks.jsonl"), "utf8")).not.toContain("as its birthplace");
	expect(existsSync(join(first, "evidence.jsonl"))).toBe(true);

	const planets = readFileSync(join(tables, "planets.csv"), "utf8");
	writeFileSync(join(tables, "planets.csv"), planets.replace("Jupiter,139820", "Jupiter,139822"));
	const again = await hopscope(...template, "--refresh", "moons", "--date", "2026-11-22", "--json");
	expect(again.code, again.err).toBe(0);
	const told = JSON.parse(again.out);
	expect(told).toMatchObject({ benchmark: "moons-2026-11-22", release: { version: 2 }, waiting: [] });
	expect(told.evidence).toEqual({ same: expect.any(Number), changed: 1, gone: 0 });
	expect(told.kept + told.changed.length + told.removed.length).toBe(12);
});

test("a table that names no subject, or phrases that do not fit, are the user's to mend", async () => {
	const phrases = join(place, "wrong.yaml");
	writeFileSync(phrases, "tables:\n  moons.csv:\n    subject: title\n    type: moon\n");
	const wrong = await hopscope("make", "template", "--graph", tables, "--phrases", phrases, "--name", "wrong");
	expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('no column "title"') });
	const none = await hopscope("make", "template", "--graph", join(place, "nowhere"));
	expect(none).toMatchObject({ code: 2, err: expect.stringContaining("does not exist") });
});

longTest("columns that leave their reading open are asked for, told, and read as --types says", async () => {
	const plans = join(place, "plans.csv");
	const rows = [..."ABCDEFGHIJKL"].map(
		(letter, n) =>
			`Plan ${letter}ora,0${(n % 9) + 1}/0${(n % 8) + 2}/20${10 + n},${n % 5 === 0 ? "n/a" : `Lead ${letter}an`}`,
	);
	writeFileSync(plans, `name,start date,lead\n${rows.join("\n")}\n`);
	const types = join(place, "types.yaml");
	const template = ["make", "template", "--graph", plans, "--name", "plans", "--set", "tasks=10"];
	const open = await hopscope(...template);
	expect(open).toMatchObject({
		code: 2,
		err: expect.stringContaining('column "start date": every date could be dd/mm/yyyy'),
	});
	expect(open.err).toContain("--types");
	const written = await hopscope(...template, "--types", types, "--init");
	expect(written).toMatchObject({ code: 0, out: expect.stringContaining("3 columns to mend") });
	expect(await hopscope(...template, "--types", types)).toMatchObject({ code: 2 });
	writeFileSync(types, readFileSync(types, "utf8").replace("type: time", "type: time\n    form: mm/dd/yyyy"));
	const made = await hopscope(...template, "--types", types);
	expect(made.code, made.err).toBe(0);
	expect(made.out).toMatch(/start date {2}time +mm\/dd\/yyyy \(given\) +12 +0 +0 {2}01\/02\/2010 → 2 January 2010/);
	expect(made.out).toContain('lead: empty by word: "n/a" 3');
	const tasks = readFileSync(join(workspace, "benchmarks", "plans", "tasks.jsonl"), "utf8");
	expect(tasks.trim().split("\n").length).toBe(10);
	expect(tasks).not.toContain("n/a");
	const told = JSON.parse((await hopscope(...template, "--types", types, "--plan", "--json")).out);
	expect(told.tables[0].types[1]).toMatchObject({
		column: "start date",
		type: "time",
		form: ["mm/dd/yyyy"],
		read: 12,
		unread: 0,
	});
});

longTest("tasks are as many as were asked for, question series among them", async () => {
	const folder = join(place, "deep");
	mkdirSync(folder);
	const names = (tag: string, count: number) =>
		Array.from({ length: count }, (_, n) => `${tag}${"abcdefghijklmnopqrstuvwxyz"[n % 26]}${n}`);
	const write = (name: string, head: string, lines: string[]) =>
		writeFileSync(join(folder, name), [head, ...lines].join("\n"));
	write(
		"books.csv",
		"name,author,pages",
		names("Bo", 80).map((one, n) => `${one},${names("Au", 40)[n % 40]},${90 + n}`),
	);
	write(
		"authors.csv",
		"name,birthplace",
		names("Au", 40).map((one, n) => `${one},${names("To", 20)[n % 20]}`),
	);
	write(
		"towns.csv",
		"name,region",
		names("To", 20).map((one, n) => `${one},${names("Re", 10)[n % 10]}`),
	);
	write(
		"regions.csv",
		"name,governor,area",
		names("Re", 10).map((one, n) => `${one},${names("Go", 10)[n]},${700 + n * 31}`),
	);
	const made = await hopscope("make", "template", "--graph", folder, "--set", "tasks=40", "--json");
	expect(made.code, made.err).toBe(0);
	expect(JSON.parse(made.out).tasks).toBe(40);
	const ladders = readFileSync(join(workspace, "benchmarks", "deep", "tasks.jsonl"), "utf8").match(/"ladder":/g);
	expect(ladders?.length).toBe(15);
});
