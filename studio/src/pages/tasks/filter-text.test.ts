import { describe, expect, it } from "vitest";
import { pieceAt, toggleValue, wantedValues, withoutColumn } from "./filter-text.ts";

const both = (value: string) => ({ value, written: value });

describe("changing a filter as text", () => {
	it("adds a value, another beside it, and takes both away again", () => {
		const one = toggleValue("railway", "outcome", both("wrong"));
		expect(one).toBe("railway outcome:wrong");
		const two = toggleValue(`${one} broken:2`, "outcome", both("abstained"));
		expect(two).toBe("railway outcome:wrong,abstained broken:2");
		expect(toggleValue(toggleValue(two, "outcome", both("wrong")), "outcome", both("abstained"))).toBe(
			"railway broken:2",
		);
	});

	it("knows quoted values, and no part of another name or of a quoted text", () => {
		const where = '"outcome:wrong" topology:"image, then text",bridge -outcome:right hop2:misread';
		expect(wantedValues(where, "topology")).toEqual(['"image, then text"', "bridge"]);
		expect(wantedValues(where, "outcome")).toEqual([]);
		expect(wantedValues(where, "hop")).toEqual([]);
		expect(withoutColumn(where, "topology")).toBe('"outcome:wrong" -outcome:right hop2:misread');
	});

	it("takes away what is wanted by a shorter name", () => {
		expect(toggleValue("tool:page,text", "tool", both("page_search"))).toBe("tool:text");
	});

	it("finds the piece that is being written", () => {
		expect(pieceAt('"two words" outc', 16)).toEqual({ from: 12, text: "outc" });
		expect(pieceAt('tokens>5000 "two wor', 20)).toEqual({ from: 12, text: '"two wor' });
	});
});
