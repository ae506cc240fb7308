import { join } from "node:path";
import { type Command, Option } from "commander";
import { counted, exitCodes, HopscopeError } from "#domain";
import { buildGraph, type GraphFormat, graphFolder, graphFormats, groundClaims, importGraph, writeGraph } from "#graph";
import { openWorkspace } from "#store";
import type { Context } from "../context.ts";
import { type GraphOptions, openForGraph, withKnowledge } from "./graph-options.ts";

/** `hopscope graph import FILE`: a ready graph, tied to the corpus. */
export function addGraphImport(graph: Command, { output }: Context): void {
	withKnowledge(graph.command("import"))
		.description("Tie a ready graph to the passages of a knowledge base")
		.argument("<file>", `one of ${Object.values(graphFormats).flat().join(", ")}`)
		.addOption(
			new Option("-f, --format <format>", "the form (default: by the file's name)").choices(Object.keys(graphFormats)),
		)
		.addOption(new Option("--page-base <n>", "what the file's page numbers begin with").choices(["0", "1"]))
		.addHelpText(
			"after",
			`
Reads GraphML (LightRAG's graph_chunk_entity_relation.graphml too), JSON, JSON lines, CSV or TSV of triples (subject,
relation, object, and if there is one the passage's id), and RDF N-Triples. A triple whose source is no passage of the
knowledge base is tied to passages that name both its ends. An earlier graph is replaced.

Examples:
  $ hopscope graph import graph_chunk_entity_relation.graphml --knowledge wiki
  $ hopscope graph import triples.csv --knowledge wiki`,
		)
		.action(async (file: string, options: GraphOptions & { format?: GraphFormat; pageBase?: "0" | "1" }) => {
			const { dir, corpus } = await openForGraph(openWorkspace(options.workspace), options.knowledge);
			const imported = await importGraph(file, {
				...(options.format ? { format: options.format } : {}),
				...(options.pageBase ? { pageBase: options.pageBase === "1" ? 1 : 0 } : {}),
			});
			if (imported.claims.length === 0)
				throw new HopscopeError(
					"no-triples",
					`${file} holds no triple`,
					"See hopscope graph import --help for the forms.",
					{
						exitCode: exitCodes.usage,
						facts: { rejected: imported.rejected.slice(0, 20) },
					},
				);
			const { claims, counts: grounded } = await groundClaims(imported.claims, () => corpus.evidence());
			const built = buildGraph({ claims, entities: imported.entities });
			const losses = [...imported.losses];
			if (grounded.mention > 0)
				losses.push(
					`${grounded.mention} triples are tied to passages that name both ends, not to where they are stated`,
				);
			if (grounded.none > 0) losses.push(`${grounded.none} triples are named by no passage`);
			const manifest = await writeGraph(
				join(dir, graphFolder),
				{ ...built, rejected: [...imported.rejected, ...built.rejected] },
				{ name: corpus.manifest.name, corpus: corpus.manifest, origins: [imported.format], losses },
			);
			const { counts, hash } = manifest;
			if (options.json) {
				output.write(JSON.stringify({ graph: join(dir, graphFolder), hash, counts, grounded, losses }));
				return;
			}
			output.write(
				`${counted(counts.triples, "triple")} of ${counts.entities} entities (${imported.format}); ${counts.rejected} refused`,
			);
			output.write(
				`tied by quote ${grounded.quote}, by source ${grounded.source}, by mention ${grounded.mention}, not at all ${grounded.none}`,
			);
			for (const loss of losses) output.say(`lost: ${loss}`);
		});
}
