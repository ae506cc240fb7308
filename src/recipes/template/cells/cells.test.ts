import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { numberText, timeText } from "../written.ts";
import { fitsColumn, tellColumn } from "./column.ts";
import { type DateForm, dateForms, dayNumber, formsOf, isShortYear, readDate } from "./date-cell.ts";
import { nullTest } from "./null-words.ts";
import { type DecimalMark, readNumber } from "./number-cell.ts";

const two = (part: number) => String(part).padStart(2, "0");
const months = "January February March April May June July August September October November December".split(" ");

/** A day as each form writes it, spelled out here by hand. */
const written: Record<DateForm, (y: number, m: number, d: number) => string> = {
	"yyyy-mm-dd": (y, m, d) => `${y}-${two(m)}-${two(d)}`,
	"yyyy/mm/dd": (y, m, d) => `${y}/${two(m)}/${two(d)}`,
	"yyyy.mm.dd": (y, m, d) => `${y}.${two(m)}.${two(d)}`,
	"dd/mm/yyyy": (y, m, d) => `${two(d)}/${two(m)}/${y}`,
	"mm/dd/yyyy": (y, m, d) => `${m}/${d}/${y}`,
	"dd-mm-yyyy": (y, m, d) => `${two(d)}-${two(m)}-${y}`,
	"mm-dd-yyyy": (y, m, d) => `${two(m)}-${two(d)}-${y}`,
	"dd.mm.yyyy": (y, m, d) => `${d}.${m}.${y}`,
	"d month yyyy": (y, m, d) => `${d} ${months[m - 1]} ${y}`,
	"month d, yyyy": (y, m, d) => `${months[m - 1]?.slice(0, 3)} ${d}, ${y}`,
	"month yyyy": (y, m) => `${months[m - 1]} ${y}`,
	"yyyy-mm": (y, m) => `${y}-${two(m)}`,
	"mm/yyyy": (y, m) => `${two(m)}/${y}`,
	yyyy: (y) => String(y),
};
const part = (form: DateForm) => (form === "yyyy" ? 4 : /^(?:month yyyy|yyyy-mm|mm\/yyyy)$/.test(form) ? 7 : 10);
const days = fc
	.date({ min: new Date("1500-01-01"), max: new Date("2499-12-31"), noInvalidDate: true })
	.map((day) => day.toISOString().slice(0, 10));

test("a day written in any form reads back as it, to what is written", () => {
	fc.assert(
		fc.property(days, fc.constantFrom(...dateForms), (iso, form) => {
			const [y = 0, m = 0, d = 0] = iso.split("-").map(Number);
			const cell = written[form](y, m, d);
			expect(readDate(cell, form), cell).toBe(iso.slice(0, part(form)));
			expect(formsOf(cell)).toContain(form);
		}),
	);
});

test("days are counted as the calendar counts them", () => {
	fc.assert(
		fc.property(days, (iso) => {
			expect(dayNumber(iso)).toBe(Date.parse(iso) / 86_400_000);
		}),
	);
});

const groups: Record<DecimalMark, string[]> = {
	".": [",", " ", "'", "’", "\u202f", ""],
	",": [".", " ", "'", "\u00a0", ""],
};
const units = fc.constantFrom(
	...[undefined, "km", "%", "€", "kg CO₂", "m²", "inhabitants"].map((unit) => ({ unit, before: false })),
	...["€", "$", "US$", "EUR"].map((unit) => ({ unit, before: true })),
);
const amounts = fc
	.tuple(fc.integer({ min: 0, max: 9_999_999_999 }), fc.constantFrom(1, 10, 100, 1000))
	.map(([size, scale]) => size / scale);

