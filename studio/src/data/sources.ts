/** Knowledge bases and benchmarks as pages ask for them. An export has none. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { BenchmarkChecked, KnowledgeQuery, SourcesData } from "../../../src/studio/sources-pages.ts";
import { useData } from "./source.ts";

const never = () =>
	Promise.reject(
		new Error("An export holds what runs came to, and nothing to search. Open it with `hopscope studio`."),
	);
const nowhere: SourcesData = {
	...{ knowledgeBases: never, knowledge: never, search: never, document: never },
	...{ benchmarks: never, benchmark: never, check: never, rows: never, task: never, next: never, evidence: never },
};

export const useSources = (): SourcesData => useData().sources ?? nowhere;

/** What pictures of a knowledge base, or of a benchmark, are asked for by. */
export const knowledgeMedia = (name: string) => `knowledge:${name}`;
export const benchmarkMedia = (name: string) => `benchmark:${name}`;

export function useKnowledgeBases() {
	const sources = useSources();
	return useQuery({ queryKey: ["knowledge-bases"], queryFn: () => sources.knowledgeBases() });
}

export function useKnowledge(name: string) {
	const sources = useSources();
	return useQuery({ queryKey: ["knowledge", name], queryFn: () => sources.knowledge(name) });
}

/** What every index brings; `picture` names an image that was handed over, since its bytes are no name. */
export function useFound(name: string, query: KnowledgeQuery, picture: string) {
	const sources = useSources();
	const { image, ...rest } = query;
	return useQuery({
		queryKey: ["found", name, rest, picture || image],
		queryFn: () => sources.search(name, query),
		enabled: query.text !== "" || image !== undefined,
		placeholderData: keepPreviousData,
		staleTime: 300_000,
	});
}

export function useDocument(name: string, document: string) {
	const sources = useSources();
	return useQuery({ queryKey: ["document", name, document], queryFn: () => sources.document(name, document) });
}

export function useBenchmarks() {
	const sources = useSources();
	return useQuery({ queryKey: ["benchmarks"], queryFn: () => sources.benchmarks() });
}

export function useBenchmark(name: string) {
	const sources = useSources();
	return useQuery({ queryKey: ["benchmark", name], queryFn: () => sources.benchmark(name) });
}

/** Of more tasks than this, the checks are begun only by who wants to see them: they keep the server busy meanwhile. */
export const mostCheckedUnasked = 2000;

/** What checks find: begun by asking, asked again until they are through. */
export function useCheck(name: string, wanted: boolean) {
	const sources = useSources();
	return useQuery({
		enabled: wanted,
		queryKey: ["benchmark-check", name],
		queryFn: (): Promise<BenchmarkChecked> => sources.check(name),
		refetchInterval: ({ state }) => (state.data?.is === "making" ? 500 : false),
	});
}

export function useBenchmarkTask(name: string, task: string, checked: boolean) {
	const sources = useSources();
	return useQuery({
		queryKey: ["benchmark-task", name, task, checked],
		queryFn: () => sources.task(name, task),
		placeholderData: (before) => (before?.task === task ? before : undefined),
	});
}

/** The gold evidence of a hop, once somebody wants to see it. */
export function useGoldEvidence(name: string, key: { task: string; hop: string }, wanted: boolean) {
	const sources = useSources();
	return useQuery({
		queryKey: ["gold-evidence", name, key.task, key.hop],
		queryFn: () => sources.evidence(name, key),
		enabled: wanted,
		staleTime: 300_000,
	});
}
