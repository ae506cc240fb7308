import { expect, test } from "vitest";
import { askedAtOnce } from "./asked-at-once.ts";

test("ids wanted at the same moment are looked up together, each once; later ones again", async () => {
	const asked: string[][] = [];
	const lookUp = askedAtOnce(async (ids) => {
		asked.push(ids);
		return new Map(ids.filter((id) => id !== "nowhere").map((id) => [id, id.toUpperCase()]));
	});
	expect(await Promise.all(["a", "b", "a", "nowhere"].map(lookUp))).toEqual(["A", "B", "A", undefined]);
	expect(await lookUp("a")).toBe("A");
	expect(asked).toEqual([["a", "b", "nowhere"], ["a"]]);
});

test("a failure reaches everybody who asked, and the next look-up is a new one", async () => {
	let failing = true;
	const lookUp = askedAtOnce(async (ids) => {
		if (failing) throw new Error("closed");
		return new Map(ids.map((id) => [id, id]));
	});
	const both = await Promise.allSettled([lookUp("a"), lookUp("b")]);
	expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
	failing = false;
	expect(await lookUp("a")).toBe("a");
});
