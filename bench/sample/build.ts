import { join, resolve } from "node:path";
import { createCorpus } from "#corpus";
import type { CorpusManifest, Evidence } from "#domain";
import { inTurns, type TypedGraph } from "#recipes";
import { sha256 } from "#store";
import { type WrittenPassage, writeArticles } from "./articles.ts";
import type { Draft } from "./draft.ts";
import { createAtlasGraph } from "./graph.ts";
import { drawImage, makeImageFolders, type PlannedImage, pictures, planImages } from "./images.ts";
import { atlasLicence, atlasSources, writtenProvenance } from "./packages.ts";
import { drawSheets } from "./sheets.ts";
import { writeTables } from "./tables.ts";

/** What building the Atlas gives. */
export interface Atlas {
	/** The corpus folder, absolute. */
	dir: string;
	manifest: CorpusManifest;
	/** All facts, with every statement of each in the corpus; a fact without statements is known but told nowhere. */
	graph: TypedGraph;
	/** An evidence of the corpus by its id. */
	look(id: string): Evidence | undefined;
}

/**
 * Writes the sample corpus into `dir` and returns it with its typed graph. The same seed gives the same bytes whatever
 * the machine's language, time zone or number of cores. An aborted build leaves no corpus behind, only loose files.
 */
export async function buildAtlas(
	dir: string,
	options: {
		seed?: number;
		onProgress?: (progress: { stage: string; done: number; total: number }) => void;
		signal?: AbortSignal;
	} = {},
): Promise<Atlas> {
	const { seed = 1, onProgress, signal } = options;
	const place = resolve(dir);
	const evidence = new Map<string, Evidence>();
	const corpus = await createCorpus(place, { name: "atlas", licence: atlasLicence, sources: atlasSources });
	const add = (item: Evidence) => {
		corpus.add(item);
		evidence.set(item.id, item);
	};
	const { draft, records } = createAtlasGraph();

	const passages = [...writeArticles(draft, { seed }), ...writeTables(draft)];
	for (const passage of passages) add(passageOf(draft, passage));
	onProgress?.({ stage: "articles", done: passages.length, total: passages.length });
	signal?.throwIfAborted();

	for (const { page, facts } of await drawSheets(draft, place)) {
		add(page);
		draft.state(facts, { evidence: page.id, modality: "page", language: page.language });
	}
	signal?.throwIfAborted();

	const plans = planImages(draft, records, { seed });
	await makeImageFolders(plans, place);
	const drawn = await inTurns(plans, async (plan) => ({ plan, image: await drawImage(plan, place) }), {
		signal,
		onDone: (done) => onProgress?.({ stage: "images", done, total: plans.length }),
	});
	for (const { plan, image } of drawn)
		if (image) {
			add(image);
			told(draft, plan, place);
		}
	const manifest = await corpus.finish();
	const { entities, facts, relations } = draft;
	return { dir: place, manifest, graph: { entities, facts, relations, pictures }, look: (id) => evidence.get(id) };
}

function passageOf(draft: Draft, written: WrittenPassage): Evidence {
	const { facts, ...rest } = written;
	draft.state(facts, {
		evidence: written.id,
		modality: written.form === "table" ? "table" : "text",
		language: written.language,
	});
	return { kind: "passage", ...rest, sha256: sha256(written.text), provenance: writtenProvenance };
}

function told(draft: Draft, plan: PlannedImage, dir: string): void {
	draft.state(plan.facts, { evidence: plan.id, modality: "image", language: "en" });
	const { depicts, provenance } = plan;
	if (!depicts) return;
	draft.entities.get(depicts.entity)?.depictions.push({
		evidence: plan.id,
		file: join(dir, plan.file),
		what: depicts.what,
		...(provenance.licence !== undefined && { licence: provenance.licence }),
	});
}
