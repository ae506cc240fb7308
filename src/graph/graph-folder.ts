import { join } from "node:path";
import { byCodeUnits, Entity, HopscopeError, Triple, type Usage, usageError, withoutServer } from "#domain";
import {
	canonicalJson,
	hashing,
	readJson,
	readJsonl,
	replaceFolder,
	sha256,
	sha256File,
	writeJson,
	writeJsonl,
} from "#store";
import { createGraph, type Graph } from "./graph.ts";
import { fileNames, GraphManifest, manifestName, type Rejected } from "./manifest.ts";

/** Where a knowledge base keeps its graph, inside its own folder. */
export const graphFolder = "graph";

/** What a graph folder says of itself beside its contents. */
export interface GraphAbout {
	name: string;
	corpus?: { name: string; hash: string } | undefined;
	/** Evidence that was to be read. */
	passages?: number;
	origins: string[];
	losses?: string[];
	usage?: Usage | undefined;
}

/**
 * Writes a graph to `dir`: graph.json, entities.jsonl, triples.jsonl, rejected.jsonl, each list in order of id. The folder
 * is made beside and then replaces an earlier graph, so an interrupted writing leaves nothing that opens.
 */
export async function writeGraph(
	dir: string,
	data: { entities: Entity[]; triples: Triple[]; rejected?: Rejected[] },
	about: GraphAbout,
): Promise<GraphManifest> {
	const { entities, triples, rejected = [] } = data;
	return replaceFolder(dir, manifestName, async (place) => {
		const write = async (name: string, rows: Iterable<unknown>) => (await writeJsonl(join(place, name), rows)).hash;
		const refusals = rejected.map((one) => [canonicalJson(one), one] as const).sort(([a], [b]) => byCodeUnits(a, b));
		const files = {
			entities: await write(fileNames.entities, entities),
			triples: await write(fileNames.triples, triples),
			rejected: await write(
				fileNames.rejected,
				refusals.map(([, one]) => one),
			),
		};
		const statements = triples.flatMap((triple) => triple.statements);
		const ofPassages = rejected.filter(({ kind }) => kind === "passage");
		const unextracted = new Set(
			ofPassages.filter(({ reason }) => reason === "unextracted").map(({ evidence }) => evidence),
		);
		const content = {
			version: 1 as const,
			format: 1 as const,
			name: about.name,
			...(about.corpus ? { corpus: { name: about.corpus.name, hash: about.corpus.hash } } : {}),
			counts: {
				entities: entities.length,
				triples: triples.length,
				statements: statements.length,
				evidence: new Set(statements.map(({ evidence }) => evidence)).size,
				rejected: rejected.length - ofPassages.length,
				passages: about.passages ?? 0,
				unextracted: unextracted.size,
			},
			origins: [...new Set(about.origins)].sort(),
			losses: about.losses ?? [],
			files,
		};
		const hash = sha256(canonicalJson(withoutServers(content, { triples, refusals: refusals.map(([, one]) => one) })));
		const manifest: GraphManifest = { ...content, ...(about.usage ? { usage: about.usage } : {}), hash };
		await writeJson(join(place, manifestName), manifest);
		return manifest;
	});
}

/** What a graph's hash is over: the same relations are the same graph, at whatever address their model was asked. */
function withoutServers<Content extends { origins: string[]; files: { triples: string; rejected: string } }>(
	content: Content,
	{ triples, refusals }: { triples: readonly Triple[]; refusals: readonly Rejected[] },
): Content {
	const origins = content.origins.map(withoutServer);
	if (origins.every((origin, at) => origin === content.origins[at])) return content;
	const stripped = <Row extends { origin: string }>(row: Row) => ({ ...row, origin: withoutServer(row.origin) });
	const rows = triples.map((triple) => ({ ...triple, statements: triple.statements.map(stripped) }));
	const files = { ...content.files, triples: hashOfLines(rows), rejected: hashOfLines(refusals.map(stripped)) };
	return { ...content, origins, files };
}

/** The hash of a JSON-lines file of these rows. */
function hashOfLines(rows: readonly unknown[]): string {
	const hash = hashing();
	for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
	return hash.digest();
}

/** Opens the graph in `dir`; a missing, unfinished or damaged one is an error (exit 2). It is held in memory. */
export async function openGraph(dir: string): Promise<Graph> {
	const manifest = await readJson(join(dir, manifestName), GraphManifest).catch((error: unknown) => {
		if (error instanceof HopscopeError && error.code === "missing-file")
			throw unusable("no-graph", `${dir} holds no graph (${manifestName} is missing)`, error);
		throw unusable("bad-graph", error instanceof Error ? error.message : `${dir} cannot be read`, error);
	});
	for (const key of ["entities", "triples"] as const) {
		const file = join(dir, fileNames[key]);
		const hash = await sha256File(file).catch(() => undefined);
		if (hash !== manifest.files[key])
			throw unusable("bad-graph", `${file} is ${hash ? "not the one that was written" : "missing"}`, undefined);
	}
	const entities: Entity[] = [];
	const triples: Triple[] = [];
	for await (const entity of readJsonl(join(dir, fileNames.entities), Entity)) entities.push(entity);
	for await (const triple of readJsonl(join(dir, fileNames.triples), Triple)) triples.push(triple);
	return createGraph({ entities, triples }, manifest);
}

const unusable = (code: string, message: string, cause: unknown) =>
	usageError(code, message, "Make it with hopscope graph extract or hopscope graph import.", { cause });
