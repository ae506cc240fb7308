import fc from "fast-check";
import { expect, test } from "vitest";
import { csvRows, csvText, plainCellText } from "#store";

test("rows come back as they were, once the escape is taken away", () => {
	const cell = fc.oneof(
		fc.string({ unit: "grapheme" }),
		fc.constantFrom("=1+1", "'=1", "''=1", "'", "-2", "-2+3", "\tx", "\nx", '"', 'a "b"', "a,b;c", "＝x", " "),
	);
	const row = fc.array(cell, { minLength: 1, maxLength: 5 }).filter((cells) => cells.some((one) => one.trim() !== ""));
	fc.assert(
		fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
			const text = csvText(rows);
			expect([...csvRows(text, ",")].map((cells) => cells.map(plainCellText))).toEqual(rows);
			// nothing that a spreadsheet would run; plain negative numbers are none
			for (const cells of csvRows(text, ","))
				for (const one of cells) expect(one).not.toMatch(/^[=+@＝]|^-(?![\d.]+$)/);
		}),
	);
});

test("begins with a byte order mark and ends lines as spreadsheets do", () => {
	expect(
		csvText([
			["a", "b c"],
			['"', "ü"],
		]),
	).toBe('\ufeffa,b c\r\n"""",ü\r\n');
});
