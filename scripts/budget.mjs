/**
 * Holds the size of the checkout to budget.json, whose numbers may only shrink. Fails where a figure is above its number,
 * where one has no number, and where a number rose without a line in docs/decisions/ that names it, from and to:
 *
 *     node scripts/budget.mjs                    check
 *     node scripts/budget.mjs --json             print all figures and findings as JSON
 *     node scripts/budget.mjs --write            lower the numbers to the figures
 *     node scripts/budget.mjs --write --raise    raise them too
 */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { countLines, listFiles } from "./lines.mjs";
import { prepare, root } from "./prepare.mjs";
import { readTestRatio } from "./processor-time.mjs";

/** This figure differs from run to run: it fails at 1.5 times its number, and counts as below under nine tenths of it. */
const testRatio = "npm test, processor time in loops";

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const flag = { type: "boolean" };
	const { values: options } = parseArgs({ options: { json: flag, write: flag, raise: flag } });
	prepare();
	const figures = {
		...measureTexts(root),
		...(await countOptions()),
		...measurePackages(),
		[testRatio]: readTestRatio(),
	};
	if (options.write) writeBudget(root, figures, options);
	const findings = checkBudget(root, figures);
	if (options.json) console.log(JSON.stringify({ figures, ...findings }, null, "\t"));
	else print(figures, findings);
	process.exitCode = findings.above.length + findings.undecided.length > 0 ? 1 : 0;
}

/** Lines of each room and group, and words of documentation. Decisions are not counted: raising a number adds to them. */
export function measureTexts(folder) {
	const figures = Object.fromEntries(
		Object.entries(countLines(folder)).map(([place, { lines }]) => [`lines of ${place}`, lines]),
	);
	const add = (kind, text) => {
		const key = `words of ${kind}`;
		figures[key] = (figures[key] ?? 0) + text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
	};
	for (const file of listFiles(folder)) {
		if (!/^([A-Z]+|(docs|examples)\/.*)\.md$/.test(file) || file.startsWith("docs/decisions/")) continue;
		const text = readFileSync(join(folder, file), "utf8");
		if (file === "CHANGELOG.md") add("the changelog", text);
		else if (text.startsWith("<!-- made by")) add("generated documentation", text);
		else {
			// scripts write figures into such pages, between two comments
			const made = /<!-- (?!end)[^>]*-->[\s\S]*?<!-- end[^>]*-->/g;
			add("documentation", text.replace(made, ""));
			add("generated documentation", (text.match(made) ?? []).join("\n"));
		}
	}
	return figures;
}

