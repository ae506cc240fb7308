/** Tasks that one run answered right and another did not, with what the diagnosis says of both sides. */

import { isReadingComparable, readingSeen, type Share } from "#diagnosis";
import {
	clip,
	type Diagnosis,
	type FindingKind,
	grouped,
	type HopVerdict,
	ownField,
	type RunRecord,
	recordKey,
	type Task,
} from "#domain";
import { compareOn } from "../comparisons.ts";
import type { ReportRun } from "../report-data.ts";
import type { Expected } from "../summaries.ts";

export interface Flips {
	metric: string;
	/** Tasks that only `a`, and only `b`, did right: of repeats more than half. Largest difference first. */
	won: Flip[];
	lost: Flip[];
	/** What was found in the wrong answer and not in the right one, and the other way round, most frequent first. */
	verdicts: FlippedVerdict[];
	/**
	 * Of the hops of the flipped records whose evidence came back, those whose reading was seen, in `a` and in `b`; where these
	 * lie apart the runs are not `ranked` by how they read.
	 */
	reading: { a: Share; b: Share; ranked: boolean };
}

export interface Flip {
	task: string;
	question: string;
	a: FlipSide;
	b: FlipSide;
}

/** The record that shows how the run fared: its first that is as most of its repeats are. */
export interface FlipSide {
	repeat: number;
	answer: string | null;
	/** Of the metric. */
	value: number;
	/** What one would name first; null: nothing was found. */
	primary: FindingKind | null;
	firstBroken: { hop: string; question: string; verdict: HopVerdict } | null;
	/** Hops that may have broken before it, or at all where none is named: nothing shows how they were read. */
	unobserved: string[];
	/** Why no hop can be named where none is. */
	reason?: string;
}

/** Flipped tasks by what was found on only one of their two sides. */
export interface FlippedVerdict {
	is: FindingKind;
	/** Tasks that `a` won: found in b's answer alone (gone in a), in a's alone, in both. */
	won: Presence;
	/** Tasks that `a` lost: found in a's answer alone (come in a), in b's alone, in both. */
	lost: Presence;
}
export interface Presence {
	wrong: number;
	right: number;
	both: number;
}

interface Side {
	run: ReportRun;
	items: readonly Expected[];
}

/** Diagnoses some records of a run. */
export type DiagnoseSome = (run: ReportRun, records: readonly RunRecord[]) => Promise<Diagnosis[]>;

/** Only the records that show a flip are diagnosed. */
export async function flipsOf(
	a: Side,
	b: Side,
	{ metric, diagnosed }: { metric: string; diagnosed: DiagnoseSome },
): Promise<Flips> {
	const ranked = ({ run, items }: Side) => ({ id: run.manifest.id, items });
	const { flips } = compareOn(ranked(a), ranked(b), { metric });
	const ids = [...flips.won.map((id) => ({ id, won: true })), ...flips.lost.map((id) => ({ id, won: false }))];
	const [left, right] = [pickerOf(a, metric), pickerOf(b, metric)];
	const picked = ids.flatMap(({ id, won }) => {
		const [one, other] = [left(id, won), right(id, !won)];
		return one && other ? [{ won, one, other }] : [];
	});
	const of = async ({ run }: Side, side: "one" | "other") => {
		const records = picked.map(({ [side]: { record } }) => record);
		return new Map((await diagnosed(run, records)).map((one) => [recordKey(one), one]));
	};
	const [inA, inB] = [await of(a, "one"), await of(b, "other")];
	const seen = picked.flatMap(({ won, one, other }) => {
		const [mine, theirs] = [inA.get(recordKey(one.record)), inB.get(recordKey(other.record))];
		return mine && theirs ? [{ won, one, other, mine, theirs }] : [];
	});
	const flipIn = (wanted: boolean): Flip[] =>
		seen
			.filter(({ won }) => won === wanted)
			.map(({ one, other, mine, theirs }) => ({
				task: one.item.task.id,
				question: clip(one.item.task.question, 300),
				a: sideOf(one, mine),
				b: sideOf(other, theirs),
			}));
	const coverage = (side: "mine" | "theirs") =>
		readingSeen(
			seen.flatMap(
				({
					one: {
						item: { task },
					},
					[side]: { hops },
				}) => hops.map((hop) => ({ task, hop })),
			),
		).seen;
	const [readA, readB] = [coverage("mine"), coverage("theirs")];
	return {
		reading: { a: readA, b: readB, ranked: isReadingComparable([readA, readB]) },
		...{ metric, won: flipIn(true), lost: flipIn(false) },
		verdicts: verdictsOf(
			seen.map(({ won, mine, theirs }) => ({ won, wrong: won ? theirs : mine, right: won ? mine : theirs })),
		),
	};
}

interface Picked {
	item: Expected;
	record: RunRecord;
	value: number;
}

/** A run's record of a task: the first repeat that went as asked, else the first that was scored. */
function pickerOf({ run, items }: Side, metric: string): (id: string, ahead: boolean) => Picked | undefined {
	const records = new Map(run.records.map((record) => [recordKey(record), record]));
	const picked = items.flatMap((item): Picked[] => {
		const score = item.row && ownField(item.row.scores, metric);
		const record = records.get(recordKey({ task: item.task.id, repeat: item.repeat }));
		return score?.is === "scored" && record ? [{ item, record, value: score.value }] : [];
	});
	const byTask = grouped(picked, ({ item }) => item.task.id);
	return (id, ahead) => {
		const picks = byTask.get(id) ?? [];
		return picks.find(({ value }) => value > 0.5 === ahead) ?? picks[0];
	};
}

function sideOf({ item: { task }, record, value }: Picked, diagnosis: Diagnosis): FlipSide {
	const { answer } = record.trajectory;
	return {
		repeat: record.repeat,
		answer: answer === null ? null : clip(answer, 200),
		value,
		primary: diagnosis.primary,
		firstBroken: firstBrokenOf(diagnosis, task),
		unobserved: diagnosis.unobserved.slice(0, 16),
		...(task.chain ? {} : { reason: "the task has no gold chain" }),
	};
}

function firstBrokenOf({ firstBroken, hops }: Diagnosis, task: Task): FlipSide["firstBroken"] {
	const found = hops.find((hop) => hop.hop === firstBroken);
	if (found?.is !== "judged") return null;
	const question = task.chain?.hops.find(({ id }) => id === found.hop)?.question ?? "";
	return { hop: found.hop, question: clip(question, 200), verdict: found.verdict };
}

function verdictsOf(seen: readonly { won: boolean; wrong: Diagnosis; right: Diagnosis }[]): FlippedVerdict[] {
	const rows = new Map<FindingKind, FlippedVerdict>();
	const none = (): Presence => ({ wrong: 0, right: 0, both: 0 });
	for (const { won, wrong, right } of seen) {
		const [inWrong, inRight] = [wrong, right].map(({ findings }) => new Set(findings.map(({ is }) => is)));
		for (const is of new Set([...(inWrong ?? []), ...(inRight ?? [])])) {
			const row = rows.get(is) ?? { is, won: none(), lost: none() };
			rows.set(is, row);
			const where = inWrong?.has(is) ? (inRight?.has(is) ? "both" : "wrong") : "right";
			row[won ? "won" : "lost"][where] += 1;
		}
	}
	const weight = ({ won, lost }: FlippedVerdict) => won.wrong + lost.wrong;
	return [...rows.values()].sort((x, y) => weight(y) - weight(x) || (x.is < y.is ? -1 : 1));
}
