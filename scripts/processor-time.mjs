/** The processor time of the tests, relative to a fixed loop timed right after them: scripts/budget.mjs reads it. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const file = join(root, ".hopscope", "test-time.json");

/** Runs `runTests` and returns its exit code; where that is 0, records the processor time of the programs it waited for. */
export function recordTestTime(runTests) {
	const before = childrenSeconds();
	const status = runTests();
	if (status !== 0 || before === undefined) return status;
	const processorSeconds = childrenSeconds() - before;
	mkdirSync(join(root, ".hopscope"), { recursive: true });
	writeFileSync(file, JSON.stringify({ commit: currentCommit(), processorSeconds, loopSeconds: loopSeconds() }));
	return status;
}

/** The recorded time as a multiple of the loop's; undefined where none is recorded for the current commit. */
export function readTestRatio() {
	try {
		const { commit, processorSeconds, loopSeconds } = JSON.parse(readFileSync(file, "utf8"));
		return commit === currentCommit() ? Math.ceil(processorSeconds / loopSeconds) : undefined;
	} catch {
		return undefined;
	}
}

function currentCommit() {
	return execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
}

/** Processor seconds of all ended children and of theirs. Only Linux reports them to a program without native code. */
function childrenSeconds() {
	if (process.platform !== "linux") return undefined;
	// the program's name comes before and may hold blanks; times are in hundredths of a second
	const fields = readFileSync("/proc/self/stat", "utf8")
		.replace(/^.*\) /s, "")
		.split(" ");
	return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Processor seconds of a loop of the work that tests do: numbers, texts, JSON and hashes. The median of three. */
function loopSeconds() {
	const times = [1, 2, 3].map(() => {
		const before = process.cpuUsage();
		let text = "";
		for (let round = 0; round < 20_000; round += 1) {
			const rows = Array.from({ length: 20 }, (_, at) => ({ at, name: `row ${at * round}`, root: Math.sqrt(at) }));
			const parsed = JSON.parse(JSON.stringify(rows)).filter(({ name }) => /[13579]$/.test(name));
			text = createHash("sha256").update(text).update(JSON.stringify(parsed)).digest("hex");
		}
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1e6;
	});
	return times.sort((a, b) => a - b)[1];
}
