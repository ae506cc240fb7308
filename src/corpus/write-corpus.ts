import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type CorpusManifest, Evidence, HopscopeError, type Page, type Source } from "#domain";
import { writeJson, writeLines } from "#store";
import { documentsName, evidenceName, manifestName } from "./corpus.ts";
import type { Entry } from "./sorted-runs.ts";
import { createSorter } from "./sorter.ts";

export interface CorpusWriter {
	dir: string;
	/** Takes one evidence whose files are already under `dir`. A second one of the same id is an error, here or at `finish`. */
	add(evidence: Evidence): void;
	/** Writes evidence.jsonl in order of id, then corpus.json: only then does the folder open as a corpus. */
	finish(): Promise<CorpusManifest>;
}

export interface CorpusAbout extends Pick<CorpusManifest, "paging"> {
	name: string;
	licence: string;
	sources: Source[];
}

/**
 * Starts a corpus in `dir`, which is created; an earlier corpus there stops being one, its files stay. The order of
 * adding does not matter: equal evidence gives equal files and the same hash. Memory stays flat in the corpus's size.
 */
export async function createCorpus(dir: string, about: CorpusAbout): Promise<CorpusWriter> {
	const place = resolve(dir);
	await mkdir(place, { recursive: true });
	for (const name of [manifestName, evidenceName, documentsName]) await rm(join(place, name), { force: true });
	const sorter = createSorter(join(place, ".sorting"));
	return {
		dir: place,
		add(evidence) {
			if (!sorter.add(evidence.id, evidenceJson(evidence))) throw duplicateId(evidence.id);
		},
		async finish() {
			try {
				const sorted = sorter.sorted((id) => {
					throw duplicateId(id);
				});
				return await writeCorpus(place, about, sorted);
			} finally {
				sorter.dispose();
			}
		},
	};
}

/** Writes what makes a folder a corpus, from evidence in order of id; the manifest comes last. */
export async function writeCorpus(
	dir: string,
	about: CorpusAbout,
	entries: AsyncIterable<Entry>,
): Promise<CorpusManifest> {
	const counts = { passage: 0, page: 0, image: 0 };
	let pagePictures = 0;
	async function* lines() {
		for await (const { json } of entries) {
			const kind = kindOf(json);
			counts[kind] += 1;
			if (kind === "page" && (JSON.parse(json) as Page).image !== undefined) pagePictures += 1;
			yield json;
		}
	}
	const { hash } = await writeLines(join(dir, evidenceName), lines());
	const manifest: CorpusManifest = { version: 1, ...about, counts, ...(counts.page > 0 ? { pagePictures } : {}), hash };
	await writeJson(join(dir, manifestName), manifest);
	return manifest;
}

/** The evidence as its line of a corpus, checked against the schema. */
export function evidenceJson(evidence: Evidence): string {
	const parsed = Evidence.safeParse(evidence);
	if (parsed.success) return JSON.stringify(parsed.data);
	const issue = parsed.error.issues[0];
	throw new HopscopeError(
		"bad-evidence",
		`evidence "${evidence.id}": at ${issue?.path.join(".") ?? "?"}: ${issue?.message ?? "does not fit the schema"}`,
		"Mend what makes this evidence.",
		{ facts: { id: evidence.id } },
	);
}

/** The kind of a line that `evidenceJson` made: its schema puts the kind first. */
export function kindOf(json: string): Evidence["kind"] {
	if (json.startsWith('{"kind":"passage"')) return "passage";
	return json.startsWith('{"kind":"page"') ? "page" : "image";
}

export const duplicateId = (id: string) =>
	new HopscopeError("duplicate-id", `two evidences are called "${id}"`, "Give each evidence its own id.", {
		facts: { id },
	});
