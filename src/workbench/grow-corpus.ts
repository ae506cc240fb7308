import { existsSync } from "node:fs";
import { constants, copyFile, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Corpus, createCorpus, openCorpus } from "#corpus";
import { type CorpusManifest, type DocumentReport, type Evidence, usageError } from "#domain";
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
		const { name, licence } = old.manifest;
		const { reports, paging } = await reportsOf(old, from);
		const writer = await createCorpus(filling, {
			...{ name, licence, paging },
			sources: [...byName(sources).values()],
		});
		const there = new Set<string>();
		for await (const one of old.evidence()) {
			const hash = hashes.get(one.id);
			if (hash !== undefined && hash !== one.sha256) throw another("evidence", one.id);
			if (hash !== undefined) there.add(one.id);
			writer.add(one);
		}
		for await (const one of added(from, evidence)) if (!there.has(one.id)) writer.add(one);
		await writer.finish();
		if (reports.length > 0) await writeJsonl(join(filling, documents), reports);
		return hashes.size - there.size;
	});
}

/** What was read into both, and by which rules it got pages. */
async function reportsOf(
	old: Corpus,
	from: Corpus | undefined,
): Promise<{ reports: DocumentReport[] } & Pick<CorpusManifest, "paging">> {
	const reports = new Map<string, DocumentReport>();
	for await (const report of old.documents()) reports.set(report.source, report);
	const rules = new Map((old.manifest.paging ?? []).map((one) => [one.rule, one]));
	const fresh: DocumentReport[] = [];
	if (from)
		for await (const report of from.documents()) {
			if (!reports.has(report.source)) fresh.push(report);
			reports.set(report.source, report);
		}
	for (const one of from?.manifest.paging ?? []) {
		const documents = fresh.filter(({ tool }) => tool.startsWith(pagedBy[one.kind])).length;
		rules.set(one.rule, { ...one, documents: (rules.get(one.rule)?.documents ?? 0) + documents });
	}
	return { reports: [...reports.values()], ...(rules.size > 0 ? { paging: [...rules.values()] } : {}) };
}

/** What the tools that give pages to documents are called. */
const pagedBy = { html: "html-", "page-folder": "page-pictures-" } as const;

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
