import { existsSync } from "node:fs";
import { join } from "node:path";
import { agreementWithGold, type DiagnosedRecord, flagShares, readWithoutGold } from "#diagnosis";
import { type Evidence, type GoldFreeLine, HopscopeError, PseudoHopLabel, remembering, usageError } from "#domain";
import type { GoldFreeReport } from "#reports";
import { readAllJsonl, writeJsonl } from "#store";
import { givenLabels } from "./label-file.ts";
import type { OpenedRun } from "./open.ts";
import type { Bench } from "./work.ts";

/** Where the readings of a run stand. */
const fileName = "gold-free.jsonl";

/** Reads a run's records without their gold chains, writes the readings beside them, and says what they say together. */
export async function diagnoseWithoutGold(
	{ run, diagnosed }: { run: OpenedRun; diagnosed: readonly DiagnosedRecord[] },
	/** Those that were given in the studio where none is named. */
	labelFile: string | undefined,
	bench: Bench,
): Promise<GoldFreeReport & { file: string }> {
	const { searches } = givenLabels(run.dir);
	const labels = labelFile !== undefined || existsSync(searches) ? await readLabels(labelFile ?? searches) : [];
	const progress = bench.progress("reading without gold");
	const evidence = await lookup(run, diagnosed, bench.say);
	const lines: GoldFreeLine[] = [];
	for (const { task, record } of diagnosed) {
		bench.signal.throwIfAborted();
		const { question, images, tags } = task;
		const reading = await readWithoutGold(record.trajectory, {
			...{ question, language: tags.language, evidence, pictures: images.length > 0 },
		});
		const { repeat, attempt } = record;
		lines.push({ version: 1, task: task.id, repeat, attempt, ...reading });
		progress.update(lines.length, diagnosed.length);
	}
	progress.end();
	const file = join(run.dir, fileName);
	await writeJsonl(file, lines, { makeFolder: false });
	const both = diagnosed.flatMap(({ task, diagnosis }, at) => {
		const line = lines[at];
		return line ? [{ task, diagnosis, line, reading: line }] : [];
	});
	const hasGold = diagnosed.some(({ diagnosis }) => diagnosis.hops.some(({ is }) => is === "judged"));
	const total = (of: (line: GoldFreeLine) => number) => lines.reduce((sum, line) => sum + of(line), 0);
	return {
		run: run.manifest.id,
		records: lines.length,
		pseudoHops: total(({ hops }) => hops.length),
		format: { actions: total(({ format }) => format.actions), readable: total(({ format }) => format.readable) },
		flags: flagShares(both, labels),
		agreement: hasGold ? agreementWithGold(both) : null,
		file,
	};
}

async function readLabels(file: string): Promise<PseudoHopLabel[]> {
	if (!existsSync(file))
		throw usageError("no-labels", `there is no file ${file}`, "Name a file of labelled pseudo-hops, JSON lines.");
	return readAllJsonl(file, PseudoHopLabel);
}

type Find = (id: string) => Promise<Evidence | undefined>;

/** Looks evidence up once each. Undefined where the knowledge base cannot be opened: what only the texts can tell is then unobserved. */
async function lookup(
	run: OpenedRun,
	diagnosed: readonly DiagnosedRecord[],
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
