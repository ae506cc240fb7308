/**
 * `npm run test:nodes`: the tests that depend on Node, on the other versions that are promised, by default the newest 22
 * and 24. npm carries Node's program as the package node-PLATFORM-ARCH; it lands in .hopscope/nodes, nothing on the
 * machine changes. The outcomes are written to .hopscope/test-results-node-MAJOR.json and, of the long tests,
 * .hopscope/test-long-results-node-MAJOR.json.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root, run, say } from "./prepare.mjs";

/** Start-up, command line, frozen outputs, examples, processes, files, sockets: what a change of Node can break. */
const usual = [
	"test/start-up.test.ts",
	"test/cli.test.ts",
	"test/frozen.test.ts",
	"test/examples.test.ts",
	"examples/",
	"src/cli/program.test.ts",
	"src/store/",
	"src/corpus/reading/",
	"src/agents/external-agents/",
	"src/models/create-chat-model.test.ts",
	"src/server/v1.test.ts",
];
const long = ["test/installed-package.long.ts", "test/start-up.test.ts", "test/examples.test.ts"];

const given = process.argv.slice(2);
const majors = given.length > 0 ? given : ["22", "24"];
const failed = majors.filter((major) => !passesOn(major));
if (failed.length > 0) say(`failed on Node ${failed.join(" and ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;

function passesOn(major) {
	const bin = installNode(major);
	const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
	const { stdout } = spawnSync("node", ["--version"], { env, encoding: "utf8" });
	// a program of another version, or none, would test nothing of what is claimed
	if (!stdout?.startsWith(`v${major}.`)) {
		say(`Node ${major}: the program did not come (found ${stdout?.trim() || "none"})`);
		return false;
	}
	say(`the tests that depend on Node, on ${stdout.trim()}`);
	const ends = [
		run("npm", ["test", "--", `--results=test-results-node-${major}.json`, ...usual], { env }),
		run("npm", ["run", "test:long", "--", `--results=test-long-results-node-${major}.json`, ...long], { env }),
	];
	return ends.every((end) => end === 0);
}

/** The folder that holds the program `node` of the newest version of that major. */
function installNode(major) {
	const folder = join(root, ".hopscope", "nodes", major);
	const carrier = `node-${process.platform}-${process.arch}`;
	mkdirSync(folder, { recursive: true });
	run("npm", [
		"install",
		"--prefix",
		folder,
		"--no-save",
		"--ignore-scripts",
		"--loglevel=error",
		`${carrier}@${major}`,
	]);
	return join(folder, "node_modules", carrier, "bin");
}
