import { type Benchmark, citedBy, type DocumentNames } from "#benchmarks";
import {
	type Evidence,
	groupedByAll,
	hopsWaiting,
	type MatchedResults,
	type Passage,
	type Retrieved,
	type RunRecord,
	retrievalSteps,
} from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { asPassage, type ExternalDocument, hashed } from "./matching/external-document.ts";
import { type Match, type MatchOptions, matchDocuments } from "./matching/match-documents.ts";
import type { ExternalRun } from "./records-from.ts";

/** What is known of where a run made elsewhere searched. */
export interface SearchedElsewhere {
	benchmark: Benchmark;
	knowledge: Pick<KnowledgeBase, "dir" | "manifest" | "missing" | "evidence"> | undefined;
	/** All that it holds, where that can be read; without it results are matched to the gold evidence alone. */
	held?: (() => AsyncIterable<Evidence>) | undefined;
	/** Where the knowledge base would stand that is not there. */
	beside: string;
	/** From ids of the other index to ours. */
	table?: ReadonlyMap<string, readonly string[]> | undefined;
	/** From its names of documents to ours. */
	documents?: DocumentNames["map"] | undefined;
}

/**
 * A run that was made elsewhere over the benchmark's knowledge base: its own where what the steps brought back is matched to
 * evidence that is held there, or is gold. Where nothing is, or no step says what came back, what was searched is unknown:
 * only answers are scored then, since hops would all count as missed. `evidence` is what came back in words that are not
 * those of the evidence it was matched to, or was matched to none: what the agent was shown.
 */
export async function withKnowledge<Found extends Pick<ExternalRun, "manifest" | "records" | "documents" | "notes">>(
	run: Found,
	searched: SearchedElsewhere,
): Promise<Found & { evidence: Passage[] }> {
	const { benchmark, knowledge, beside } = searched;
	const gold = new Set(benchmark.tasks.flatMap(citedBy));
	const goldFor = statedBy(benchmark);
	const matched = await matchedRecords(run, { ...searched, gold, goldFor });
	const { counts, evidence } = matched;
	const { name } = run.manifest.knowledge;
	const held = counts.results - counts.unmapped;
	const known = knowledge !== undefined && held > 0;
	const manifest: ExternalRun["manifest"] = {
		...run.manifest,
		knowledge: known
			? { name: knowledge.manifest.name, hash: knowledge.manifest.hash, folder: knowledge.dir }
			: { ...run.manifest.knowledge, folder: knowledge?.dir ?? beside },
		imported: { ...run.manifest.imported, evidence: counts },
	};
	const searches = run.records.some(({ trajectory }) => retrievalSteps(trajectory).length > 0);
	// what is attached later may be what was searched: until then scorers say that it waits
	const waiting = benchmark.tasks.some((task) => hopsWaiting(task) !== undefined);
	const blind = held === 0 && searches && gold.size > 0 && !waiting;
	const notes = [...run.notes, ...matched.notes];
	const only = gold.size > 0 ? ": only answers are scored, no hops" : "";
	if (!searches) notes.push("no step of the file searches: only answers are scored");
	else if (counts.results === 0) notes.push(`no step of the file says what came back${only}`);
	else if (held === 0)
		notes.push(
			`${knowledge ? `none of the ${counts.results} results in the file is matched to evidence of the knowledge base ${name}` : `the file names ${counts.results} results, and the knowledge base ${name} is not here`}: what was searched is unknown${only}`,
		);
	else if (counts.unmapped > 0)
		notes.push(`${counts.unmapped} of ${counts.results} results in the file are matched to nothing in ${name}`);
	if (held > 0 && !knowledge)
		notes.push(`the knowledge base ${name} is not here: what came back is matched to gold evidence by ids alone`);
	return { ...run, manifest, evidence, records: blind ? matched.records.map(answerAlone) : matched.records, notes };
}

