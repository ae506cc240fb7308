import { existsSync } from "node:fs";
import { join } from "node:path";
import {
	agreementWithGold,
	type DiagnosedRecord,
	drawPseudoHops,
	flagShares,
	goldFreeLine,
	type ReadRecord,
	withJudged,
} from "#diagnosis";
import {
	DrawnPseudoHop,
	type Evidence,
	type GoldFreeLine,
	HopscopeError,
	PseudoHopLabel,
	PseudoHopReading,
	remembering,
	usageError,
} from "#domain";
import type { GoldFreeReport } from "#reports";
import { readAllJsonl, writeJsonl } from "#store";
import { type HopJudgeOptions, hopReadingsFile } from "./hop-readings-file.ts";
import { givenLabels } from "./label-file.ts";
import type { OpenedRun } from "./open.ts";
import type { Bench } from "./work.ts";

/** Where the readings of a run stand. */
const fileName = "gold-free.jsonl";

export interface WithoutGoldOptions extends HopJudgeOptions {
	/** A file of labelled pseudo-hops; those that were given in the studio where none is named. */
	labels?: string | undefined;
	/** Draws so many pseudo-hops to be labelled, in place of those that were drawn before. */
	draw?: number | undefined;
	/** Another seed draws others. */
	seed?: number | undefined;
	/** False: of some tasks alone, whose readings are told and not kept. */
	keep?: boolean | undefined;
}

type Judgeable = Pick<OpenedRun, "dir" | "manifest" | "records" | "knowledge" | "evidence">;
type Diagnosed = Omit<DiagnosedRecord, "row">;

/**
 * Reads a run's records without their gold chains, lets a judge read their pseudo-hops where one is named, writes the readings
 * beside them, and says what they say together.
 */
export async function diagnoseWithoutGold(
	{ run, diagnosed }: { run: Judgeable; diagnosed: readonly Diagnosed[] },
	options: WithoutGoldOptions,
	bench: Bench,
): Promise<GoldFreeReport & { file?: string }> {
	const { keep = true } = options;
	const { searches, drawn: drawnFile } = givenLabels(run.dir);
	const labelFile = options.labels;
	const labels = labelFile !== undefined || existsSync(searches) ? await readLabels(labelFile ?? searches) : [];
	const evidence = await lookup(run, diagnosed, bench.say);
	const rules = await readLines({ diagnosed, evidence }, bench);
	const read = diagnosed.flatMap(({ task, record, diagnosis }, at) => {
		const line = rules[at];
		return line ? [{ task, record, diagnosis, line }] : [];
	});
	const judged = await judgedBy({ run, read, evidence }, options, bench);
	const lines = judged?.lines ?? rules;
	const file = join(run.dir, fileName);
	if (options.draw !== undefined)
		await writeJsonl(drawnFile, drawPseudoHops(lines, { count: options.draw, seed: options.seed ?? 0 }));
	const drawn = await readAllJsonl(drawnFile, DrawnPseudoHop, { ifThere: true });
	// by this file the review sees that others are drawn
	if (keep) await writeJsonl(file, lines, { makeFolder: false });
	const both = read.flatMap((one, at) => {
		const line = lines[at];
		return line ? [{ ...one, line, reading: line }] : [];
	});
	const hasGold = diagnosed.some(({ diagnosis }) => diagnosis.hops.some(({ is }) => is === "judged"));
	const total = (of: (line: GoldFreeLine) => number) => lines.reduce((sum, line) => sum + of(line), 0);
	return {
		run: run.manifest.id,
		records: lines.length,
		pseudoHops: total(({ hops }) => hops.length),
		drawn: drawn.length,
		format: { actions: total(({ format }) => format.actions), readable: total(({ format }) => format.readable) },
		judge: judged?.told ?? null,
		flags: flagShares(both, labels, drawn),
		agreement: hasGold ? agreementWithGold(both) : null,
		...(keep ? { file } : {}),
	};
}

async function readLines(
	{ diagnosed, evidence }: { diagnosed: readonly Diagnosed[]; evidence: Find | undefined },
	bench: Bench,
): Promise<GoldFreeLine[]> {
	const progress = bench.progress("reading without gold");
	const lines: GoldFreeLine[] = [];
	for (const { task, record } of diagnosed) {
		bench.signal.throwIfAborted();
		lines.push(await goldFreeLine({ task, record }, evidence));
		progress.update(lines.length, diagnosed.length);
	}
	progress.end();
	return lines;
}

/** The readings with what a judge says: the one that is named, which is asked for what it has not said yet, else the last. */
async function judgedBy(
	{ run, read, evidence }: { run: Judgeable; read: readonly ReadRecord[]; evidence: Find | undefined },
	options: WithoutGoldOptions,
	bench: Bench,
) {
	const lines = read.map(({ line }) => line);
	const { reader } = options;
	if (reader === undefined) {
		const known = await readAllJsonl(hopReadingsFile(run.dir), PseudoHopReading, { ifThere: true, onTorn: bench.say });
		return withJudged(lines, known);
	}
	if (!evidence)
		throw usageError(
			"no-texts",
			`the texts that ${run.manifest.id} found are not at hand, so a judge has nothing to read`,
			"Restore the knowledge base that the run was made with.",
		);
	const { askHopJudge } = await import("./ask-hop-judge.ts");
	const { readings, judge } = await askHopJudge({ run, read, find: evidence }, { ...options, reader }, bench);
	return withJudged(lines, readings, judge);
}

async function readLabels(file: string): Promise<PseudoHopLabel[]> {
	if (!existsSync(file))
		throw usageError("no-labels", `there is no file ${file}`, "Name a file of labelled pseudo-hops, JSON lines.");
	return readAllJsonl(file, PseudoHopLabel);
}

type Find = (id: string) => Promise<Evidence | undefined>;

/** Looks evidence up once each. Undefined where the knowledge base cannot be opened: what only the texts can tell is then unobserved. */
async function lookup(
	run: Judgeable,
	diagnosed: readonly Diagnosed[],
	say: (text: string) => void,
): Promise<Find | undefined> {
	const searched = diagnosed.some(({ record }) => record.trajectory.steps.some(({ results }) => results.length > 0));
	if (!searched) return undefined;
	try {
		await run.knowledge();
		return remembering(run.evidence);
	} catch (error) {
		if (!(error instanceof HopscopeError)) throw error;
		say(`${error.message}; what only the texts of evidence can tell is unobserved`);
		return undefined;
	}
}
