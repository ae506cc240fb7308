import type { Evidence, Task } from "#domain";

/** What a reviewer sees of an item: nothing that models said of it. */
export interface ReviewItem {
	id: string;
	question: string;
	/** Image files, relative to the benchmark folder, in the order in which the question counts them. */
	images: string[];
	answer: string;
	/** Other forms that count as right. */
	alsoRight: string[];
	language: string;
	hops: {
		id: string;
		question: string;
		answer: string;
		modality: string;
		/** Hops whose answers it needs. */
		needs: string[];
		evidence: { id: string; title: string; text: string; file?: string }[];
	}[];
}

/** Evidence shown to a reviewer is cut to this many characters. */
const mostShown = 4000;
/** Of many passages that state a fact, so many are shown. */
const mostEvidence = 5;

/** The item of a task, with the texts of its evidence. */
export async function reviewItemOf(
	task: Task,
	{ evidence }: { evidence(id: string): Promise<Evidence | undefined> },
): Promise<ReviewItem> {
	const hops: ReviewItem["hops"] = [];
	for (const hop of task.chain?.hops ?? []) {
		const shown: ReviewItem["hops"][number]["evidence"] = [];
		for (const id of hop.evidence.slice(0, mostEvidence)) {
			const found = await evidence(id);
			shown.push(found ? shownOf(found) : { id, title: "", text: "(not in the knowledge base)" });
		}
		const needs = hop.needs.map((need) => need.hop);
		hops.push({
			id: hop.id,
			question: hop.question,
			answer: hop.answer.value,
			modality: hop.modality,
			needs,
			evidence: shown,
		});
	}
	const { value, accepted } = task.answer;
	return {
		id: task.id,
		question: task.question,
		images: task.images.map(({ file }) => file),
		answer: value,
		alsoRight: accepted.filter((form) => form !== value),
		language: task.tags.language,
		hops,
	};
}

function shownOf(found: Evidence): ReviewItem["hops"][number]["evidence"][number] {
	const { id, title } = found;
	if (found.kind === "image") return { id, title, text: found.caption.slice(0, mostShown), file: found.file };
	const text = found.text.slice(0, mostShown);
	return found.kind === "page" && found.file ? { id, title, text, file: found.file } : { id, title, text };
}

/** The hops of an item as text, for forms that have one field for them. */
export const hopsAsText = ({ hops }: ReviewItem): string =>
	hops
		.map(({ id, question, answer, modality, needs }) => {
			const after = needs.length > 0 ? `, needs ${needs.join(", ")}` : "";
			return `${id} (${modality}${after}): ${question} → ${answer}`;
		})
		.join("\n");

/** The evidence of an item as text, each once. */
export const evidenceAsText = ({ hops }: ReviewItem): string => {
	const seen = new Set<string>();
	return hops
		.flatMap((hop) =>
			hop.evidence.flatMap(({ id, title, text }) => {
				if (seen.has(id)) return [];
				seen.add(id);
				return [`[${hop.id}] ${title || id}: ${text}`];
			}),
		)
		.join("\n\n");
};
