import { describe, expect, test } from "vitest";
import { booleanAnswer, inTurns, numberAnswer, timeAnswer } from "#recipes";

describe("answers", () => {
	test("numbers are right as either language writes them, within their range", () => {
		const { value, accepted, number } = numberAnswer(-1285216.5, { unit: "km²", slack: 0.01 });
		expect(value).toBe("−1,285,216.5 km²");
		expect(accepted).toEqual(expect.arrayContaining(["−1.285.216,5 km²", "−1285216,5", "-1285216.5"]));
		expect(number).toEqual({ value: -1285216.5, range: [-1298068.665, -1272364.335], unit: "km²", kind: "measure" });
		expect(numberAnswer(7).number).toEqual({ value: 7, range: [7, 7] });
		expect(numberAnswer(7, { kind: "identifier" }).number).toEqual({ value: 7, range: [7, 7], kind: "identifier" });
		expect(numberAnswer(40, { unit: "%", slack: 0.01 }).number.kind).toBe("share");
		expect(numberAnswer(8000, { slack: 0.02 }).number.kind).toBe("measure");
	});
	test("what is asked in one language only is not right as the other groups it", () => {
		expect(numberAnswer(1.234, { languages: ["en"] }).accepted).toEqual(["1.234"]);
		expect(numberAnswer(1234, { languages: ["es"], unit: "years" }).value).toBe("1.234 años");
	});
	test("yes is right in both languages; days in four forms", () => {
		expect(booleanAnswer(true).accepted).toEqual(["yes", "sí", "si"]);
		expect(timeAnswer("1821-07-28").accepted).toEqual([
			"28 July 1821",
			"July 28, 1821",
			"1821-07-28",
			"28 de julio de 1821",
		]);
	});
});

describe("in turns", () => {
	test("keeps the order of the items and tells how many are done", async () => {
		const told: number[] = [];
		const wait = (ms: number) => new Promise<number>((done) => setTimeout(() => done(ms), ms));
		expect(await inTurns([9, 1, 5, 0, 3, 2], wait, { onDone: (done) => told.push(done) })).toEqual([9, 1, 5, 0, 3, 2]);
		expect(told).toEqual([1, 2, 3, 4, 5, 6]);
	});
	test("after an abort begins nothing and leaves nothing running", async () => {
		const controller = new AbortController();
		let running = 0;
		let begun = 0;
		const work = async (item: number) => {
			begun += 1;
			running += 1;
			await new Promise((done) => setTimeout(done, item));
			if (item === 1) controller.abort(new Error("enough"));
			running -= 1;
		};
		await expect(inTurns([1, 30, 30, 30, 1, 1, 1], work, controller)).rejects.toThrow("enough");
		expect({ begun, running }).toEqual({ begun: 4, running: 0 });
	});
});
