import { type Evidence, HopscopeError, type KnowledgeManifest } from "#domain";
import { canonicalJson, sha256 } from "#store";
import { createBm25 } from "./bm25.ts";
import { fuse } from "./fusion.ts";
import type { KnowledgeBase } from "./knowledge-base.ts";
import type { Filter, Query } from "./query.ts";
import { byScore, rounded } from "./ranked.ts";
import { resultOf } from "./result.ts";
import { evidenceKinds } from "./tables.ts";
import { queryTerms, termsOf, termsVersion } from "./terms.ts";
import { emphasisedText, languageOf } from "./texts.ts";

export interface FakeOptions {
	name?: string;
	/** What a picture is taken for, best first: bytes or path as asked, compared as they are. */
	images?: { image: string | Buffer; ids: string[] }[];
	/** Files of evidence, by id. */
	files?: Record<string, string>;
	/** Queries and lookups that were made, in order. */
	onCall?: (call: { search: Query } | { evidence: string }) => void;
}

/**
 * A knowledge base held in memory, for tests of whatever searches: the same words, stems, filters, ties and results as
 * one on disk, by BM25 (k1 1.2, b 0.75) alone. It opens no engine and reads no file.
 */
export function fakeKnowledge(evidence: Evidence[] = [], options: FakeOptions = {}): KnowledgeBase {
	const { name = "fake", images = [], files = {}, onCall } = options;
	const held = new Map([...evidence].sort((a, b) => (a.id < b.id ? -1 : 1)).map((item) => [item.id, item]));
	const languages = [...new Set([...held.values()].map(languageOf))].filter((language) => language !== "und").sort();

	function lexical(text: string, candidates: Evidence[], filter: Filter | undefined) {
		const { own, others } = queryTerms(text, languages);
		const asked = [...own.map((term) => ({ term })), ...others.map((term) => ({ term, weight: 0.5 }))];
		const scores = createBm25(candidates.map((item) => termsOf(emphasisedText(item), languageOf(item)))).scores(asked);
		return candidates
			.map((item, at) => ({ item, id: item.id, score: rounded(scores[at] ?? 0) }))
			.filter(({ item, score }) => score > 0 && fits(item, filter))
			.sort(byScore);
	}

	return {
		dir: "",
		manifest: fakeManifest(name, [...held.values()]),
		async search(query) {
			onCall?.({ search: query });
			const { text = "", image, target, filter } = query;
			if (image !== undefined && target !== "image")
				throw new HopscopeError("bad-query", `an image finds images, not a ${target}`, "Ask for target image.");
			const candidates = [...held.values()].filter(({ kind }) => kind === target);
			const alike = images.find((one) => image !== undefined && String(one.image) === String(image))?.ids ?? [];
			const seen = alike.flatMap((id, at) =>
				candidates.some((item) => item.id === id) ? [{ id, score: 1 / (1 + at) }] : [],
			);
			const lists = [
				...(text.trim() === "" ? [] : [{ index: "lexical" as const, hits: lexical(text, candidates, filter) }]),
				...(image === undefined ? [] : [{ index: "image" as const, hits: seen }]),
			];
			const hits = fuse(lists).slice(0, Math.min(Math.max(Math.floor(query.k) || 1, 1), 1000));
			return hits.flatMap((hit, at) => {
				const item = held.get(hit.id);
				return item ? [resultOf({ ...hit, evidence: item }, at + 1, text)] : [];
			});
		},
		async evidence(id) {
			onCall?.({ evidence: id });
			return held.get(id);
		},
		document: async (name, { most }) => {
			const own = [...held.values()].filter((item) => item.document === name);
			return evidenceKinds.flatMap((kind) => own.filter((item) => item.kind === kind).slice(0, most));
		},
		missing: async (ids) => [...new Set(ids)].filter((id) => !held.has(id)),
		file: async ({ id }) => files[id],
		async close() {},
	};
}

function fits(item: Evidence, filter: Filter | undefined): boolean {
	const own = { document: item.document, language: item.language, form: item.kind === "passage" ? item.form : "" };
	return (["document", "language", "form"] as const).every((field) => {
		const wanted = filter?.[field];
		return wanted === undefined || [wanted].flat().some((value) => value === own[field]);
	});
}

function fakeManifest(name: string, evidence: Evidence[]): KnowledgeManifest {
	const counts = { passage: 0, page: 0, image: 0 };
	for (const { kind } of evidence) counts[kind] += 1;
	const over = evidenceKinds.filter((kind) => counts[kind] > 0);
	const hash = sha256(canonicalJson({ name, evidence }));
	return {
		version: 1,
		name,
		corpus: { name, hash },
		counts,
		indexes: [
			{ name: "lexical", over, encoder: { name: "terms", version: termsVersion }, metric: "bm25", exact: true },
		],
		modes: { passage: "lexical", page: "lexical", image: "lexical" },
		hash,
	};
}
