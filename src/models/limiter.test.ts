import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { longTest } from "../../test/long.ts";
import { createLimiter } from "./limiter.ts";
import { createMinuteWindow } from "./minute-window.ts";
import { ModelError } from "./model-error.ts";
import { replyServer } from "./reply-server.ts";
import { type Failure, retryAfter } from "./retry.ts";

const refusal = (retryAfterMs?: number): Failure => ({
	error: new ModelError("too many", { status: 429, kind: "transient" }),
	retryAfterMs,
});
const ok = async () => ({ value: 1 });
/** Whether it ends without waiting for any timer. */
async function atOnce(work: Promise<unknown>): Promise<boolean> {
	let ended = false;
	void work.then(() => {
		ended = true;
	});
	await new Promise(setImmediate);
	return ended;
}
const all = <T>(count: number, make: (n: number) => Promise<T>) =>
	Promise.all(Array.from({ length: count }, (_, n) => make(n)));

/** An attempt over real HTTP: what a provider's `send` does, without its parsing. */
const asking = (url: string) => async (): Promise<{ value: string } | Failure> => {
	const response = await fetch(`${url}/chat/completions`, { method: "POST", body: '{"messages":[]}' });
	const text = await response.text();
	if (response.ok) return { value: text };
	const error = new ModelError(`HTTP ${response.status}`, { status: response.status, kind: "transient" });
	return { error, retryAfterMs: retryAfter(response.headers) };
};

describe("against a real server", () => {
	longTest(
		"a wave of 429 shrinks the places once, holds everyone as long as asked, and growth comes back",
		async () => {
			const server = await replyServer((_, n) =>
				n < 12 ? { is: "status", status: 429, headers: { "retry-after-ms": "300" } } : "fine",
			);
			try {
				const limiter = createLimiter({ places: 12 });
				const ask = asking(server.url);
				const first = await all(12, () => limiter.run("a", ask, {}));
				expect(first.filter((result) => "error" in result)).toHaveLength(12);
				expect(limiter.state("a")).toMatchObject({ places: 9, running: 0, waiting: 0 });
				const refused = Math.max(...server.requests.map(({ at }) => at));
				const second = all(40, () => limiter.run("a", ask, {}));
				expect(limiter.state("a")).toMatchObject({ running: 0, waiting: 40 });
				expect(limiter.state("a").heldMs).toBeGreaterThan(0);
				expect((await second).every((result) => "value" in result)).toBe(true);
				for (const { at } of server.requests.slice(12)) expect(at - refused).toBeGreaterThan(200);
				expect(limiter.state("a").places).toBeGreaterThan(9);
			} finally {
				await server.close();
			}
		},
	);

	longTest("settles near what a server bears at the same time", async () => {
		let running = 0;
		let refused = 0;
		const bears = 5;
		const ask = async (): Promise<{ value: number } | Failure> => {
			running += 1;
			try {
				await wait(3);
				if (running <= bears) return { value: 1 };
				refused += 1;
				return refusal(1);
			} finally {
				running -= 1;
			}
		};
		const limiter = createLimiter({ places: 64 });
		const until = async () => {
			for (;;) if ("value" in (await limiter.run("a", ask, {}))) return;
		};
		await all(400, until);
		expect(limiter.state("a").places).toBeLessThanOrEqual(bears + 3);
		expect(refused).toBeLessThan(400);
	});
});

