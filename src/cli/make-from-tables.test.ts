import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCommand } from "#cli";

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

test("tables become a benchmark, and the benchmark a second version when they change", async () => {
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

	const made = await hopscope(...template, "--set", "tasks=40", "--set", "ladders=2", "--json");
	expect(made.code, made.err).toBe(0);
	expect(JSON.parse(made.out)).toMatchObject({ benchmark: "moons", tasks: 40, faults: 0 });
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
	expect(told.kept + told.changed.length + told.removed.length).toBe(40);
});

test("a table that names no subject, or phrases that do not fit, are the user's to mend", async () => {
	const phrases = join(place, "wrong.yaml");
	writeFileSync(phrases, "tables:\n  moons.csv:\n    subject: title\n    type: moon\n");
	const wrong = await hopscope("make", "template", "--graph", tables, "--phrases", phrases, "--name", "wrong");
	expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('no column "title"') });
	const none = await hopscope("make", "template", "--graph", join(place, "nowhere"));
	expect(none).toMatchObject({ code: 2, err: expect.stringContaining("does not exist") });
});
