/** A paper's tables over a fixture of its own form: imported, run, judged and reproduced by the commands themselves. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect } from "vitest";
import { openBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import type { RunManifest, Task } from "#domain";
import { buildKnowledge } from "#knowledge";
import type { View } from "#reports";
import { openRun } from "#runs";
import { sha256 } from "#store";
import { commandsOn } from "../support/commands.ts";
import { type Fixture, type JudgeWords, playedServer } from "./played.ts";

export type Cell = View["rows"][number]["cells"][string];

export interface Reproducing {
	workspace: string;
	hopscope: ReturnType<typeof commandsOn>;
	/** Runs a table with an agent's model, and gives the runs. */
	run(table: string, model: string, ...more: string[]): Promise<string[]>;
	/** The views of a table: of runs, or of the benchmark that is counted. */
	views(table: string, runs?: readonly string[], ...more: string[]): Promise<View[]>;
	/** `hopscope reproduce` as it is typed, and the JSON that it writes. */
	json(...args: string[]): Promise<{ runs: string[]; views: View[] }>;
	/** The run among these whose manifest is meant. */
	runWith(runs: readonly string[], isMeant: (manifest: RunManifest) => boolean): Promise<string>;
	/** Names of the served models and of the judge, as commands take them. */
	model(name: string): string;
	judge: string;
	close(): Promise<void>;
}

/** A workspace with the fixture's benchmark in it, and its model and judge being served. */
export async function reproducing(
	fixture: Fixture,
	{
		judge,
		benchmark,
		make,
	}: {
		judge: JudgeWords;
		benchmark: string;
		/** Puts the benchmark into the workspace. */
		make(workspace: string, hopscope: ReturnType<typeof commandsOn>): Promise<void>;
	},
): Promise<Reproducing> {
	const workspace = await mkdtemp(join(tmpdir(), `hopscope-${benchmark}-`));
	const hopscope = commandsOn(() => workspace);
	await make(workspace, hopscope);
	const tasks: readonly Task[] = (await openBenchmark(join(workspace, "benchmarks", benchmark))).tasks;
	const server = await playedServer(fixture, { tasks: () => tasks, judge });
	const named = (model: string) => `openai:${model}@${server.url}`;
	const json = async (...args: string[]): Promise<{ runs: string[]; views: View[] }> => {
		const done = await hopscope("reproduce", ...args, "--json");
		if (done.code !== 0) throw new Error(`reproduce ${args.join(" ")}: ${done.err} ${done.out.slice(0, 2000)}`);
		return done.json();
	};
	return {
		...{ workspace, hopscope, json, model: named, judge: named("judge") },
		async run(table, model, ...more) {
			const over = ["-b", benchmark, "-m", named(model), "--judge", named("judge")];
			return (await json(table, ...over, ...more)).runs;
		},
		views: async (table, runs, ...more) =>
			(await json(table, ...(runs ? ["--runs", ...runs] : ["-b", benchmark]), ...more)).views,
		async runWith(runs, isMeant) {
			for (const run of runs) if (isMeant((await openRun(join(workspace, "runs", run))).manifest)) return run;
			throw new Error(`none of ${runs.join(", ")} is meant`);
		},
		async close() {
			await server.close();
			await rm(workspace, { recursive: true, force: true });
		},
	};
}

/**
 * Our cells of a table by their row (its labels, and counts in `by`) and column. Of a run's label the agent is kept: the
 * address of its model is another one each time.
 */
export function ownCells({ rows, columns }: View, by: readonly string[] = []): Map<string, Cell> {
	const isLabel = ({ key, unit }: View["columns"][number]) => unit === "text" || by.includes(key);
	return new Map(
		rows
			.filter(({ kind }) => kind !== "published")
			.flatMap(({ cells }) => {
				const labels = columns.filter(isLabel).flatMap(({ key }) => labelOf(key, cells[key]));
				return columns
					.filter((column) => !isLabel(column))
					.map(({ key }): [string, Cell] => [
						[...labels, key].join(" | "),
						cells[key] ?? { is: "unscored", reason: "there is no cell" },
					]);
			}),
	);
}

function labelOf(key: string, cell: Cell | undefined): string[] {
	if (cell?.is === "count") return [`${key}=${cell.value}`];
	if (cell?.is !== "text" || cell.text === "run here") return [];
	const text = cell.text.includes("openai:") ? (cell.text.split(" · ")[0] ?? "") : cell.text;
	return text === "" || text.startsWith("openai:") ? [] : [text];
}

/** The number in a cell, or why there is none. */
export function shownIn(cell: Cell | undefined): number | string {
	switch (cell?.is) {
		case "measured":
			return cell.measured.value ?? `no value: ${cell.measured.reason}`;
		case "count":
		case "published":
			return cell.value;
		case "text":
			return cell.text;
		case "unscored":
			return cell.reason;
		default:
			return "no cell";
	}
}

/** Cells of ours without a number whose reason is none of those that are meant. */
export const unexplained = (view: View, byDesign: readonly RegExp[] = []): string[] =>
	[...ownCells(view)].flatMap(([name, cell]) => {
		const shown = shownIn(cell);
		const line = `${view.name} ${name}: ${shown}`;
		return typeof shown === "number" || byDesign.some((one) => one.test(line)) ? [] : [line];
	});

