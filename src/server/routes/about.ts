import type { KnowledgeManifest } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { Limiter } from "../limiter.ts";
import { type Answer, type Exchange, get, type Route } from "../route.ts";

/**
 * `GET /health` and `GET /v1/index`: whether the server answers, what it serves and how exact that is. Health carries
 * the keys of AgenticRAGTracer's and FlashRAG's servers too, and answers without a token, then without particulars.
 */
export function aboutRoutes({ knowledge, limiter }: { knowledge: KnowledgeBase; limiter: Limiter }): Route[] {
	const { name, hash, corpus, counts, indexes, modes, pagePictures, pagesThrough, service } = knowledge.manifest;
	function health({ trusted }: Exchange): Answer {
		if (!trusted) return { json: { ok: true, status: "healthy" } };
		const { running, waiting, limit, queue } = limiter.load();
		const load = { running, waiting, limit, queue };
		const retrievers = { total: limit, available: limit - running };
		const about = { knowledge: name, hash, counts, recall: lowestRecall(indexes) };
		return { json: { ok: true, status: "healthy", ...about, load, retrievers } };
	}
	const index = {
		...{ knowledge: name, hash, corpus, counts, indexes, modes, pagePictures, pagesThrough, service },
		order: service ? "its own" : "score descending, then id ascending",
	};
	return [get("/health", health, { open: true }), get("/v1/index", () => ({ json: index }))];
}

/** Measured recall of the least exact index; 1 where all are exact, null where one was never measured. */
function lowestRecall(indexes: KnowledgeManifest["indexes"]): number | null {
	const recalls = indexes.map(({ exact, recall }) => (exact ? 1 : recall?.value));
	return recalls.includes(undefined) ? null : Math.min(1, ...recalls.flatMap((recall) => recall ?? []));
}
