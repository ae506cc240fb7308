/** What `npm run funnels` hands each recipe: real documents, articles and images, and who plays its roles. */
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const atlas = "node_modules/.cache/hopscope-atlas";
const kilt = "../shared/data/kilt-100/kilt_100.jsonl";
const pictures = "../shared/data/infoseek-images";
const papers = ["2023.findings-emnlp.248.pdf", "2023.acl-long.386.pdf"].map(
	(file) => `../shared/data/documents/${file}`,
);

/** Pages of the corpus, and the photographs that stand for them. */
const shown = {
	"Samuel West": "dog",
	"Bohemond I of Antioch": "bird",
	"Timothy West": "fish",
	"Anna Komnene": "car",
	"Peter the Hermit": "lake",
	"Stokesay Castle": "piano",
	Algeria: "plant",
	Alabama: "insect",
};

export const inputs = {
	"double-bench": {
		what: "Two papers of the ACL Anthology",
		reads: papers,
		async open(dir, path) {
			const opened = await indexed(dir, papers.map(path));
			const { doubleBenchCast } = await import("../dist-rooms/support/double-bench-players.js");
			const params = {
				leastDegree: 3,
				skipHighest: 0,
				leastNeighbourDegree: 1,
				walksPerDocument: 5,
				blocksPerDocument: 8,
			};
			return { ...opened, params, models: doubleBenchCast() };
		},
	},
	"mc-search": {
		what: "The Atlas: articles, tables and images of countries with A and B",
		reads: [`${atlas}/corpora/atlas`, `${atlas}/knowledge/atlas`],
		async open(_, path) {
			const opened = await openAtlas(path, ({ document }) => /^country\/[ab]/.test(document));
			const { mcSearchCast } = await import("../dist-rooms/support/mc-search-players.js");
			return {
				...opened,
				mostUnits: 25,
				params: { hops: [2, 4], perCluster: 5, regenerated: 1 },
				models: mcSearchCast(),
			};
		},
	},
	mmhops: {
		what: "99 Wikipedia articles of KILT, and eight photographs that stand for eight of them",
		reads: [kilt, pictures],
		async open(dir, path) {
			const opened = await indexed(dir, [path(kilt)], (folder) => photographs(folder, path(pictures)));
			const titles = new Set();
			for await (const { title } of opened.inputs.evidence()) if (title.length > 3) titles.add(title);
			const { mmhopsCast } = await import("../dist-rooms/support/mmhops-players.js");
			return {
				...opened,
				inputs: { ...opened.inputs, seeds: Object.entries(shown).map(seed), seedsFolder: path(pictures) },
				params: { perPage: 25, beam: 5 },
				models: mmhopsCast({ titles: [...titles].sort((a, b) => b.length - a.length) }),
			};
		},
	},
	tracer: {
		what: "99 Wikipedia articles of KILT",
		reads: [kilt],
		async open(dir, path) {
			const { tracerCast } = await import("../dist-rooms/support/tracer-players.js");
			return { ...(await indexed(dir, [path(kilt)])), params: { passages: 30, hops: 3 }, models: tracerCast() };
		},
	},
	vistahop: {
		what: "The Atlas: its articles, tables and 30 of its charts, with its facts as graph",
		reads: [],
		async open(dir) {
			const { vistahopCast } = await import("../dist-rooms/support/vistahop-players.js");
			const { world, ...opened } = await atlasWorld(dir);
			const params = {
				...{ megapixels: 0.1, shortSide: 200, familiarity: 1.01, several: "place", leastHops: 3, mostHops: 4 },
				...{ visualSamples: 2, expansions: 40 },
			};
			return { ...opened, params, mostUnits: 8, models: vistahopCast(world) };
		},
	},
	template: {
		what: "The typed graph that the Atlas was written from",
		reads: [`${atlas}/corpora/atlas`, `${atlas}/knowledge/atlas`],
		async open(dir, path) {
			const { buildAtlas } = await import("../dist-rooms/sample/index.js");
			const { graph } = await buildAtlas(join(dir, "corpus"));
			const opened = await openAtlas(path);
			return { ...opened, inputs: { ...opened.inputs, typed: graph } };
		},
	},
};

/** A knowledge base of files, with what `more` adds to the corpus. */
async function indexed(dir, files, more) {
	const { createCorpus, openCorpus, readSources } = await import("#corpus");
	const { buildKnowledge, openKnowledge } = await import("#knowledge");
	const [read, corpus, base] = ["read", "corpus", "knowledge"].map((name) => join(dir, name));
	await readSources(files, { dir: more ? read : corpus, name: "read" }, { onProblem: () => {} });
	if (more) {
		const both = await createCorpus(corpus, { name: "read", licence: "", sources: [] });
		for await (const one of (await openCorpus(read)).evidence()) both.add(one);
		for (const one of await more(corpus)) both.add(one);
		await both.finish();
	}
	await buildKnowledge(corpus, base);
	const knowledge = await openKnowledge(base);
	const opened = await openCorpus(corpus);
	return { inputs: { knowledge, evidence: () => opened.evidence() }, close: () => knowledge.close() };
}

async function openAtlas(path, wanted = () => true) {
	const { openCorpus } = await import("#corpus");
	const { openKnowledge } = await import("#knowledge");
	const corpus = await openCorpus(path(`${atlas}/corpora/atlas`));
	const knowledge = await openKnowledge(path(`${atlas}/knowledge/atlas`));
	async function* evidence() {
		for await (const one of corpus.evidence()) if (wanted(one)) yield one;
	}
	return { inputs: { knowledge, evidence }, close: () => knowledge.close() };
}

/** The Atlas as it is written, with 30 of its charts: drawing all of its images takes a while. */
async function atlasWorld(dir) {
	const { atlasCharts } = await import("../dist-rooms/sample/index.js");
	const { fakeKnowledge } = await import("#knowledge");
	const { graphOfFacts } = await import("#recipes");
	const { evidence, charts, files, graph: facts } = await atlasCharts(dir, { charts: 30 });
	const graph = graphOfFacts(facts);
	const inputs = {
		...{ knowledge: fakeKnowledge(evidence, { files }), graph },
		async *evidence() {
			yield* evidence;
		},
	};
	return { inputs, world: { graph, pictures: charts } };
}

async function photographs(folder, from) {
	const { sha256 } = await import("#store");
	await mkdir(join(folder, "images"), { recursive: true });
	return Promise.all(
		Object.entries(shown).map(async ([title, name]) => {
			const data = readFileSync(join(from, `${name}.png`));
			await writeFile(join(folder, "images", `${name}.png`), data);
			return {
				...{ kind: "image", id: `image-${name}`, document: title, title, language: "en", sha256: sha256(data) },
				...{ provenance: { source: "infoseek", licence: "Apache-2.0" }, caption: "a photograph" },
				...{ file: `images/${name}.png`, width: 500, height: 500 },
			};
		}),
	);
}

const seed = ([title, name]) => ({
	...{ id: `seed-${name}`, question: "Which subject does this photograph stand for?", tags: { language: "en" } },
	images: [{ id: `seed-${name}`, file: `${name}.png`, width: 500, height: 500, sha256: "0".repeat(64) }],
	answer: { type: "string", value: title, accepted: [title] },
	...{ source: "photographs", rights: "Apache-2.0" },
});
