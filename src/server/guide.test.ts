import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createCorpus } from "#corpus";
import { createWorld } from "../../test/support/server/server.ts";

const world = createWorld(createCorpus);
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const guide = readFileSync(join(import.meta.dirname, "../../docs/guides/serve-retrieval.md"), "utf8");

test.skipIf(!hasPython)("the guide's Python client runs as it stands", async () => {
	const [, program = ""] = /```python\n([\s\S]+?)```/.exec(guide) ?? [];
	const { stdout } = await promisify(execFile)("python3", ["-c", program, world.server.url]);
	expect(stdout.trim().split("\n")[0]).toMatch(/^\d+\.\d{3} "Lima" Lima is the capital of Peru\./);
});

test("the guide names every route, and none that there is not", () => {
	const named = new Set([...guide.matchAll(/`(?:(?:GET|POST) )?(\/[a-z][\w/]*)/g)].map(([, path]) => path));
	const served = world.server.routes.map((route) => route.replace(/^\w+ /, "").replace(/\/\*$/, "/ID"));
	expect([...named].sort()).toEqual(served.sort());
});
