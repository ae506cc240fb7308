/**
 * Makes a checkout ready to run, doing only what is not done yet: packages as the lock file names them, then the
 * build. Run by itself it writes the declarations too, which only the package needs. Everything it says goes to standard
 * error, so that standard output stays the command's own.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Installs and builds where needed; ends the process with a message where that fails. Commands need the package alone;
 * tests, scripts and measurements also the rooms.
 */
export function prepare({ rooms = true } = {}) {
	requireNode();
	install();
	build("package");
	if (rooms) build("rooms");
}

/** Runs a program in the checkout with this process's streams; returns its exit code. */
export function run(command, args, options = {}) {
	const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
	if (error) fail(`${command}: ${error.message}`);
	return signal ? 130 : (status ?? 1);
}

export function say(message) {
	process.stderr.write(`hopscope: ${message}\n`);
}

function fail(message) {
	say(message);
	process.exit(1);
}

function requireNode() {
	const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
	if (major < 20 || (major === 20 && minor < 19))
		fail(`Node ${process.versions.node} is too old; install Node 20.19 or newer and try again.`);
}

function install() {
	const stamp = join(root, "node_modules", ".hopscope-installed");
	const wanted = hash([readFileSync(join(root, "package-lock.json")), process.platform, process.arch]);
	if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
	say("installing packages (npm ci; about 720 MB on disk, once) …");
	const started = Date.now();
	const status = run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { stdio: ["ignore", 2, 2] });
	if (status !== 0) fail("npm ci failed (see above). Check the network and the disk, then run the same command again.");
	writeFileSync(stamp, wanted);
	say(`packages installed in ${seconds(started)} s`);
}

/** What each part of the build is made of, and files without which it is not whole. */
const parts = {
	package: {
		folders: ["src", "studio"],
		made: ["dist/cli/main.js", "dist/ocr/recogniser.cjs", "dist/studio/index.html", "node_modules/.cache/shipped.json"],
	},
	rooms: {
		folders: ["src", "test/support", "bench/sample"],
		made: ["dist-rooms/workbench/index.js"],
	},
};

function build(part) {
	const { folders: names, made } = parts[part];
	const folders = names.flatMap((folder) => filesBelow(join(root, folder)));
	const sources = [
		...folders,
		...["package-lock.json", "rooms.mjs", "scripts/bundle.mjs"].map((name) => join(root, name)),
	];
	const stamp = join(root, "node_modules", ".cache", `built-${part}`);
	const wanted = hash(sources.flatMap((file) => [relative(root, file), readFileSync(file)]));
	const isWhole = made.every((file) => existsSync(join(root, file)));
	if (isWhole && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
	say(`building the ${part} …`);
	const started = Date.now();
	rmSync(stamp, { force: true });
	const status = run(process.execPath, [join(root, "scripts", "bundle.mjs"), part], { stdio: ["ignore", 2, 2] });
	if (status !== 0) fail("the build failed (see above).");
	mkdirSync(dirname(stamp), { recursive: true });
	writeFileSync(stamp, wanted);
	say(`built in ${seconds(started)} s`);
}

function filesBelow(folder) {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
		.map((entry) => join(entry.parentPath, entry.name))
		.sort();
}

function hash(parts) {
	const sum = createHash("sha256");
	for (const part of parts) sum.update(part).update("\0");
	return sum.digest("hex");
}

const seconds = (since) => Math.round((Date.now() - since) / 1000);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	prepare();
	const status = run(process.execPath, [join(root, "scripts", "declare.mjs")], { stdio: ["ignore", 2, 2] });
	if (status !== 0) fail("the declarations could not be made (see above).");
}
