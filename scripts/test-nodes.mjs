/**
 * `npm run test:nodes`: the README's two commands on the other versions of Node that are promised, by default the newest
 * 22 and 24. npm carries Node's program as the package node-PLATFORM-ARCH; it lands in .hopscope/nodes, nothing on the
 * machine changes. What became of the tests is written to .hopscope/test-results-node-MAJOR.json.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root, run, say } from "./prepare.mjs";

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
	say(`the two commands on Node ${stdout.trim()}`);
	const workspace = join(root, ".hopscope", "nodes", major, "workspace");
	rmSync(workspace, { recursive: true, force: true });
	const quickstart = run("npm", ["run", "quickstart", "--", "--json", "--workspace", workspace], { env });
	const tests = run("npm", ["test", "--", `--results=test-results-node-${major}.json`], { env });
	return quickstart === 0 && tests === 0;
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
