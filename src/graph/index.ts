/** Entities and quoted relations of a corpus: extraction with a model, import, neighbours. */

export type { AskEnd, AskOptions } from "./ask-all.ts";
export { buildGraph } from "./build-graph.ts";
export { checkReply } from "./check-triples.ts";
export type { AliasClaim, Claim, GraphInput, Merge, Named } from "./claim.ts";
export { confirmMerges } from "./confirm-merges.ts";
export { type ExtractOptions, extract } from "./extract.ts";
export { type Extracted, extractedClaims } from "./extracted-claims.ts";
export { createGraph, type Direction, type Graph, type GraphStep } from "./graph.ts";
export { graphFolder, openGraph, writeGraph } from "./graph-folder.ts";
export { type GraphHit, type GraphQuery, graphSearch } from "./graph-search.ts";
export { type Grounded, groundClaims } from "./import/ground-claims.ts";
export { type GraphFormat, graphFormats, importGraph } from "./import/import-graph.ts";
export type { Imported, ImportOptions } from "./import/imported.ts";
export type { GraphManifest, Rejected } from "./manifest.ts";
export { nameKey } from "./names.ts";
export { type Pair, proposeMerges } from "./propose-merges.ts";
