import { existsSync } from "node:fs";
import { constants, copyFile, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Corpus, createCorpus, openCorpus } from "#corpus";
import { type Evidence, usageError } from "#domain";
import { replaceFolder, sha256File, writeJsonl } from "#store";

/**
 * Puts more evidence into the corpus of a folder: what another one holds, and single ones whose files `media` puts there.
 * The grown corpus replaces the old one when it is whole. Evidence that is there already is left as it is; another one of
 * the same id, or another file of the same name, is refused (exit 2). Returns how many were new.
 */
export async function growCorpus(
	dir: string,
	{
		from,
		evidence = [],
		media,
	}: { from?: Corpus | undefined; evidence?: readonly Evidence[]; media?: (dir: string) => Promise<void> },
): Promise<number> {
	const old = await openCorpus(dir);
	const hashes = new Map<string, string>();
	for await (const one of added(from, evidence)) hashes.set(one.id, one.sha256);
	return replaceFolder(dir, manifest, async (filling) => {
		await copyInto(filling, old.dir);
		if (from) await copyInto(filling, from.dir);
		await media?.(filling);
		const sources = [...old.manifest.sources, ...(from?.manifest.sources ?? [])];
		const about = { name: old.manifest.name, licence: old.manifest.licence };
		const writer = await createCorpus(filling, { ...about, sources: [...byName(sources).values()] });
		const there = new Set<string>();
		for await (const one of old.evidence()) {
			const hash = hashes.get(one.id);
			if (hash !== undefined && hash !== one.sha256) throw another("evidence", one.id);
			if (hash !== undefined) there.add(one.id);
			writer.add(one);
		}
		for await (const one of added(from, evidence)) if (!there.has(one.id)) writer.add(one);
		await writer.finish();
		const reports = [];
		const read = new Set<string>();
		for (const corpus of [...(from ? [from] : []), old])
			for await (const report of corpus.documents()) {
				if (!read.has(report.source)) reports.push(report);
				read.add(report.source);
			}
		if (reports.length > 0) await writeJsonl(join(filling, documents), reports);
		return hashes.size - there.size;
	});
}

const manifest = "corpus.json";
const documents = "documents.jsonl";
/** Written anew. */
const ownFiles = new Set([manifest, documents, "evidence.jsonl"]);

async function* added(from: Corpus | undefined, evidence: readonly Evidence[]): AsyncGenerator<Evidence> {
	if (from) yield* from.evidence();
	yield* evidence;
}

const byName = <Named extends { name: string }>(list: readonly Named[]) => new Map(list.map((one) => [one.name, one]));

async function copyInto(to: string, from: string): Promise<void> {
	for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
		const source = join(entry.parentPath, entry.name);
		const file = source.slice(from.length + 1);
		if (!entry.isFile() || ownFiles.has(file)) continue;
		const place = join(to, file);
		if (existsSync(place)) {
			if ((await sha256File(place)) !== (await sha256File(source))) throw another("file", file);
			continue;
		}
		await mkdir(dirname(place), { recursive: true });
		await copyFile(source, place, constants.COPYFILE_FICLONE);
	}
}

const another = (what: "evidence" | "file", name: string) =>
	usageError(
		"other-evidence",
		`another ${what} is called "${name}"`,
		"Attach what the benchmark was made for, or import the benchmark anew under another --name.",
		{ facts: { name } },
	);
