import { expect, test } from "vitest";
import { planItems } from "./plan.ts";

test("items of a plan stand in lists of any form", () => {
	const items = ["Find the city", "Find its country"];
	expect(planItems("Plan:\n1. Find the city\n2) Find its country")).toEqual(items);
	expect(planItems("## Plan:\n- **Find the city**\n* Find its country\n")).toEqual(items);
	expect(planItems("Step 1: Find the city\nStep 2: Find its country")).toEqual(items);
	expect(planItems("(a) Find the city\n(b) Find its country").map((item) => item.replace(/^\(.\) /, ""))).toEqual(
		items,
	);
	expect(planItems('["Find the city", "Find its country"]')).toEqual(items);
	expect(
		planItems('```json\n{"steps": [{"id": 1, "goal": "Find the city"}, {"goal": "Find its country"}]}\n```'),
	).toEqual(items);
	expect(planItems("1. Find the city. 2. Find its country")).toEqual(["Find the city.", "Find its country"]);
});

test("what names nothing is no item, and there are bounds", () => {
	expect(planItems(" \n---\n12.\n??\n")).toEqual([]);
	expect(planItems("- a line of words\n".repeat(1000))).toHaveLength(100);
	expect(planItems("word ".repeat(1000))[0]?.length).toBe(500);
});
