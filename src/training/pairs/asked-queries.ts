import type { DiagnosedRecord, SearchedIds } from "#diagnosis";
import {
	type EvidenceKind,
	type Hop,
	identifyingHops,
	isSearch,
	type RunManifest,
	searchTools,
	type Task,
} from "#domain";
import { aimsAt, type createAim, lookingOf, mentionsAny } from "#scoring";
import type { RetrieverPair } from "./pair.ts";

/** A query with what came back for it. */
export interface Asked {
	task: Task;
	hop: Hop;
	by: RetrieverPair["by"];
	kind: EvidenceKind;
	text?: string | undefined;
	image?: number | undefined;
	results: readonly string[];
	from: "record" | "search";
	made: Omit<RetrieverPair["source"], "benchmark" | "knowledge">;
}

/** Where the queries for the hops of one task come from. */
interface AskedSources {
	task: Task;
	/** Of the hop's evidence. */
	kinds: readonly EvidenceKind[];
	/** Searches the knowledge base with gold sub-questions; `depth` results, default 30. */
	search?: SearchedIds | undefined;
	depth?: number | undefined;
	/** Records of agents on the task. */
	searches: readonly (DiagnosedRecord & { manifest: Pick<RunManifest, "id" | "agent"> })[];
	aim: ReturnType<typeof createAim>;
}

/** The gold sub-question of a hop, or its question image where that is what it identifies, and what agents asked for it. */
export async function askedFor(hop: Hop, sources: AskedSources): Promise<Asked[]> {
	return [...(await subQuestions(hop, sources)), ...madeByAgents(hop, sources)];
}

async function subQuestions(hop: Hop, { task, kinds, search, depth = 30 }: AskedSources): Promise<Asked[]> {
	const shown = identifyingHops(task).get(hop.id);
	const asked: Asked[] = [];
	for (const kind of kinds) {
		const image = kind === "image" ? shown : undefined;
		// what only the picture tells is not in the words
		if (image === undefined && shown !== undefined) continue;
		const query = image === undefined ? { text: hop.question } : { image };
		const results = search ? await search({ task, target: kind, ...query, k: depth }) : [];
		asked.push({ task, hop, by: "sub-question", kind, ...query, results, from: "search", made: {} });
	}
	return asked;
}

function madeByAgents(hop: Hop, { task, searches, aim }: AskedSources): Asked[] {
	return searches.flatMap(({ manifest, record, ...one }) =>
		queriesFor(hop, { record, ...one }, aim).map(({ target, text, image, step, results }): Asked => {
			const made = { run: manifest.id, agent: manifest.agent.name, repeat: record.repeat, step };
			return { task, hop, by: "agent", kind: target, text, image, results, from: "record", made };
		}),
	);
}

/** A search that an agent made for a hop, as a retriever is asked it. */
interface SearchedQuery {
	target: EvidenceKind;
	text?: string;
	/** Index of the question image. */
	image?: number;
	step: number;
	/** Ids that came back, best first. */
	results: string[];
}

const targets = { text: "passage", image: "image", page: "page" } as const;

/**
 * The searches of a record that asked for a hop: their words aim at it, and name what it needs. A query that carries
 * another entity than the gold chain asks for another fact, and the hop's evidence would not answer it.
 */
function queriesFor(
	hop: Hop,
	{ task, record }: Pick<DiagnosedRecord, "task" | "record">,
	aim: ReturnType<typeof createAim>,
): SearchedQuery[] {
	return record.trajectory.steps.flatMap((step): SearchedQuery[] => {
		const { call } = step;
		if (!call?.valid || !isSearch(call.tool) || call.tool.startsWith("web_") || step.error !== undefined) return [];
		const made = {
			target: targets[searchTools[call.tool]],
			step: step.index,
			results: step.results.map(({ id }) => id),
		};
		const { query, image } = call.arguments;
		if (call.tool === "image_search_by_image")
			return typeof image === "number" && identifyingHops(task).get(hop.id) === image ? [{ ...made, image }] : [];
		if (typeof query !== "string" || query.trim() === "") return [];
		// its words alone: a sub-question beside it is not sent to the retriever
		const aimed = aim.at(lookingOf({ call: { ...call, arguments: { query } } }));
		return aimsAt(aimed, hop) && namesNeeds(query, hop, task) ? [{ ...made, text: query.trim() }] : [];
	});
}

/** Whether a query names the answers of needed hops that the gold sub-question names. */
function namesNeeds(query: string, hop: Hop, task: Task): boolean {
	return hop.needs.every((need) => {
		const needed = task.chain?.hops.find(({ id }) => id === need.hop);
		if (!needed) return false;
		const forms = [needed.answer.value, ...needed.answer.accepted];
		return !mentionsAny(forms, [hop.question]) || mentionsAny(forms, [query]);
	});
}
