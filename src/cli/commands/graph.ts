import type { AddCommand } from "../context.ts";
import { addGraphExtract } from "./graph-extract.ts";
import { addGraphImport } from "./graph-import.ts";
import { addGraphShow } from "./graph-show.ts";

export const addGraph: AddCommand = (graph, context, exit) => {
	addGraphExtract(graph, context, exit);
	addGraphImport(graph, context);
	addGraphShow(graph, context);
	return graph;
};
