import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Benchmark, deriveBenchmark } from "#benchmarks";
import { recut } from "#corpus";
import { counted, type KnowledgeManifest, remembering, type Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { Suite, SuiteLine } from "#runs";
import { canonicalJson, sha256 } from "#store";
import type { EncoderOptions } from "../encoders.ts";
import { openForRun } from "../open.ts";
import { writeVariantKnowledge } from "../variant-knowledge.ts";
import type { Bench } from "../work.ts";

/** Changes with what `recut` makes of a corpus. */
const recutVersion = 1;

/** A knowledge base whose passages are cut anew. */
export interface Rechunked {
	chunk: number;
	of: string;
	knowledge: string;
	/** Whether it stands in the workspace already. */
	there: boolean;
}

export interface ChunkedSuite {
	suite: Suite;
	rechunked: Rechunked[];
	/** Why answers alone are scored; undefined where all is. */
	answersOnly: string | undefined;
}

/**
 * The suite over knowledge bases whose passages are cut as its lines say. Gold evidence names passages by their ids, and
 * passages cut anew have others: where a benchmark has such gold, all lines go over a copy of it without chains, so that
 * answers alone are scored, of every setting alike. Nothing is made unless `make`: then a line stays with the passages that
 * there are.
 */
export async function chunkedSuite(suite: Suite, { make }: { make: boolean }, bench: Bench): Promise<ChunkedSuite> {
	if (suite.lines.every(({ chunk }) => chunk === undefined || chunk === "own"))
		return { suite, rechunked: [], answersOnly: undefined };
	const made = new Map<string, Rechunked>();
	const benchmarkOf = remembering((name: string) => answersOf(name, { make }, bench));
	const lines: SuiteLine[] = [];
	let answersOnly: string | undefined;
	for (const line of suite.lines) {
		const answers = await benchmarkOf(line.benchmark);
		answersOnly ??= answers.why;
		const base = line.knowledge ?? answers.knowledge;
		const own = { ...line, benchmark: answers.benchmark, knowledge: base };
		if (typeof line.chunk !== "number") {
			lines.push(own);
			continue;
		}
		const key = `${base} ${line.chunk}`;
		const one = made.get(key) ?? (await rechunk(line.chunk, { benchmark: line.benchmark, base, make }, bench));
		made.set(key, one);
		lines.push(make || (one.there && answers.there) ? { ...own, knowledge: one.knowledge } : own);
	}
	return { suite: { ...suite, lines }, rechunked: [...made.values()], answersOnly };
}

async function rechunk(
	chunk: number,
	{ benchmark, base, make }: { benchmark: string; base: string; make: boolean },
	bench: Bench,
): Promise<Rechunked> {
	const { workspace } = bench;
	const { knowledge } = await openForRun(workspace, benchmark, { knowledge: base });
	try {
		const { name: of, hash } = knowledge.manifest;
		const name = `${of}-${chunk}w-${sha256(canonicalJson([hash, chunk, recutVersion])).slice(0, 8)}`;
		const told = { chunk, of, knowledge: name, there: existsSync(join(workspace.knowledge(name), "knowledge.json")) };
		if (told.there || !make) return told;
		bench.say(`cutting ${of} into passages of about ${counted(chunk, "word")}: ${name}`);
		await writeVariantKnowledge(
			knowledge,
			{ name, change: (all) => recut(all, { words: chunk }), encoders: encodersOf(knowledge.manifest) },
			bench,
		);
		return told;
	} finally {
		await knowledge.close();
	}
}

/** The encoders that a knowledge base was made with, as they are named when one is made. */
function encodersOf({ indexes }: KnowledgeManifest): EncoderOptions {
	const named = (name: string) => indexes.find((index) => index.name === name)?.encoder.name;
	const pages = named("late");
	return {
		textEncoder: named("dense") ?? "none",
		imageEncoder: named("joint") ?? "layout",
		...(pages === undefined ? {} : { pageEncoder: pages }),
	};
}

/** The benchmark that settings with passages cut anew can answer: itself, or a copy of it without gold evidence. */
async function answersOf(
	name: string,
	{ make }: { make: boolean },
	{ workspace }: Bench,
): Promise<{ benchmark: string; knowledge: string; there: boolean; why?: string }> {
	const { benchmark, knowledge } = await openForRun(workspace, name);
	try {
		const own = { knowledge: knowledge.dir };
		const gold = await goldIn(benchmark, knowledge);
		if (gold === 0) return { ...own, benchmark: name, there: true };
		const copy = `${benchmark.manifest.name}-answers-${benchmark.manifest.hash.slice(0, 8)}`;
		const dir = workspace.benchmark(copy);
		const there = existsSync(join(dir, "benchmark.json"));
		if (!there && make) await writeAnswersOnly(benchmark, dir, copy);
		const why = `the gold of ${gold} of ${counted(benchmark.tasks.length, "task")} names passages by their ids, and passages cut anew have others: answers alone are scored, of every setting alike`;
		return { ...own, benchmark: there || make ? copy : name, there, why };
	} finally {
		await knowledge.close();
	}
}

/** How many tasks have gold evidence that is cut anew: prose. Tables, pages and images keep their ids. */
async function goldIn({ tasks }: Benchmark, knowledge: KnowledgeBase): Promise<number> {
	const isCut = remembering(async (id: string) => {
		const evidence = await knowledge.evidence(id);
		return evidence?.kind === "passage" && evidence.form === "prose";
	});
	const cut = await Promise.all(
		tasks.map(async ({ chain }) => {
			const ids = chain?.hops.flatMap(({ evidence }) => evidence) ?? [];
			return (await Promise.all(ids.map(isCut))).includes(true);
		}),
	);
	return cut.filter(Boolean).length;
}

async function writeAnswersOnly(from: Benchmark, dir: string, name: string): Promise<void> {
	const tasks = from.tasks.map(({ chain: _, context: __, supporting: ___, pending, ...task }): Task => {
		return pending?.images ? { ...task, pending: { images: pending.images } } : task;
	});
	const how = "the same tasks without their gold evidence, for passages that are cut otherwise.";
	await deriveBenchmark(from, dir, { name, tasks, how, force: true });
}
