/**
 * Makes `dist/` here of the example's TypeScript, file by file, since Node 20 runs none; types are checked with the rest
 * of the checkout. What it imports of the library (`#training` and such) is the built library.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const here = dirname(fileURLToPath(import.meta.url));

export function buildToyRl() {
	rmSync(join(here, "dist"), { recursive: true, force: true });
	for (const entry of readdirSync(here, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile() || !entry.name.endsWith(".ts") || entry.name.endsWith(".test.ts")) continue;
		const file = join(entry.parentPath, entry.name);
		const { outputText } = ts.transpileModule(readFileSync(file, "utf8"), {
			compilerOptions: {
				target: ts.ScriptTarget.ES2023,
				module: ts.ModuleKind.ESNext,
				verbatimModuleSyntax: true,
				rewriteRelativeImportExtensions: true,
			},
		});
		const built = join(here, "dist", relative(here, file).replace(/\.ts$/, ".js"));
		mkdirSync(dirname(built), { recursive: true });
		writeFileSync(built, outputText);
	}
}
