import { expect, test } from "vitest";
import type { BuildPlan, FunnelRow } from "#recipes";
import { funnelInWords, planInWords } from "./make-words.ts";

const usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
const row: FunnelRow = {
	...{ stage: "closed-book", kind: "probe", version: 1, in: 10, out: 4, failed: 6, skipped: 0, empty: 0, spread: 0 },
	...{ notApplicable: 0, dropped: { closed_book: 5, other: 1 }, faults: 0, reused: 0, usage },
	published: { rate: 0.271, of: "questions answered without the image", source: "a paper, Table 3", share: "dropped" },
};

test("a funnel keeps words out of its columns, and says them below", () => {
	const lines = funnelInWords([row]).split("\n");
	expect(lines.slice(0, 2).every((line) => line.length <= 80)).toBe(true);
	expect(lines[1]).toMatch(/closed-book +probe +10 +4 +6 +6 /);
	expect(lines).toContain("  closed-book: closed_book 5, other 1");
	expect(lines).toContain("  closed-book: 27.1 % questions answered without the image (a paper, Table 3)");
});

const none = { expected: 0, low: 0, high: 0 };
const eight = { expected: 8, low: 8, high: 8 };
const plan: BuildPlan = {
	...{ units: { tables: 1 }, accepted: eight, calls: none, cost: none, kept: 0, lacking: [] },
	...{ measured: { stages: 0, of: 0 }, inputTokens: 0, outputTokens: 0, guesses: ["four characters a token"] },
	rows: [
		{
			...{ stage: "solvable", kind: "probe", in: eight, calls: none, cost: none },
			...{ inputTokens: 0, outputTokens: 0, guesses: ["skipped: nobody is solver", "skipped: nobody is solver"] },
		},
	],
};

test("a plan that asks nobody speaks of no tokens and no money, and says each thing once", () => {
	const words = planInWords(plan, { currency: undefined });
	expect(words).toContain("calls: none");
	expect(words).not.toMatch(/tokens: |money: |four characters/);
	expect(words.match(/nobody is solver/g)).toHaveLength(1);
	const lacking = planInWords({ ...plan, lacking: ["images: index some."] }, { currency: undefined });
	expect(lacking).toContain("lacking: images: index some.");
	expect(lacking).not.toContain("name models");
});
