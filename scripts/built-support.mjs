/**
 * Scripted models of the tests over the built rooms, for programs that run outside the tests: files of
 * test/support/recipes as JavaScript that imports what is in `dist`.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { root } from "./prepare.mjs";

const sources = join(root, "test", "support", "recipes");
const made = join(root, "node_modules", ".cache", "hopscope-support");
const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true };

/** The address of a support file, with all of its folder written anew beside it. */
export function builtSupport(name) {
	mkdirSync(made, { recursive: true });
	for (const file of readdirSync(sources)) {
		const { outputText } = ts.transpileModule(readFileSync(join(sources, file), "utf8"), { compilerOptions });
		const text = outputText
			.replace(/ from "#(\w+)"/g, (_, room) => ` from ${built(`${room}/index`)}`)
			.replace(/ from "(?:\.\.\/)+src\/(.+)\.ts"/g, (_, path) => ` from ${built(path)}`)
			.replace(/ from "\.\/(.+)\.ts"/g, ' from "./$1.mjs"');
		writeFileSync(join(made, file.replace(/\.ts$/, ".mjs")), text);
	}
	return pathToFileURL(join(made, `${name}.mjs`)).href;
}

const built = (path) => JSON.stringify(pathToFileURL(join(root, "dist", `${path}.js`)).href);
