import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import sharp from "sharp";
import { type ReplyServer, replyServer, type ServedReply } from "#models";
import { commandLine } from "../command-line.ts";
import { makeTowns } from "../support/commands.ts";

/*
 * What faults are tried on: a workspace with a corpus, a knowledge base and a benchmark of towns; a provider on loopback
 * that counts what it is asked by task; the built command as a process that can be killed; and the workspace read back
 * in a form in which a run that was disturbed can be compared with one that was not.
 */

export const towns = 12;
const gold = (n: number) => ({
	...{ modality: "text", evidence: [`town#${n}`] },
	answer: { type: "string", value: `${n}00`, accepted: [`${n}00`] },
});

/** A workspace with towns, and tables and documents that benchmarks and knowledge bases are made of, below one folder. */
export async function makeWorld(count = towns): Promise<string> {
	const world = mkdtempSync(join(tmpdir(), "hopscope-faults-"));
	await makeTowns(join(world, "workspace"), {
		towns: count,
		more: (n) => ({
			chain: {
				hops: [{ id: "a", question: `How many inhabitants has Town ${n}?`, ...gold(n) }],
				sink: "a",
			},
		}),
	});
	cpSync("examples/tables", join(world, "tables"), { recursive: true });
	mkdirSync(join(world, "documents"));
	for (let n = 0; n < 4; n += 1) {
		const about = join(world, "documents", `harbour-${n}`);
		writeFileSync(`${about}.md`, `# Harbour ${n}\n\nHarbour ${n} lies in Town ${n}.\n`);
		const background = { r: 60 * n, g: 30, b: 90 };
		await sharp({ create: { width: 40, height: 30, channels: 3, background } })
			.png()
			.toFile(`${about}.png`);
	}
	return world;
}

/** A copy of a world, to be disturbed. */
export function copyOf(world: string): string {
	const copy = mkdtempSync(join(tmpdir(), "hopscope-faults-"));
	cpSync(world, copy, { recursive: true });
	return copy;
}

export interface Provider extends ReplyServer {
	/** How often each task was asked about so far. */
	calls(): Map<string, number>;
	/** Plays what it likes instead of the right answer. */
	disturb(reply?: (task: string, n: number) => ServedReply | undefined | Promise<ServedReply | undefined>): void;
}

/**
 * The model `one` answers at once, `several` searches first, and `referee` finds every answer right: each takes some
 * milliseconds.
 */
export async function startProvider(ms = 15): Promise<Provider> {
	const calls = new Map<string, number>();
	let disturbed: (task: string, n: number) => ServedReply | undefined | Promise<ServedReply | undefined> = () =>
		undefined;
	const server = await replyServer(async ({ body, model }, n) => {
		const [, town = "none"] = /inhabitants has Town (\d+)\?/.exec(JSON.stringify(body.messages)) ?? [];
		const task = `t${town}`;
		calls.set(task, (calls.get(task) ?? 0) + 1);
		const other = await disturbed(task, n);
		if (other !== undefined) return other;
		await new Promise((resolve) => setTimeout(resolve, ms));
		if (model === "one") return `${town}00`;
		if (model === "referee")
			return JSON.stringify({ reason: "Compared.", equivalent: true, relevant: [], support: "none" });
		const hasSearched = body.messages.some(({ role }) => role === "assistant");
		return hasSearched ? `<answer>${town}00</answer>` : `<text_search>inhabitants of Town ${town}</text_search>`;
	});
	return {
		...server,
		calls: () => new Map(calls),
		disturb(reply = () => undefined) {
			disturbed = reply;
		},
	};
}

/** What preload.mjs is told. */
export interface Fault {
	path?: string;
	sent?: string;
	kill?: { at: number; when: "before" | "torn" | "after" };
	stop?: { at: number; seconds: number; told: string };
	fail?: { at: number; code: string };
	clock?: { at: number; by: number }[];
	count?: string;
}

export interface EndedProcess {
	code: number | null;
	signal: NodeJS.Signals | null;
	out: string;
	err: string;
}

/** Starts `hopscope ARGS` as a process of its own, with a fault where one is given. */
export function begin(
	args: readonly string[],
	{
		fault,
		env = {},
		cwd,
		under = [],
	}: { fault?: Fault; env?: Record<string, string>; cwd?: string; under?: string[] } = {},
): { child: ChildProcess; ended: Promise<EndedProcess> } {
	const preload = fault ? ["--import", join(import.meta.dirname, "preload.mjs")] : [];
	const [program = process.execPath, ...first] = [...under, process.execPath];
	const child = spawn(program, [...first, ...preload, commandLine, ...args], {
		cwd,
		stdio: ["ignore", "pipe", "pipe"],
		env: {
			...process.env,
			NODE_OPTIONS: "",
			OPENAI_API_KEY: "none",
			HOPSCOPE_WORKSPACE: undefined,
			HOPSCOPE_FAULT: JSON.stringify(fault ?? {}),
			...env,
		},
	});
	const ended = new Promise<EndedProcess>((resolve, reject) => {
		let out = "";
		let err = "";
		child.stdout?.on("data", (part: Buffer) => {
			out += part.toString();
		});
		child.stderr?.on("data", (part: Buffer) => {
			err += part.toString();
		});
		child.on("error", reject);
		child.on("close", (code, signal) => resolve({ code, signal, out, err }));
	});
	return { child, ended };
}

