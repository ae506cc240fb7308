/**
 * `npm test`: makes the checkout ready, then runs the tests. The counts are also written to
 * .hopscope/test-results.json. `npm run test:long` adds the long ones.
 */
import { prepare, root, run, say } from "./prepare.mjs";

prepare();
const long = process.argv.includes("--long");
const rest = process.argv.slice(2).filter((argument) => argument !== "--long");
if (long) say("long tests included");
process.exitCode = run(
	process.execPath,
	[
		`${root}/node_modules/vitest/vitest.mjs`,
		"run",
		"--reporter=default",
		"--reporter=json",
		"--outputFile.json=.hopscope/test-results.json",
		...rest,
	],
	{ env: { ...process.env, ...(long ? { HOPSCOPE_LONG_TESTS: "1" } : {}) } },
);
