import type { DiagnosedRecord } from "#diagnosis";
import { type EvidenceKind, type Hop, identifyingHops, isSearch, searchTools, type Task } from "#domain";
import { aimsAt, createAim, lookingOf, mentionsAny } from "#scoring";

/** A search that an agent made for a hop, as a retriever is asked it. */
export interface SearchedQuery {
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
export function queriesFor(
	hop: Hop,
	{ task, record }: Pick<DiagnosedRecord, "task" | "record">,
	aim = createAim(task),
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
