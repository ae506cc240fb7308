/**
 * Prints what became of the tests, as their runner wrote it: each failure with where and why, and at the end
 * `N passed, N failed, N skipped`. Takes the files to read, by default that of the last `npm test`. A test of several
 * runs counts once: as failed where it failed in any, as passed where it passed in one and failed in none.
 */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./prepare.mjs";

const given = process.argv.slice(2);
const files = given.length > 0 ? given : [".hopscope/test-results.json"];
const ranks = ["skipped", "passed", "failed"];
/** What became of each test, by its file and name, and its place among those of the same name. */
const outcomes = new Map();

/** The beginning of a failure is enough to know it by: the whole stands further up, where the runner told it. */
function tell(file, test, messages) {
	console.log(`failed (${file}): ${test}\n${messages.join("\n").slice(0, 2000)}`);
}

for (const file of files) {
	const { testResults } = JSON.parse(readFileSync(join(root, file), "utf8"));
	const times = new Map();
	const count = (test, status) => {
		const time = (times.get(test) ?? 0) + 1;
		times.set(test, time);
		const key = `${test}\0${time}`;
		const outcome = ranks.includes(status) ? status : "skipped";
		if (ranks.indexOf(outcome) >= ranks.indexOf(outcomes.get(key))) outcomes.set(key, outcome);
	};
	for (const { name, status, message, assertionResults } of testResults) {
		for (const test of assertionResults) {
			count(`${name}\0${test.fullName}`, test.status);
			if (test.status === "failed") tell(file, `${relative(root, name)}: ${test.fullName}`, test.failureMessages);
		}
		// a file that cannot be loaded holds no tests and would otherwise go uncounted
		if (status === "failed" && assertionResults.length === 0) {
			count(name, "failed");
			tell(file, relative(root, name), [message]);
		}
	}
}
const of = (wanted) => [...outcomes.values()].filter((outcome) => outcome === wanted).length;
console.log(`${of("passed")} passed, ${of("failed")} failed, ${of("skipped")} skipped`);
