import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createPlaygrounds } from "../../../test/support/server/environment.ts";

const playground = createPlaygrounds();
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/serve-an-environment.md"), "utf8");

test.skipIf(!hasPython)("the guide's Python client plays an episode as it stands", async () => {
	const { server } = await playground();
	const [, program = ""] = /```python\n([\s\S]+?)```/.exec(guide) ?? [];
	const { stdout } = await promisify(execFile)("python3", ["-c", program, server.url, "text-chain"]);
	expect(stdout).toMatch(/^2\.25 \{'value': 2\.25, 'outcome': 1/);
});

test("the guide names every route of ours", async () => {
	const { server } = await playground();
	const ours = server.routes.filter((route) =>
		/^\w+ \/(v1\/e(pisodes|nvironment)|score|mcp|seed|verif|aggr|rever)/.test(route),
	);
	expect(ours.length).toBeGreaterThan(10);
	const starts = ours.map((route) => route.replace(/^\w+ /, "").split("/*")[0] ?? "");
	expect(starts.filter((start) => !guide.includes(start))).toEqual([]);
});
