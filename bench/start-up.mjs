/**
 * Processor time (user and system) of starting a command, beside `node -e 0` in the same measurement, over recorded runs:
 *
 *     npm run bench -- start-up [ROUNDS]
 *
 * Every round starts each once, so that a busy machine troubles all alike; shown are medians.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildKnowledge } from "#knowledge";
import { root } from "../scripts/prepare.mjs";

const rounds = Number(process.argv[2] ?? 15);
const workspace = mkdtempSync(join(tmpdir(), "hopscope-start-up-"));
cpSync(join(root, "test/fixtures/before-house"), workspace, { recursive: true });
await buildKnowledge(join(workspace, "corpora/lands"), join(workspace, "knowledge/lands"), { name: "lands" });
const [played, walked] = ["lands-tagged-20260101-000000-465c", "lands-walker-20260101-000100-f6a5"];
const command = (...args) => [join(root, "dist/cli/main.js"), ...args];
const started = {
	"node -e 0": ["-e", "0"],
	"hopscope --help": command("--help"),
	"hopscope metric": command("metric", "em"),
	"hopscope report": command("report", played, "--workspace", workspace),
	"hopscope diagnose": command("diagnose", played, "--workspace", workspace),
	"hopscope compare": command("compare", played, walked, "--workspace", workspace),
	'import "hopscope"': [join(root, "dist/library/index.js")],
};

const times = Object.fromEntries(Object.keys(started).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1)
	for (const [name, args] of Object.entries(started)) times[name].push(processorMs(args));
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const least = median(times["node -e 0"]);
for (const [name, values] of Object.entries(times)) {
	const ms = median(values);
	console.log(`${name.padEnd(20)} ${ms.toFixed(0).padStart(5)} ms ${(ms / least).toFixed(1).padStart(5)} times`);
}
rmSync(workspace, { recursive: true, force: true });

/** What a process of Node's and its threads used, as the shell tells. */
function processorMs(args) {
	const shell = ["-c", 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1', "bash", process.execPath, ...args];
	const { stderr, status } = spawnSync("bash", shell, { input: "", encoding: "utf8" });
	const [user, system] = stderr.trim().split(" ").map(Number);
	if (status !== 0 || Number.isNaN(system)) throw new Error(`${args.join(" ")} ended with ${status}`);
	return (user + system) * 1000;
}
