import type { DiagnosedRecord, SearchedIds } from "#diagnosis";
import { type Answer, type Evidence, grouped, type RunManifest, retrievalHops, type Task, tally } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { createAim } from "#scoring";
import { canonicalJson, sha256 } from "#store";
import { tasksToTrainOn } from "../conversations/held-out.ts";
import { type Asked, askedFor } from "./asked-queries.ts";
import { createEvidenceShelf } from "./evidence-shelf.ts";
import type { RetrieverEvidence, RetrieverPair } from "./pair.ts";

export interface RetrieverSources {
	/** All of the benchmark: their splits say which may be trained on, and all keep negatives honest. */
	tasks: readonly Task[];
	benchmark: string;
	/** The benchmark's folder. */
	dir: string;
	knowledge: Pick<KnowledgeBase, "evidence" | "file"> & { manifest: { name: string } };
	/** Searches that agents made, with what they brought. */
	runs: readonly { manifest: Pick<RunManifest, "id" | "agent">; diagnosed: readonly DiagnosedRecord[] }[];
}

export interface RetrieverOptions {
	/** Searches the knowledge base with gold sub-questions; without it they bring no negatives of their own. */
	search?: SearchedIds | undefined;
	/** Results of such a search that are looked through, default 30. */
	depth?: number | undefined;
	/** Negatives of one pair at most, default 8. */
	negatives?: number | undefined;
	/** Also what stands below the first acceptable evidence, which the retriever already gets right. */
	below?: boolean | undefined;
	/** Whether a text says a hop's answer: rather once too often, since what says it is no negative. */
	states(text: string, answer: Answer, language: string): boolean;
	splits?: readonly string[] | undefined;
	signal?: AbortSignal | undefined;
	onProgress?: ((done: number, of: number) => void) | undefined;
}

export interface RetrieverPairs {
	pairs: RetrieverPair[];
	/** Pairs by whose query it is, and by the kind of evidence sought. */
	byQuery: Record<string, number>;
	byKind: Record<string, number>;
	/** Results that could have been negatives and are none, by reason. */
	noNegative: Record<string, number>;
	/** Queries that no pair came of, by reason. */
	noPair: Record<string, number>;
}

/**
 * Queries with the gold evidence that answers them and with what a retriever took for it.
 *
 * Queries are gold sub-questions (a search by the image, for a hop that identifies one) and those that agents made for the
 * hop. Negatives are results above the first acceptable evidence, or all where none came. None is acceptable evidence of a
 * hop asked with the same words, none is a copy of one, and none states the answer. Queries that a held-out task asks too are
 * left out. The same query of several tasks or records is one pair, with all their negatives.
 */
