import { readdirSync, readFileSync } from "node:fs";

/** Finds the files that hold long tests, and those whose tests draw more among the long ones. */
export function findLongFiles(): string[] {
	return ["bench", "examples", "src", "test"].flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: "utf8" })
			.map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
			.filter(
				(file) =>
					file.endsWith(".long.ts") ||
					(file.endsWith(".test.ts") &&
						/\b(?:isLong|long\w*Test|longDescribe)\b|tags: "longer"/.test(readFileSync(file, "utf8"))),
			),
	);
}
