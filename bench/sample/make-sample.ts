import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { buildKnowledge } from "#knowledge";
import { writeFacts } from "#recipes";
import { type Workspace, writeArchive } from "#store";
import { makeAtlasBenchmark } from "./benchmark.ts";
import { type Atlas, buildAtlas } from "./build.ts";

/** Every entry of the archive bears this time, so that the same sample gives the same bytes. */
const packedAt = new Date(Date.UTC(2026, 10, 28));

/**
 * Makes the sample (corpus, graph, knowledge base and benchmark, each called `atlas`) in a workspace and packs what
 * cannot be computed from the rest into the archive `file`. The same seed gives the same bytes.
 */
export async function makeSample(
	workspace: Workspace,
	options: {
		file: string;
		seed?: number;
		onProgress?: (progress: { stage: string; done: number; total: number }) => void;
	},
): Promise<Atlas> {
	const { file, ...pass } = options;
	const corpus = workspace.corpus("atlas");
	const knowledge = workspace.knowledge("atlas");
	const atlas = await buildAtlas(corpus, pass);
	await buildKnowledge(corpus, knowledge, { name: "atlas" });
	await writeFacts(knowledge, atlas.graph, { name: "atlas" });
	const benchmark = workspace.benchmark("atlas");
	await makeAtlasBenchmark(atlas, benchmark, { knowledge, build: workspace.build("atlas"), ...pass });
	await writeArchive(file, packedFiles({ corpus, benchmark, graph: join(knowledge, "graph") }), { at: packedAt });
	return atlas;
}

/** The files of the folders under their names. Texts are packed by Brotli, which takes a third less than a zip's own way. */
async function* packedFiles(folders: Record<string, string>): AsyncGenerator<{ name: string; content: Buffer }> {
	for (const [name, folder] of Object.entries(folders))
		for (const entry of (await readdir(folder, { recursive: true, withFileTypes: true })).sort(byPath)) {
			if (!entry.isFile()) continue;
			const path = join(entry.parentPath, entry.name);
			const content = await readFile(path);
			const inner = `${name}${path.slice(folder.length).replaceAll("\\", "/")}`;
			if (!inner.endsWith(".jsonl")) yield { name: inner, content };
			else yield { name: `${inner}.br`, content: await promisify(brotliCompress)(content) };
		}
}

const pathOf = ({ parentPath, name }: { parentPath: string; name: string }) => join(parentPath, name);
const byPath = (a: { parentPath: string; name: string }, b: { parentPath: string; name: string }) =>
	pathOf(a) < pathOf(b) ? -1 : 1;
