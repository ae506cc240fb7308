import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { writeBenchmark } from "#benchmarks";
import { openCorpus } from "#corpus";
import { type BenchmarkManifest, HopscopeError, type ImageRef, taskOf } from "#domain";
import { lookAlikeDistance } from "#encoders";
import { openKnowledge } from "#knowledge";
import { type Build, createTemplate, type Operation, runRecipe, type TypedGraph } from "#recipes";
import { sha256 } from "#store";
import { cardOf } from "./benchmark-card.ts";
import type { Atlas } from "./build.ts";

/** Sums are asked only of what adds up, ratios only of what has a true zero. Other measures are compared or averaged. */
const arithmetic: Record<string, Operation[]> = {
	area: ["add", "difference", "mean", "divide"],
	population: ["add", "difference", "mean", "divide"],
	"city-population": ["add", "difference", "mean", "divide"],
	coastline: ["add", "difference", "mean", "divide"],
	"land-boundary": ["add", "difference", "mean", "divide"],
	railways: ["add", "difference", "mean", "divide"],
	elevation: ["difference", "mean", "divide"],
	"airport-elevation": ["difference", "mean"],
	"median-age": ["difference", "mean"],
	"life-expectancy": ["difference", "mean"],
	"urban-share": ["difference", "mean"],
	"forest-share": ["difference", "mean"],
	"melting-point": ["difference", "mean", "divide"],
	"atomic-number": ["add", "difference"],
};

/**
 * Makes the benchmark `atlas` of a built Atlas in the folder `dir`: the template recipe over its graph, whose rules look
 * at every task, then a data card with the funnel. The same Atlas and seed give the same files.
 */
export async function makeAtlasBenchmark(
	atlas: Pick<Atlas, "dir" | "graph" | "manifest">,
	dir: string,
	options: {
		/** Folder of the knowledge base made of the Atlas: tells which images search would take for one another. */
		knowledge: string;
		/** Folder that the recipe works in. */
		build: string;
		seed?: number;
		onProgress?: (progress: { stage: string; done: number; total: number }) => void;
		signal?: AbortSignal;
	},
): Promise<BenchmarkManifest> {
	const { seed = 1, onProgress, signal } = options;
	const graph: TypedGraph = { ...atlas.graph, relations: withArithmetic(atlas.graph.relations) };
	const knowledge = await openKnowledge(options.knowledge);
	let composed = { tasks: 0, lookAlikes: 0 };
	const recipe = createTemplate({
		onLook: (done, total) => onProgress?.({ stage: "look-alikes", done, total }),
		onComposed(about) {
			composed = about;
			onProgress?.({ stage: "tasks", done: about.tasks, total: about.tasks });
		},
	});
	let build: Build;
	try {
		const corpus = await openCorpus(atlas.dir);
		const inputs = { knowledge, evidence: () => corpus.evidence(), typed: graph };
		build = await runRecipe(recipe, inputs, options.build, {
			params: { spanish: 0.25, apart: false, prefix: "atlas", source: "Atlas", rights: atlas.manifest.licence, seed },
			seed,
			models: {},
			inputHashes: { knowledge: knowledge.manifest.hash, corpus: atlas.manifest.hash },
			signal,
			onProgress({ funnel }) {
				const made = funnel.find(({ stage }) => stage === "question-images");
				if (made) onProgress?.({ stage: "question images", done: made.out, total: composed.tasks });
			},
		});
	} finally {
		await knowledge.close();
	}
	const { items, funnel } = build;
	if (funnel.faults > 0)
		throw new HopscopeError(
			"faults",
			`${funnel.faults} tasks of the Atlas could not be made`,
			`See faults.jsonl in ${options.build}.`,
		);
	const packed = new Map<string, Pick<ImageRef, "file" | "sha256">>();
	for (const { file } of items.flatMap(({ images }) => images))
		if (!packed.has(file)) packed.set(file, await packPicture(options.build, dir, file));
	const tasks = items.map(taskOf).map((task) => ({
		...task,
		images: task.images.map((image) => ({ ...image, ...packed.get(image.file) })),
	}));
	const manifest = {
		name: "atlas",
		title: "Atlas",
		description:
			"Questions of 2 to 5 hops over the Atlas, a sample knowledge base of countries, cities, airports and chemical elements with texts, tables, fact sheets, flags, outline maps and charts.",
		licence: atlas.manifest.licence,
		sources: atlas.manifest.sources,
		knowledge: knowledge.manifest.name,
		recipe: { name: recipe.name, version: recipe.version, seed },
	};
	const depictions = [...graph.entities.values()].flatMap((entity) => entity.depictions);
	const facts = { images: packed.size, depictions: depictions.length, closest: lookAlikeDistance, seed };
	const card = cardOf(manifest, tasks, { ...facts, lookAlikes: composed.lookAlikes, funnel: funnel.rows });
	return writeBenchmark(dir, { manifest, tasks, card });
}

/** Encodes a question picture as WebP, in half the bytes: the sample ships with every package. */
export const encodePicture = (picture: string | Buffer) => sharp(picture).webp({ quality: 75, effort: 6 }).toBuffer();

async function packPicture(build: string, dir: string, file: string): Promise<Pick<ImageRef, "file" | "sha256">> {
	const to = file.replace(/\.\w+$/, ".webp");
	const data = await encodePicture(join(build, file));
	await mkdir(dirname(join(dir, to)), { recursive: true });
	await writeFile(join(dir, to), data);
	return { file: to, sha256: sha256(data) };
}

function withArithmetic(relations: TypedGraph["relations"]): TypedGraph["relations"] {
	return Object.fromEntries(
		Object.entries(relations).map(([id, relation]) => [id, { ...relation, arithmetic: arithmetic[id] ?? [] }]),
	);
}
