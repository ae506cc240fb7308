import { join } from "node:path";
import type { Evidence, ImageEvidence } from "#domain";
import type { TypedGraph } from "#recipes";
import { sha256 } from "#store";
import { writeArticles } from "./articles.ts";
import { createAtlasGraph } from "./graph.ts";
import { drawImage, makeImageFolders, planImages } from "./images.ts";
import { writtenProvenance } from "./packages.ts";
import { writeTables } from "./tables.ts";

/** The Atlas's articles and tables with a few of its charts, each of which names five places. */
export interface AtlasCharts {
	/** In order of id. */
	evidence: Evidence[];
	charts: ImageEvidence[];
	/** Absolute paths of the charts, by evidence id. */
	files: Record<string, string>;
	graph: Pick<TypedGraph, "entities" | "facts">;
}

/** Writes a part of the Atlas in seconds: its texts whole, and only its first charts drawn into `dir`. */
export async function atlasCharts(dir: string, options: { charts: number; seed?: number }): Promise<AtlasCharts> {
	const { charts: most, seed = 1 } = options;
	const { draft, records } = createAtlasGraph();
	const evidence: Evidence[] = [];
	for (const { facts, ...written } of [...writeArticles(draft, { seed }), ...writeTables(draft)]) {
		evidence.push({ kind: "passage", ...written, sha256: sha256(written.text), provenance: writtenProvenance });
		draft.state(facts, { evidence: written.id, modality: "text", language: written.language });
	}
	const plans = planImages(draft, records, { seed }).filter(({ id }) => id.includes("/chart-"));
	const charts: ImageEvidence[] = [];
	const files: Record<string, string> = {};
	await makeImageFolders(plans.slice(0, most), dir);
	for (const plan of plans.slice(0, most)) {
		const image = await drawImage(plan, dir);
		if (image?.kind !== "image") continue;
		charts.push(image);
		files[image.id] = join(dir, image.file);
	}
	evidence.push(...charts);
	evidence.sort((a, b) => (a.id < b.id ? -1 : 1));
	return { evidence, charts, files, graph: { entities: draft.entities, facts: draft.facts } };
}
