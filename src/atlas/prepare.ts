import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import sharp from "sharp";
import { z } from "zod";
import { openBenchmark } from "#benchmarks";
import { openCorpus } from "#corpus";
import { freeRecord, packageFile } from "#domain";
import { buildKnowledge, openKnowledge } from "#knowledge";
import { writeFacts } from "#recipes";
import { readJson, sha256, type Workspace, writeJson } from "#store";
import { makeAtlasBenchmark } from "./benchmark.ts";
import { buildAtlas } from "./build.ts";
import { contentFolder } from "./content.ts";

const Stamp = z.object({ made: z.string() });
const Package = z.object({ version: z.string(), dependencies: freeRecord(z.string()).default({}) });

export interface PreparedAtlas {
	corpus: string;
	knowledge: string;
	benchmark: string;
	counts: { passage: number; page: number; image: number };
	tasks: number;
	/** False when what was there could be used as it is. */
	made: boolean;
}

/**
 * Makes the Atlas in a workspace (corpus, knowledge base, benchmark, each called `atlas`), or finds it made by this
 * very code. The stamp is written last, so that an interrupted making starts anew.
 */
export async function prepareAtlas(
	workspace: Workspace,
	options: {
		seed?: number;
		force?: boolean;
		signal?: AbortSignal;
		onProgress?: (progress: { stage: string; done: number; total: number }) => void;
	} = {},
): Promise<PreparedAtlas> {
	const seed = options.seed ?? 1;
	const places = {
		corpus: workspace.corpus("atlas"),
		knowledge: workspace.knowledge("atlas"),
		benchmark: workspace.benchmark("atlas"),
	};
	const stamp = join(places.corpus, "made.json");
	const made = sha256(`${await codeHash()} ${seed}`);
	if (!options.force) {
		const found = await readJson(stamp, Stamp).catch(() => undefined);
		if (found?.made === made) {
			const ready = await opened(places).catch(() => undefined);
			if (ready) return { ...places, ...ready, made: false };
		}
	}
	const { signal, onProgress } = options;
	const pass = { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) };
	const atlas = await buildAtlas(places.corpus, { seed, ...pass });
	await buildKnowledge(places.corpus, places.knowledge, { name: "atlas", ...pass });
	await writeFacts(places.knowledge, atlas.graph, { name: "atlas" });
	const { benchmark, knowledge } = places;
	await makeAtlasBenchmark(atlas, benchmark, { knowledge, build: workspace.build("atlas"), seed, ...pass });
	await writeJson(stamp, { made });
	return { ...places, ...(await opened(places)), made: true };
}

async function opened(places: { corpus: string; knowledge: string; benchmark: string }) {
	const { manifest } = await openCorpus(places.corpus);
	const benchmark = await openBenchmark(places.benchmark);
	const knowledge = await openKnowledge(places.knowledge);
	await knowledge.close();
	if (knowledge.manifest.corpus.hash !== manifest.hash) throw new Error("the index is of another corpus");
	return { counts: manifest.counts, tasks: benchmark.tasks.length };
}

/** The folders and files whose code decides what is made. */
const deciding = [
	...["atlas", "benchmarks", "corpus", "domain", "encoders", "graph", "knowledge", "scoring", "store"],
	...[
		"recipes/encyclopedia/graph-of-facts.ts",
		"recipes/engine",
		"recipes/rules",
		"recipes/template",
		"recipes/template.ts",
		"recipes/seeded.ts",
	],
];

/**
 * SHA-256 over all code and content that the Atlas is made with and the versions installed: others may make another one.
 * A checkout has the sources; an installed package has what was built of them, in chunks that mix the rooms.
 */
async function codeHash(): Promise<string> {
	const isCheckout = existsSync(packageFile("src/index.ts"));
	const code = packageFile(isCheckout ? "src" : "dist/chunks");
	const { dependencies } = await readJson(packageFile("package.json"), Package);
	const parts = [JSON.stringify(sharp.versions)];
	for (const name of Object.keys(dependencies).sort()) parts.push(`${name} ${await versionOf(name)}`);
	const files = (await readdir(code, { recursive: true })).map((name) => name.replaceAll("\\", "/"));
	for (const name of files.sort()) {
		const [, stem = ""] = /^(.*)(?<!\.test|\.d)\.(?:ts|js)$/.exec(name) ?? [];
		const decides = deciding.some((place) => stem === place.replace(/\.ts$/, "") || stem.startsWith(`${place}/`));
		if (stem !== "" && (decides || !isCheckout)) parts.push(name, sha256(await readFile(join(code, name))));
	}
	for (const name of (await readdir(contentFolder)).sort())
		parts.push(name, sha256(await readFile(join(contentFolder, name))));
	return sha256(parts.join("\n"));
}

/** The installed version of a package, data and fonts among them. Many do not let their package.json be required. */
async function versionOf(name: string): Promise<string> {
	for (const folder of createRequire(import.meta.url).resolve.paths(name) ?? []) {
		const found = await readJson(join(folder, name, "package.json"), Package).catch(() => undefined);
		if (found) return found.version;
	}
	return "none";
}
