import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandsOn, makeTowns, withChain } from "./support/commands.ts";

let root: string;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-gate-"));
	await makeTowns(root, { towns: 30, more: withChain });
	await run("run", "-b", "towns", "-a", "gold-replay", "--name", "right");
	await run("run", "-b", "towns", "-a", "closed-book", "--name", "silent");
	await run("run", "-b", "towns", "-a", "gold-replay", "--name", "again");
});
afterAll(() => rm(root, { recursive: true, force: true }));
const run = commandsOn(() => root);

test("passes what is no worse, fails what is, and says where it cannot tell, each with an exit code of its own", async () => {
	const better = await run("gate", "right", "--against", "silent", "--metric", "accuracy,hps");
	expect([better.code, better.out.match(/passes/g)?.length]).toEqual([0, 3]);
	const worse = await run("gate", "silent", "--against", "right", "--json");
	expect(worse.code).toBe(1);
	expect(worse.json()).toMatchObject({
		verdict: "fails",
		run: "silent",
		base: "right",
		decisions: [{ verdict: "fails" }],
	});
	const open = await run("gate", "again", "--against", "right", "--json");
	expect(open.code).toBe(3);
	expect(open.json().decisions[0].more).toBeGreaterThan(100);
	expect((await run("gate", "again", "--against", "right", "--max-drop", "15")).code).toBe(0);
});

test("writes the decision as a test report and as Markdown", async () => {
	const [junit, table] = [join(root, "gate.xml"), join(root, "gate.md")];
	const drops = ["--metric", "accuracy,rollout-deviation", "--max-drop", "rollout-deviation=0.5"];
	const { code } = await run(
		"gate",
		"again",
		"--against",
		"right",
		...drops,
		"--junit",
		junit,
		"--format",
		"md",
		"--out",
		table,
	);
	expect(code).toBe(3);
	const xml = readFileSync(junit, "utf8");
	expect(xml).toContain('tests="2" failures="0" errors="1"');
	expect(xml).toMatch(/<testcase classname="again" name="accuracy against right"><error message="0 \(−\d+ to \d+\)/);
	expect(readFileSync(table, "utf8")).toMatch(/\| Accuracy \| 0 \(/);
});

test("refuses what it cannot decide on", async () => {
	const refused = async (...args: string[]) => (await run("gate", "again", "--against", "right", ...args)).err;
	expect(await refused("--metric", "rollout-deviation")).toMatch(
		/in its own unit.*--max-drop rollout-deviation=NUMBER/,
	);
	expect(await refused("--metric", "steps")).toMatch(/neither more nor less is better/);
	expect(await refused("--metric", "acuracy")).toMatch(/no score is called "acuracy"/);
	expect(await refused("--max-drop", "hps=2")).toMatch(/--max-drop names hps, which --metric does not/);
	expect(await refused("--max-drop", "-2")).toMatch(/is no drop/);
	expect((await run("gate", "right", "--against", "right")).err).toMatch(/given twice/);
});
