/** Prints the counts of the last test run, as its runner wrote them: `N passed, N failed, N skipped`. */
import { readFileSync } from "node:fs";
import { root } from "./prepare.mjs";

const results = JSON.parse(readFileSync(`${root}/.hopscope/test-results.json`, "utf8"));
// a file that cannot be loaded holds no tests and would otherwise go uncounted
const broken = results.testResults.filter(
	(file) => file.status === "failed" && file.assertionResults.length === 0,
).length;
const skipped = results.numPendingTests + (results.numTodoTests ?? 0);
console.log(`${results.numPassedTests} passed, ${results.numFailedTests + broken} failed, ${skipped} skipped`);
