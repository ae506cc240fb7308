import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Corpus } from "#corpus";
import type { EvidenceKind, KnowledgeManifest } from "#domain";
import type { EncoderAbout } from "#encoders";
import { holdVersion, readJson, writeWhole } from "#store";
import { loadEngine } from "./engine.ts";
import { engineFolder, KnowledgeFile, manifestName, weightsName } from "./manifest.ts";
import type { IndexName } from "./query.ts";
import { evidenceKinds, markOf, openTables, type TableName } from "./tables.ts";
import { knownMarks, linkFolder } from "./update.ts";

type Index = KnowledgeManifest["indexes"][number];

/** What stands in the folder already, as far as a new build can go on from it. */
export interface Earlier {
	has(name: IndexName): boolean;
	/** The entry of an index that was made with this very encoder. */
	index(name: IndexName, encoder: Pick<EncoderAbout, "name" | "version">, over?: EvidenceKind): Index | undefined;
	/** Puts a table into the new folder, to be updated there. */
	link(table: TableName, place: string): Promise<void>;
	/**
	 * Takes over what the text encoder learnt and returns how many texts are others than those it learnt from; undefined
	 * where that are too many, and it has to learn anew.
	 */
	keepWeights(corpus: Corpus, place: string): Promise<number | undefined>;
	close(): void;
}

/** Share of the texts that may be others: the weights are logarithms of shares, which that hardly moves. */
const mostOthers = 0.1;

/** The build in `dir`; undefined where there is none, or one of another format, or a damaged one. */
export async function earlierBuild(dir: string): Promise<Earlier | undefined> {
	const held = await holdVersion(dir, () => readJson(join(dir, manifestName), KnowledgeFile)).catch(() => undefined);
	if (!held) return undefined;
	const { value: file, release } = held;
	const version = join(dir, file.folder);
	const engine = join(version, engineFolder);
	const { connect } = await loadEngine();
	const connection = await connect(engine);
	const tables = await openTables(connection, dir, file.rows).catch(() => undefined);
	if (!tables) {
		connection.close();
		release();
		return undefined;
	}
	let closed = false;
	return {
		has: (name) => file.indexes.some((index) => index.name === name),
		index: (name, { name: called, version }, over) =>
			file.indexes.find(
				(one) =>
					one.name === name &&
					one.encoder.name === called &&
					one.encoder.version === version &&
					(over === undefined || one.over.includes(over)),
			),
		async link(table, place) {
			if (tables.has(table))
				await linkFolder(join(engine, `${table}.lance`), join(place, engineFolder, `${table}.lance`));
		},
		async keepWeights(corpus, place) {
			const learnt = await readFile(join(version, weightsName)).catch(() => undefined);
			if (!learnt) return undefined;
			const known = await knownMarks(evidenceKinds.flatMap((kind) => tables.get(kind) ?? []));
			let total = 0;
			let unknown = 0;
			for await (const evidence of corpus.evidence()) {
				total += 1;
				if (!known.meets(markOf(JSON.stringify(evidence)))) unknown += 1;
			}
			const others = (file.others ?? 0) + Math.max(unknown, known.unmet().length);
			if (others > mostOthers * total) return undefined;
			await writeWhole(join(place, weightsName), learnt);
			return others;
		},
		close() {
			if (closed) return;
			closed = true;
			for (const table of tables.values()) table.close();
			connection.close();
			release();
		},
	};
}
