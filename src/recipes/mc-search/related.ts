import { z } from "zod";
import type { Evidence } from "#domain";
import type { Graph } from "#graph";
import type { KnowledgeBase } from "#knowledge";
import { asDrop, asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { heldEvidence } from "../stages/picture-of.ts";
import { Cluster } from "./cluster.ts";

/** Ways in which evidence has to do with a cluster, beside standing in one document. */
export const Relatedness = z.enum(["graph", "search"]);

/** Steps from the entity that a cluster is called after, and results of each search. */
const mostNear = 20;

/**
 * Adds to a cluster what its neighbours in the graph state and what a search for its title or with its first image finds,
 * and cuts it to its bounds. One with fewer than two pieces is dropped.
 */
export function relatedClusters(options: {
	knowledge: Pick<KnowledgeBase, "search" | "evidence" | "file" | "manifest">;
	graph: Graph | undefined;
	by: readonly z.infer<typeof Relatedness>[];
	mostTexts: number;
	mostImages: number;
}): Stage<Cluster, Cluster> {
	const { knowledge, graph, by, mostTexts, mostImages } = options;
	return defineStage("expand", "related-evidence", 1, {
		params: { by, mostTexts, mostImages, knowledge: knowledge.manifest.hash, graph: graph?.manifest?.hash ?? null },
		output: Cluster,
		async run(cluster) {
			const full = cluster.texts.length >= mostTexts && cluster.images.length >= mostImages;
			const near = full ? [] : await nearOf(cluster);
			const ids = (kind: Evidence["kind"], own: readonly string[], most: number) =>
				[...new Set([...own, ...near.filter((one) => one.kind === kind).map(({ id }) => id)])].slice(0, most);
			const texts = ids("passage", cluster.texts, mostTexts);
			const images = ids("image", cluster.images, mostImages);
			if (texts.length + images.length < 2) return [asDrop("dead_end", "nothing has to do with it")];
			return [asPiece({ ...cluster, texts, images })];
		},
	});

	async function nearOf(cluster: Cluster): Promise<Evidence[]> {
		const ids = [
			...(by.includes("graph") && graph ? neighbours(graph, cluster.title) : []),
			...(by.includes("search") ? await found(cluster) : []),
		];
		return heldEvidence(knowledge, new Set(ids));
	}

	async function found({ title, images }: Cluster): Promise<string[]> {
		const [first] = images;
		const evidence = first === undefined ? undefined : await knowledge.evidence(first);
		const picture = evidence && (await knowledge.file(evidence));
		const text = title || (evidence?.kind === "image" ? evidence.caption : "");
		const lists = await Promise.all([
			knowledge.search({ text, target: "passage", k: mostNear }),
			knowledge.search({ text, target: "image", k: mostNear }),
			picture === undefined ? [] : knowledge.search({ image: picture, target: "image", k: mostNear }),
		]);
		return lists.flat().map(({ id }) => id);
	}
}

/** Evidence of what the graph says of the things of that name, and of what they lead to. */
function neighbours(graph: Graph, title: string): string[] {
	const steps = graph.find(title).flatMap(({ id }) => graph.strongest(id, mostNear));
	const further = steps.flatMap(({ to }) => (to.kind === "entity" ? graph.strongest(to.id, 3) : []));
	return [...steps, ...further].flatMap(({ triple }) => triple.statements.map(({ evidence }) => evidence));
}
