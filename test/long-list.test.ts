import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("docs/tests.md names every file whose tests are long, and no other", () => {
	const files = ["src", "test"].flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file).replaceAll("\\", "/")),
	);
	const long = files.filter(
		(file) =>
			file.endsWith(".long.ts") ||
			(file.endsWith(".test.ts") && /from "[./]*(?:test\/)?long\.ts"/.test(readFileSync(file, "utf8"))),
	);
	const named = [...readFileSync("docs/tests.md", "utf8").matchAll(/^\| `.*/gm)].flatMap(([row]) =>
		[...(row.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, file]) => file),
	);
	expect(named.sort()).toEqual(long.sort());
});