/** What is wrong with how a command ended: nothing where it did its work or said in words what hinders it. */
export function toldBadly({ code, signal, err, out }: EndedProcess): string[] {
	const said = `${err}\n${out}`;
	const problems: string[] = [];
	if (signal !== null) problems.push(`ended by ${signal}`);
	if (code !== null && ![0, 1, 2, 3].includes(code)) problems.push(`exit code ${code}`);
	if (/unexpected failure|This is a defect/.test(said)) problems.push("nobody foresaw it");
	if (/^\s+at .+(:\d+:\d+|<anonymous>)\)?$/m.test(said)) problems.push("a stack trace");
	if (code !== 0 && code !== 3 && !/^hopscope: .+\. [A-Z].+/m.test(err)) problems.push("no reason, or no remedy");
	return problems.length === 0 ? [] : [`${problems.join(", ")}: ${said.slice(-1500)}`];
}

/** What says when and how fast, which addresses, and what of it an earlier session had done. */
const volatile = new Set([
	...[
		"at",
		"of",
		"ms",
		"seconds",
		"started",
		"ended",
		"took",
		"retrievedAt",
		"latency",
		"p50",
		"p95",
		"kept",
		"reused",
	],
]);

/**
 * The files below a folder as text that two undisturbed makings share: times and the provider's port left out, lines of
 * records in order. Files of other programs (tables of vectors, Parquet) are there by name alone.
 */
export function settledFiles(
	folder: string,
	{ without = [] }: { without?: readonly RegExp[] } = {},
): Map<string, string> {
	const found = new Map<string, string>();
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const file = join(entry.parentPath, entry.name);
		const name = relative(folder, file).replace(/cache\/replies\/.*/, "cache/replies/…");
		if (
			// a killed reader's mark is of a process that is gone: whoever reads next removes it
			/\.lance(\/|$)|events\.jsonl$|^runs\/[^/]+\/index\/|\/readers\//.test(name) ||
			without.some((pattern) => pattern.test(name))
		)
			continue;
		const isText = /\.(jsonl?|md|html|js|css|yaml|csv)$/.test(name);
		const shown = name
			.replace(/\d+-\d+\.parquet$/, "N.parquet")
			.replace(/[0-9a-f]{40,}/, "HASH")
			.replace(/versions\/[0-9a-f]{12}/, "versions/ID");
		found.set(shown, isText ? settled(readFileSync(file, "utf8"), name) : "");
	}
	return found;
}

function settled(text: string, name: string): string {
	if (name.startsWith("cache/")) return "";
	const [, packed] = /^hopscopeData\("[^"]*","([A-Za-z0-9+/=]+)"\)/.exec(text) ?? [];
	const unpacked = packed === undefined ? text : gunzipSync(Buffer.from(packed, "base64")).toString("utf8");
	const plain = unpacked
		.replaceAll(/127\.0\.0\.1:\d+/g, "PROVIDER")
		.replaceAll(/"versions\/[0-9a-f]{12}"/g, '"versions/ID"')
		// the card's copy of funnel.json has one more column where something is reused
		.replace(/## Funnel.*/s, "");
	if (name.endsWith(".jsonl")) return plain.split("\n").map(canonical).sort().join("\n");
	return canonical(plain);
}

/** JSON with its keys in order; other texts as they are. */
export function canonical(text: string): string {
	const inOrder = (_: string, value: unknown): unknown =>
		value !== null && typeof value === "object" && !Array.isArray(value)
			? Object.fromEntries(
					Object.entries(value)
						.filter(([key]) => !volatile.has(key))
						.sort(([a], [b]) => (a < b ? -1 : 1)),
				)
			: value;
	try {
		return JSON.stringify(JSON.parse(text), inOrder);
	} catch {
		return text;
	}
}

/** What a killed process may leave and nobody may find later: locks and halves of files. */
export const leftovers = (folder: string): string[] =>
	readdirSync(folder, { recursive: true })
		.map(String)
		.filter((name) => /(^|\/)[^/]*(lock\.\d+.*|tagging\.\d+|\.part)$/.test(name) && existsSync(join(folder, name)));

/** The lines of a run's records, each with its task, as they stand on disk. */
export function recordLines(run: string): { task: string; stop: string; line: string }[] {
	const file = join(run, "records.jsonl");
	if (!existsSync(file)) return [];
	return readFileSync(file, "utf8")
		.split("\n")
		.flatMap((line) => {
			try {
				const { task, trajectory } = JSON.parse(line) as { task: string; trajectory: { stop: string } };
				return [{ task, stop: trajectory.stop, line }];
			} catch {
				return [];
			}
		});
}
