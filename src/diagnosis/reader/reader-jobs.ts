import { countName, type Evidence, type RunRecord } from "#domain";
import { drawnOrder, hashOf } from "#scoring";
import type { DiagnosedRecord } from "../diagnose-records.ts";
import { isSpokenOf } from "./reader-agreement.ts";
import { keyOfHop } from "./readings.ts";
import { type HopOfRecord, type ShownHop, shownHop } from "./shown-hop.ts";

/** One hop to be asked about, as it is shown. */
export interface ReaderJob {
	of: HopOfRecord;
	record: Pick<RunRecord, "task" | "repeat" | "attempt">;
	shown: ShownHop;
	/** SHA-256 over what is shown. */
	hash: string;
}

/**
 * The hops that a reader is asked about: all that are `unobserved`, and, to see how far it can be believed, `sample` of those
 * whose reading the rules saw, half of them solved and half read wrongly as far as there are so many, drawn by their names.
 * Which of the two a hop is stands in nothing that is shown. `nothing` counts unobserved hops with nothing to show, by reason.
 */
export async function readerJobs(
	diagnosed: readonly DiagnosedRecord[],
	{ sample, find }: { sample: number; find(id: string): Promise<Evidence | undefined> },
): Promise<{ unobserved: ReaderJob[]; sample: ReaderJob[]; nothing: Record<string, number> }> {
	const all = diagnosed.flatMap(hopsOf);
	const nothing: Record<string, number> = {};
	const unobserved: ReaderJob[] = [];
	for (const one of all.filter(({ of }) => of.judged.verdict === "unobserved")) {
		const job = await jobOf(one, find);
		if ("nothing" in job) countName(nothing, job.nothing);
		else unobserved.push(job);
	}
	/** As many as can be shown of some hops, in an order that their names draw. */
	async function drawn(some: typeof all): Promise<ReaderJob[]> {
		const found: ReaderJob[] = [];
		for (const one of drawnOrder(some, {
			parts: ["sample"],
			nameOf: ({ of, record }) => keyOfHop(record, of.hop.id),
		})) {
			if (found.length === sample) break;
			const job = await jobOf(one, find);
			if (!("nothing" in job)) found.push(job);
		}
		return found;
	}
	const seen = all.filter(({ of }) => isSpokenOf(of.judged));
	const wrong = await drawn(seen.filter(({ of }) => of.judged.verdict !== "solved"));
	const solved = await drawn(seen.filter(({ of }) => of.judged.verdict === "solved"));
	// what one side lacks the other fills
	const ofWrong = Math.min(wrong.length, Math.max(Math.ceil(sample / 2), sample - solved.length));
	return { unobserved, sample: [...wrong.slice(0, ofWrong), ...solved.slice(0, sample - ofWrong)], nothing };
}

type Hopped = Pick<ReaderJob, "of" | "record">;

const hopsOf = ({ task, record, diagnosis }: DiagnosedRecord): Hopped[] =>
	diagnosis.hops.flatMap((judged) => {
		const hop = task.chain?.hops.find(({ id }) => id === judged.hop);
		return hop && judged.is === "judged" ? [{ of: { task, trajectory: record.trajectory, hop, judged }, record }] : [];
	});

async function jobOf(
	{ of, record }: Hopped,
	find: (id: string) => Promise<Evidence | undefined>,
): Promise<ReaderJob | { nothing: string }> {
	const shown = await shownHop(of, find);
	return "nothing" in shown ? shown : { of, record, shown, hash: hashOf([shown, of.hop.answer.type === "boolean"]) };
}
