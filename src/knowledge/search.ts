import type { Table } from "@lancedb/lancedb";
import { exitCodes, HopscopeError } from "#domain";
import { type OpenedIndexes, openIndexes } from "./answers.ts";
import { type Fused, fuse } from "./fusion.ts";
import { evidenceOf } from "./lookup.ts";
import { indexesFor, waysThrough } from "./modes.ts";
import { pagesOfPassages } from "./page-of-passage.ts";
import type { IndexName, Query, SearchResult } from "./query.ts";
import { byScore, type ListForm } from "./ranked.ts";
import { type Found, resultOf } from "./result.ts";

/** Answers a query as `KnowledgeBase.search` has it. */
export type Search = (query: Query) => Promise<SearchResult[]>;

const mostResults = 1000;
/** Places of each list that fusion looks at, at least: further ones change one of two hundred results, none at the top. */
const fusionDepth = 100;

/** The search over the indexes of an open knowledge base. */
export function createSearch(opened: OpenedIndexes): Search {
	const { tables, manifest } = opened;
	const indexes = openIndexes(opened);

	/** What the indexes that a query asks for answer, as one list of at least k where there is as much to find. */
	async function rankedOf(query: Query, k: number): Promise<{ hits: Fused[]; form: ListForm }> {
		const { image, target, filter, exact = false } = query;
		const text = query.text?.trim() ?? "";
		const mode = query.mode ?? manifest.modes?.[target] ?? "lexical";
		const names = text === "" ? [] : indexesFor(manifest, mode, target);
		const form = formOf(names, image !== undefined);
		// one list is not fused: what stands below its k best changes nothing
		const isAlone = names.length + (image === undefined ? 0 : 1) === 1;
		const ask = { text, target, filter, exact, form, k: isAlone ? k : Math.max(k, fusionDepth) };
		const wordsAndDense = names.length === 2 && image === undefined && names.includes("dense");
		const weightOf = (name: IndexName) =>
			(wordsAndDense && manifest.indexes.find((one) => one.name === name && one.over.includes(target))?.weight) || 1;
		const byText = names.map(async (index) => {
			const hits = await indexes.byText(index, ask);
			return { index, hits, weight: weightOf(index) };
		});
		const byImage = image === undefined ? [] : indexes.byImage(image, ask);
		return { hits: fuse((await Promise.all([...byText, byImage])).flat()), form };
	}

	/** The k best with their evidence, ties by id. */
	async function bestOf(query: Query, table: Table, k: number): Promise<Found[]> {
		const { hits, form } = await rankedOf(query, k);
		const least = hits[k - 1]?.score ?? Number.NEGATIVE_INFINITY;
		const near = hits.filter(({ score }) => score >= least);
		const evidence = await evidenceOf(table, near, form);
		const found = near.flatMap((hit): Found[] => {
			const item = evidence.get(hit.id);
			return item ? [{ ...hit, id: item.id, evidence: item }] : [];
		});
		return found.sort(byScore).slice(0, k);
	}

	/** The k best pages, by their best passages. */
	async function bestThrough(query: Query, pages: Table, k: number): Promise<Found[]> {
		const passages = tables.get("passage");
		if (!passages) return [];
		const { through: _through, ...asked } = query;
		const found = await bestOf({ ...asked, target: "passage" }, passages, Math.max(k * 5, fusionDepth));
		return (await pagesOfPassages(found, pages)).slice(0, k);
	}

	return async (query) => {
		checkQuery(query);
		const k = Math.min(Math.max(Math.floor(query.k) || 1, 1), mostResults);
		const table = tables.get(query.target);
		if (!table) return [];
		const found = await (waysThrough(query, manifest) === "passages" ? bestThrough : bestOf)(query, table, k);
		return found.map((one, index) => resultOf(one, index + 1, query.text ?? ""));
	};
}

/** A list that is not fused is the answer; lists of one table's rows need no ids. */
function formOf(names: IndexName[], withImage: boolean): ListForm {
	if (withImage) return "ids";
	if (names.length === 1) return "answer";
	return names.every((name) => name === "lexical" || name === "dense") ? "rows" : "ids";
}

/** What cannot be asked for, whatever the knowledge base holds. */
function checkQuery({ image, target, through }: Query): void {
	const refuse = (message: string, remedy: string) => {
		throw new HopscopeError("bad-query", message, remedy, { exitCode: exitCodes.usage });
	};
	if (image !== undefined && target !== "image")
		refuse(`an image finds images, not a ${target}`, "Ask for target image.");
	if (through && target !== "page") refuse(`a ${target} is not found through passages`, "Ask for target page.");
}
