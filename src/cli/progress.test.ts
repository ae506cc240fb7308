import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProgress, progressLine } from "./progress.ts";

let lines: string[];
const output = { write: () => {}, say: (text: string) => void lines.push(text) };

beforeEach(() => {
	lines = [];
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

test("work that goes on after everything was counted is told at the quiet pace, and as it ended", () => {
	const progress = createProgress(output, "build");
	for (let n = 0; n < 1000; n += 1) {
		progress.update(10, 10, `${n} accepted`);
		vi.advanceTimersByTime(20);
	}
	progress.end();
	expect(lines.length).toBeLessThanOrEqual(6);
	expect(lines[0]).toContain("0 accepted");
	expect(lines.at(-1)).toContain("999 accepted");
});

test("what ends at once is told once, with its last figures", () => {
	const progress = createProgress(output, "build");
	for (const done of [1, 2, 3]) progress.update(done, 3);
	progress.end();
	expect(lines).toHaveLength(1);
	expect(lines[0]).toContain("3/3, 100 %");
});

test("without a total there is no share and no remaining time", () => {
	const at = { done: 0, total: undefined, already: 0, ms: 10_000, detail: "accepted, 5 of 9 units read" };
	expect(progressLine("hops", at)).toBe("hops: 0 accepted, 5 of 9 units read");
});
