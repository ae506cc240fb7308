import fc from "fast-check";
import { expect, test } from "vitest";
import { showMeasured, showP, type Unit } from "./number-format.ts";

const decimalsOf = (text: string) => /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
const numberOf = (text: string) => Number(text.replace("−", "-").replace("+", ""));
const unit = fc.constantFrom<Unit>("percent", "plain");
const spread = fc
	.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 1e-6, max: 1, noNaN: true }))
	.map(([value, half]) => ({ value, low: value - half, high: value + half }));

test("the last digit shown is worth more than a tenth of the half-width, or is a whole unit", () => {
	fc.assert(
		fc.property(spread, unit, (measured, of) => {
			const shown = showMeasured(measured, of);
			const decimals = decimalsOf(shown.value);
			const half = ((measured.high - measured.low) / 2) * (of === "percent" ? 100 : 1);
			if (decimals > 0) expect(10 ** -decimals).toBeGreaterThan((half / 10) * (1 - 1e-6));
			const scale = of === "percent" ? 100 : 1;
			expect(Math.abs(numberOf(shown.value) - measured.value * scale)).toBeLessThanOrEqual(
				0.5 * 10 ** -decimals + 1e-9,
			);
			for (const end of shown.interval.split(/ to |–/)) expect(decimalsOf(end)).toBe(decimals);
		}),
	);
});

test("a wider interval never shows more digits", () => {
	fc.assert(
		fc.property(spread, unit, fc.double({ min: 1, max: 50, noNaN: true }), (measured, of, factor) => {
			const { value } = measured;
			const wider = {
				value,
				low: value - (value - measured.low) * factor,
				high: value + (measured.high - value) * factor,
			};
			expect(decimalsOf(showMeasured(wider, of).value)).toBeLessThanOrEqual(
				decimalsOf(showMeasured(measured, of).value),
			);
		}),
	);
});

test("worked values", () => {
	const percent = (value: number, low: number | null, high: number | null) =>
		Object.values(showMeasured({ value, low, high }, "percent")).join(" ");
	expect(percent(0.4268, 0.38, 0.47)).toBe("43 38–47");
	expect(percent(0.4268, 0.3928, 0.4608)).toBe("43 39–46");
	expect(percent(0.99551, 0.991, 1)).toBe("99.6 99.1–100.0");
	// nothing is known of the width: no digit after the point is claimed
	expect(percent(0.4268, 0.4268, 0.4268)).toBe("43 43–43");
	expect(percent(0.4268, null, null)).toBe("43 ");
	expect(showMeasured({ value: 1 / 3, low: null, high: null }, "plain").value).toBe("0.3");
});

test("a p-value stays on its side of 5 % when it is rounded", () => {
	expect([showP(null), showP(0.00004), showP(0.0321), showP(0.04996), showP(0.05004), showP(0.4567), showP(1)]).toEqual(
		["–", "<0.001", "0.032", "0.050", "0.05004", "0.46", "1.00"],
	);
	fc.assert(
		fc.property(fc.double({ min: 0.001, max: 1, noNaN: true }), (p) => {
			if (Math.abs(p - 0.05) < 1e-5) return;
			expect(Number(showP(p)) <= 0.05).toBe(p <= 0.05);
		}),
	);
});
