// @module-tag long
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Those that wait for processes, servers and files: what races shows there first. */
const tests = [
	...["src/knowledge/remote", "src/knowledge/service", "src/runs/queue", "src/runs/kill", "test/queue-access.test.ts"],
	...["events", "overload", "refusals", "request-log", "environment/isolation"].map((name) => `src/server/${name}`),
];

test("tests of storage, queues and servers pass beside busy loops, in a random order", () => {
	// it is another run of Vitest, and not a long one
	const env = Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !/^(VITEST|HOPSCOPE_LONG_TESTS|NODE_ENV|TEST$)/.test(name)),
	);
	const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/test-stress.mjs", ...tests], {
		...{ env, encoding: "utf8", maxBuffer: 1 << 28 },
	});
	expect(status, `${stdout}\n${stderr}`).toBe(0);
	expect(stderr).toMatch(/stressed run 1 of 1: --sequence\.seed=\d+/);
});
