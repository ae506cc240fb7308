import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a disk, an editor or a careless copy does to a file; undefined: the file is gone. */
type Damage = (content: Buffer) => Buffer | undefined;

const lines = (content: Buffer): string[] => content.toString("utf8").trimEnd().split("\n");
const text = (all: readonly string[]): Buffer => Buffer.from(`${all.join("\n")}\n`);
const middle = <Item>(all: readonly Item[]): number => Math.floor(all.length / 2);

/** Of files that hold a record a line. */
const ofLines: Record<string, Damage> = {
	"last line torn": (content) => content.subarray(0, content.length - 20),
	"a line in the middle torn": (content) => {
		const all = lines(content);
		return text(all.map((line, at) => (at === middle(all) ? line.slice(0, line.length / 2) : line)));
	},
	"a line twice": (content) => {
		const all = lines(content);
		return text([...all, all[middle(all)] ?? ""]);
	},
	"two lines swapped": (content) => {
		const [first = "", second = "", ...others] = lines(content);
		return text([second, first, ...others]);
	},
	"a line of garbage": (content) => {
		const all = lines(content);
		return text([...all.slice(0, middle(all)), "\u0000\ufffd{]", ...all.slice(middle(all))]);
	},
	"a line that is another thing": (content) => text([...lines(content), '{"some":"thing else"}']),
};

const ofJson: Record<string, Damage> = {
	"another thing": () => Buffer.from("[]\n"),
	"a key less": (content) =>
		Buffer.from(
			JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(content.toString("utf8")) as object).slice(1))),
		),
};

const ofBytes: Record<string, Damage> = {
	"a byte changed": (content) => {
		const changed = Buffer.from(content);
		const at = middle([...changed]);
		changed[at] = (changed[at] ?? 0) ^ 0x40;
		return changed;
	},
};

const ofAll: Record<string, Damage> = {
	"cut in the middle": (content) => content.subarray(0, content.length / 2),
	empty: () => Buffer.alloc(0),
	gone: () => undefined,
};

/** What can happen to a file of this name. */
export function damagesOf(name: string): Record<string, Damage> {
	if (name.endsWith(".jsonl")) return { ...ofAll, ...ofLines };
	if (name.endsWith(".json")) return { ...ofAll, ...ofJson };
	return { ...ofAll, ...ofBytes };
}

export function damage(file: string, how: Damage): void {
	const content = how(readFileSync(file));
	if (content === undefined) rmSync(file);
	else writeFileSync(file, content);
}

/**
 * The files of a workspace that are read again by some command, one of each kind; those of the tables of vectors are
 * another program's.
 */
export const filesOf = (workspace: string): string[] =>
	readdirSync(workspace, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && existsSync(join(entry.parentPath, entry.name)))
		.map((entry) => join(entry.parentPath, entry.name).slice(workspace.length + 1))
		.filter((name) => !/\.lance\/|^reports\/|card\.md$/.test(name))
		.sort()
		.filter((name, at, all) => all.findIndex((other) => kindOf(other) === kindOf(name)) === at);

/** The name without what tells files of one kind apart. */
const kindOf = (name: string): string => name.replaceAll(/[0-9a-f]{8,}|cache\/replies\/..|\d+/g, "N");
