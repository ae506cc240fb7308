import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HopscopeError, type RunManifest } from "#domain";
import { openSuiteFolder, planRun, readSuite, runKey } from "#runs";
import { longTest } from "../../../test/long.ts";
import { agentOf, emptyKnowledge, tinyBenchmark } from "../../../test/support/runs.ts";
import { product } from "./product.ts";

let root: string;
let made = 0;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-suite-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function read(text: string) {
	made += 1;
	const file = join(root, `suite-${made}.yaml`);
	await writeFile(file, text);
	return readSuite(file);
}

async function refusal(text: string): Promise<HopscopeError> {
	const error = await read(text).then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(HopscopeError);
	expect(error).toMatchObject({ exitCode: 2 });
	return error as HopscopeError;
}

/** A few lines that would be ten thousand values. */
const bomb = [
	"a: &a [x,x,x,x,x,x,x,x,x,x]",
	...["ab", "bc", "cd"].map(([from, to]) => `${to}: &${to} [${Array(10).fill(`*${from}`).join(",")}]`),
].join("\n");

describe("a suite file", () => {
	test("multiplies its lists, takes its defaults, and knows where each run stands", async () => {
		const { name, lines } = await read(`# ours
name: first
defaults: { benchmark: atlas, tasks: 10 }
runs:
  - agent: [extractive, closed-book]
    seed: [1, 2]
  - agent: tagged
    model: openai:m
    setting: default
    tasks: 5
    k: 7
    lastAnswer: [true, false]
`);
		expect(name).toBe("first");
		const defaults = { benchmark: "atlas" };
		expect(lines).toEqual([
			{ ...defaults, agent: "extractive", tasks: 10, seed: 1, line: 5 },
			{ ...defaults, agent: "extractive", tasks: 10, seed: 2, line: 5 },
			{ ...defaults, agent: "closed-book", tasks: 10, seed: 1, line: 5 },
			{ ...defaults, agent: "closed-book", tasks: 10, seed: 2, line: 5 },
			...[true, false].map((lastAnswer) => {
				const line = { agent: "tagged", model: "openai:m", setting: "default", tasks: 5, k: 7 };
				return { ...defaults, ...line, lastAnswer, line: 7 };
			}),
		]);
	});

	test("is called after its file, and may be JSON", async () => {
		const { name, lines } = await read('{"runs": [{"agent": "a", "benchmark": ["b", "c"]}]}');
		expect(name).toBe(`suite-${made}`);
		expect(lines.map(({ benchmark }) => benchmark)).toEqual(["b", "c"]);
	});

	test.each([
		["runs:\n  - agent: a\n    benchmark: b\n    agnet: c\n", /line 4: runs\[0\]\.agnet is no field of a suite/],
		["runs:\n  - agent: a\n    benchmark: b\n    k: none\n", /line 4: runs\[0\]\.k\[0\]: .*expected number/],
		["runs:\n  - agent: a\n    benchmark: b\n    k:\n      - 3\n      - 0\n", /line 6: runs\[0\]\.k\[1\]: /],
		["runs:\n  - agent: a\n    benchmark: b\n    k: []\n", /line 4: runs\[0\]\.k: /],
		["runs:\n  - benchmark: b\n", /line 2: runs\[0\] names no agent/],
		["runs:\n  - agent: a\n  - agent: b\n    benchmark: c\n", /line 2: runs\[0\] names no benchmark/],
		["runs: []\n", /line 1: runs: /],
		["suites: 1\n", /line 1: /],
		["", /line 1: /],
		["- a\n- b\n", /line 1: /],
		["runs:\n  - agent: [a\n", /line \d: /],
		["runs:\n  - agent: a\n    agent: b\n    benchmark: c\n", /line 3: .*unique/i],
		[bomb, /alias/i],
		["runs:\n  - agent: a\n    benchmark: b\n    __proto__: { polluted: true }\n", /no field/],
	])("is refused with line and field: %j", async (text, message) => {
		expect((await refusal(text)).message).toMatch(message);
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	});

	test("is refused where it is missing, far too long, or too many runs", async () => {
		await expect(readSuite(join(root, "none.yaml"))).rejects.toMatchObject({ code: "missing-file", exitCode: 2 });
		expect((await refusal(`# ${"x".repeat(1024 * 1024)}`)).message).toContain("longer than");
		const many = `[${Array.from({ length: 40 }, (_, n) => n + 1).join(",")}]`;
		const text = `runs:\n  - agent: a\n    benchmark: b\n    k: ${many}\n    limit: ${many}\n    seed: ${many}\n`;
		expect((await refusal(text)).message).toMatch(/more than 1000 runs/);
	});

	longTest("property: whatever a file holds, it is a suite or an error that says where", async () => {
		await fc.assert(
			fc.asyncProperty(fc.oneof(fc.string(), fc.json(), fc.string({ unit: "grapheme" })), async (text) => {
				try {
					expect((await read(text)).lines.length).toBeGreaterThan(0);
				} catch (error) {
					expect(error).toBeInstanceOf(HopscopeError);
					expect(error).toMatchObject({ exitCode: 2 });
				}
			}),
			{ numRuns: 150 },
		);
	});

	test("property: a product holds every combination once, within its bound", () => {
		const list = fc.option(fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 5 }), { nil: undefined });
		fc.assert(
			fc.property(list, list, list, (a, b, c) => {
				const size = [a, b, c].reduce((all, one) => all * (one?.length ?? 1), 1);
				const all = product({ a, b, c }, { most: 1000 });
				expect(all).toHaveLength(size);
				expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(size);
				expect(product({ a, b, c }, { most: 10 }).length).toBe(Math.min(size, 11));
			}),
		);
	});
});

describe("a suite's folder", () => {
	test("remembers which run is which, by all that its numbers depend on", async () => {
		const benchmark = await tinyBenchmark(root, 3);
		const plan = (k: number): RunManifest =>
			planRun({
				agent: agentOf(() => "x"),
				setting: { name: "default", k },
				benchmark,
				knowledge: emptyKnowledge(root),
			});
		const dir = join(root, "suites/first");
		const folder = await openSuiteFolder(dir, { name: "first" });
		const [one, other] = [plan(3), plan(5)];
		expect(folder.begun(one).id).toBe(one.id);
		await folder.keep(one);
		await folder.keep(plan(3));
		await folder.keep(other);
		expect(runKey(one)).not.toBe(runKey(other));
		const again = await openSuiteFolder(dir, { name: "first" });
		expect(again.begun(plan(3)).id).toBe(one.id);
		expect(again.begun(plan(5)).id).toBe(other.id);
		const fresh = plan(4);
		expect(again.begun(fresh).id).toBe(fresh.id);
		expect(JSON.parse(await readFile(join(dir, "suite.json"), "utf8"))).toMatchObject({
			name: "first",
			runs: [{ run: one.id }, { run: other.id }],
		});
	});
});
