import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const wanted = Number(process.env.HOPSCOPE_PROPERTY_SEED ?? 20_260_101);

describe("the seed of property tests", () => {
	test("is one for all, with options of their own or not", async () => {
		const said = fc.property(fc.nat(), () => undefined);
		expect(fc.check(said).seed).toBe(wanted);
		expect(fc.check(said, { numRuns: 3 }).seed).toBe(wanted);
		expect((await fc.check(fc.asyncProperty(fc.nat(), async () => undefined))).seed).toBe(wanted);
		expect(fc.sample(fc.nat(), 5)).toEqual(fc.sample(fc.nat(), { numRuns: 5, seed: wanted }));
	});

	test("is one for all asserts of a file: drawing does not move it on", () => {
		const drawn = () => {
			const values: number[] = [];
			fc.assert(
				fc.property(fc.nat(), (value) => {
					values.push(value);
				}),
			);
			return values;
		};
		expect(drawn()).toEqual(drawn());
	});

	const refused = [
		["--seed"],
		["--seed="],
		["--seed", "one"],
		["--seed", "1.5"],
		["--seed", "4294967296"],
		["--seed", "7", "--explore"],
		["--explore=7"],
		["--room", "nothing"],
	];
	test.each(refused)("%s %s: a mistyped option costs nothing", (...options) => {
		const { status, stderr } = spawnSync(process.execPath, ["scripts/test.mjs", ...options], { encoding: "utf8" });
		expect(status).not.toBe(0);
		expect(stderr).toMatch(/--seed|--explore|The rooms are: domain, store, /);
		expect(stderr).not.toContain("building");
	});
});
