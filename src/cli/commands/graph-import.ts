import { type Command, Option } from "commander";
import { counted } from "#domain";
import { graphFormats } from "#graph";
import type { ImportGraphOptions } from "#workbench";
import { type CommonOptions, type Context, sayNext } from "../context.ts";
import { watch } from "../watch.ts";
import { withKnowledge } from "./graph-options.ts";

type Options = CommonOptions & Omit<ImportGraphOptions, "pageBase"> & { pageBase?: "0" | "1" };

/** `hopscope graph import FILE`: a ready graph, tied to the corpus. */
export function addGraphImport(graph: Command, context: Context): void {
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
		.action(async (file: string, options: Options) => {
			const { output } = context;
			const pageBase = options.pageBase && (options.pageBase === "1" ? 1 : 0);
			const imported = await watch(context, options, (bench) => bench.importGraph(file, { ...options, pageBase }));
			const { format, ...made } = imported;
			if (options.json) return output.write(JSON.stringify(made));
			const { counts, grounded, losses } = made;
			output.write(
				`${counted(counts.triples, "triple")} of ${counts.entities} entities (${format}); ${counts.rejected} refused`,
			);
			output.write(
				`tied by quote ${grounded.quote}, by source ${grounded.source}, by mention ${grounded.mention}, not at all ${grounded.none}`,
			);
			for (const warning of losses) output.say(`warning: ${warning}`);
			sayNext(context, `graph show --knowledge ${options.knowledge}`, options);
		});
}
