import { type Evidence, type Hop, identifyingHops, inDependencyOrder, type SearchTool, type Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { formsOf, states } from "./answer-leak.ts";
import { drawnBy, poorWords, searchWords } from "./search-words.ts";

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
	/** What is typed, one after the other until the hop's evidence comes back; the last is the surest. */
	queries: string[];
	/** Whether a text of its evidence states the answer; undefined where that cannot be seen, as in a picture. */
	stated: boolean | undefined;
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
/** Words of another form than the question are good where they rank its evidence so high. */
const high = 5;
/** Of searches that bring their evidence by themselves, the share that a poor one goes before, so that its recovery is learnt. */
const poorShare = 1 / 6;

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
		const queries = await queriesFor(task, hop, { target: found[0]?.kind, knowledge });
		steps.push({ hop, ways, computed, queries, stated: isStated(hop, found) });
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

function isStated({ answer }: Hop, found: readonly Evidence[]): boolean | undefined {
	const forms = formsOf(answer);
	const texts = found.flatMap((one) => (one.kind === "image" ? [] : [`${one.title}\n${one.text}`]));
	return forms.length === 0 || texts.length < found.length ? undefined : states(forms, texts);
}

/** A query that is drawn among those that find the hop's evidence; before some of them one that is poor. */
async function queriesFor(
	{ id, tags: { language } }: Task,
	hop: Hop,
	{ target, knowledge }: { target: Evidence["kind"] | undefined; knowledge: Pick<KnowledgeBase, "search"> },
): Promise<string[]> {
	const { question } = hop;
	const key = `${id} ${hop.id}`;
	if (target === undefined) return [question];
	let good = question;
	for (const words of searchWords(question, { language, key })) {
		if (words === question) break;
		const results = await knowledge.search({ text: words, target, k: high });
		if (!results.some((result) => hop.evidence.includes(result.id))) continue;
		good = words;
		break;
	}
	const poor = drawnBy(key, "detour") < poorShare ? poorWords(question, { language, key }) : undefined;
	return poor === undefined || poor === good ? [good] : [poor, good];
}

/** The same walk without its poor searches, for a protocol that has no turn to spare. */
export const withoutDetours = (plan: ChainPlan): ChainPlan => ({
	...plan,
	steps: plan.steps.map((step) => ({ ...step, queries: step.queries.slice(-1) })),
});

export const hasDetours = ({ steps }: ChainPlan): boolean => steps.some(({ queries }) => queries.length > 1);

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
