import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findLongFiles } from "./long-files.ts";

test("docs/tests.md names every file whose tests are long, and no other", () => {
	const named = [...readFileSync("docs/tests.md", "utf8").matchAll(/^\| `.*/gm)].flatMap(([row]) =>
		[...(row.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, file]) => file),
	);
	expect(named.sort()).toEqual(findLongFiles().sort());
});

test.each(findLongFiles().filter((file) => file.endsWith(".long.ts")))("%s runs among the long tests", (file) => {
	expect(readFileSync(file, "utf8")).toMatch(/^\/\/ @module-tag long$/m);
});
