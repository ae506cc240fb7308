import { expect, test } from "vitest";
import { createRetired } from "./retired.ts";

test("closing closes what is in use and what others replaced, and passes over what failed to open", async () => {
	const closed: string[] = [];
	const opened = async (name: string) => ({
		async close() {
			await new Promise(setImmediate);
			closed.push(name);
		},
	});
	const retired = createRetired();
	retired.add(opened("replaced"));
	retired.add(Promise.reject(new Error("it is gone")));
	await retired.close([opened("in use")]);
	expect(closed.sort()).toEqual(["in use", "replaced"]);
	await retired.close([]);
	expect(closed).toHaveLength(2);
});