describe("places", () => {
	longTest("property: never more at once than allowed, nothing lost, first come first served", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 6 }),
				fc.array(fc.record({ ms: fc.integer({ min: 0, max: 3 }), end: fc.constantFrom("ok", "429", "500", "throw") }), {
					maxLength: 30,
				}),
				async (places, calls) => {
					const limiter = createLimiter({ places });
					let running = 0;
					let most = 0;
					const began: number[] = [];
					const ends = await Promise.allSettled(
						calls.map(({ ms, end }, n) =>
							limiter.run(
								"a",
								async () => {
									began.push(n);
									running += 1;
									most = Math.max(most, running);
									if (ms > 0) await wait(ms);
									running -= 1;
									if (end === "throw") throw new Error(String(n));
									if (end === "429") return refusal(1);
									if (end === "500") return { error: new ModelError("down", { status: 500, kind: "transient" }) };
									return { value: n };
								},
								{},
							),
						),
					);
					expect(most).toBeLessThanOrEqual(places);
					expect(began).toEqual(calls.map((_, n) => n));
					for (const [n, { end }] of calls.entries()) {
						const result = ends[n];
						if (end === "throw") expect(result).toMatchObject({ status: "rejected" });
						else if (end === "ok") expect(result).toEqual({ status: "fulfilled", value: { value: n } });
						else expect(result).toMatchObject({ status: "fulfilled", value: { error: {} } });
					}
					expect(limiter.state("a")).toMatchObject({ running: 0, waiting: 0 });
					expect(limiter.state("a").places).toBeGreaterThanOrEqual(1);
				},
			),
			{ numRuns: 60 },
		);
	});

	longTest("never fall below one, and one account's refusals do not hold another's requests", async () => {
		const limiter = createLimiter({ places: 4 });
		for (let n = 0; n < 12; n += 1) await limiter.run("a", async () => refusal(0), {});
		expect(limiter.state("a").places).toBe(1);
		const held = limiter.run("a", async () => refusal(400), {});
		await held;
		const started = performance.now();
		const late = limiter.run("a", ok, {}).then(() => performance.now() - started);
		expect(await atOnce(limiter.run("b", ok, {}))).toBe(true);
		expect(limiter.state("b").places).toBe(4);
		expect(await late).toBeGreaterThan(350);
		expect(limiter.accounts()).toEqual(["a", "b"]);
	});

	test("a failing server does not get more at a time, a spent quota is no matter of pace", async () => {
		const limiter = createLimiter({ places: 2 });
		await limiter.run("a", async () => refusal(0), {});
		const { places } = limiter.state("a");
		expect(places).toBe(1);
		await limiter.run("a", async () => ({ error: new ModelError("x", { status: 503, kind: "transient" }) }), {});
		await all(20, () => limiter.run("a", ok, {}));
		expect(limiter.state("a").places).toBe(1);
		await limiter.run("b", async () => ({ error: new ModelError("x", { status: 429, kind: "permanent" }) }), {});
		expect(limiter.state("b").places).toBe(2);
	});

	longTest("without Retry-After the wait doubles and a success ends it", async () => {
		const limiter = createLimiter({ places: 1 });
		await limiter.run("a", async () => refusal(), {});
		const started = performance.now();
		await limiter.run("a", ok, {});
		expect(performance.now() - started).toBeGreaterThan(400);
		expect(await atOnce(limiter.run("a", ok, {}))).toBe(true);
	});

	test("a wait of hours is not waited for", async () => {
		const limiter = createLimiter();
		await limiter.run("a", async () => refusal(3_600_000), {});
		expect(await limiter.run("a", ok, {})).toEqual({ value: 1 });
	});
});

describe("an abort", () => {
	test("while waiting leaves the line at once and lets the next ones through", async () => {
		const limiter = createLimiter({ places: 1 });
		let release = () => {};
		const first = limiter.run(
			"a",
			() =>
				new Promise<{ value: number }>((done) => {
					release = () => done({ value: 0 });
				}),
			{},
		);
		const stop = new AbortController();
		const reason = new Error("enough");
		let began = false;
		const second = limiter.run(
			"a",
			async () => {
				began = true;
				return { value: 1 };
			},
			{ signal: stop.signal },
		);
		const third = limiter.run("a", ok, {});
		stop.abort(reason);
		await expect(second).rejects.toBe(reason);
		expect(limiter.state("a")).toMatchObject({ running: 1, waiting: 1 });
		release();
		expect(await Promise.all([first, third])).toEqual([{ value: 0 }, { value: 1 }]);
		expect(began).toBe(false);
		await expect(limiter.run("a", ok, { signal: stop.signal })).rejects.toBe(reason);
	});
});

describe("caps by the minute", () => {
	longTest("requests: in no minute more than allowed", async () => {
		const limiter = createLimiter({ requestsPerMinute: 5, minute: 200 });
		const at: number[] = [];
		const started = performance.now();
		await all(14, () => limiter.run("a", async () => ({ value: at.push(performance.now()) }), {}));
		// a busy machine may begin an attempt later than it was let through, never earlier; the window's own test is exact
		for (const [n, time] of at.entries()) expect(time - started).toBeGreaterThanOrEqual(195 * Math.floor(n / 5));
	});

	test("tokens: counted as guessed, then as known; one that is larger than the cap still passes", async () => {
		const limiter = createLimiter({ tokensPerMinute: 100, minute: 150 });
		const started = performance.now();
		const asked = (tokens: number, known: number) =>
			limiter.run("a", async () => ({ value: 1, tokens: known }), { tokens });
		const took = async (tokens: number, known: number) => {
			await asked(tokens, known);
			return performance.now() - started;
		};
		expect(await atOnce(asked(90, 10))).toBe(true);
		expect(await atOnce(asked(80, 90))).toBe(true);
		expect(await took(10, 10)).toBeGreaterThan(100);
		expect(await took(5000, 10)).toBeGreaterThan(250);
	});

	test("property: a window never counts more than it may", () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 20 }),
				fc.array(fc.record({ amount: fc.integer({ min: 1, max: 25 }), pause: fc.integer({ min: 0, max: 40 }) }), {
					maxLength: 60,
				}),
				(most, wanted) => {
					const window = createMinuteWindow(most, { span: 100 });
					const taken: { at: number; amount: number }[] = [];
					let now = 0;
					for (const { amount, pause } of wanted) {
						now += pause;
						for (let wait = window.wait(amount, now); wait > 0; wait = window.wait(amount, now)) now += wait;
						window.add(amount, now);
						taken.push({ at: now, amount });
						const within = taken.filter(({ at }) => at + 100 > now);
						const sum = within.reduce((all, one) => all + one.amount, 0);
						if (within.length > 1) expect(sum).toBeLessThanOrEqual(Math.max(most, ...within.map((one) => one.amount)));
					}
				},
			),
		);
	});
});
