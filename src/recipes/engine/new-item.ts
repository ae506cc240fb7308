import type { Answer, Chain, Item } from "#domain";
import { canonicalJson, sha256 } from "#store";

/** An item as a compose stage first makes it; its id follows from question, answer and evidence. */
export function newItem(
	content: { question: string; answer: Answer; chain: Chain; by: string } & Partial<
		Pick<Item, "images" | "lineage" | "tags" | "ladder" | "cluster" | "source" | "rights" | "notes">
	>,
	recipe: { name: string; version: string },
): Item {
	const { question, answer, chain, by, ...rest } = content;
	const evidence = chain.hops.map((hop) => hop.evidence);
	const images = (content.images ?? []).map((image) => image.sha256);
	const hash = sha256(canonicalJson([question, answer.value, evidence, images])).slice(0, 12);
	return {
		id: `${recipe.name}-${hash}`,
		recipe: { name: recipe.name, version: recipe.version },
		questions: [{ text: question, by }],
		answer,
		chain,
		images: [],
		checks: [],
		lineage: [],
		tags: { language: "und" },
		source: "",
		rights: "",
		notes: {},
		...rest,
	};
}

/** The item with another wording of its question; the earlier ones stay. */
export const reworded = (item: Item, version: Item["questions"][number]): Item => ({
	...item,
	questions: [...item.questions, version],
});
