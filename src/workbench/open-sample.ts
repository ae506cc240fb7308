import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { z } from "zod";
import { openBenchmark } from "#benchmarks";
import { openCorpus } from "#corpus";
import { packageFile } from "#domain";
import { buildKnowledge, openKnowledge } from "#knowledge";
import { openArchive, readJson, sha256, writeJson } from "#store";
import type { Bench } from "./work.ts";

/** The sample as it ships: corpus, graph and benchmark. What can be computed from them is not in it. */
const archiveFile = packageFile("sample/atlas.zip");
const Stamp = z.object({ archive: z.string() });
/** Text files of the archive are packed by Brotli, and unpacked are at most this many bytes. */
const maxText = 64 << 20;
const unpackText = promisify(brotliDecompress);

export interface OpenedSample {
	corpus: string;
	knowledge: string;
	benchmark: string;
	counts: { passage: number; page: number; image: number };
	tasks: number;
	/** False if the workspace already held it. */
	made: boolean;
}

/**
 * Puts the shipped sample into a workspace (corpus, knowledge base and benchmark, each called `atlas`) and indexes it,
 * unless it is already there. The stamp is written last, so that an interrupted unpacking starts over.
 */
export async function openSample(
	{ force = false }: { force?: boolean | undefined },
	bench: Bench,
): Promise<OpenedSample> {
	const { workspace, signal } = bench;
	const folders = {
		corpus: workspace.corpus("atlas"),
		knowledge: workspace.knowledge("atlas"),
		benchmark: workspace.benchmark("atlas"),
	};
	const stamp = join(folders.corpus, "made.json");
	const bytes = await readFile(archiveFile);
	const archive = sha256(bytes);
	const found = await readJson(stamp, Stamp).catch(() => undefined);
	if (!force && found?.archive === archive) {
		const ready = await readSample(folders).catch(() => undefined);
		if (ready) return { ...folders, ...ready, made: false };
	}
	const progress = bench.stages("atlas");
	const { corpus, benchmark, knowledge } = folders;
	await unpackFolders(bytes, { corpus, benchmark }, bench);
	await buildKnowledge(corpus, knowledge, { name: "atlas", fresh: force, signal, onProgress: progress.update });
	// only now: a fresh build removes the graph of its folder
	await unpackFolders(bytes, { graph: join(knowledge, "graph") }, bench);
	progress.end();
	await writeJson(stamp, { archive });
	return { ...folders, ...(await readSample(folders)), made: true };
}

/** Writes the files of some folders of the archive to where `targets` says. */
async function unpackFolders(bytes: Buffer, targets: Record<string, string>, { signal }: Bench): Promise<void> {
	const archive = await openArchive(bytes);
	try {
		for (const name of archive.names) {
			signal.throwIfAborted();
			const [folder = "", ...inner] = name.split("/");
			const target = targets[folder];
			const packed = target !== undefined && (await archive.read(name));
			if (!packed) continue;
			const isText = name.endsWith(".br");
			const file = join(target, ...inner).replace(/\.br$/, "");
			await mkdir(dirname(file), { recursive: true });
			await writeFile(file, isText ? await unpackText(packed, { maxOutputLength: maxText }) : packed);
		}
	} finally {
		archive.close();
	}
}

/** What the workspace holds of the sample; throws if it is not whole. */
async function readSample(folders: { corpus: string; knowledge: string; benchmark: string }) {
	const { manifest } = await openCorpus(folders.corpus);
	const benchmark = await openBenchmark(folders.benchmark);
	const knowledge = await openKnowledge(folders.knowledge);
	await knowledge.close();
	if (knowledge.manifest.corpus.hash !== manifest.hash) throw new Error("the index is of another corpus");
	return { counts: manifest.counts, tasks: benchmark.tasks.length };
}
