import { type Evidence, type Hop, identifyingHops, inDependencyOrder, type SearchTool, type Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";

/** One way to search for a hop, and the evidence that it is to bring. */
export interface Way {
	tool: SearchTool;
	/** 0-based question image, for a search by image. */
	image?: number;
	evidence: Evidence;
}

/** One search of a chain's walk. */
export interface ChainStep {
	hop: Hop;
	/** The most fitting first; a protocol takes the first that it has an action for. */
	ways: Way[];
	/** Hops that compute from what is known before this search, in the order of dependency. */
	computed: Hop[];
}

/** A chain as it is walked: its searches, and what is computed behind the last. */
export interface ChainPlan {
	steps: ChainStep[];
	computed: Hop[];
}

const toolFor = { passage: "text_search", page: "page_search", image: "image_search_by_text" } as const;

/** Results among which acceptable evidence is looked for. */
const looked = 20;

/**
 * The walk along a task's gold chain, or why there is none. Of several pieces of evidence that state a hop, that counts
 * which a search for its question finds first, among those that no step before has brought: the others tend to state it
 * beside their own matter, and what was seen would not be searched for again.
 */
export async function chainPlan(
	task: Task,
	knowledge: Pick<KnowledgeBase, "evidence" | "search">,
): Promise<ChainPlan | { what: string; detail: string }> {
	if (!task.chain) return { what: "no-chain", detail: "the task states no gold chain" };
	const images = identifyingHops(task);
	const steps: ChainStep[] = [];
	let computed: Hop[] = [];
	for (const hop of inDependencyOrder(task.chain)) {
		if (hop.evidence.length === 0) {
			computed.push(hop);
			continue;
		}
		const found = (await Promise.all(hop.evidence.map((id) => knowledge.evidence(id)))).flatMap((one) => one ?? []);
		const seen = new Set(steps.flatMap(({ ways }) => ways.map(({ evidence }) => evidence.id)));
		const ordered = found.length > 1 ? await bySearch(hop, { found, seen, knowledge }) : found;
		const ways = waysOf(hop, { found: ordered, image: images.get(hop.id) });
		if (ways.length === 0)
			return {
				what: "no-evidence",
				detail: `the knowledge base holds no evidence of ${hop.id} that a search could find`,
			};
		steps.push({ hop, ways, computed });
		computed = [];
	}
	if (steps.length === 0) return { what: "no-search", detail: "no hop of its chain needs a search" };
	return { steps, computed };
}

/** Evidence as a search for the hop's question ranks it; what is not found after it, what was seen last. */
async function bySearch(
	hop: Hop,
	{
		found,
		seen,
		knowledge,
	}: { found: Evidence[]; seen: ReadonlySet<string>; knowledge: Pick<KnowledgeBase, "search"> },
): Promise<Evidence[]> {
	const ranks = new Map<string, number>();
	for (const target of new Set(found.map(({ kind }) => kind))) {
		const results = await knowledge.search({ text: hop.question, target, k: looked });
		for (const { id, rank } of results) ranks.set(id, rank);
	}
	const rankOf = ({ id }: Evidence) => (seen.has(id) ? looked + 2 : (ranks.get(id) ?? looked + 1));
	return found.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function waysOf({ modality }: Hop, { found, image }: { found: Evidence[]; image: number | undefined }): Way[] {
	const kinds = ["passage", "page", "image"] as const;
	const first: Evidence["kind"] = modality === "image" || modality === "page" ? modality : "passage";
	return [first, ...kinds.filter((kind) => kind !== first)].flatMap((kind): Way[] => {
		const one = found.find((evidence) => evidence.kind === kind);
		if (!one) return [];
		// the picture of the question is the only way to what it shows: its name is not known yet
		if (kind === "image" && image !== undefined) return [{ tool: "image_search_by_image", image, evidence: one }];
		if (image !== undefined) return [];
		return [{ tool: toolFor[kind], evidence: one }];
	});
}
