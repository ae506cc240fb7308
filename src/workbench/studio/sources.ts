import { type BenchmarkLine, type KnowledgeLine, type SourcesData, sourceNamed } from "#studio";
import type { Bench } from "../work.ts";
import { studioBenchmarks } from "./benchmarks.ts";
import { type KnowledgeAsked, studioKnowledge } from "./knowledge.ts";

/** The knowledge bases and benchmarks of a workspace as the studio's pages have them. */
export function studioSources(bench: Bench) {
	const knowledge = studioKnowledge({ benchmarksOver: (name) => benchmarks.over(name) }, bench);
	const benchmarks = studioBenchmarks(knowledge, bench);
	const data = {
		knowledgeBases: (): Promise<KnowledgeLine[]> => knowledge.list(),
		knowledge: knowledge.page,
		search: (name: string, asked: KnowledgeAsked) => knowledge.search(name, asked),
		document: knowledge.document,
		benchmarks: (): Promise<BenchmarkLine[]> => benchmarks.list(),
		benchmark: benchmarks.page,
		check: benchmarks.check,
		rows: benchmarks.rows,
		task: benchmarks.task,
		next: benchmarks.next,
		evidence: benchmarks.evidence,
	} satisfies SourcesData;
	return {
		...data,
		/** The file of a picture of `knowledge:NAME` or `benchmark:NAME`. */
		async media(of: string, media: string): Promise<string | undefined> {
			const source = sourceNamed(of);
			if (!source) return undefined;
			return source.is === "knowledge" ? knowledge.media(source.name, media) : benchmarks.media(source.name, media);
		},
		async close() {
			await benchmarks.close();
			await knowledge.close();
		},
	};
}
