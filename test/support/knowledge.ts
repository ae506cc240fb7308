/** The conformance kit of knowledge bases: what whatever searches relies on. Free of any test framework. */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import type { Evidence } from "#domain";
import { sha256 } from "#store";
import type { KnowledgeBase } from "../../src/knowledge/knowledge-base.ts";

/** Makes a knowledge base of this evidence; the kit closes it. */
export type KnowledgeUnderTest = (evidence: Evidence[]) => Promise<KnowledgeBase>;

interface Case {
	name: string;
	run(): Promise<void>;
}

/** The cases to run, each by itself: `for (const { name, run } of knowledgeCases(make)) test(name, run)`. */
export function knowledgeCases(make: KnowledgeUnderTest): Case[] {
	return Object.entries(checks).map(([name, check]) => ({
		name,
		async run() {
			const knowledge = await make(knowledgeSample);
			try {
				await check(knowledge);
			} finally {
				await knowledge.close();
			}
		},
	}));
}

const common = (id: string, document: string, text: string, language = "en") => ({
	id,
	document,
	title: document,
	language,
	sha256: sha256(text),
	provenance: { source: "sample" },
});
const passage = (id: string, document: string, text: string, language?: string): Evidence => ({
	kind: "passage",
	...common(id, document, text, language),
	text,
	form: id.endsWith("table") ? "table" : "prose",
});

/** What the kit makes knowledge bases of. */
export const knowledgeSample: Evidence[] = [
	passage("lima#1", "Lima", "Lima is the capital of Peru and lies on the Pacific coast."),
	passage("lima#table", "Lima", "population | ten million\ncoast | Pacific"),
	passage("quito#1", "Quito", "Quito, the capital of Ecuador, stands high in the Andes."),
	passage("quito#es", "Quito", "Quito es la capital de Ecuador y está en los Andes.", "es"),
	passage("twin#3", "Twin", "Two towns share this sentence."),
	passage("twin#1", "Twin", "Two towns share this sentence."),
	passage("twin#2", "Twin", "Two towns share this sentence."),
	{
		kind: "page",
		...common("sheet#page=5", "sheet", "Rainfall by month"),
		text: "Rainfall by month",
		page: 4,
		label: "v",
	},
	{
		kind: "image",
		...common("flag", "Peru", ""),
		caption: "A flag on a pole",
		file: "images/flag.png",
		width: 4,
		height: 4,
		region: { page: 1, box: [0, 0, 10, 10], size: [100, 100] },
	},
];

const checks: Record<string, (knowledge: KnowledgeBase) => Promise<void>> = {
	async "tells what it holds"({ manifest, evidence, missing }) {
		deepStrictEqual(manifest.counts, { passage: 7, page: 1, image: 1 });
		for (const item of knowledgeSample) deepStrictEqual(await evidence(item.id), item);
		strictEqual(await evidence("nobody"), undefined);
		deepStrictEqual(await missing(["x", "flag", "x", "twin#1", "a'b"]), ["x", "a'b"]);
	},
	async "finds by inflected words, each kind by itself, and tells where it stands"({ search }) {
		const [first] = await search({ text: "capitals in Ecuador", target: "passage", k: 3 });
		ok(first);
		strictEqual(first.id, "quito#1");
		deepStrictEqual([first.rank, first.kind, first.document, first.language], [1, "passage", "Quito", "en"]);
		ok(first.snippet.includes("Ecuador"));
		const [page] = await search({ text: "rainfalls", target: "page", k: 3 });
		deepStrictEqual([page?.id, page?.page, page?.label], ["sheet#page=5", 4, "v"]);
		const [image] = await search({ text: "pole", target: "image", k: 3 });
		deepStrictEqual([image?.id, image?.regions?.[0]?.page], ["flag", 1]);
	},
	async "gives the same list twice, best first, ranks from 1, ties by id"({ search }) {
		const query = { text: "which towns share a sentence with Lima?", target: "passage", k: 10 } as const;
		const list = await search(query);
		deepStrictEqual(await search(query), list);
		for (const [at, { rank, score }] of list.entries()) {
			strictEqual(rank, at + 1);
			ok(score > 0 && score <= (list[at - 1]?.score ?? score));
		}
		const twins = list.filter(({ id }) => id.startsWith("twin")).map(({ id }) => id);
		deepStrictEqual(twins, ["twin#1", "twin#2", "twin#3"]);
		const two = (await search({ ...query, text: "towns share", k: 2 })).map(({ id }) => id);
		deepStrictEqual(two, ["twin#1", "twin#2"]);
	},
	async "takes any query and any k"({ search }) {
		for (const text of ["", "  ", "?!", "the", "a'b OR (", "x".repeat(5000)])
			for (const k of [-1, 0, 0.5, 2, 1e9, Number.NaN])
				ok((await search({ text, target: "passage", k })).length <= Math.max(1, Math.min(k || 1, 7)));
		deepStrictEqual(await search({ text: "xylophone", target: "passage", k: 3 }), []);
		strictEqual((await search({ text: "capital", target: "passage", k: 1e9 })).length, 3);
	},
	async "searches only what fits the filter"({ search }) {
		const find = async (filter: object) => {
			const results = await search({ text: "capital coast Pacific Andes", target: "passage", k: 9, filter });
			return results.map(({ id }) => id).sort();
		};
		deepStrictEqual(await find({ document: "Lima" }), ["lima#1", "lima#table"]);
		deepStrictEqual(await find({ document: ["Lima", "Quito"], form: "table" }), ["lima#table"]);
		deepStrictEqual(await find({ language: "es" }), ["quito#es"]);
		deepStrictEqual(await find({ document: [] }), []);
	},
	async "refuses an image for what is no image"({ search }) {
		const query = { image: Buffer.from("none"), target: "passage", k: 1 } as const;
		await rejects(search(query), { code: "bad-query" });
	},
};
