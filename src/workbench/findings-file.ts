import { existsSync } from "node:fs";
import { join } from "node:path";
import { diagnoserVersion, settled } from "#diagnosis";
import { type AskedAgain, attemptKey, Diagnosis, type MissCause, notAttached, type Task } from "#domain";
import { parseLine, readLines, writeJsonl, writeLines } from "#store";

/** Where a run's diagnoses stand. */
export const findingsFile = (runDir: string): string => join(runDir, "findings.jsonl");

/** Writes every line anew and at once: a reader sees the old file or the new one, never two sets of rules in one. */
export async function writeFindings(
	runDir: string,
	diagnoses: Iterable<Diagnosis> | AsyncIterable<Diagnosis>,
): Promise<string> {
	const file = findingsFile(runDir);
	await writeJsonl(file, diagnoses, { makeFolder: false });
	return file;
}

/** As `writeFindings`, of diagnoses that are lines already. */
export const writeFindingLines = (runDir: string, lines: AsyncIterable<string>) =>
	writeLines(findingsFile(runDir), lines, { makeFolder: false });

/** A diagnosis but for the record that it is of, as JSON, and the line that it is with one: equal ones are kept once. */
export const nameless = ({ version: _, task: __, repeat: ___, attempt: ____, ...rest }: Diagnosis): string =>
	JSON.stringify(rest);
export const findingsLine = ({ task, repeat, attempt }: Pick<Diagnosis, "task" | "repeat" | "attempt">, rest: string) =>
	`${JSON.stringify({ version: 2, task, repeat, attempt } satisfies Partial<Diagnosis>).slice(0, -1)},${rest.slice(1)}`;

/** Drops what was said of records whose evidence was not attached yet; it can be said now. */
export async function forgetWaiting(runDir: string): Promise<void> {
	const kept = await keptFindings(runDir);
	const waits = new Set<string>(Object.values(notAttached));
	const said = [...kept.values()].filter(({ notJudged }) => !notJudged.some(({ reason }) => waits.has(reason)));
	if (said.length < kept.size) await writeFindings(runDir, said);
}

/** The diagnoses that stand beside a run and are by today's rules, by attempt. */
export async function keptFindings(runDir: string): Promise<Map<string, Diagnosis>> {
	const kept = new Map<string, Diagnosis>();
	const file = findingsFile(runDir);
	if (!existsSync(file)) return kept;
	for await (const { text } of readLines(file)) {
		const read = parseLine(text, Diagnosis);
		if (!("value" in read)) continue;
		if (read.value.diagnoser !== diagnoserVersion) break;
		kept.set(attemptKey(read.value), read.value);
	}
	return kept;
}

type Asked = (diagnosis: Diagnosis, task: Task) => AskedAgain[];

/**
 * The diagnoses with what was found out of the same records by more than reading them, which a diagnosis made anew does not
 * know: the causes of misses that `hopscope diagnose --misses` looked into (left out where `causes` is false: they are
 * looked into anew), and what re-runs said of hops that are still unobserved (`hopscope intervene --settle`). `asked` gives
 * what was asked just now, which goes before what is kept of the same prefix.
 */
export async function withKnown(
	runDir: string,
	diagnoses: readonly Diagnosis[],
	{ tasks, ...options }: { tasks: readonly Task[]; causes?: boolean; asked?: Asked },
): Promise<Diagnosis[]> {
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const known = await openKnown(runDir, options);
	return diagnoses.map((diagnosis) => known(diagnosis, byId.get(diagnosis.task)));
}

/** As `withKnown`, of one diagnosis at a time. */
export async function openKnown(
	runDir: string,
	{ causes = true, asked = () => [] }: { causes?: boolean; asked?: Asked } = {},
): Promise<(diagnosis: Diagnosis, task: Task | undefined) => Diagnosis> {
	const known = await readKnown(findingsFile(runDir));
	return (diagnosis, task) => {
		const joined = causes ? withCauses(diagnosis, known.causes) : diagnosis;
		if (!task) return joined;
		const now = asked(diagnosis, task);
		const kept = (known.asked.get(attemptKey(diagnosis)) ?? []).filter(
			({ upTo }) => !now.some((one) => one.upTo === upTo),
		);
		return settled(joined, { task, asked: [...kept, ...now] });
	};
}

function withCauses(diagnosis: Diagnosis, causes: ReadonlyMap<string, MissCause>): Diagnosis {
	if (causes.size === 0) return diagnosis;
	return {
		...diagnosis,
		hops: diagnosis.hops.map((hop) => {
			if (hop.is !== "judged" || hop.verdict !== "retrieval-miss" || hop.miss) return hop;
			const miss = causes.get(causeKey(diagnosis, hop.hop));
			return miss ? { ...hop, miss } : hop;
		}),
	};
}

/** By the rules too: what older ones took for a miss, and its cause, need not be the same. */
const causeKey = (diagnosis: Diagnosis, hop: string) =>
	JSON.stringify([attemptKey(diagnosis), diagnosis.diagnoser, hop]);

/** Lines that are no diagnosis, torn or of another version, give none: the file can always be made again. */
async function readKnown(
	file: string,
): Promise<{ causes: Map<string, MissCause>; asked: Map<string, readonly AskedAgain[]> }> {
	const known = { causes: new Map<string, MissCause>(), asked: new Map<string, readonly AskedAgain[]>() };
	if (!existsSync(file)) return known;
	for await (const { text } of readLines(file)) {
		if (!text.includes('"miss"') && !text.includes('"settling"')) continue;
		const read = parseLine(text, Diagnosis);
		if (!("value" in read)) continue;
		const { hops, settling } = read.value;
		if (settling) known.asked.set(attemptKey(read.value), settling.asked);
		for (const hop of hops)
			if (hop.is === "judged" && hop.miss) known.causes.set(causeKey(read.value, hop.hop), hop.miss);
	}
	return known;
}