test("a number written with any marks and units reads back as it and its unit", () => {
	const marks = fc
		.constantFrom<DecimalMark>(".", ",")
		.chain((decimal) => fc.record({ decimal: fc.constant(decimal), group: fc.constantFrom(...groups[decimal]) }));
	fc.assert(
		fc.property(amounts, marks, units, fc.boolean(), fc.boolean(), (size, { decimal, group }, unit, below, space) => {
			const [whole = "", decimals] = String(size).split(".");
			const grouped = numberText(Number(whole), "en", group);
			const digits = decimals === undefined ? grouped : `${grouped}${decimal}${decimals}`;
			const gap = space ? " " : "";
			const said =
				unit.unit === undefined ? digits : unit.before ? `${unit.unit}${gap}${digits}` : `${digits}${gap}${unit.unit}`;
			const cell = `${below && size > 0 ? "-" : ""}${said}`;
			expect(readNumber(cell, decimal), cell).toEqual({
				value: below && size > 0 ? -size : size,
				...(unit.unit === undefined ? {} : { unit: unit.unit }),
			});
		}),
	);
});

test("a column of days is read as it was written, once one of them settles day and month", () => {
	fc.assert(
		fc.property(fc.array(days, { minLength: 1, maxLength: 30 }), fc.boolean(), (isos, dayFirst) => {
			const form = dayFirst ? "dd/mm/yyyy" : "mm/dd/yyyy";
			const cells = isos.map((iso) => written[form](...(iso.split("-").map(Number) as [number, number, number])));
			const told = tellColumn(cells, { name: "when" });
			expect(told.type).toBe("time");
			const settled = isos.some((iso) => Number(iso.slice(8)) > 12);
			const open = isos.some((iso) => iso.slice(5, 7) !== iso.slice(8));
			if (settled) expect(told).toEqual({ type: "time", form: [form] });
			else expect(told.problem !== undefined).toBe(open);
		}),
	);
});

describe("what a cell is, whole", () => {
	test.each([
		"26/07/1945",
		"2021-03",
		"12:30",
		"5-7",
		"~5",
		"1,234,56",
		"007",
		"1st",
		"12 (2019)",
		"5 or more",
		"1.2.3",
		"",
		"€",
		"1/2",
	])("%s is no number", (cell) => {
		expect(readNumber(cell, ".")).toBeUndefined();
		expect(readNumber(cell, ",")).toBeUndefined();
	});

	test.each([
		["€1.2 million", { value: 1_200_000, unit: "€" }],
		["$3bn", { value: 3e9, unit: "$" }],
		["5k", { value: 5, unit: "k" }],
		["-$40", { value: -40, unit: "$" }],
		["12 km/h", { value: 12, unit: "km/h" }],
		[".5", { value: 0.5 }],
	])("%s is a number", (cell, read) => {
		expect(readNumber(cell, ".")).toEqual(read);
	});

	test.each([
		"31/02/2020",
		"2021-13-01",
		"29.02.2023",
		"3 Foo 2021",
		"26",
		"2021-03-04 13:45",
		"12/2021/03",
	])("%s is no date", (cell) => {
		expect(formsOf(cell)).toEqual([]);
	});

	test.each([
		["2021-03-04T00:00:00.000Z", "2021-03-04"],
		["3rd of March 2021", "2021-03-03"],
		["3-Mar-2021", "2021-03-03"],
		["Sept. 9, 1999", "1999-09-09"],
		["3. März 2021", "2021-03-03"],
		["3 de marzo de 2021", "2021-03-03"],
	])("%s is a date", (cell, iso) => {
		expect(formsOf(cell).map((form) => readDate(cell, form))).toEqual([iso]);
	});

	test("years of two digits are seen, and never read", () => {
		for (const cell of ["26/07/45", "3.4.21", "3 Mar 21", "Mar-21"]) {
			expect(isShortYear(cell)).toBe(true);
			expect(formsOf(cell)).toEqual([]);
		}
		for (const cell of ["99/99/99", "1.2.10.4", "A-21", "26/07/1945"]) expect(isShortYear(cell)).toBe(false);
	});

	test("words for nothing, as people and spreadsheets write them", () => {
		const isNull = nullTest();
		for (const cell of [
			"",
			"n/a",
			"NA",
			"N/A",
			"-",
			"–",
			"None",
			"NULL",
			"nil",
			"unknown",
			"TBD",
			"?",
			"#N/A",
			"Not available",
		])
			expect(isNull(cell), cell).toBe(true);
		for (const cell of ["0", "Nana", "no", "Nonesuch", "NAM"]) expect(isNull(cell), cell).toBe(false);
		expect(nullTest([])("NA")).toBe(false);
		expect(nullTest(["x"])("X")).toBe(true);
	});
});

