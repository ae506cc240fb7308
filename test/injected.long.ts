// @module-tag long
import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { atlasFixture } from "./atlas.ts";
import { hopscope, temporaryFolder } from "./command-line.ts";

const workspace = join(temporaryFolder(), "workspace");

beforeAll(async () => {
	const atlas = await atlasFixture();
	cpSync(atlas.workspace.dir, workspace, {
		recursive: true,
		filter: (source) => !/[/\\](runs|reports)([/\\]|$)/.test(source),
	});
});

interface Share {
	value: number;
	of: number;
}
interface Told {
	sound: { tasks: number; right: number };
	runs: { agent: string; counts: { struck?: number }; budget?: { failures: number; parts: Part[] } }[];
	clean: { struck: Share; nothing: Share; rows: { truth: string; right: Share; hop: Share | null }[] };
}
interface Part {
	part: string;
	injected: { count: number };
	difference: number | null;
}

test("faults injected on the Atlas are called what they are, and cost what they cost", async () => {
	const { code, out } = await hopscope([
		"inject",
		"-b",
		"atlas",
		"--tasks",
		"160",
		"--budget",
		"--seed",
		"0",
		"--json",
		"-w",
		workspace,
	]);
	expect(code).toBe(0);
	const { sound, runs, clean } = JSON.parse(out) as Told;
	expect(sound.right / sound.tasks).toBeGreaterThan(0.85);
	expect(runs).toHaveLength(8);
	for (const { agent, counts } of runs) expect(counts.struck, agent).toBeGreaterThan(10);
	expect(clean.struck.of).toBeGreaterThan(150);
	expect(clean.struck.value).toBeGreaterThanOrEqual(0.95);
	expect(clean.nothing.value).toBeGreaterThanOrEqual(0.95);
	for (const { truth, hop } of clean.rows) if (hop) expect(hop.value, truth).toBeGreaterThan(0.9);
	for (const { agent, budget } of runs)
		for (const { part, difference } of budget && budget.failures >= 20 ? budget.parts : [])
			expect(Math.abs(difference ?? 0), `${agent}: ${part}`).toBeLessThanOrEqual(0.05);
}, 3_600_000);