export async function retrieverPairs(
	{ tasks, benchmark, dir, knowledge, runs }: RetrieverSources,
	options: RetrieverOptions,
): Promise<RetrieverPairs> {
	const { splits, signal, onProgress, negatives: most = 8 } = options;
	const shelf = createEvidenceShelf(knowledge);
	const chosen = tasksToTrainOn(tasks, splits);
	const heldOut = new Set(chosen.heldOut.flatMap(questionsOf));
	const acceptable = acceptableByQuestion(tasks);
	const noNegative: string[] = [];
	const noPair: string[] = [];
	const gathered = new Map<string, Gathered>();
	const recorded = grouped(
		runs.flatMap(({ manifest, diagnosed }) => diagnosed.map((one) => ({ manifest, ...one }))),
		(one) => one.task.id,
	);
	for (const [done, task] of chosen.tasks.entries()) {
		signal?.throwIfAborted();
		const aim = createAim(task);
		for (const hop of task.chain ? retrievalHops(task.chain) : []) {
			if (hop.answer.type === "boolean" || hop.answer.type === "none") {
				noPair.push("its answer is stated in no text: yes, no or nothing");
				continue;
			}
			const kinds = await shelf.kindsOf(hop.evidence);
			if (kinds.length === 0) noPair.push("its evidence is not in the knowledge base");
			const { search, depth } = options;
			const searches = recorded.get(task.id) ?? [];
			for (const asked of await askedFor(hop, { task, kinds, search, depth, searches, aim })) {
				if (!kinds.includes(asked.kind)) noPair.push("its evidence is of another kind than was searched for");
				else if (asked.text !== undefined && heldOut.has(folded(asked.text)))
					noPair.push("a held-out task asks it too");
				else await gather(asked);
			}
		}
		onProgress?.(done + 1, chosen.tasks.length);
	}

	async function gather(asked: Asked): Promise<void> {
		const key = keyOf(asked);
		const accepts = acceptable.get(folded(asked.text ?? "")) ?? new Set<string>();
		const allowed = new Set([...asked.hop.evidence, ...accepts]);
		const one = gathered.get(key) ?? { asked, positives: new Set<string>(), negatives: new Map(), spare: new Map() };
		if (one.asked.made.run === undefined) one.asked = { ...one.asked, made: asked.made };
		gathered.set(key, one);
		for (const id of asked.hop.evidence) one.positives.add(id);
		const first = asked.results.findIndex((id) => allowed.has(id));
		const isAbove = (at: number) => first === -1 || options.below === true || at < first;
		const known = await shelf.get([...asked.results, ...allowed]);
		const copies = new Set([...allowed].flatMap((id) => known.get(id)?.sha256 ?? []));
		for (const [at, id] of asked.results.entries()) {
			const evidence = known.get(id);
			if (allowed.has(id)) continue;
			const why = evidence ? noNegativeBecause(evidence, asked, { copies, states: options.states }) : "it is gone";
			const into = isAbove(at) ? one.negatives : one.spare;
			if (why === undefined) {
				if ((into.get(id)?.rank ?? Infinity) > at + 1) into.set(id, { rank: at + 1, from: asked.from });
			} else if (isAbove(at)) noNegative.push(why);
		}
	}

	const pairs: RetrieverPair[] = [];
	for (const [key, { asked, positives, negatives, spare }] of gathered) {
		const ranked = await firstDistinct([...byRank(negatives), ...byRank(spare)]);
		if (negatives.size === 0) noPair.push("nothing but evidence of its answer stood above");
		else {
			const pair = await pairOf(key, { asked, positives, ranked });
			if (pair) pairs.push(pair);
			else noPair.push("its picture is gone");
		}
	}
	return {
		pairs,
		byQuery: tally(pairs.map(({ by }) => by)),
		byKind: tally(pairs.map(({ positives: [first] }) => first?.kind ?? "passage")),
		noNegative: tally(noNegative),
		noPair: tally(noPair),
	};

	/** The first few that do not say what one before says. */
	async function firstDistinct(ranked: readonly [string, Negative][]): Promise<[string, Negative][]> {
		const known = await shelf.get(ranked.map(([id]) => id));
		const said = new Set<string>();
		const isNew = ([id]: [string, Negative]) => {
			const evidence = known.get(id);
			const words =
				evidence && (evidence.sha256 ?? folded(evidence.kind === "image" ? evidence.caption : evidence.text));
			if (words === undefined || said.has(words)) return false;
			said.add(words);
			return true;
		};
		return [...new Map(ranked)].filter(isNew).slice(0, most);
	}

	async function pairOf(
		key: string,
		{ asked, positives, ranked }: { asked: Asked; positives: ReadonlySet<string>; ranked: [string, Negative][] },
	): Promise<RetrieverPair | undefined> {
		const { task, hop, by, kind, text, image, made } = asked;
		const known = await shelf.get([...positives, ...ranked.map(([id]) => id)]);
		const shown = image === undefined ? undefined : task.images[image];
		const pictures = shelf.pictures(
			shown ? [{ id: shown.file, file: `${dir}/${shown.file}`, sha256: shown.sha256 }] : [],
		);
		const right: RetrieverEvidence[] = [];
		for (const id of positives) {
			const evidence = known.get(id);
			const one = evidence?.kind === kind ? await pictures.shown(evidence) : undefined;
			if (one) right.push(one);
		}
		const wrong: (RetrieverEvidence & Negative)[] = [];
		for (const [id, { rank, from }] of ranked) {
			const evidence = known.get(id);
			const one = evidence && (await pictures.shown(evidence));
			if (one) wrong.push({ ...one, rank, from });
		}
		if (right.length === 0 || wrong.length === 0 || (image !== undefined && !shown)) return undefined;
		return {
			id: sha256(key).slice(0, 16),
			task: task.id,
			hop: hop.id,
			by,
			...(text === undefined ? {} : { query: text }),
			...(image === undefined ? {} : { queryImage: 0 }),
			positives: right,
			negatives: wrong,
			source: { benchmark, knowledge: knowledge.manifest.name, ...made },
			images: pictures.images,
			tags: { ...task.tags },
		};
	}
}

interface Negative {
	rank: number;
	from: "record" | "search";
}

interface Gathered {
	asked: Asked;
	positives: Set<string>;
	negatives: Map<string, Negative>;
	/** What stands below, for a pair that has fewer negatives than it is to have. */
	spare: Map<string, Negative>;
}

const byRank = (found: ReadonlyMap<string, Negative>) => [...found].sort(([, a], [, b]) => a.rank - b.rank);

const folded = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

const questionsOf = ({ chain, question }: Task): string[] =>
	[question, ...(chain?.hops.map((hop) => hop.question) ?? [])].map(folded);

const keyOf = ({ task, kind, text, image }: Asked) =>
	canonicalJson([kind, text === undefined ? [task.id, task.images[image ?? 0]?.sha256 ?? null] : folded(text)]);

/** All evidence that some hop accepts, by the words of its sub-question. */
function acceptableByQuestion(tasks: readonly Task[]): Map<string, Set<string>> {
	const found = new Map<string, Set<string>>();
	for (const hop of tasks.flatMap(({ chain }) => chain?.hops ?? [])) {
		const ids = found.get(folded(hop.question)) ?? new Set();
		found.set(folded(hop.question), ids);
		for (const id of hop.evidence) ids.add(id);
	}
	return found;
}

function noNegativeBecause(
	evidence: Evidence,
	{ hop, kind, task }: Asked,
	{ copies, states }: { copies: ReadonlySet<string> } & Pick<RetrieverOptions, "states">,
): string | undefined {
	if (evidence.kind !== kind) return "it is of another kind";
	if (copies.has(evidence.sha256)) return "it is a copy of acceptable evidence";
	const said = evidence.kind === "image" ? evidence.caption : evidence.text;
	const language = evidence.language === "und" ? task.tags.language : evidence.language;
	return states(`${evidence.title}\n${said}`, hop.answer, language) ? "it states the answer" : undefined;
}
