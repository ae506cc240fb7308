import { expect, test } from "vitest";
import { longTest } from "../../../test/long.ts";
import { createMaker, type Tell } from "./making.ts";

/** What is made when it is told to be. */
function waiting() {
	let resolve: (page: string) => void = () => undefined;
	let reject: (error: Error) => void = () => undefined;
	const promise = new Promise<string>((done, failed) => {
		[resolve, reject] = [done, failed];
	});
	return { promise, resolve, reject };
}

const maker = () => createMaker({ signal: new AbortController().signal });

test("whoever asks hears how far a page is, and one that is being made is not begun again", async () => {
	const { ask } = maker();
	const page = waiting();
	let begun = 0;
	const make = (tell: Tell) => {
		begun += 1;
		tell("reading", 3, 10);
		return page.promise;
	};
	expect(await ask("a", "1", make)).toEqual({ is: "making", work: "reading", done: 3, total: 10 });
	// what changed meanwhile waits until this is done
	const asked = ask("a", "2", make);
	page.resolve("page");
	expect(await asked).toEqual({ is: "made", page: "page" });
	expect(begun).toBe(1);
	await ask("a", "1", make);
	expect(begun).toBe(1);
	await ask("a", "2", make);
	expect(begun).toBe(2);
});

longTest("a failure that comes while nobody waits is told to whoever asks next, and then tried again", async () => {
	const { ask } = maker();
	const page = waiting();
	expect(await ask("a", "1", () => page.promise)).toMatchObject({ is: "making" });
	page.reject(new Error("torn"));
	await expect(ask("a", "1", async () => "again")).rejects.toThrow("torn");
	expect(await ask("a", "1", async () => "again")).toEqual({ is: "made", page: "again" });
});

longTest("pages are made one after another, and none after it is closed", async () => {
	const { ask, whole, close } = maker();
	const first = waiting();
	const asked = ask("a", "1", () => first.promise);
	expect(await ask("b", "1", async () => "b")).toMatchObject({ is: "making", work: "waiting for other pages" });
	first.resolve("a");
	expect(await asked).toMatchObject({ is: "making" });
	expect(await whole("b", "1", async () => "b")).toBe("b");
	close();
	await expect(whole("c", "1", async () => "c")).rejects.toThrow();
});

longTest("closing aborts what is being made and waits for it to end", async () => {
	const { ask, close } = maker();
	let ended = false;
	const asked = await ask("a", "1", async (_, signal) => {
		await new Promise((resolve) => signal.addEventListener("abort", resolve));
		await new Promise(setImmediate);
		ended = true;
	});
	expect(asked).toMatchObject({ is: "making" });
	await close();
	expect(ended).toBe(true);
});
