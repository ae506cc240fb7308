/**
 * Writes to dist/types the declarations that the package's entries need: of every source file the statements that
 * something needed names, imported from the file that declares them. Only the files on the way are emitted, and nothing
 * is checked (`npm run check` does that): emitting takes several times as long as reading.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { root, say } from "./prepare.mjs";

const started = Date.now();
const sources = join(root, "src");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const entries = Object.values(exports).flatMap(({ "hopscope-source": source }) => (source ? [join(root, source)] : []));
const { options } = ts.getParsedCommandLineOfConfigFile(
	join(root, "tsconfig.json"),
	{ noEmit: false, declaration: true, emitDeclarationOnly: true, incremental: false, noCheck: true },
	{ ...ts.sys, onUnRecoverableConfigFileDiagnostic: refuse },
);
const program = ts.createProgram(entries, { ...options, tsBuildInfoFile: undefined });

/** Source file → its declarations, what its names stand for, and what is needed of it. */
const files = new Map();
const outputs = new Map();
for (const entry of entries) {
	const lines = [...open(entry).exported].map(([name, link]) => {
		const { path, from = specifier(entry, path), name: declared } = follow(entry, link);
		if (path) keep(path, declared);
		return `export ${link.isType ? "type " : ""}{ ${renamed(declared, name)} } from "${from}";\n`;
	});
	outputs.set(entry, lines.join(""));
}
for (const [path, file] of files) if (file.kept.size > 0) outputs.set(path, print(path, file));

const folder = join(root, "dist", "types");
rmSync(folder, { recursive: true, force: true });
for (const [path, text] of outputs) {
	const output = join(folder, relative(sources, path).replace(/\.ts$/, ".d.ts"));
	mkdirSync(dirname(output), { recursive: true });
	writeFileSync(output, text);
}
say(`declarations of ${outputs.size} files in ${Math.round((Date.now() - started) / 1000)} s`);

function open(path) {
	const known = files.get(path);
	if (known) return known;
	let text = "";
	const write = (_, written) => {
		text = written;
	};
	for (const problem of program.emit(program.getSourceFile(path), write, undefined, true).diagnostics) refuse(problem);
	const file = { declared: new Map(), imported: new Map(), exported: new Map(), kept: new Set(), imports: new Map() };
	Object.assign(file, { shared: new Set(), edits: [] });
	files.set(path, file);
	file.tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
	for (const statement of file.tree.statements) {
		const { importClause, exportClause, moduleSpecifier, isTypeOnly } = statement;
		const bindings = importClause?.namedBindings ?? exportClause;
		if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
			if (!bindings?.elements || importClause?.name) refuse(`${path}: "${statement.getText()}" does not list names`);
			for (const element of bindings.elements) {
				const link = { from: moduleSpecifier?.text, name: (element.propertyName ?? element.name).text };
				link.isType = isTypeOnly || element.isTypeOnly;
				(importClause ? file.imported : file.exported).set(element.name.text, link);
			}
		} else
			for (const { name } of statement.declarationList?.declarations ?? [statement])
				file.declared.set(name.text, [...(file.declared.get(name.text) ?? []), statement]);
	}
	return file;
}

/** The source file and the name there for which a name stands, or the package and the name there. */
function follow(path, { from, name }) {
	if (!from) return open(path).imported.has(name) ? follow(path, open(path).imported.get(name)) : { path, name };
	const { resolvedModule } = ts.resolveModuleName(from, path, options, ts.sys);
	if (!resolvedModule || resolvedModule.isExternalLibraryImport) return { from, name };
	const next = resolvedModule.resolvedFileName;
	return follow(next, open(next).exported.get(name) ?? { name });
}

/** Keeps what declares the name, and all that this needs. */
function keep(path, name, isShared = true) {
	const file = open(path);
	if (isShared) file.shared.add(name);
	const statements = file.declared.get(name) ?? refuse(`${path} declares no "${name}"`);
	for (const statement of statements.filter((statement) => !file.kept.has(statement))) {
		file.kept.add(statement);
		visit(statement);
	}

	function visit(node) {
		if (ts.isImportTypeNode(node)) {
			const first = leftmost(node.qualifier ?? refuse(`${path}: "${node.getText()}" names nothing`));
			const found = follow(path, { from: node.argument.literal.text, name: first.text });
			if (found.path) keep(found.path, found.name);
			const text = `"${found.from ?? specifier(path, found.path)}"`;
			file.edits.push([node.argument, text], [first, found.name]);
		} else if (ts.isIdentifier(node) && node.parent.name !== node) {
			if (file.declared.has(node.text)) keep(path, node.text, false);
			else if (file.imported.has(node.text) && !file.imports.has(node.text)) {
				const found = follow(path, file.imported.get(node.text));
				file.imports.set(node.text, found);
				if (found.path) keep(found.path, found.name);
			}
		}
		ts.forEachChild(node, visit);
	}
}

function print(path, file) {
	const edits = file.edits.sort(([a], [b]) => b.getStart() - a.getStart());
	const imports = [...file.imports].map(
		([local, { from, path: target, name }]) =>
			`import { ${renamed(name, local)} } from "${from ?? specifier(path, target)}";\n`,
	);
	const kept = [...file.kept].sort((a, b) => a.pos - b.pos);
	const statements = kept.map((statement) => {
		let text = statement.getFullText();
		for (const [node, replacement] of edits.filter(([node]) => node.pos >= statement.pos && node.end <= statement.end))
			text = `${text.slice(0, node.getStart() - statement.pos)}${replacement}${text.slice(node.end - statement.pos)}`;
		return text;
	});
	const isHidden = (name) =>
		!file.declared
			.get(name)
			.some(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword));
	const hidden = [...file.shared].filter(isHidden);
	const exported = hidden.length > 0 ? `\nexport { ${hidden.join(", ")} };` : "";
	return `${imports.join("")}${statements.join("").trimStart()}${exported}\n`;
}

function leftmost(name) {
	return ts.isQualifiedName(name) ? leftmost(name.left) : name;
}

function renamed(name, local) {
	return name === local ? name : `${name} as ${local}`;
}

function specifier(from, to) {
	return `./${relative(dirname(from), to)}`.replace("./../", "../").replace(/\.ts$/, ".js");
}

function refuse(problem) {
	throw new Error(typeof problem === "string" ? problem : ts.flattenDiagnosticMessageText(problem.messageText, "\n"));
}
