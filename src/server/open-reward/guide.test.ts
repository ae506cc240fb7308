import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPlaygrounds } from "../../../test/support/server/environment.ts";

const playground = createPlaygrounds();
const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/train-with-standards.md"), "utf8");

test("the guide names every route of the two standards, and none that there is not", async () => {
	const { server } = await playground();
	const rows = guide.slice(guide.indexOf("## Routes"), guide.indexOf("## Tried with"));
	const named = new Set([...rows.matchAll(/`(?:GET |POST )?(\/[\w./]+)`/g)].map(([, path]) => path));
	const paths = server.routes.map((route) => route.replace(/^\w+ /, ""));
	const ofStandards = paths.slice(paths.indexOf("/list_environments")).filter((path) => !path.startsWith("/*"));
	expect([...named].sort()).toEqual([...new Set(ofStandards)].sort());
});
