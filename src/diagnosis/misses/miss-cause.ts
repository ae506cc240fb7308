import { createHash } from "node:crypto";
import {
	type Diagnosis,
	type EvidenceKind,
	evenly,
	type Hop,
	identifyingHops,
	type MissCause,
	type RunRecord,
	type Task,
} from "#domain";
import { storedAs } from "#scoring";
import {
	type EvidenceOf,
	keyOf,
	kOf,
	noSearch,
	onceEach,
	type SearchAgain,
	type SearchedIds,
	searchOf,
	targets,
} from "./search-again.ts";

/** How far down the gold sub-question's results are looked through. */
const depth = 100;
/** Searches made side by side. */
const atOnce = 4;

export interface MissOptions {
	/** Searches the knowledge base that the run searched. */
	search: SearchedIds;
	evidence: EvidenceOf;
	/** Misses looked into at most, spread evenly over them; a hop missed by the same queries counts once. */
	most?: number | undefined;
	signal?: AbortSignal | undefined;
	onProgress?: ((done: number, of: number) => void) | undefined;
}

/** A missed hop of a record; those of one key have one cause. */
export interface MissKey {
	hop: string;
	key: string;
}

/** With what was asked for it. */
export interface Miss extends MissKey {
	asked: Missed;
}

/**
 * Looks into the hops that records missed, for their `miss`, the first that holds: the evidence is not in the
 * knowledge base; the agent's own query finds it now, within as many results as it asked for (`tool-or-k`, at the best
 * rank of all queries that aimed at the hop); the gold sub-question does (`bad-query`; for a hop that identifies a
 * question image: a search by that image); not even that (`weak-retriever`). Where an own query cannot be made again, such
 * as a search of the web, the cause says why. No model is asked. Equal searches are made once, and a hop that was missed
 * by the same queries in several repeats is looked into once. `missed` holds the misses of each record, and `open` gives
 * those of some keys whole. Returns the causes of each record by hop.
 */
export async function lookIntoMisses(
	missed: readonly (readonly MissKey[])[],
	open: (keys: ReadonlySet<string>) => Promise<Iterable<Miss>>,
	options: MissOptions,
): Promise<ReadonlyMap<string, MissCause>[]> {
	const { most = 200, signal, onProgress } = options;
	const keys = new Set<string>();
	for (const misses of missed) for (const { key } of misses) keys.add(key);
	const chosen = new Set(evenly([...keys], most));
	const opened = new Map<string, Missed>();
	for (const { key, asked } of await open(chosen)) if (chosen.has(key)) opened.set(key, asked);
	const causes = new Map<string, MissCause>();
	const search = onceEach(options.search);
	const waiting = opened.entries();
	await Promise.all(
		Array.from({ length: atOnce }, async () => {
			for (const [key, asked] of waiting) {
				signal?.throwIfAborted();
				causes.set(key, await causeOf(asked, { search, evidence: options.evidence }));
				onProgress?.(causes.size, opened.size);
			}
		}),
	);
	return missed.map((misses) => {
		if (misses.length === 0) return noCauses;
		const found = misses.flatMap(({ hop, key }) => {
			const cause = causes.get(key);
			return cause ? [[hop, cause] as const] : [];
		});
		return new Map(found);
	});
}

const noCauses: ReadonlyMap<string, MissCause> = new Map();

/** A diagnosis with the causes of misses, by their hops. */
export const withMisses = (diagnosis: Diagnosis, causes: ReadonlyMap<string, MissCause>): Diagnosis => ({
	...diagnosis,
	hops: diagnosis.hops.map((hop) => {
		const miss = causes.get(hop.hop);
		return hop.is === "judged" && miss ? { ...hop, miss } : hop;
	}),
});

/** The missed hops of a record; `k`: results that a search shows where the model does not choose. */
export function missesOf(
	{ task, record, diagnosis }: { task: Task; record: RunRecord; diagnosis: Diagnosis },
	k: number,
): Miss[] {
	return diagnosis.hops.flatMap((one) => {
		const hop = task.chain?.hops.find(({ id }) => id === one.hop);
		if (!hop || one.is !== "judged" || one.verdict !== "retrieval-miss") return [];
		const asked = missedBy(hop, { task, record, aimed: one.aimed, k });
		const parts = [task.id, hop.id, asked.k, asked.own.map(keyOf).sort(), asked.notReplayed ?? null];
		return [{ hop: hop.id, key: shortHash(JSON.stringify(parts)), asked }];
	});
}

const shortHash = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 20);

/** What was asked for a missed hop. */
interface Missed {
	task: Task;
	hop: Hop;
	/** The agent's own queries, as they can be made again. */
	own: SearchAgain[];
	/** Why an own query cannot. */
	notReplayed?: string;
	/** Results that the agent asked for, the most of its queries. */
	k: number;
}

function missedBy(
	hop: Hop,
	{ task, record, aimed, k }: { task: Task; record: RunRecord; aimed: readonly number[]; k: number },
): Missed {
	const shown = record.trajectory.steps.filter(({ index }) => aimed.includes(index));
	const read = shown.map((step) => searchOf(step, { task, k }));
	const own = read.flatMap((search) => ("not" in search ? [] : [search]));
	const reasons = read.flatMap((search) => ("not" in search && search.not !== noSearch ? [search.not] : []));
	const [notReplayed = own.length === 0 ? "no search for it is recorded" : undefined] = reasons;
	return {
		...{ task, hop, own },
		...(notReplayed === undefined ? {} : { notReplayed }),
		k: shown.length === 0 ? k : Math.max(...shown.map((step) => kOf(step, k))),
	};
}

async function causeOf(
	{ task, hop, own, notReplayed, k }: Missed,
	{ search, evidence }: Pick<MissOptions, "search" | "evidence">,
): Promise<MissCause> {
	const kinds = await kindsOf(hop, evidence);
	if (kinds.size === 0) return { is: "not-in-knowledge-base" };
	const rankIn = (found: readonly string[]) => found.findIndex((id) => hop.evidence.includes(id)) + 1;
	const ranks: number[] = [];
	for (const asked of own) ranks.push(rankIn((await search(asked)).slice(0, asked.k)));
	const now = ranks.filter((rank) => rank > 0);
	if (now.length > 0) return { is: "tool-or-k", rank: Math.min(...now) };
	const image = identifyingHops(task).get(hop.id);
	const expected = targets[storedAs(hop.modality)];
	const [other = expected] = kinds;
	const target = kinds.has(expected) ? expected : other;
	const found = await search({
		...{ task, target, k: Math.max(depth, k) },
		...(image !== undefined && target === "image" ? { image } : { text: hop.question }),
	});
	const rank = rankIn(found);
	const said = notReplayed === undefined ? {} : { notReplayed };
	if (rank === 0) return { is: "weak-retriever", rank: null, ...said };
	return { is: rank <= k ? "bad-query" : "weak-retriever", rank, ...said };
}

/** The kinds of the acceptable evidence that the knowledge base holds. */
async function kindsOf(hop: Hop, evidence: EvidenceOf): Promise<Set<EvidenceKind>> {
	const found = await Promise.all(hop.evidence.map(evidence));
	return new Set(found.flatMap((one) => one?.kind ?? []));
}
