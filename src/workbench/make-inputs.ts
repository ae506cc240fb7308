import { existsSync } from "node:fs";
import { join } from "node:path";
import { openBenchmark } from "#benchmarks";
import { type CorpusManifest, usageError } from "#domain";
import { graphFolder, openGraph } from "#graph";
import { openKnowledge } from "#knowledge";
import { openEncyclopedia, type Recipe, type RecipeInputs } from "#recipes";
import { canonicalJson, sha256, type Workspace } from "#store";
import { corpusBehind } from "./knowledge-of.ts";
import { readKnownSet } from "./known-sets.ts";
import { locate, theOnlyKnowledge } from "./locate.ts";

/** What a person names for a recipe to read. */
export interface InputOptions {
	knowledge?: string | undefined;
	encyclopedia?: string | undefined;
	contact?: string | undefined;
	seeds?: string | undefined;
	known?: string[] | undefined;
}

/** Inputs that are open, with hashes of what they hold. The caller closes them. */
export interface OpenedInputs {
	inputs: RecipeInputs;
	hashes: Record<string, string>;
	/** Of the corpus behind the knowledge base. */
	corpus: CorpusManifest;
	knowledge: string;
	close(): Promise<void>;
}

/** Opens what a recipe reads; what it needs and is not there is the user's to mend (exit 2). */
export async function openInputs(
	workspace: Workspace,
	recipe: Pick<Recipe, "name" | "needs">,
	options: InputOptions,
): Promise<OpenedInputs> {
	const name = options.knowledge ?? (await theOnlyKnowledge(workspace));
	const dir = await locate(workspace, "knowledge", name);
	const corpus = await corpusBehind(dir);
	const graphDir = join(dir, graphFolder);
	const graph = existsSync(join(graphDir, "graph.json")) ? await openGraph(graphDir) : undefined;
	const seeds = options.seeds ? await openBenchmark(await locate(workspace, "benchmarks", options.seeds)) : undefined;
	const known = await Promise.all((options.known ?? []).map((one) => readKnownSet(workspace, one)));
	const knowledge = await openKnowledge(dir);
	try {
		const evidence = () => corpus.evidence();
		const encyclopedia = options.encyclopedia
			? await openEncyclopedia({
					spec: options.encyclopedia,
					contact: options.contact,
					cache: workspace.cache("encyclopedia"),
					local: { knowledge, evidence, graph },
				})
			: undefined;
		mustHold(recipe, { graph, encyclopedia, seeds, counts: corpus.manifest.counts, name });
		const inputs: RecipeInputs = {
			...{ knowledge, evidence },
			...(graph ? { graph } : {}),
			...(encyclopedia ? { encyclopedia } : {}),
			...(seeds ? { seeds: seeds.tasks, seedsFolder: seeds.dir } : {}),
			...(known.length > 0
				? {
						known: {
							titles: new Set(known.flatMap(({ titles }) => titles)),
							questions: known.flatMap(({ questions }) => questions.map(({ question }) => question)),
						},
					}
				: {}),
		};
		const hashes = {
			...{ knowledge: knowledge.manifest.hash, corpus: corpus.manifest.hash },
			...(graph?.manifest ? { graph: graph.manifest.hash } : {}),
			...(encyclopedia ? { encyclopedia: encyclopedia.id } : {}),
			...(seeds ? { seeds: seeds.manifest.hash } : {}),
			...(known.length > 0 ? { known: sha256(canonicalJson(known)) } : {}),
		};
		return { inputs, hashes, corpus: corpus.manifest, knowledge: knowledge.manifest.name, close: knowledge.close };
	} catch (error) {
		await knowledge.close();
		throw error;
	}
}

const remedies: Record<Recipe["needs"][number], string> = {
	graph: "Give the knowledge base one: hopscope graph extract, or graph import.",
	encyclopedia: "Name one: --encyclopedia local, or wikimedia with --contact MAIL.",
	seeds: "Name a benchmark to begin with: --seeds BENCH.",
	images: "Index a folder with images.",
	pages: "Index documents with pages, such as PDF.",
};

function mustHold(
	{ name, needs }: Pick<Recipe, "name" | "needs">,
	held: { graph: unknown; encyclopedia: unknown; seeds: unknown; counts: CorpusManifest["counts"]; name: string },
): void {
	const there = {
		graph: held.graph !== undefined,
		encyclopedia: held.encyclopedia !== undefined,
		seeds: held.seeds !== undefined,
		images: held.counts.image > 0,
		pages: held.counts.page > 0,
	};
	for (const need of needs)
		if (!there[need])
			throw usageError(
				`no-${need}`,
				`the recipe ${name} needs ${need === "graph" ? "a graph" : need === "encyclopedia" ? "an encyclopedia" : need}, and ${held.name} comes without`,
				remedies[need],
			);
}