describe("what a column is", () => {
	const tell = (values: string[], name = "value", more: object = {}) => tellColumn(values, { name, ...more });

	test("marks are told by the column, and asked for where it leaves them open", () => {
		expect(tell(["3,5", "1.234"])).toMatchObject({ type: "number", decimal: "," });
		expect(tell(["1,234", "0.5"])).toMatchObject({ type: "number", decimal: "." });
		expect(tell(["1,234", "12,345"])).toMatchObject({ problem: { samples: ["1,234", "12,345"] } });
		expect(tell(["1,234", "12,345"], "value", { delimiter: "" })).toMatchObject({ type: "number", decimal: "." });
		expect(tell(["1,234", "2,345"], "value", { delimiter: "" }).problem).toBeDefined();
		expect(tell(["1,234", "2,345"], "value", { delimiter: "," })).toMatchObject({ type: "number", decimal: "." });
		expect(tell(["1,234", "12,345"], "value", { delimiter: ";" }).problem).toBeDefined();
		expect(tell(["1.234", "12.345"], "value", { delimiter: "," }).problem).toBeDefined();
		expect(tell(["1.234", "2.345"], "value", { given: { decimal: "," } })).toMatchObject({
			type: "number",
			decimal: ",",
		});
		expect(tell(["1.234", "3,5", "2.5"]).problem).toBeDefined();
	});

	test("its unit is what most of its numbers are written with; another does not fit", () => {
		const told = tell(["5 km", "7 km", "12", "9 km", "8 km", "1 km", "2 km", "3 km", "4 km", "6 miles"]);
		expect(told).toMatchObject({ type: "number", unit: "km" });
		expect(["12", "6 miles", "5 km"].map((value) => fitsColumn(value, told))).toEqual([true, false, true]);
		expect(tell(["26 Long Street", "12 Main Road", "7 High Street", "1 Low Road"]).type).toBe("name");
	});

	test("mixtures, codes, prose, yes and no are not asked for as numbers", () => {
		expect(tell(["12", "13", "about 20", "x"])).toMatchObject({
			type: "text",
			remark: expect.stringContaining("mixed"),
		});
		expect(tell(["01067", "10115", "20095"]).type).toBe("name");
		expect(tell(["yes", "no"]).type).toBe("text");
		expect(tell(Array.from({ length: 9 }, () => "draft"))).toMatchObject({
			type: "text",
			remark: "the same in every row",
		});
		expect(tell(["1877", "1610"], "discovered").type).toBe("time");
		expect(tell(["1877", "1610"], "diameter").type).toBe("number");
		expect(tell(["26/07/45", "03/04/46"]).problem).toBeDefined();
	});

	test("what somebody said goes before what the cells tell", () => {
		expect(tell(["01/02/2020"], "when", { given: { form: ["mm/dd/yyyy"] } })).toEqual({
			type: "time",
			form: ["mm/dd/yyyy"],
		});
		expect(tell(["12", "13"], "value", { given: { type: "name" } }).type).toBe("name");
	});
});

test("a month is said and accepted as a month", () => {
	expect(timeText("2021-03", "en")).toBe("March 2021");
	expect(timeText("2021-03", "es")).toBe("marzo de 2021");
});
