import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { usageError } from "#domain";

/** Where things stand in a workspace folder. Nothing is created until something is written. */
export interface Workspace {
	dir: string;
	corpus(name: string): string;
	knowledge(name: string): string;
	benchmark(name: string): string;
	run(id: string): string;
	report(name: string): string;
	suite(name: string): string;
	/** The file of traces that were received under that name, one request of OTLP a line. */
	traces(name: string): string;
	/** The folder in which a recipe makes a benchmark of that name. */
	build(name: string): string;
	/** A folder of what can be had again, named by content: removing it costs time or money, no data. */
	cache(kind: string): string;
	/** What a person configured for the workspace; need not exist. */
	configuration: string;
	/** Names of what exists of a kind, sorted; what a killed process left half made is none. */
	list(kind: "corpora" | "knowledge" | "benchmarks" | "runs" | "suites" | "builds"): Promise<string[]>;
}

export function openWorkspace(dir: string): Workspace {
	const root = resolve(dir);
	const place = (kind: string) => (name: string) => join(root, kind, safeName(name));
	return {
		dir: root,
		corpus: place("corpora"),
		knowledge: place("knowledge"),
		benchmark: place("benchmarks"),
		run: place("runs"),
		report: place("reports"),
		suite: place("suites"),
		traces: (name) => `${place("traces")(name)}.jsonl`,
		build: place("builds"),
		cache: place("cache"),
		configuration: join(root, "hopscope.json"),
		async list(kind) {
			try {
				const entries = await readdir(join(root, kind), { withFileTypes: true });
				return entries.flatMap((entry) => (entry.isDirectory() && safe.test(entry.name) ? [entry.name] : [])).sort();
			} catch {
				return [];
			}
		},
	};
}

const safe = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,120}$/u;

/** A name that is a folder name and cannot lead out of the workspace. */
function safeName(name: string): string {
	if (safe.test(name)) return name;
	throw usageError(
		"bad-name",
		`"${name}" cannot name a folder`,
		"Use letters, digits, dots, dashes and underscores, starting with a letter or digit.",
	);
}
