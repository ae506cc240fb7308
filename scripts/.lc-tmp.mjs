/**
 * `npm run lines`: how much code there is, in a count that layout cannot change. Every file is formatted at a line
 * width of 100; a line counts where it holds code, so blank lines, comments and imports do not. Tests are counted
 * apart. `--json` prints the same as JSON; `--folders` adds a line for each folder:
 *
 *     npm run lines
 *     npm run lines -- --folders
 *     npm run lines -- --json
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";
const root=process.cwd();

const { values: options } = parseArgs({ options: { json: { type: "boolean" }, folders: { type: "boolean" } } });

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx", "*.mjs"], { cwd: root })
	.toString()
	.split("\n")
	.filter((file) => file !== "");

const counted = countAll(files);

for (const {file,lines} of counted) if(/^src\/(scoring|reports|diagnosis|training|workbench)\//.test(file)&&!isTest(file)) console.log(lines, file);
/** The files' lines of code, after one formatter has laid them out alike in a copy. */
function countAll(files) {
	const copy = mkdtempSync(join(tmpdir(), "hopscope-lines-"));
	try {
		for (const file of files) cpSync(join(root, file), join(copy, file));
		writeFileSync(join(copy, "biome.json"), JSON.stringify({ formatter: { indentStyle: "tab", lineWidth: 100 } }));
		const formatter = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
		execFileSync(process.execPath, [formatter, "format", "--write", "--log-level=error", "."], { cwd: copy });
		return files.map((file) => ({ file, lines: linesOfCode(file, readFileSync(join(copy, file), "utf8")) }));
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
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

function isTest(file) {
	return file.startsWith("test/") || /\.(test|long)\.ts$/.test(file);
}

function folderOf(file) {
	return file
		.split("/")
		.slice(0, file.startsWith("src/") ? 2 : 1)
		.join("/");
}

function sum(of) {
	return { files: of.length, lines: of.reduce((total, { lines }) => total + lines, 0) };
}

function print(rows) {
	for (const [name, { files, lines }] of Object.entries(rows))
		console.log(`${name.padEnd(20)} ${String(lines).padStart(8)} lines ${String(files).padStart(6)} files`);
}
