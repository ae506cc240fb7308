import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import { exitCodes, HopscopeError } from "#domain";
import { ownScorers, type Scorer } from "#scoring";

/** The option of every command that shows scores: a user's own stand beside the registered ones. */
export const withScorers = (command: Command): Command =>
	command.option(
		"--scorer <files...>",
		"scorers of your own: .mjs or .js files whose default export is one, or several",
	);

/** What the files export. They are programs of the caller's, and are run. */
export async function scorersIn(files: readonly string[] = []): Promise<Scorer[]> {
	const given: unknown[] = [];
	for (const file of files) given.push(await exportOf(file));
	return ownScorers(given.flat(), files.join(", "));
}

async function exportOf(file: string): Promise<unknown> {
	const refuse = (code: string, problem: string, remedy: string) =>
		new HopscopeError(code, problem, remedy, { exitCode: exitCodes.usage });
	if (/\.[mc]?ts$/.test(file) && !("typescript" in process.features && process.features.typescript))
		throw refuse(
			"no-typescript",
			`${file}: Node ${process.versions.node} runs no TypeScript`,
			"Use Node 22.18 or later, or write the scorer as .mjs.",
		);
	try {
		const module: { default?: unknown } = await import(pathToFileURL(resolve(file)).href);
		if (module.default !== undefined) return module.default;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw refuse("bad-scorer", `${file} cannot be loaded: ${reason}`, "It is run as a module of Node's; mend it.");
	}
	throw refuse("bad-scorer", `${file} has no default export`, "Write: export default { name, score }.");
}
