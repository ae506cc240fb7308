/**
 * `npm run check`: everything that must hold before a commit, in the order of what fails fastest. With `--no-tests`
 * all but the tests.
 */
import { parseArgs } from "node:util";
import { prepare, root, run, say } from "./prepare.mjs";

// before anything is installed or built: a mistyped option must cost nothing
const { values: options } = parseArgs({ options: { "no-tests": { type: "boolean" } } });
prepare();
const bin = (name, ...args) => [process.execPath, [`${root}/node_modules/${name}`, ...args]];
const steps = [
	["format and lint", bin("@biomejs/biome/bin/biome", "check", "--error-on-warnings")],
	["types", bin("typescript/bin/tsc", "-p", "tsconfig.json")],
	["types of the studio", bin("typescript/bin/tsc", "-p", "studio/tsconfig.json")],
	["rooms", bin("dependency-cruiser/bin/dependency-cruise.mjs", "src", "--config", ".dependency-cruiser.mjs")],
	["dead code", bin("knip/bin/knip.js", "--no-progress")],
	["names of the rooms' faces", [process.execPath, ["scripts/faces.mjs"]]],
	["generated files fresh", [process.execPath, ["scripts/generate.mjs", "--check"]]],
	...(options["no-tests"] ? [] : [["tests", [process.execPath, ["scripts/test.mjs"]]]]),
	["budget", [process.execPath, ["scripts/budget.mjs"]]],
];
const failed = [];
for (const [name, [command, args]] of steps) {
	const started = Date.now();
	const status = run(command, args);
	say(`${name}: ${status === 0 ? "ok" : "FAILED"} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
	if (status !== 0) failed.push(name);
}
if (failed.length > 0) say(`failed: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;
