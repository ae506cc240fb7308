import { access } from "node:fs/promises";
import { join } from "node:path";
import { usageError } from "#domain";
import type { Workspace } from "#store";

const kinds = {
	knowledge: { word: "knowledge base", marker: "knowledge.json", howTo: "hopscope index PATHS…" },
	benchmarks: {
		word: "benchmark",
		marker: "benchmark.json",
		howTo: "hopscope make atlas, or hopscope import FORMAT FILE",
	},
	runs: { word: "run", marker: "run.json", howTo: "hopscope run --benchmark NAME --agent NAME" },
} as const;

/**
 * The folder of a thing: a name in the workspace, or a path; `first`, where it stood before,
 * goes before both. None of them: what there is.
 */
export async function locate(
	workspace: Workspace,
	kind: keyof typeof kinds,
	name: string,
	options: { first?: string } = {},
): Promise<string> {
	const { word, marker, howTo } = kinds[kind];
	const { first } = options;
	for (const folder of [...(first ? [first] : []), join(workspace.dir, kind, name), name]) {
		if (await exists(join(folder, marker))) return folder;
	}
	if (await exists(name))
		throw usageError(
			`no-${word.replace(" ", "-")}`,
			`${name} is no ${word}: it holds no ${marker}`,
			`Make one: ${howTo}.`,
		);
	const there = await workspace.list(kind);
	const some = there.length > 10 ? [...there.slice(0, 10), `and ${there.length - 10} more`] : there;
	throw usageError(
		`unknown-${word.replace(" ", "-")}`,
		`there is no ${word} "${name}" in ${workspace.dir}`,
		there.length > 0 ? `There is: ${some.join(", ")}.` : `Make one first: ${howTo}.`,
		{ facts: { name, there } },
	);
}

/** The workspace's only knowledge base, or an error that lists them. */
export async function theOnlyKnowledge(workspace: Workspace): Promise<string> {
	const names = await workspace.list("knowledge");
	const [only] = names;
	if (only && names.length === 1) return only;
	throw usageError(
		"which-knowledge",
		names.length === 0 ? `there is no knowledge base in ${workspace.dir}` : "there is more than one knowledge base",
		names.length === 0 ? "Make one: hopscope index PATHS…" : `Choose with --knowledge: ${names.join(", ")}.`,
	);
}

export async function exists(path: string): Promise<boolean> {
	try {
		await access(path);
		return true;
	} catch {
		return false;
	}
}