/** The same records with what each result is matched to, how many are matched how, and what came back in other words. */
export async function matchedRecords(
	{ records, documents }: Pick<ExternalRun, "records" | "documents">,
	{
		knowledge,
		held,
		gold,
		goldFor,
		table,
		documents: names,
	}: SearchedElsewhere & Pick<MatchOptions, "gold" | "goldFor">,
): Promise<{ records: RunRecord[]; counts: MatchedResults; evidence: Passage[]; notes: string[] }> {
	const named = new Set(
		records.flatMap(({ trajectory }) => trajectory.steps.flatMap(({ results }) => results.map(({ id }) => id))),
	);
	const all = new Map<string, ExternalDocument>([...named].map((name) => [name, documents.get(name) ?? { id: name }]));
	const called = new Set([...all].flatMap(([name, { id }]) => [name, ...(id === undefined ? [] : [id])]));
	const missing = knowledge ? new Set(await knowledge.missing(called)) : called;
	const isHeld = (id: string) => !missing.has(id) || gold.has(id);
	const given = documents.size > 0 ? (held?.() ?? goldIn(knowledge, gold)) : [];
	const { matches, notes } = await matchDocuments(all, { held: given, isHeld, gold, goldFor, table, documents: names });
	const kept = new Map<string, Passage>();
	const counts = noResults();
	const count = (key: Exclude<keyof MatchedResults, "results">) => {
		counts.results += 1;
		counts[key] += 1;
	};
	// what is kept under a name that evidence of ours has would be taken for it
	const keptAs = (name: string, document: ExternalDocument, match: Match | undefined): string => {
		const free = isHeld(name) ? hashed(name, asPassage(name, document).sha256) : name;
		if (document.text !== undefined && !kept.has(free))
			kept.set(free, asPassage(free, { ...document, document: match?.document ?? document.document }));
		return free;
	};
	const resultsOf = (results: readonly Retrieved[]): Retrieved[] => {
		const seen = new Set<string>();
		const counted = new Set<string>();
		return results.flatMap((result) => {
			const { externalId, matchedBy } = result;
			if (matchedBy !== undefined) {
				// it was matched before; what it was matched to stands beside it
				if (!counted.has(`${result.rank} ${externalId}`)) count(keyOf[matchedBy]);
				counted.add(`${result.rank} ${externalId}`);
				seen.add(result.id);
				return [result];
			}
			const document = all.get(result.id) ?? {};
			const match = matches.get(result.id);
			count(match ? keyOf[match.by] : "unmapped");
			const fresh = (match?.ids ?? []).filter((id) => !seen.has(id));
			const shown = fresh.length > 0 && match ? undefined : keptAs(result.id, document, match);
			if (shown !== undefined || !match) return [{ ...result, id: shown ?? result.id }];
			for (const id of fresh) seen.add(id);
			const readAs = match.differs && document.text !== undefined ? keptAs(result.id, document, match) : undefined;
			return fresh.map((id) => matchedResult({ ...result, id }, { match, readAs, name: document.id ?? result.id }));
		});
	};
	const matched = records.map(({ trajectory, ...record }) => ({
		...record,
		trajectory: {
			...trajectory,
			steps: trajectory.steps.map((step) => ({ ...step, results: resultsOf(step.results) })),
		},
	}));
	return { records: matched, counts, evidence: [...kept.values()], notes };
}

function matchedResult(
	result: Retrieved,
	{ match: { by }, readAs, name }: { match: Match; readAs: string | undefined; name: string },
): Retrieved {
	return {
		...result,
		...(by === "id" ? {} : { externalId: name, matchedBy: by }),
		...(readAs === undefined ? {} : { readAs }),
	};
}

const keyOf = {
	...{ table: "byTable", id: "byId", address: "byAddress", page: "byPage", text: "byText", shingles: "byShingles" },
} as const satisfies Record<Match["by"], keyof MatchedResults>;

const noResults = (): MatchedResults => ({
	...{ results: 0, byTable: 0, byId: 0, byAddress: 0, byPage: 0, byText: 0, byShingles: 0, unmapped: 0 },
});

/** The answers that the hops of a benchmark take from evidence, by its id. Yes and no stand in no text. */
export function statedBy({ tasks }: Benchmark): (id: string) => readonly string[] {
	const hops = tasks.flatMap(({ chain }) => chain?.hops ?? []).filter(({ answer }) => answer.type !== "boolean");
	const stated = groupedByAll(hops, ({ evidence }) => evidence);
	return (id) => [...new Set((stated.get(id) ?? []).flatMap(({ answer }) => answer.accepted))];
}

/** The gold evidence, one after another, of a knowledge base that is not to be read whole. */
async function* goldIn(knowledge: SearchedElsewhere["knowledge"], gold: ReadonlySet<string>): AsyncGenerator<Evidence> {
	if (!knowledge) return;
	for (const id of gold) {
		const evidence = await knowledge.evidence(id);
		if (evidence) yield evidence;
	}
}

const answerAlone = (record: RunRecord): RunRecord => ({
	...record,
	trajectory: { ...record.trajectory, answerOnly: true },
});
