import type { DiagnosedRecord } from "#diagnosis";
import { isBroken, type Message } from "#domain";
import { canonicalJson } from "#store";
import { type BreakSpan, breakSpan, judgedHop } from "./break-span.ts";
import type { PairPlace } from "./pair.ts";
import type { ReadTurns } from "./turns.ts";

/** What is made of two that part before the hop was broken. */
export type Apart = "skip" | "first-difference" | "whole";

/** A record whose turns were told apart. */
export interface Played {
	diagnosed: DiagnosedRecord;
	read: Extract<ReadTurns, { turns: unknown }>;
}

/** The right one of a pair, and where the two part. */
export interface Partner<One extends Played> {
	chosen: One;
	/** Place of the first turn that differs, among the policy's turns. */
	turn: number;
	place: PairPlace;
	span: BreakSpan;
}

/** The right one to set against a wrong one, or why none fits. */
export function partnerOf<One extends Played>(
	wrong: One,
	right: readonly One[],
	{ apart = "skip" }: { apart?: Apart | undefined },
): Partner<One> | string {
	const { task, diagnosis } = wrong.diagnosed;
	const span = breakSpan(task, diagnosis, wrong.read.turns);
	if (!span) return "where its hop was broken cannot be told";
	const reasons: string[] = [];
	let best: Partner<One> | undefined;
	for (const chosen of right) {
		const turn = firstDifference(wrong, chosen);
		if (turn === undefined) reasons.push("they were shown different things");
		else if (judgedHop(chosen.diagnosed.diagnosis, span.hop)?.verdict !== "solved")
			reasons.push("nothing shows that the right one solved that hop");
		else if (turn > span.until) reasons.push("they part only after the hop was broken");
		else {
			const broken = turn >= span.from && partsInDeed(wrong, chosen, { turn, hop: span.hop });
			if (!broken && apart === "skip") reasons.push("they part before the hop was broken");
			else {
				const place = broken ? "broken-hop" : apart === "whole" ? "whole" : "first-difference";
				const partner: Partner<One> = { chosen, turn, place, span };
				if (!best || isCloser(partner, best)) best = partner;
			}
		}
	}
	return best ?? reasons[0] ?? "no right one of the task";
}

const isCloser = (one: Partner<Played>, other: Partner<Played>) =>
	one.place === other.place ? one.turn > other.turn : one.place === "broken-hop";

/**
 * Whether a turn says by itself which of the two did better there: not if both did the same in other words, nor if the
 * wrong one then began on another hop, which it is not seen to have broken.
 */
function partsInDeed(wrong: Played, chosen: Played, { turn, hop }: { turn: number; hop: string }): boolean {
	const [one, other] = [doneIn(wrong, turn), doneIn(chosen, turn)];
	if (canonicalJson(one) === canonicalJson(other)) return false;
	const { steps = [] } = wrong.read.turns[turn] ?? {};
	return !wrong.diagnosed.diagnosis.hops.some((other) => {
		if (other.is !== "judged" || other.hop === hop) return false;
		// what the tool failed was begun well
		if (isBroken(other.verdict) && other.verdict !== "tool-failed") return false;
		const first = other.aimed[0] ?? other.brought[0];
		return steps.some(({ index }) => index === first);
	});
}

/** What a turn did: its calls, or the answer that it gave; nothing where it only thought. */
function doneIn({ read, diagnosed }: Played, turn: number): unknown[] {
	const calls = (read.turns[turn]?.steps ?? []).flatMap(({ call }) => call ?? []);
	const isLast = turn === read.turns.length - 1;
	return calls.length === 0 && isLast ? [diagnosed.record.trajectory.answer] : calls;
}

/** The first turn in which two conversations differ with all before it the same; undefined where an earlier part does. */
function firstDifference(a: Played, b: Played): number | undefined {
	const last = Math.min(a.read.turns.length, b.read.turns.length);
	for (let turn = 0; turn < last; turn++) {
		const [at, other] = [a.read.turns[turn]?.message ?? 0, b.read.turns[turn]?.message ?? 0];
		if (at !== other) return undefined;
		const from = turn === 0 ? 0 : (a.read.turns[turn - 1]?.message ?? 0) + 1;
		if (!isSame(a.read.messages.slice(from, at), b.read.messages.slice(from, at))) return undefined;
		if (!isSame(a.read.messages.slice(at, at + 1), b.read.messages.slice(at, at + 1))) return turn;
	}
	return undefined;
}

const isSame = (a: readonly Message[], b: readonly Message[]) => canonicalJson(a) === canonicalJson(b);