/** Where cells differ from what was worked out apart; a cell that is not there differs. */
export function differing(cells: ReadonlyMap<string, Cell>, golden: Readonly<Record<string, number>>): string[] {
	return Object.entries(golden).flatMap(([name, expected]) => {
		const shown = shownIn(cells.get(name));
		const same = typeof shown === "number" && Math.abs(shown - expected) < 1e-9;
		return same ? [] : [`${name}: ${shown}, not ${expected}`];
	});
}

/** A table is complete and as worked out apart: every cell of ours has a number or a reason that is meant. */
export function expectTable(
	views: readonly View[],
	{
		golden = {},
		byDesign = [],
		by = [],
		rename = (name) => name,
	}: {
		golden?: Readonly<Record<string, number>> | undefined;
		byDesign?: readonly RegExp[];
		by?: readonly string[];
		rename?(name: string): string;
	} = {},
): void {
	const cells = new Map(views.flatMap((view) => [...ownCells(view, by)]).map(([name, cell]) => [rename(name), cell]));
	expect(cells.size).toBeGreaterThan(0);
	expect(views.flatMap((view) => unexplained(view, byDesign))).toEqual([]);
	expect(differing(cells, golden)).toEqual([]);
}

/** Of each record, by its task: the gold evidence of its hops, and what each of its searches brought. */
export async function walksOf(
	workspace: string,
	run: string,
	benchmark: string,
): Promise<{ task: Task; gold: string[][]; steps: string[][] }[]> {
	const { tasks } = await openBenchmark(join(workspace, "benchmarks", benchmark));
	const lines = (await readFile(join(workspace, "runs", run, "records.jsonl"), "utf8")).trim().split("\n");
	return lines.map((line) => {
		const { task: id, trajectory } = JSON.parse(line) as {
			task: string;
			trajectory: { steps: { call?: unknown; results?: { id: string }[] }[] };
		};
		const task = tasks.find((one) => one.id === id);
		if (!task) throw new Error(`no task ${id}`);
		return {
			task,
			gold: (task.chain?.hops ?? []).flatMap(({ evidence }) => (evidence.length > 0 ? [evidence] : [])),
			steps: trajectory.steps.filter(({ call }) => call).map(({ results = [] }) => results.map((one) => one.id)),
		};
	});
}

/** The most gold hops that searches can be given to, one search a hop, tried out one by one. */
export function mostHits(gold: readonly string[][], steps: readonly string[][]): number {
	const [hop, ...others] = gold;
	if (!hop) return 0;
	const without = mostHits(others, steps);
	const hits = steps.flatMap((results, at) =>
		results.some((id) => hop.includes(id)) ? [1 + mostHits(others, steps.toSpliced(at, 1))] : [],
	);
	return Math.max(without, ...hits);
}

export const meanOf = (values: readonly number[]): number =>
	values.reduce((sum, value) => sum + value, 0) / values.length;

/** What a fixture's knowledge base is made of. */
export interface Records {
	texts?: readonly { id: string; title: string; text: string }[];
	images?: readonly { id: string; caption: string }[];
	pages?: readonly { document: string; page: number; language: string; text: string }[];
}

/** A picture that no other number has. */
export const picture = (at: number): Promise<Buffer> =>
	sharp({
		create: {
			...{ width: 32 + at, height: 24, channels: 3 },
			background: { r: (20 * at) % 256, g: (255 - 20 * at + 512) % 256, b: (67 * at) % 256 },
		},
	})
		.png()
		.toBuffer();

/** Makes records searchable under a name; gives the folder of the pictures, each called like its record. */
export async function makeKnowledge(
	workspace: string,
	name: string,
	{ texts = [], images = [], pages = [] }: Records,
): Promise<string> {
	const corpus = await createCorpus(join(workspace, "corpora", name), { name, licence: "CC0-1.0", sources: [] });
	const folder = join(corpus.dir, "images");
	await mkdir(folder, { recursive: true });
	const provenance = { source: "test" };
	for (const { id, title, text } of texts)
		corpus.add({
			...{ kind: "passage", id, document: id, title, language: "en", form: "prose", text },
			...{ sha256: sha256(text), provenance },
		});
	for (const [at, { id, caption }] of images.entries()) {
		const png = await picture(at);
		await writeFile(join(folder, `${id}.png`), png);
		corpus.add({
			...{ kind: "image", id, document: id, title: caption, language: "en", caption, file: `images/${id}.png` },
			...{ width: 32 + at, height: 24, sha256: sha256(png), provenance },
		});
	}
	for (const [at, { document, page, language, text }] of pages.entries()) {
		const image = `images/page-${at}.png`;
		await writeFile(join(corpus.dir, image), await picture(at));
		corpus.add({
			...{ kind: "page", id: `${document}#page=${page + 1}`, document, title: document, language, text, page, image },
			...{ sha256: sha256(text), provenance },
		});
		// as reading a document leaves them: the page, and what stands on it as a passage
		corpus.add({
			...{
				kind: "passage",
				id: `${document}#page=${page + 1}.1`,
				document,
				title: document,
				language,
				form: "prose",
				text,
			},
			...{ sha256: sha256(text), provenance },
		});
	}
	await corpus.finish();
	await buildKnowledge(corpus.dir, join(workspace, "knowledge", name), { name });
	return folder;
}

/** Imports rows as `hopscope import` does; every row must be taken. */
export async function imported(
	hopscope: ReturnType<typeof commandsOn>,
	args: readonly string[],
): Promise<{ tasks: number; losses: number }> {
	const done = await hopscope("import", ...args, "--json");
	if (done.code !== 0 || done.json().refused > 0) throw new Error(done.err);
	return done.json();
}
