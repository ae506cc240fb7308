import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type CorpusManifest, Evidence, HopscopeError, type Source } from "#domain";
import { writeJson, writeJsonl } from "#store";
import { evidenceName, manifestName } from "./corpus.ts";
import { createSorter } from "./sorter.ts";

export interface CorpusWriter {
	dir: string;
	/** Takes one evidence whose files are already under `dir`. A second one of the same id is an error, here or at `finish`. */
	add(evidence: Evidence): void;
	/**
	 * Writes evidence.jsonl in order of id, then corpus.json: only then does the folder open as a corpus. With
	 * `onDuplicate` the later evidence of an id is left out and told rather than an error.
	 */
	finish(options?: { onDuplicate?: (error: HopscopeError) => void }): Promise<CorpusManifest>;
}

/**
 * Starts a corpus in `dir`, which is created; an earlier corpus there stops being one, its files stay. The order of
 * adding does not matter: equal evidence gives equal files and the same hash. Memory stays flat in the corpus's size.
 */
export async function createCorpus(
	dir: string,
	about: { name: string; licence: string; sources: Source[] },
): Promise<CorpusWriter> {
	const place = resolve(dir);
	await mkdir(place, { recursive: true });
	for (const name of [manifestName, evidenceName]) await rm(join(place, name), { force: true });
	const sorter = createSorter<Evidence>(join(place, ".sorting"));
	return {
		dir: place,
		add(evidence) {
			const parsed = Evidence.safeParse(evidence);
			if (!parsed.success) throw unfit(evidence, parsed.error.issues[0]);
			if (!sorter.add(parsed.data.id, parsed.data)) throw duplicate(parsed.data.id);
		},
		async finish({ onDuplicate } = {}) {
			const counts = { passage: 0, page: 0, image: 0 };
			async function* counted() {
				const sorted = sorter.sorted((id) => {
					if (!onDuplicate) throw duplicate(id);
					onDuplicate(duplicate(id));
				});
				for await (const evidence of sorted) {
					counts[evidence.kind] += 1;
					yield evidence;
				}
			}
			try {
				const { hash } = await writeJsonl(join(place, evidenceName), counted());
				const manifest: CorpusManifest = { version: 1, ...about, counts, hash };
				await writeJson(join(place, manifestName), manifest);
				return manifest;
			} finally {
				sorter.dispose();
			}
		},
	};
}

const duplicate = (id: string) =>
	new HopscopeError("duplicate-id", `two evidences are called "${id}"`, "Give each evidence its own id.", {
		facts: { id },
	});

function unfit(evidence: Evidence, issue: { path: PropertyKey[]; message: string } | undefined): HopscopeError {
	return new HopscopeError(
		"bad-evidence",
		`evidence "${evidence.id}": at ${issue?.path.join(".") ?? "?"}: ${issue?.message ?? "does not fit the schema"}`,
		"Mend what makes this evidence.",
		{ facts: { id: evidence.id } },
	);
}
