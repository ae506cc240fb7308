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
import { type EvidenceOf, kOf, type SearchedIds, targets } from "./search-again.ts";

/** How far down the gold sub-question's results are looked through. */
const depth = 100;
/** Searches made side by side. */
const atOnce = 4;

export interface MissOptions {
	/** Searches the knowledge base that the run searched. */
	search: SearchedIds;
	evidence: EvidenceOf;
	/** Results that a search shows where the model does not choose. */
	k: number;
	/** Missed hops looked into at most, spread evenly over them; one hop counts once however often it was missed. */
	most?: number | undefined;
	signal?: AbortSignal | undefined;
	onProgress?: ((done: number, of: number) => void) | undefined;
}

/**
 * The same diagnoses, with `miss` on hops whose evidence did not come back: is it in the knowledge base at all; does the
 * gold sub-question find it among as many results as the agent was shown (a hop that identifies a question image: a
 * search by that image), or only further down. No model is asked. A hop missed in several repeats is looked into once
 * for each number of results shown.
 */
export async function withMissCauses(
	diagnosed: readonly { task: Task; record: RunRecord; diagnosis: Diagnosis }[],
	options: MissOptions,
): Promise<Diagnosis[]> {
	const { most = 200, signal, onProgress } = options;
	const missed = new Map<string, Missed>();
	const keys = diagnosed.map(({ task, record, diagnosis }) =>
		diagnosis.hops.map((one) => {
			const hop = task.chain?.hops.find(({ id }) => id === one.hop);
			if (!hop || one.is !== "judged" || one.verdict !== "retrieval-miss") return undefined;
			const shown = record.trajectory.steps.filter(({ index }) => one.aimed.includes(index));
			const k = shown.length === 0 ? options.k : Math.max(...shown.map((step) => kOf(step, options.k)));
			const key = JSON.stringify([task.id, hop.id, k]);
			missed.set(key, { task, hop, k });
			return key;
		}),
	);
	const chosen = evenly([...missed], most);
	const causes = new Map<string, MissCause>();
	const waiting = chosen.values();
	await Promise.all(
		Array.from({ length: atOnce }, async () => {
			for (const [key, miss] of waiting) {
				signal?.throwIfAborted();
				causes.set(key, await causeOf(miss, options));
				onProgress?.(causes.size, chosen.length);
			}
		}),
	);
	return diagnosed.map(({ diagnosis }, at) => {
		if (!keys[at]?.some((key) => key !== undefined && causes.has(key))) return diagnosis;
		const hops = diagnosis.hops.map((hop, place) => {
			const key = keys[at]?.[place];
			const miss = key === undefined ? undefined : causes.get(key);
			return hop.is === "judged" && miss ? { ...hop, miss } : hop;
		});
		return { ...diagnosis, hops };
	});
}

interface Missed {
	task: Task;
	hop: Hop;
	k: number;
}

async function causeOf({ task, hop, k }: Missed, { search, evidence }: MissOptions): Promise<MissCause> {
	const kinds = await kindsOf(hop, evidence);
	if (kinds.size === 0) return { is: "not-in-knowledge-base" };
	const image = identifyingHops(task).get(hop.id);
	const own = targets[storedAs(hop.modality)];
	const [other = own] = kinds;
	const target = kinds.has(own) ? own : other;
	const found = await search({
		...{ task, target, k: Math.max(depth, k) },
		...(image !== undefined && target === "image" ? { image } : { text: hop.question }),
	});
	const rank = found.findIndex((id) => hop.evidence.includes(id)) + 1;
	if (rank === 0) return { is: "weak-retriever", rank: null };
	return rank <= k ? { is: "bad-query", rank } : { is: "weak-retriever", rank };
}

/** The kinds of the acceptable evidence that the knowledge base holds. */
async function kindsOf(hop: Hop, evidence: EvidenceOf): Promise<Set<EvidenceKind>> {
	const found = await Promise.all(hop.evidence.map(evidence));
	return new Set(found.flatMap((one) => one?.kind ?? []));
}
