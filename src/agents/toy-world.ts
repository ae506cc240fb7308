/** An invented country with its evidence, and tasks over it: what the conformance kit lets agents loose on. */
import { createHash } from "node:crypto";
import { Evidence, Task } from "#domain";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const common = (id: string, title: string, text: string) => ({
	id,
	document: id.split("/")[0] ?? id,
	title,
	language: "en",
	sha256: hashOf(text),
	provenance: { source: "invented" },
});
const passage = (id: string, title: string, text: string) =>
	Evidence.parse({ kind: "passage", ...common(id, title, text), text });

export const toyEvidence: Evidence[] = [
	Evidence.parse({
		kind: "image",
		...common("velmora/flag", "Flag of Velmora", "Flag of Velmora"),
		caption: "Flag of Velmora",
		file: "images/velmora.png",
		width: 1,
		height: 1,
	}),
	passage(
		"velmora/article",
		"Velmora",
		"Velmora is a country in the north. Its capital is Tessin Bay. It covers 1,250 km².",
	),
	passage("velmora/table", "Velmora", "Country: Velmora\nCapital: Tessin Bay\nArea: 1,250 km²\nCurrency: velm"),
	passage("ostral/article", "Ostral", "Ostral is a country in the south. Its capital is Quill. It covers 980 km²."),
	passage("tessin/article", "Tessin Bay", "Tessin Bay is a city. It was founded on 3 May 1712 by Anna Rehn."),
	Evidence.parse({
		kind: "page",
		...common("sheet#0", "Fact sheet", "page"),
		text: "Fact sheet\nVelmora\nAnthem: Song of the Bay\nOstral\nAnthem: Southern Light",
		page: 0,
	}),
];

const image = { id: "q", file: "question.png", width: 1, height: 1, sha256: hashOf("q"), hides: ["Velmora"] };
const text = (value: string) => ({ type: "string" as const, value, accepted: [value] });
const hop = (
	id: string,
	question: string,
	modality: string,
	evidence: string[],
	value: string,
	needs: string[] = [],
) => ({
	id,
	question,
	modality,
	evidence,
	answer: text(value),
	needs: needs.map((needed) => ({ hop: needed, role: "bridge" })),
});

export const toyTasks: Task[] = [
	{
		id: "text-chain",
		question: "Who founded the capital of Velmora?",
		answer: text("Anna Rehn"),
		chain: {
			hops: [
				hop("a", "What is the capital of Velmora?", "text", ["velmora/article", "velmora/table"], "Tessin Bay"),
				hop("b", "Who founded Tessin Bay?", "text", ["tessin/article"], "Anna Rehn", ["a"]),
			],
			sink: "b",
		},
	},
	{
		id: "image-chain",
		question: "What is the anthem of the country whose flag is shown in the image?",
		images: [image],
		answer: text("Song of the Bay"),
		chain: {
			hops: [
				hop("b", "What is the anthem of Velmora?", "page", ["sheet#0"], "Song of the Bay", ["a"]),
				hop("a", "Whose flag is this?", "image", ["velmora/flag"], "Velmora"),
			],
			sink: "b",
		},
	},
	{
		id: "comparison",
		question: "¿Cuál tiene mayor superficie, Velmora u Ostral?",
		answer: text("Velmora"),
		tags: { language: "es" },
	},
	{ id: "unanswerable", question: "When did the moon of Ostral sing?", answer: { ...text("none"), type: "none" } },
	{
		id: "hostile",
		question: `${"the capital of the country whose capital is ".repeat(60)}"“«(((?`,
		answer: text("nothing"),
	},
].map((task) => Task.parse(task));
