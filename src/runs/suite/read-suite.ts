import { readFile, stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { z } from "zod";
import { type HopscopeError, usageError } from "#domain";
import { product } from "./product.ts";
import { fields, type RaceFile, type SuiteEntry, SuiteFile } from "./suite-file.ts";

/** One run of a suite, as it is written down. */
export interface SuiteLine extends SuiteEntry {
	/** 1-based line of the file where the entry stands that it comes from. */
	line: number;
}

export interface Suite {
	name: string;
	/** In the order of the file; lists multiplied, the last field of an entry varying fastest. */
	lines: SuiteLine[];
	/** Of a sweep. */
	race?: RaceFile | undefined;
}

const longestFile = 1024 * 1024;
const mostRuns = 1000;

/** Reads a suite file (YAML, or JSON, which is YAML too). What does not fit is an error (exit 2) naming line and field. */
export async function readSuite(file: string): Promise<Suite> {
	const text = await textOf(file);
	// loaded for a suite only: it is not small
	const { LineCounter, parseDocument } = await import("yaml");
	const lineCounter = new LineCounter();
	const document = parseDocument(text, { lineCounter, prettyErrors: false });
	const fail = (offset: number, what: string, remedy: string) =>
		usageError("bad-suite", `${file}, line ${lineCounter.linePos(offset).line}: ${what}`, remedy, {
			facts: { file, line: lineCounter.linePos(offset).line },
		});
	const [broken] = document.errors;
	if (broken) throw fail(broken.pos[0], broken.message.split("\n")[0] ?? "no YAML", "Mend this line.");
	const place = (path: PropertyKey[]) => offsetOf(document, path);

	const parsed = SuiteFile.safeParse(plainValue(document, fail));
	if (!parsed.success) {
		const issue = parsed.error.issues[0];
		if (!issue) throw fail(0, "no suite", remedy);
		const unknown = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
		const path = unknown === undefined ? issue.path : [...issue.path, unknown];
		throw fail(place(path), describe(issue, path), remedy);
	}
	const { name = nameOf(file), defaults, runs, race } = parsed.data;
	const lines: SuiteLine[] = [];
	for (const [index, entry] of runs.entries()) {
		const at = place(["runs", index]);
		const { agent, benchmark, ...others } = { ...defaults, ...entry };
		if (!agent) throw fail(at, `runs[${index}] names no agent`, "Add agent: NAME, there or to the defaults.");
		if (!benchmark)
			throw fail(at, `runs[${index}] names no benchmark`, "Add benchmark: NAME, there or to the defaults.");
		const { line } = lineCounter.linePos(at);
		for (const one of product({ agent, benchmark, ...others }, { most: mostRuns })) {
			lines.push({ ...one, line });
			if (lines.length > mostRuns) throw fail(at, `more than ${mostRuns} runs`, "Split the suite.");
		}
	}
	return { name, lines, ...(race ? { race } : {}) };
}

/** The runs of one entry whose fields are lists, without a file. What does not fit is an error (exit 2). */
export function suiteOf(entry: Record<string, unknown>, { name }: { name: string }): Suite {
	const parsed = SuiteFile.safeParse({ name, runs: [entry] });
	if (!parsed.success) {
		const [issue] = parsed.error.issues;
		throw usageError("bad-suite", issue ? describe(issue, issue.path.slice(2)) : "no suite", remedy);
	}
	const [{ agent, benchmark, ...others } = {}] = parsed.data.runs;
	if (!agent || !benchmark)
		throw usageError("bad-suite", `no ${agent ? "benchmark" : "agent"} is named`, "Name one, with -b and --agent.");
	const lines = product({ agent, benchmark, ...others }, { most: mostRuns }).map((one) => ({ ...one, line: 1 }));
	if (lines.length > mostRuns) throw usageError("bad-suite", `more than ${mostRuns} settings`, "Name fewer.");
	return { name, lines };
}

const remedy = `An entry of runs, or defaults, may hold: ${fields.join(", ")}; every one may be a list, and lists multiply.`;

/** The file's name as a folder can be called. */
const nameOf = (file: string) => basename(file, extname(file)).replace(/[^\p{L}\p{N}._@+-]+/gu, "-");

async function textOf(file: string): Promise<string> {
	const about = await stat(file).catch(() => undefined);
	if (!about?.isFile()) throw usageError("missing-file", `${file} does not exist`, "Check the path.");
	if (about.size > longestFile)
		throw usageError("bad-suite", `${file} is longer than ${longestFile} bytes`, "Is this a suite?");
	return readFile(file, "utf8");
}

interface Nodes {
	toJS(options: { maxAliasCount: number }): unknown;
	getIn(path: unknown[], keepScalar: true): unknown;
	contents: unknown;
}

/** Aliases can make a small file as large as one likes: few are enough. */
function plainValue(document: Nodes, fail: (offset: number, what: string, remedy: string) => HopscopeError): unknown {
	try {
		return document.toJS({ maxAliasCount: 100 });
	} catch (error) {
		throw fail(0, (error as Error).message, "Use fewer aliases.");
	}
}

/** Where a value stands, or the innermost part around it that stands anywhere. */
function offsetOf(document: Nodes, path: PropertyKey[]): number {
	for (let length = path.length; length > 0; length -= 1) {
		const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
		const name = path[length - 1];
		const items = (parent as { items?: unknown } | undefined)?.items;
		for (const item of Array.isArray(items) ? items : []) {
			const key = (item as { key?: { value?: unknown; range?: number[] } } | undefined)?.key;
			if (key && key.value === name && key.range) return key.range[0] ?? 0;
		}
		const range = (document.getIn(path.slice(0, length), true) as { range?: number[] } | undefined)?.range;
		if (range) return range[0] ?? 0;
	}
	return 0;
}

function describe(issue: z.core.$ZodIssue, path: PropertyKey[]): string {
	const name = path
		.map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
		.join("");
	if (issue.code === "unrecognized_keys") return `${name} is no field of a suite`;
	return name === "" ? issue.message : `${name}: ${issue.message}`;
}
