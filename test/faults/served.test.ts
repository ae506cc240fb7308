import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect } from "vitest";
import { isExploring, longTest } from "../long.ts";
import type { Death } from "./machines.ts";
import { servedThrough } from "./served.ts";
import { makeWorld } from "./world.ts";

let base: string;
beforeAll(async () => {
	base = await makeWorld();
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const logged = (at: number, when: "before" | "torn" | "after"): Death => ({
	fault: { path: "requests\\.jsonl$", kill: { at, when } },
});

longTest("an environment's server killed under load loses episodes visibly, and no reward is wrong", async () => {
	const { died, replayed, problems } = await servedThrough([logged(12, "torn"), logged(30, "before")], { base });
	expect(problems).toEqual([]);
	expect(died).toBe(2);
	expect(replayed).toBeGreaterThan(0);
});

const drawn = fc.noShrink(
	fc.array(
		fc.oneof(
			fc.integer({ min: 300, max: 3000 }).map((after): Death => ({ after })),
			fc.tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom("before", "torn", "after")).map((at) => logged(...at)),
		),
		{ minLength: 3, maxLength: 5 },
	),
);

longTest.runIf(isExploring)("killed at random moments, an environment's server does no more harm", async () => {
	const { seed } = fc.readConfigureGlobal();
	const draws = fc.sample(drawn, { numRuns: 10, ...(seed === undefined ? {} : { seed }) });
	const wrong: string[] = [];
	const sums = { draws: draws.length, died: 0, replayed: 0 };
	for (const deaths of draws) {
		const { died, replayed, problems } = await servedThrough(deaths, { base });
		sums.died += died;
		sums.replayed += replayed;
		if (problems.length > 0) wrong.push([JSON.stringify(deaths), ...problems].join("\n"));
	}
	process.stdout.write(`servers killed: ${JSON.stringify(sums)}\n`);
	expect(wrong).toEqual([]);
});
