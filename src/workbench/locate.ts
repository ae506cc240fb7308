import { access } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { didYouMean, RunManifest, usageError } from "#domain";
import { connectionName } from "#knowledge";
import { folderThere, isAddress, readJson, type Workspace } from "#store";
import { addressNamed, connectionNamed, isNamed } from "./addresses.ts";

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
 * The folder of a thing: a name in the workspace, or a path; `first`, where it stood before, goes before both. A knowledge
 * base may be an address, or a connection to one, which has to be `named` by the user, now or before on this workspace. A run is
 * also meant by the beginning of its id where only one begins so, and by `@last`. None of them: what there is.
 */
export async function locate(
	workspace: Workspace,
	kind: keyof typeof kinds,
	name: string,
	options: { first?: string; named?: boolean } = {},
): Promise<string> {
	const { word, marker, howTo } = kinds[kind];
	const { first, named = false } = options;
	if (kind === "knowledge" && isAddress(name)) return addressNamed(workspace, name, named);
	const recorded = first !== undefined && isAddress(first) ? first : undefined;
	if (recorded !== undefined && kind === "knowledge" && (await isNamed(workspace, recorded))) return recorded;
	for (const folder of [...(first && !recorded ? [first] : []), join(workspace.dir, kind, name), name]) {
		if (await exists(join(folder, marker))) return folder;
		if (kind === "knowledge" && (await exists(join(folder, connectionName))))
			return connectionNamed(workspace, folder, { named: named && folder === name });
		// another process may be putting a new one in its place
		if ((await folderThere(folder)) && (await exists(join(folder, marker)))) return folder;
	}
	if (recorded !== undefined) return addressNamed(workspace, recorded, false);
	const run = kind === "runs" ? await runMeant(workspace, name) : undefined;
	if (run !== undefined) return workspace.run(run);
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
		there.length > 0 ? `${didYouMean(name, there)}There is: ${some.join(", ")}.` : `Make one first: ${howTo}.`,
		{ facts: { name, there } },
	);
}

/** What `@last` goes by; a manifest can be long, and no more of it is checked. */
const RunHead = z.object({ at: z.string(), intervention: z.unknown().optional() });

/** The id that begins with `name`, or that of the plain run begun last for `@last`; several that begin so are an error. */
export async function runMeant(workspace: Workspace, name: string): Promise<string | undefined> {
	const ids = await workspace.list("runs");
	if (name === "@last") {
		let last: { id: string; at: string } | undefined;
		for (const id of ids) {
			const head = await readJson(join(workspace.run(id), "run.json"), RunHead).catch(() => undefined);
			if (head && head.intervention === undefined && !(last && last.at > head.at)) last = { id, at: head.at };
		}
		return last?.id;
	}
	const found = name === "" ? [] : ids.filter((id) => id.startsWith(name));
	if (found.length <= 1) return found[0];
	const more = found.length > mostCandidates ? `, and ${found.length - mostCandidates} more` : "";
	throw usageError(
		"ambiguous-run",
		`"${name}" begins the ids of ${found.length} runs`,
		`Write more of the one that is meant: ${found.slice(0, mostCandidates).join(", ")}${more}.`,
		{ facts: { name, there: found } },
	);
}

const mostCandidates = 10;

const RerunHead = z.object({ intervention: z.object({ of: z.string() }) });

/** The ids of a run's re-runs with an intervention; what cannot be read is none. */
export async function rerunsOf(workspace: Workspace, of: string): Promise<string[]> {
	const found: string[] = [];
	for (const id of await workspace.list("runs")) {
		const head = await readJson(join(workspace.run(id), "run.json"), RerunHead).catch(() => undefined);
		if (head?.intervention.of === of) found.push(id);
	}
	return found;
}

/** Their manifests, oldest first. */
export async function rerunManifests(workspace: Workspace, of: string): Promise<RunManifest[]> {
	const found: RunManifest[] = [];
	for (const id of await rerunsOf(workspace, of))
		found.push({ ...(await readJson(join(workspace.run(id), "run.json"), RunManifest)), id });
	return found.sort((a, b) => (a.at < b.at ? -1 : 1));
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
