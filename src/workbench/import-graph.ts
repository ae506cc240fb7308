import { join } from "node:path";
import { usageError } from "#domain";
import {
	buildGraph,
	type GraphFormat,
	type GraphManifest,
	type Grounded,
	graphFolder,
	groundClaims,
	importGraph,
	writeGraph,
} from "#graph";
import { corpusBehind } from "./knowledge-of.ts";
import { locate } from "./locate.ts";
import type { Bench } from "./work.ts";

export interface ImportGraphOptions {
	/** The knowledge base that gets the graph. */
	knowledge: string;
	/** The file's form; by its name where nothing is said. */
	format?: GraphFormat | undefined;
	/** What the file's page numbers begin with. */
	pageBase?: 0 | 1 | undefined;
}

export interface ImportedGraph {
	/** The graph's folder. */
	graph: string;
	hash: string;
	counts: GraphManifest["counts"];
	/** Statements by what ties them to a passage. */
	grounded: Grounded["counts"];
	losses: string[];
	format: string;
}

/** Ties a ready graph to the passages of a knowledge base; an earlier graph is replaced. */
export async function importGraphFile(
	file: string,
	{ knowledge, format, pageBase }: ImportGraphOptions,
	{ workspace }: Bench,
): Promise<ImportedGraph> {
	const dir = await locate(workspace, "knowledge", knowledge);
	const corpus = await corpusBehind(dir);
	const imported = await importGraph(file, {
		...(format === undefined ? {} : { format }),
		...(pageBase === undefined ? {} : { pageBase }),
	});
	if (imported.claims.length === 0)
		throw usageError("no-triples", `${file} holds no triple`, "See hopscope graph import --help for the forms.", {
			facts: { rejected: imported.rejected.slice(0, 20) },
		});
	const { claims, counts: grounded } = await groundClaims(imported.claims, () => corpus.evidence());
	const built = buildGraph({ claims, entities: imported.entities });
	const losses = [...imported.losses];
	if (grounded.mention > 0)
		losses.push(`${grounded.mention} triples are tied to passages that name both ends, not to where they are stated`);
	if (grounded.none > 0) losses.push(`${grounded.none} triples are named by no passage`);
	const graph = join(dir, graphFolder);
	const { counts, hash } = await writeGraph(
		graph,
		{ ...built, rejected: [...imported.rejected, ...built.rejected] },
		{ name: corpus.manifest.name, corpus: corpus.manifest, origins: [imported.format], losses },
	);
	return { graph, hash, counts, grounded, losses, format: imported.format };
}
