import { join, resolve } from "node:path";
import { HopscopeError } from "#domain";
import { graphFolder } from "#graph";
import { fileInside, folderThere, holdVersion, readJson } from "#store";
import { engineFolder, KnowledgeFile, manifestName, weightsName } from "./manifest.ts";
import { unusable } from "./tables.ts";

/** Where one version of a knowledge base lies, held until `release`: in a folder, or in object storage. */
export interface Place {
	/** How it is found again. */
	dir: string;
	file: KnowledgeFile;
	/** What the engine opens. */
	engine: { uri: string; options: { storageOptions?: Record<string, string> } };
	/** Path of a file that says what the text encoder learnt. */
	weights(): Promise<string>;
	/** Path of the graph's folder, which need not be there; with `marker`, of no more than what tells it. */
	graph(part?: "marker"): Promise<string>;
	/** Path of a file of the corpus; undefined where there is none inside its folder. */
	corpusFile(file: string): Promise<string | undefined>;
	/** What is told of an error of the engine. */
	explained(error: unknown): unknown;
	release(): void | Promise<void>;
}

/** The version that a folder holds now. */
export async function placeInFolder(dir: string): Promise<Place> {
	const place = resolve(dir);
	await folderThere(place);
	const current = () => readJson(join(place, manifestName), KnowledgeFile);
	const { value: file, release } = await holdVersion(place, current).catch((error: unknown) => {
		if (error instanceof HopscopeError && error.code === "missing-file")
			throw unusable("no-knowledge", `${dir} holds no knowledge base (${manifestName} is missing)`, error);
		throw unusable("bad-knowledge", error instanceof Error ? error.message : `${dir} cannot be read`, error);
	});
	const version = join(place, file.folder);
	const corpus = resolve(place, file.corpusFolder);
	return {
		dir: place,
		file,
		engine: { uri: join(version, engineFolder), options: {} },
		weights: async () => join(version, weightsName),
		async graph() {
			const folder = join(place, graphFolder);
			await folderThere(folder);
			return folder;
		},
		async corpusFile(file) {
			await folderThere(corpus);
			return fileInside(corpus, file);
		},
		explained: (error) => error,
		release,
	};
}
