/**
 * `npm run lines`: how much code there is, in a count that layout cannot change. Code and style sheets are formatted at a
 * line width of 100; a line counts where it holds code, so blank lines, comments and imports do not. A line of other
 * text counts once for each 100 characters begun. Each room of src/ and the studio's pages are product; all else is a group.
 * `--json` prints the same as JSON:
 *
 *     npm run lines
 *     npm run lines -- --json
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import ts from "typescript";
import { root } from "./prepare.mjs";

const isCode = (file) => /\.([mc]?[jt]s|tsx)$/.test(file);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const { values: options } = parseArgs({ options: { json: { type: "boolean" } } });
	const counted = countLines(root);
	const rooms = Object.entries(counted).filter(([place]) => /^(src|studio)/.test(place));
	const product = rooms.reduce(
		(sum, [, { files, lines }]) => ({ files: sum.files + files, lines: sum.lines + lines }),
		{ files: 0, lines: 0 },
	);
	if (options.json) console.log(JSON.stringify({ product, ...counted }));
	else
		for (const [place, { files, lines }] of Object.entries({ product, ...counted }))
			console.log(`${place.padEnd(20)} ${String(lines).padStart(8)} lines ${String(files).padStart(6)} files`);
}

/** The files that git tracks or would track. */
export function listFiles(folder) {
	const listed = execFileSync("git", ["ls-files", "-coz", "--exclude-standard"], { cwd: folder, maxBuffer: 2 ** 28 });
	return [...new Set(listed.toString().split("\0"))].filter((file) => file !== "" && existsSync(join(folder, file)));
}

/** Files and lines of each room and group of a checkout. Counts of unchanged files come from node_modules/.cache. */
export function countLines(folder) {
	const cache = join(folder, "node_modules", ".cache", "lines.json");
	const known = existsSync(cache) ? JSON.parse(readFileSync(cache, "utf8")) : {};
	const method = ["lines.mjs", "../package-lock.json"].map((file) => readFileSync(join(import.meta.dirname, file)));
	const files = listFiles(folder)
		.map((file) => ({ file, place: placeOf(file) }))
		.filter(({ place }) => place !== undefined)
		.map(({ file, place }) => {
			const text = readFileSync(join(folder, file), "utf8");
			const key = createHash("sha256").update([...method, file.split(".").at(-1), text].join("\0"));
			return { file, place, text, key: key.digest("base64url") };
		});
	const changed = files.filter(({ key }) => known[key] === undefined);
	const laidOut = layOut(changed.filter(({ file }) => isCode(file) || file.endsWith(".css")));
	for (const { file, text, key } of changed) known[key] = linesOf(file, laidOut.get(file) ?? text);
	mkdirSync(dirname(cache), { recursive: true });
	// at once: an interrupted write would break every later count
	writeFileSync(`${cache}.new`, JSON.stringify(Object.fromEntries(files.map(({ key }) => [key, known[key]]))));
	renameSync(`${cache}.new`, cache);

	const places = {};
	for (const { place, key } of files) {
		places[place] ??= { files: 0, lines: 0 };
		places[place].files += 1;
		places[place].lines += known[key];
	}
	return Object.fromEntries(Object.entries(places).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The room or group of a file. Fixtures, lock files and documentation have none. */
function placeOf(file) {
	const [top, room] = file.split("/");
	if (top === "test" || /\.(test|long)\.ts$/.test(file)) return isCode(file) ? "tests" : undefined;
	if (file.endsWith("package-lock.json") || (file.includes("/fixtures/") && !isCode(file))) return undefined;
	if (file.endsWith(".css")) return "css";
	if (top === "suites" || (/^(src|studio)$/.test(top) && !isCode(file))) return "data";
	if (top === "src") return room.includes(".") ? "src" : `src/${room}`;
	if (/^(studio|examples|bench)$/.test(top)) return file.endsWith(".md") ? undefined : top;
	return top === "scripts" || top === ".ci" || (room === undefined && isCode(file)) ? "scripts" : undefined;
}

/** The texts of files by their names, after one formatter has laid them out alike in a copy. */
function layOut(files) {
	if (files.length === 0) return new Map();
	const copy = mkdtempSync(join(tmpdir(), "hopscope-lines-"));
	try {
		for (const { file, text } of files) {
			mkdirSync(dirname(join(copy, file)), { recursive: true });
			writeFileSync(join(copy, file), text);
		}
		writeFileSync(join(copy, "biome.json"), JSON.stringify({ formatter: { indentStyle: "tab", lineWidth: 100 } }));
		const formatter = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
		execFileSync(process.execPath, [formatter, "format", "--write", "--log-level=error", "."], { cwd: copy });
		return new Map(files.map(({ file }) => [file, readFileSync(join(copy, file), "utf8")]));
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

function linesOf(file, text) {
	if (isCode(file)) return linesOfCode(file, text);
	const lines = file.endsWith(".css") ? text.replace(/\/\*[\s\S]*?\*\//g, "").split("\n") : text.split("\n");
	return lines.reduce((sum, line) => sum + Math.ceil(line.trim().length / 100), 0);
}

/** How many lines hold a part of a token that is not of an import. */
function linesOfCode(name, text) {
	const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false);
	const held = new Set();
	const visit = (node) => {
		if (ts.isImportDeclaration(node) || ts.isJSDoc(node)) return;
		const children = node.getChildren(source);
		if (children.length > 0) return children.forEach(visit);
		const start = node.getStart(source);
		if (start === node.end) return;
		const first = source.getLineAndCharacterOfPosition(start).line;
		const last = source.getLineAndCharacterOfPosition(node.end).line;
		for (let line = first; line <= last; line += 1) held.add(line);
	};
	visit(source);
	return held.size;
}
