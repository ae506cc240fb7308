import { describe, expect, test } from "vitest";
import { noUsage, type Step, type Trajectory } from "#domain";
import { formatHealth, isIllFormed } from "#scoring";

const step = (more: Partial<Step> = {}): Step => ({ index: 0, results: [], ms: 0, ...more });
const call = (valid: boolean, more: object = {}) =>
	step({ call: { tool: "text_search", arguments: {}, valid, ...more } });
const ended = (stop: Trajectory["stop"], more: Partial<Trajectory> = {}): Trajectory => ({
	...{
		steps: [],
		answer: stop === "answered" ? "x" : null,
		abstained: false,
		stop,
		usage: noUsage,
		ms: 0,
		messages: [],
	},
	...more,
});

describe("format health", () => {
	test("counts actions read, limits, overflows and errors, each in its place", () => {
		const model = { boundary: "model" as const, message: "HTTP 500" };
		const trajectories = [
			ended("answered", { steps: [call(true), call(true), step()] }),
			ended("answered", { answer: null, abstained: true, steps: [call(false), call(true), step()] }),
			ended("turn-limit", { steps: [call(false), call(false)] }),
			ended("no-call-limit", { steps: [step(), step()] }),
			ended("context-limit", { steps: [call(true)], error: { boundary: "model", message: "too long" } }),
			ended("error", { error: model }),
			ended("error", { error: { boundary: "tool", message: "HTTP 503" } }),
			ended("budget"),
		];
		expect(formatHealth(trajectories)).toEqual({
			...{ records: 8, actions: 9, read: 4, parseRate: 4 / 9, invalidCalls: 3 },
			...{ nullAnswers: 3, limits: 2, contextLimits: 1, providerErrors: 1, toolErrors: 1 },
		});
	});

	test("an action over two images is one, captions are none, and without actions there is no rate", () => {
		const steps = [step({ role: "opening", call: { tool: "image_search_by_image", arguments: {}, valid: true } })];
		expect(formatHealth([ended("answered", { steps })])).toMatchObject({ actions: 0, parseRate: null });
		const looks = [call(true), call(true, { joined: true })];
		expect(formatHealth([ended("answered", { steps: looks })])).toMatchObject({ actions: 1, read: 1, parseRate: 1 });
		expect(formatHealth([])).toMatchObject({ records: 0, parseRate: null, nullAnswers: 0 });
		expect([2, 4, 5].map((read) => isIllFormed({ actions: 10, read }))).toEqual([true, true, false]);
		expect(isIllFormed({ actions: 2, read: 0 })).toBe(false);
	});
});
