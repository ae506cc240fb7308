import { expect, test } from "vitest";
import type { TaskPage } from "../../../../src/studio/pages.ts";
import { selected, written } from "./selection.ts";
import { hopWith, stepWith } from "./testing.ts";

const page = (given: Partial<TaskPage>) => ({ hops: [], steps: [], ...given }) as unknown as TaskPage;

test("the inspector opens where the chain broke, else where it may have, else on the answer", () => {
	const [sound, open, broken] = [hopWith("h1"), hopWith("h2", { possible: true }), hopWith("h3", { first: true })];
	expect(selected(page({ hops: [sound, open, broken] }), undefined)).toEqual({ is: "hop", id: "h3" });
	expect(selected(page({ hops: [sound, open] }), undefined)).toEqual({ is: "hop", id: "h2" });
	expect(selected(page({ hops: [sound] }), undefined)).toEqual({ is: "answer" });
});

test("an address names what it was written for, and what is not there is not selected", () => {
	const shown = page({ hops: [hopWith("h1")], steps: [stepWith(0), stepWith(1)] });
	for (const selection of [{ is: "hop", id: "h1" }, { is: "step", index: 1 }, { is: "answer" }] as const)
		expect(selected(shown, written(selection))).toEqual(selection);
	expect(selected(shown, "hop:h9")).toEqual({ is: "answer" });
	expect(selected(shown, "step:99")).toEqual({ is: "answer" });
});
