import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { usageError } from "#domain";
import { ownScorers, type Scorer } from "#scoring";

/** Scorers beside the registered ones, of every verb that shows scores. */
export interface ScorerOptions {
	/** Files whose default export is a scorer, or several. They are programs of the caller's, and are run. */
	scorer?: readonly string[] | undefined;
	/** Scorers as `ownScorers` takes them. */
	scorers?: readonly object[] | undefined;
}

export async function scorersOf({ scorer: files = [], scorers = [] }: ScorerOptions): Promise<Scorer[]> {
	const given: unknown[] = [...scorers];
	for (const file of files) given.push(await exportOf(file));
	return ownScorers(given.flat(), files.length > 0 ? files.join(", ") : "scorers");
}

async function exportOf(file: string): Promise<unknown> {
	const refuse = (code: string, problem: string, remedy: string) => usageError(code, problem, remedy);
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
