import {
	countName,
	type Diagnosis,
	evenly,
	type HopDiagnosis,
	type RunRecord,
	retrievalHops,
	stepsOfHop,
	type Task,
} from "#domain";
import { type Share, shareOf } from "../shares.ts";
import { onceEach, type SearchAgain, type SearchedIds, searchOf } from "./search-again.ts";

export interface ReplayOptions {
	/** Searches what the queries are replayed against. */
	search: SearchedIds;
	/** Results that a search showed where the model did not choose. */
	k: number;
	/** Results asked for instead of what each query asked for. */
	asked?: number | undefined;
	/** Hops at most, of the missed and of those whose evidence came back each, spread evenly over them. */
	most?: number | undefined;
	signal?: AbortSignal | undefined;
	onProgress?: ((done: number, of: number) => void) | undefined;
}

/** One hop whose recorded queries were made again. */
export interface ReplayedHop {
	task: string;
	repeat: number;
	hop: string;
	/** Steps whose queries were made again. */
	steps: number[];
	/** The acceptable evidence that came back now, at its best rank; null where none did. */
	found: { step: number; id: string; rank: number } | null;
}

export interface Replay {
	/** Hops whose evidence had not come back: the share that does now. */
	missed: { hops: ReplayedHop[]; vanished: Share };
	/** Hops whose evidence had come back: the share that is lost now. */
	found: { hops: ReplayedHop[]; lost: Share };
	/** Of all missed and all found hops, those left out to bound the work. */
	left: { missed: number; found: number };
	/** Hops that could not be replayed, by reason. */
	notReplayed: Record<string, number>;
}

/**
 * Makes the recorded queries of a run again, over another index, with another k or another encoder: those of missed hops,
 * to see which misses vanish, and those of hops whose evidence came back, to see which are lost. It pairs by hop; the
 * agent is not asked what it would have done next.
 */
export async function replayQueries(
	diagnosed: readonly { task: Task; record: RunRecord; diagnosis: Diagnosis }[],
	options: ReplayOptions,
): Promise<Replay> {
	const { most = Infinity, signal, onProgress } = options;
	const notReplayed: Record<string, number> = {};
	const all: Replayable[] = [];
	for (const one of diagnosed)
		for (const hop of one.diagnosis.hops) {
			const read = replayable(one, hop, options);
			if (read === undefined) continue;
			if ("not" in read) countName(notReplayed, read.not);
			else all.push(read);
		}
	const [missed, found] = [all.filter(({ was }) => was === "missed"), all.filter(({ was }) => was === "found")];
	const chosen = [...evenly(missed, most), ...evenly(found, most)];
	const search = onceEach(options.search);
	const done: { was: Replayable["was"]; task: Task; hop: ReplayedHop }[] = [];
	for (const one of chosen) {
		signal?.throwIfAborted();
		const { task, was } = one;
		done.push({ task, was, hop: await replayed(one, search) });
		onProgress?.(done.length, chosen.length);
	}
	const of = (was: Replayable["was"], isFound: boolean) => {
		const here = done.filter((one) => one.was === was);
		return {
			hops: here.map(({ hop }) => hop),
			share: shareOf(here.map(({ task, hop }) => ({ task, is: (hop.found !== null) === isFound }))),
		};
	};
	const [again, lost] = [of("missed", true), of("found", false)];
	return {
		missed: { hops: again.hops, vanished: again.share },
		found: { hops: lost.hops, lost: lost.share },
		left: { missed: missed.length - again.hops.length, found: found.length - lost.hops.length },
		notReplayed,
	};
}

interface Replayable {
	was: "missed" | "found";
	task: Task;
	repeat: number;
	hop: string;
	evidence: string[];
	searches: { step: number; search: SearchAgain }[];
}

function replayable(
	{ task, record }: { task: Task; record: RunRecord },
	hop: HopDiagnosis,
	{ k, asked }: ReplayOptions,
): Replayable | { not: string } | undefined {
	if (hop.is !== "judged") return undefined;
	const gold = task.chain && retrievalHops(task.chain).find(({ id }) => id === hop.hop);
	if (!gold) return undefined;
	const was = hop.verdict === "retrieval-miss" ? "missed" : hop.evidence.length > 0 ? "found" : undefined;
	if (was === undefined) return undefined;
	// what another hop's search brings does not mend a miss of its own; of what was found, any search may bring it again
	const own = was === "missed" ? hop.aimed : stepsOfHop(hop);
	const steps = record.trajectory.steps.filter(({ index }) => own.includes(index));
	const read = steps.map((step) => ({ step: step.index, search: searchOf(step, { task, k }) }));
	const searches = read.flatMap(({ step, search }) =>
		"not" in search ? [] : [{ step, search: asked === undefined ? search : { ...search, k: asked } }],
	);
	if (searches.length > 0) return { was, task, repeat: record.repeat, hop: hop.hop, evidence: gold.evidence, searches };
	const [first] = read.flatMap(({ search }) => ("not" in search ? [search.not] : []));
	return { not: first ?? "no step is known that searched for it" };
}

async function replayed(
	{ task, repeat, hop, evidence, searches }: Replayable,
	search: SearchedIds,
): Promise<ReplayedHop> {
	let found: ReplayedHop["found"] = null;
	for (const { step, search: asked } of searches) {
		const ids = await search(asked);
		const at = ids.findIndex((id) => evidence.includes(id));
		const id = ids[at];
		if (id !== undefined && (found === null || at + 1 < found.rank)) found = { step, id, rank: at + 1 };
	}
	return { task: task.id, repeat, hop, steps: searches.map(({ step }) => step), found };
}
