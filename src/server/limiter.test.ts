import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createLimiter } from "./limiter.ts";

const never = new AbortController().signal;

test("whatever comes, no more than the limit run, each search once, outcomes in the order asked", async () => {
	const requests = fc.array(fc.array(fc.constantFrom(0, 1, 2, "fails"), { maxLength: 6 }), { maxLength: 8 });
	await fc.assert(
		fc.asyncProperty(requests, fc.integer({ min: 1, max: 4 }), async (asked, limit) => {
			const limiter = createLimiter({ limit, queue: 1000 });
			let running = 0;
			let runs = 0;
			const search = (how: number | string, name: string) => async () => {
				running += 1;
				runs += 1;
				expect(running).toBeLessThanOrEqual(limit);
				for (let turns = 0; turns < Number(how); turns += 1) await Promise.resolve();
				running -= 1;
				if (how === "fails") throw name;
				return name;
			};
			const outcomes = await Promise.all(
				asked.map((list, request) =>
					limiter.run(
						list.map((how, index) => search(how, `${request}.${index}`)),
						never,
					),
				),
			);
			for (const [request, list] of asked.entries())
				expect(outcomes[request]).toEqual(
					list.map((how, index) =>
						how === "fails"
							? { status: "rejected", reason: `${request}.${index}` }
							: { status: "fulfilled", value: `${request}.${index}` },
					),
				);
			expect(runs).toBe(asked.flat().length);
			expect(limiter.load()).toMatchObject({ running: 0, waiting: 0 });
		}),
		{ numRuns: 60 },
	);
});

test("says when to come again, from how long searches took", async () => {
	const limiter = createLimiter({ limit: 2, queue: 100 });
	vi.useFakeTimers();
	const first = limiter.run([() => new Promise((done) => setTimeout(done, 400))], never);
	await vi.advanceTimersByTimeAsync(400);
	await first;
	vi.useRealTimers();
	const waiting = limiter.run(
		Array.from({ length: 22 }, () => () => sleep(1)),
		never,
	);
	expect(limiter.load()).toMatchObject({ running: 2, waiting: 20 });
	// 21 searches of 0.4 s by two
	expect(limiter.retryAfter()).toBeGreaterThanOrEqual(4);
	expect(limiter.retryAfter()).toBeLessThanOrEqual(6);
	await waiting;
	expect(limiter.retryAfter()).toBe(1);
});