async function countOptions() {
	const { createProgram } = await import("#cli");
	const count = (command, path) => [
		[`options of ${path}`, command.options.length],
		...command.commands.flatMap((below) => count(below, `${path} ${below.name()}`)),
	];
	const program = await createProgram({ write: () => {}, say: () => {} });
	return Object.fromEntries(count(program, program.name()).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Packages and megabytes on disk. Native packages differ between systems, so that one system alone is measured. */
function measurePackages() {
	const keys = ["packages installed by a user", "megabytes installed by a user", "megabytes of node_modules"];
	if (`${process.platform} ${process.arch}` !== "linux x64") return Object.fromEntries(keys.map((key) => [key]));
	const read = (file) => JSON.parse(readFileSync(join(root, file), "utf8"));
	const packages = Object.entries(read("package-lock.json").packages)
		.filter(([place, { dev }]) => place !== "" && !dev && existsSync(join(root, place)))
		.map(([place]) => place);
	const outer = packages.filter((place) => place.lastIndexOf("node_modules/") === 0);
	const { files } = read("package.json");
	// declarations are made only where the package is packed
	const isLeftOut = (place) => ["!dist/types", ...files].includes(`!${place}`);
	const packed = files.filter((place) => !place.startsWith("!"));
	const bytes = [...outer, ...packed].map((place) => {
		const names = lstatSync(join(root, place)).isDirectory() ? readdirSync(join(root, place)) : [];
		return bytesBelow(
			join(root, place),
			names.filter((name) => isLeftOut(`${place}/${name}`)),
		);
	});
	const modules = join(root, "node_modules");
	// caches begin with a dot
	const caches = readdirSync(modules).filter((name) => name.startsWith("."));
	const installed = bytes.reduce((sum, size) => sum + size, 0);
	const sizes = [installed, bytesBelow(modules, caches)].map((size) => Math.ceil(size / 2 ** 20));
	return Object.fromEntries([packages.length, ...sizes].map((figure, at) => [keys[at], figure]));
}

/** Bytes in blocks of 4 KiB, one for a folder: the same on every file system. */
function bytesBelow(path, without = []) {
	const stat = lstatSync(path);
	if (!stat.isDirectory()) return Math.ceil(stat.size / 4096) * 4096;
	const names = readdirSync(path).filter((name) => !without.includes(name));
	return names.reduce((sum, name) => sum + bytesBelow(join(path, name)), 4096);
}

/** What is above and below its number, what is not measured here, and which numbers rose without a decision. */
export function checkBudget(folder, figures) {
	return { ...compareFigures(readBudget(folder), figures), undecided: undecidedRaises(folder) };
}

function compareFigures(budget, figures) {
	const keys = [...new Set([...Object.keys(budget), ...Object.keys(figures)])];
	const limit = (key, factor) => budget[key] * (key === testRatio ? factor : 1);
	const rows = (isMeant) =>
		keys.filter(isMeant).map((key) => ({ key, budget: budget[key] ?? null, figure: figures[key] ?? null }));
	return {
		above: rows((key) => figures[key] !== undefined && !(figures[key] <= limit(key, 1.5))),
		// a room or command that is gone has no figure
		below: rows((key) => !(key in figures) || figures[key] < limit(key, 0.9)),
		unmeasured: keys.filter((key) => key in figures && figures[key] === undefined),
	};
}

/** Brings the numbers down to the figures; with `raise`, or where there is no budget yet, up as well. */
export function writeBudget(folder, figures, { raise = false } = {}) {
	const budget = readBudget(folder);
	const { above, below } = compareFigures(budget, figures);
	const isFirst = Object.keys(budget).length === 0;
	const changed = [...below, ...(raise || isFirst ? above : [])].map(({ key }) => key);
	const numbers = Object.keys(figures).map((key) => [key, changed.includes(key) ? figures[key] : budget[key]]);
	writeFileSync(join(folder, "budget.json"), `${JSON.stringify(Object.fromEntries(numbers), null, "\t")}\n`);
}

function readBudget(folder) {
	const file = join(folder, "budget.json");
	return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

/**
 * Every rise of a number in the history of budget.json and in the working tree that no line of docs/decisions/ names.
 * A merge is read against its first parent. A number that is new in an older file rises from "none".
 */
function undecidedRaises(folder) {
	const git = (...args) =>
		execFileSync("git", [...args, "-p", "-U0", "--no-color", "--no-ext-diff", "--", "budget.json"], {
			cwd: folder,
			encoding: "utf8",
			maxBuffer: 2 ** 28,
		});
	const history = git("log", "--first-parent", "-m", "--format=commit:%H");
	const changes = [git("diff", "HEAD"), ...history.split(/^commit:.*$/m)];
	const decisions = listFiles(folder)
		.filter((file) => file.startsWith("docs/decisions/"))
		.flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"));
	return changes
		.filter((change) => !/^new file mode/m.test(change))
		.flatMap((change) => {
			const lines = [...change.matchAll(/^([-+])\t"(.+)": ([\d.]+),?$/gm)];
			const before = Object.fromEntries(lines.flatMap(([, sign, key, n]) => (sign === "-" ? [[key, Number(n)]] : [])));
			return lines
				.filter(([, sign, key, n]) => sign === "+" && !(Number(n) <= before[key]))
				.map(([, , key, n]) => `\`${key}\`: ${before[key] ?? "none"} → ${n}`);
		})
		.filter((raise) => !decisions.some((line) => line.includes(raise)));
}

function print(figures, { above, below, unmeasured, undecided }) {
	for (const { key, budget, figure } of above)
		console.log(`above its budget: ${key.padEnd(44)} ${figure} of ${budget ?? "none"}`);
	if (above.length > 0)
		console.log("Remove as much in the same place. To raise a number: node scripts/budget.mjs --write --raise");
	for (const raise of undecided)
		console.log(`raised without a decision; add this line with its reason: - ${raise}: WHY`);
	if (undecided.length > 0) console.log("Put it into a file of docs/decisions/, in the commit that raises the number.");
	if (below.length > 0) {
		const rows = below.map(({ key, budget, figure }) => `${key} ${figure ?? "none"} of ${budget}`);
		console.log(
			`below the budget: ${rows.join(", ")}. Lower the numbers in this commit: node scripts/budget.mjs --write`,
		);
	}
	if (unmeasured.length > 0) console.log(`not measured: ${unmeasured.join(", ")}`);
	const product = Object.keys(figures).filter((key) => /^lines of (src|studio)/.test(key));
	console.log(`${product.reduce((sum, key) => sum + figures[key], 0)} lines of product`);
}
