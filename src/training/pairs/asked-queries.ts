import type { DiagnosedRecord, SearchedIds } from "#diagnosis";
import { type EvidenceKind, type Hop, identifyingHops, type RunManifest, type Task } from "#domain";
import type { createAim } from "#scoring";
import type { RetrieverPair } from "./pair.ts";
import { queriesFor } from "./searched-queries.ts";

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
