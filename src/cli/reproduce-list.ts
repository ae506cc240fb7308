import { type PublishedTable, publishedNames, publishedPapers, readPublished, tablesLeftOut } from "#reports";
import type { Output } from "./output.ts";

/** Names the tables that can be reproduced; with `list` every table and figure of the papers, and why some cannot be. */
export async function listPublished(
	{ json, list }: { json?: boolean; list?: boolean },
	output: Pick<Output, "write">,
): Promise<void> {
	const tables: PublishedTable[] = [];
	for (const name of await publishedNames()) tables.push(await readPublished(name));
	if (json) {
		const shown = tables.map(({ name, source, title, measures, needs }) => ({ name, source, title, measures, needs }));
		return output.write(JSON.stringify({ tables: shown, ...(list ? { without: tablesLeftOut } : {}) }));
	}
	const lines = list ? linesOf(tables) : tables;
	const widest = Math.max(...lines.map(({ name }) => name.length));
	const written = ({ name, title }: Line) => `${name.padEnd(widest)}  ${title}`;
	if (!list) return output.write(lines.map(written).join("\n"));
	const blocks = publishedPapers.map(({ name, title }) => {
		const own = lines.filter((line) => line.name.startsWith(`${name}:`));
		return [title, ...own.map((line) => `  ${written(line)}`)].join("\n");
	});
	output.write(blocks.join("\n\n"));
}

interface Line {
	name: string;
	title: string;
}

/** Tables, then figures, by their numbers; what has no suite with the reason behind it. */
function linesOf(tables: readonly PublishedTable[]): Line[] {
	const without = tablesLeftOut.map(({ names, title, why }) => {
		const [first = ""] = names;
		const last = names.length > 1 ? ` to ${names.at(-1)?.replace(/\D+(?=\d+$)/, "")}` : "";
		return { first, name: `${first}${last}`, title: `no suite, ${title.toLowerCase()}: ${why}` };
	});
	const all = [...tables.map(({ name, title }) => ({ first: name, name, title })), ...without];
	return all.sort((a, b) => placeOf(a.first) - placeOf(b.first));
}

const placeOf = (name: string) => Number(/\d+$/.exec(name)?.[0]) + (name.includes(":figure-") ? 1000 : 0);
