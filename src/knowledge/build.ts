import { rm } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Connection, Table } from "@lancedb/lancedb";
import { type Corpus, openCorpus } from "#corpus";
import { KnowledgeManifest } from "#domain";
import type { TextEncoder } from "#encoders";
import { graphFolder } from "#graph";
import { addVersion, writeJson } from "#store";
import type { BuildOptions } from "./build-options.ts";
import { openCharacters, trainCharacters } from "./characters-encoder.ts";
import { type Earlier, earlierBuild } from "./earlier.ts";
import { loadEngine } from "./engine.ts";
import { buildJoint, buildViews, viewIndex } from "./image-index.ts";
import { buildLate, indexLate } from "./late-index.ts";
import { createManifest, engineFolder, manifestName, weightsName } from "./manifest.ts";
import { evidenceKinds, type TableName } from "./tables.ts";
import { termsVersion } from "./terms.ts";
import { buildTextIndex } from "./text-index.ts";
import { indexDense, indexStored } from "./vector-index.ts";
import { noStore, openVectorStore, type VectorStore } from "./vector-store.ts";
import { settleWrites } from "./writer.ts";

/**
 * Makes the corpus in `corpusDir` searchable in `dir`. The index is made beside the old one and then named instead, so
 * an interrupted build leaves the old one as it was, and who searches that one goes on to. What an earlier build in `dir` holds of the same evidence by the same
 * encoders is not made again; searches answer as after a fresh build. Equal corpora and encoders give equal manifests,
 * whatever the machine, unless an index is approximate or `characters` kept what it learnt before.
 */
export async function buildKnowledge(
	corpusDir: string,
	dir: string,
	options: BuildOptions = {},
): Promise<KnowledgeManifest> {
	const corpus = await openCorpus(corpusDir);
	const earlier = options.fresh ? undefined : await earlierBuild(dir);
	try {
		const fill = async (place: string) => {
			const { connect } = await loadEngine();
			const connection = await connect(join(place, engineFolder));
			try {
				const built = await keepingVectors(resolve(dir), (store) =>
					buildIndexes({ corpus, connection, place, earlier, store }, options),
				);
				return createManifest({
					name: options.name ?? corpus.manifest.name,
					corpus: corpus.manifest,
					corpusFolder: relative(resolve(dir), resolve(corpusDir)).split(sep).join("/"),
					...built,
				});
			} finally {
				await settleWrites(connection);
				connection.close();
			}
		};
		const manifest = await addVersion(dir, manifestName, {
			fill,
			async publish(place, made, folder) {
				// what it holds of the earlier version would keep it
				earlier?.close();
				await writeJson(join(place, manifestName), { ...made, folder });
			},
			before: [engineFolder, weightsName],
		});
		// a graph cost a model's calls, and stays unless nothing of before is wanted
		if (options.fresh) await rm(join(dir, graphFolder), { recursive: true, force: true });
		return KnowledgeManifest.parse(manifest);
	} finally {
		earlier?.close();
	}
}

interface Building {
	corpus: Corpus;
	connection: Connection;
	/** The folder that is filled. */
	place: string;
	earlier: Earlier | undefined;
	/** What dear encoders made. */
	store: VectorStore;
}

/** Vectors that were made are kept beside the folder until the build is done: one that dies does not make them again. */
async function keepingVectors<T>(dir: string, build: (store: VectorStore) => Promise<T>): Promise<T> {
	const store = await openVectorStore(join(dirname(dir), `.${basename(dir)}.vectors`));
	let done = false;
	try {
		const built = await build(store);
		done = true;
		return built;
	} finally {
		await store.close({ done });
	}
}

/** Fills the tables and says what was made. */
async function buildIndexes(building: Building, options: BuildOptions) {
	const { corpus, connection, place, earlier, store } = building;
	const { counts } = corpus.manifest;
	const { image, page } = options.encoders ?? {};
	const engine = join(place, engineFolder);
	const opened = { connection, engine };
	const tables = new Map<TableName, Table>();
	const indexes: KnowledgeManifest["indexes"] = [];

	const { encoder, others } = await textEncoder(building, options);
	const dense = encoder ? earlier?.index("dense", encoder.about) : undefined;
	if (encoder ? dense : earlier && !earlier.has("dense"))
		for (const kind of evidenceKinds) if (counts[kind] > 0) await earlier?.link(kind, place);
	const built = await buildTextIndex(
		corpus,
		opened,
		encoder && { encoder, store: encoder.dear ? store : noStore },
		options,
	);
	for (const [kind, { table }] of built.tables) tables.set(kind, table);
	const over = [...built.tables.keys()];
	indexes.push({
		name: "lexical",
		over,
		encoder: { name: "terms", version: termsVersion },
		metric: "bm25",
		exact: true,
	});
	if (encoder) indexes.push(...(await indexDense(built.tables, encoder, { engine, earlier }, options)));

	if (counts.image > 0 && image !== false) {
		if (earlier?.index("image", viewIndex().encoder)) await earlier.link("view", place);
		tables.set("view", (await buildViews(corpus, opened, options)).table);
		indexes.push(viewIndex());
		if (image) {
			if (earlier?.index("joint", image.about)) await earlier.link("joint", place);
			const joint = await buildJoint(corpus, opened, { encoder: image, store: image.dear ? store : noStore }, options);
			tables.set("joint", joint.table);
			indexes.push(await indexStored("joint", ["image"], joint, image.about, { engine, earlier }, options));
		}
	}

	const pages = tables.get("page");
	if (pages && page) {
		const before = earlier?.index("late", page.about);
		for (const name of ["late", "patch"] as const) if (before) await earlier?.link(name, place);
		const late = await buildLate(corpus, opened, { encoder: page, store }, options);
		tables.set("late", late.table);
		const { index, patch } = await indexLate(late, { engine: opened, pages, encoder: page, before }, options);
		if (patch) tables.set("patch", patch);
		indexes.push(index);
	}

	const rows: Record<string, number> = {};
	for (const [name, table] of tables) {
		rows[name] = await table.countRows();
		table.close();
	}
	return { languages: built.languages, indexes, rows, others };
}

/** The text encoder that was asked for; `characters` learns from the corpus where what it knows is too old. */
async function textEncoder(
	{ corpus, place, earlier }: Building,
	options: BuildOptions,
): Promise<{ encoder: TextEncoder | undefined; others: number }> {
	const given = options.encoders?.text;
	if (given === false) return { encoder: undefined, others: 0 };
	if (given) return { encoder: given, others: 0 };
	const file = join(place, weightsName);
	const kept = await earlier?.keepWeights(corpus, place);
	if (kept !== undefined) return { encoder: await openCharacters(file), others: kept };
	return { encoder: await trainCharacters(corpus, file, options), others: 0 };
}
