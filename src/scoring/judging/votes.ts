import type { Verdict } from "#domain";
import type { Judged } from "./rubric.ts";
import { keyOf } from "./verdicts-of.ts";

export type RecordKey = Pick<Verdict, "task" | "repeat" | "attempt">;

/** One run of a judge that came to something. */
export interface Vote extends Judged {
	run: number;
	shown: Verdict["shown"];
}

/** A record with all that the runs of one judge made of it, or why they made nothing of it. */
export interface VotedRecord {
	record: RecordKey;
	votes: Vote[];
	/** Runs without a vote, by reason. */
	failed: { unparsed: number; model: number };
	/** Why there is no vote; undefined where there is one. */
	unscored?: string;
}

/** What an unreadable reply is called in every table. */
export const unparsedReply = "unparsed judge reply";

/** `own` holds one stamp's verdicts by their keys; `broken` is why there is nothing to judge. */
export function votesOn(
	record: RecordKey,
	{ own, times, broken }: { own: ReadonlyMap<string, Verdict>; times: number; broken?: "error" | "budget" | undefined },
): VotedRecord {
	const failed = { unparsed: 0, model: 0 };
	if (broken) return { record, votes: [], failed, unscored: broken };
	const votes: Vote[] = [];
	let inapplicable: string | undefined;
	for (let run = 0; run < times; run++) {
		const verdict = own.get(keyOf({ ...record, run }));
		if (!verdict) continue;
		const { judgement, shown } = verdict;
		if (judgement.is === "judged") votes.push({ ...judgement, run, shown });
		else if (judgement.because === "inapplicable") inapplicable = judgement.reason;
		else failed[judgement.because] += 1;
	}
	if (votes.length > 0) return { record, votes, failed };
	if (failed.model > 0) return { record, votes, failed, unscored: "judge failed" };
	if (failed.unparsed > 0) return { record, votes, failed, unscored: unparsedReply };
	return {
		record,
		votes,
		failed,
		unscored: inapplicable === undefined ? "not judged" : `inapplicable: ${inapplicable}`,
	};
}
