import type { Table } from "@lancedb/lancedb";
import { type KnowledgeManifest, usageError } from "#domain";
import { lookAlikeDistance } from "#encoders";
import type { AnswerList } from "./fusion.ts";
import { createGraphSearch } from "./graph-index.ts";
import { createImageSearch, type ImageSearch } from "./image-search.ts";
import { type FirstStage, searchLate } from "./late-search.ts";
import { lexical } from "./lexical.ts";
import type { IndexName, Query, Target } from "./query.ts";
import type { QueryEncoders } from "./query-encoders.ts";
import type { ListForm, Ranked } from "./ranked.ts";
import { filterClause, type TableName } from "./tables.ts";
import { queryTerms } from "./terms.ts";
import { type Approximation, nearest } from "./vectors.ts";

/** What the indexes of an open knowledge base answer, each by itself. */
export interface Indexes {
	/** A text looked up in one index; a text without words finds nothing. */
	byText(name: Exclude<IndexName, "image">, ask: Ask): Promise<Ranked[]>;
	/** The lists of a picture: by its look, and by its meaning where there is an image encoder. */
	byImage(image: string | Buffer, ask: Omit<Ask, "text">): Promise<AnswerList[]>;
}

export interface Ask {
	text: string;
	target: Target;
	k: number;
	form: ListForm;
	filter: Query["filter"];
	exact: boolean;
}

/** Characters of a query that are encoded: a pasted article is searched by its beginning. */
const mostEncoded = 4000;

/** What a knowledge base was opened with. */
export interface OpenedIndexes {
	/** Path of the graph's folder. */
	graph(): Promise<string>;
	tables: Map<TableName, Table>;
	manifest: KnowledgeManifest;
	languages: string[];
	encoders: QueryEncoders;
}

export function openIndexes({ graph, tables, manifest, languages, encoders }: OpenedIndexes): Indexes {
	const views = tables.get("view");
	const searchViews: ImageSearch | undefined = views && createImageSearch(views);

	const searchGraph = createGraphSearch(graph);
	const indexOf = (name: IndexName, target: Target) =>
		manifest.indexes.find((one) => one.name === name && one.over.includes(target));
	/** Of a list that is fused only the beginning weighs, and that is compared exactly without going past its end. */
	const approximation = (name: IndexName, { target, exact, form }: Omit<Ask, "text">): Approximation | undefined => {
		const index = indexOf(name, target);
		if (exact || !index || index.exact) return undefined;
		const search = index.search as unknown as Approximation;
		if (form === "answer") return search;
		// codes of one bit are too coarse for that
		return { ...search, refine: search.ef > 0 ? 1 : Math.min(search.refine, 3) };
	};
	const searchOf = (name: IndexName, ask: Omit<Ask, "text">) => ({
		k: ask.k,
		where: filterClause(ask.filter),
		approximate: approximation(name, ask),
		form: ask.form,
	});

	return {
		async byText(name, ask) {
			const { text, target, k, filter, exact, form } = ask;
			const table = tables.get(target);
			const terms = queryTerms(text, languages);
			if (!table || terms.own.length === 0) return [];
			const start = text.slice(0, mostEncoded);
			switch (name) {
				case "lexical":
					return lexical(table, terms, searchOf(name, ask));
				case "dense": {
					const [vector] = await (await encoders.text()).encodeQueries([start]);
					return vector ? nearest(table, vector, searchOf(name, ask)) : [];
				}
				case "joint": {
					const encoder = await encoders.image();
					const joint = tables.get("joint");
					if (!encoder.encodeTexts && form === "answer")
						throw usageError(
							"no-index",
							`the image encoder ${encoder.about.name} does not encode texts`,
							"Search with mode lexical, or build with an encoder of texts and images in one space.",
						);
					const [vector] = (await encoder.encodeTexts?.([start])) ?? [];
					// Related images and texts can have a cosine below zero: only the order counts.
					const search = { ...searchOf(name, ask), form: form === "answer" ? undefined : form, above: -2 };
					return vector && joint ? nearest(joint, vector, search) : [];
				}
				case "late": {
					const late = tables.get("late");
					const encoder = await encoders.page();
					const [vectors] = await encoder.encodeQueries([start]);
					const index = indexOf("late", target);
					if (!late || !vectors) return [];
					const firstStage = exact || index?.exact ? undefined : (index?.search as unknown as FirstStage);
					const { dimensions } = encoder.about;
					const where = filterClause(filter);
					return searchLate({ late, patch: tables.get("patch") }, vectors, { k, dimensions, where, firstStage });
				}
				case "graph":
					return searchGraph(table, text, { k, where: filterClause(filter) });
			}
		},
		async byImage(image, ask) {
			const { k, filter } = ask;
			const joint = tables.get("joint");
			const [alike = [], vectors = []] = await Promise.all([
				searchViews?.(image, { k, where: filterClause(filter) }),
				joint && (await encoders.image()).encodeImages([image]),
			]);
			if (!joint) return [{ index: "image", hits: alike }];
			// beside an encoder that knows what pictures show, the descriptor tells the same picture altered, and no more
			const same = alike.filter(({ score }) => score >= 1 / (1 + lookAlikeDistance));
			const [vector] = vectors;
			const found = vector ? await nearest(joint, vector, { ...searchOf("joint", ask), above: -2 }) : [];
			const lists: AnswerList[] = [
				{ index: "image", hits: same },
				{ index: "joint", hits: found },
			];
			return lists.filter(({ hits }) => hits.length > 0);
		},
	};
}
