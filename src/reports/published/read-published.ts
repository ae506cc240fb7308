import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { didYouMean, HopscopeError, packageFile, usageError } from "#domain";
import { publishedPapers, tablesLeftOut } from "./papers.ts";
import { PublishedTable } from "./published-table.ts";

/** The tables that ship with Hopscope stand beside `src` and `dist`. */
const shipped = packageFile("suites");

const ending = ".yaml";
const longestFile = 256 * 1024;

/** Names of the tables that can be reproduced: `PAPER:N`, figures as `PAPER:figure-N`. */
export async function publishedNames({ folder = shipped }: { folder?: string } = {}): Promise<string[]> {
	const files = await readdir(folder).catch(() => {
		throw new HopscopeError("no-suites", `${folder} cannot be read`, "Install Hopscope again: its suites are missing.");
	});
	const names = files.filter((file) => file.endsWith(ending)).map((file) => nameOf(file.slice(0, -ending.length)));
	return names.sort((a, b) => placeOf(a) - placeOf(b));
}

/** Paper after paper as they are told of, tables before figures. */
function placeOf(name: string): number {
	const [paper = "", table = ""] = name.split(":");
	const at = publishedPapers.findIndex((one) => one.name === paper);
	const number = Number(table.replace("figure-", ""));
	return (at < 0 ? publishedPapers.length : at) * 10_000 + (table.startsWith("figure-") ? 1000 : 0) + number;
}

const nameOf = (file: string) => file.replace(/-((?:figure-)?\d+)$/, ":$1");

/** One of them by its name, which is looked up among those there are and never taken for a path. */
export async function readPublished(
	name: string,
	{ folder = shipped }: { folder?: string } = {},
): Promise<PublishedTable> {
	const names = await publishedNames({ folder });
	const without = tablesLeftOut.find((one) => one.names.includes(name));
	if (without && !names.includes(name))
		throw usageError(
			"no-suite",
			`${name} (${without.title}) cannot be reproduced: it ${without.why}`,
			"hopscope reproduce --list tells of every table and figure.",
			{ facts: { names } },
		);
	if (!names.includes(name))
		throw usageError(
			"unknown-table",
			`no published table is called ${JSON.stringify(name.slice(0, 100))}`,
			`${didYouMean(name, names)}Give one of: ${names.join(", ")}.`,
			{ facts: { names } },
		);
	const file = join(folder, `${name.replace(":", "-")}${ending}`);
	const refuse = (what: string, cause?: unknown) =>
		new HopscopeError("bad-table", `${file}: ${what}`, "Install Hopscope again, or mend this file.", { cause });
	if ((await stat(file)).size > longestFile) throw refuse(`is longer than ${longestFile} bytes`);
	const parsed = PublishedTable.safeParse(await valuesIn(await readFile(file, "utf8"), refuse));
	if (!parsed.success) {
		const issue = parsed.error.issues[0];
		throw refuse(`at ${issue?.path.join(".")}: ${issue?.message}`);
	}
	if (parsed.data.name !== name) throw refuse(`calls itself ${parsed.data.name}`);
	return parsed.data;
}

async function valuesIn(text: string, refuse: (what: string, cause?: unknown) => HopscopeError): Promise<unknown> {
	// loaded for a table only: it is not small
	const { parse } = await import("yaml");
	try {
		const values: unknown = parse(text, { maxAliasCount: 0 });
		// printed numbers keep their digits: 44.10 is not 44.1
		const asPrinted: unknown = parse(text, { schema: "failsafe", maxAliasCount: 0 });
		const rows =
			typeof asPrinted === "object" && asPrinted !== null && "rows" in asPrinted ? asPrinted.rows : undefined;
		return typeof values === "object" && values !== null ? { ...values, rows } : values;
	} catch (error) {
		throw refuse((error as Error).message.split("\n")[0] ?? "no YAML", error);
	}
}
