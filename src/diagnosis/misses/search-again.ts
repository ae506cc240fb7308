import { type Evidence, type EvidenceKind, isSearch, remembering, type Step, searchTools, type Task } from "#domain";

/** A search as it can be made again over any knowledge base: words or one of the question's images, by its index. */
export interface SearchAgain {
	task: Task;
	target: EvidenceKind;
	text?: string | undefined;
	image?: number | undefined;
	documents?: string[] | undefined;
	/** How it was searched, where the record says so. */
	mode?: string | undefined;
	k: number;
}

/** Makes a search and gives the ids it brings, best first. */
export type SearchedIds = (search: SearchAgain) => Promise<string[]>;

/** Makes equal searches once, and gives the others what that one brought. */
export const onceEach = (search: SearchedIds): SearchedIds => remembering(search, { keyOf });

/** Equal for searches that give equal results; an image belongs to its task. */
export const keyOf = ({ task, image, ...rest }: SearchAgain): string =>
	JSON.stringify([image === undefined ? null : [task.id, image], rest]);

export type EvidenceOf = (id: string) => Promise<Evidence | undefined>;

/** What is searched for evidence that lives in a modality. */
export const targets = { text: "passage", image: "image", page: "page" } as const;

/** How many results a step asked for; `otherwise` where its model did not choose. */
export function kOf(step: Step, otherwise: number): number {
	const k = step.call?.arguments.k;
	return typeof k === "number" && Number.isInteger(k) && k > 0 ? Math.min(k, 100) : otherwise;
}

/** Why a step that is no search cannot be made again as one. */
export const noSearch = "no search";

/** A recorded search, or why it cannot be made again. */
export function searchOf(step: Step, { task, k }: { task: Task; k: number }): SearchAgain | { not: string } {
	const { call } = step;
	if (!call?.valid || !isSearch(call.tool)) return { not: noSearch };
	if (call.tool.startsWith("web_")) return { not: "a search of the web" };
	const { query, image, documents, mode } = call.arguments;
	const target = targets[searchTools[call.tool]];
	const asked = { task, target, k: kOf(step, k) };
	if (call.tool === "image_search_by_image") {
		if (typeof image !== "number") return { not: "it names no image" };
		return image in task.images ? { ...asked, image } : { not: "a search with a crop" };
	}
	if (typeof query !== "string" || query.trim() === "") return { not: "it names no query" };
	const within = Array.isArray(documents) ? documents.filter((one) => typeof one === "string") : undefined;
	return {
		...{ ...asked, text: query },
		...(within && within.length > 0 ? { documents: within } : {}),
		...(typeof mode === "string" ? { mode } : {}),
	};
}
