import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Evidence, type Item, questionOf } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { runRecipe } from "#recipes";
import { sha256 } from "#store";
import { type HopSketch, sketchItem } from "../../../test/support/recipes/item-sketch.ts";
import { mcSearchCast } from "../../../test/support/recipes/mc-search-players.ts";
import { mcSearch } from "../mc-search.ts";
import { documentClusters } from "./cluster.ts";
import { hopsNotGivenAway } from "./given-away.ts";

const dir = await mkdtemp(join(tmpdir(), "hopscope-mc-parts-"));
afterAll(() => rm(dir, { recursive: true }));

const evidenceOf = (id: string, text: string): Evidence => ({
	...{ kind: "passage", form: "prose", id, document: "Halberd Estate", title: "Halberd Estate", language: "en", text },
	...{ sha256: sha256(text), provenance: { source: "test" } },
});

/** What the steps of one question about several attributes find, in the form of the printed text chain (Appendix C.3). */
const attributes = [
	{
		id: "car/made",
		ask: "What kind of car is the Halberd Estate, when was it made, and what is it named after?",
		answer:
			"The Halberd Estate, a touring car made from 1962 to 1974, is named after the Halberd Bend of the Tarnholm circuit",
	},
	{
		id: "car/engine",
		ask: "Which engine does the Halberd Estate have?",
		answer: "It uses a 3.4 L Corvane Series V6 engine built in Ostrow",
	},
	{
		id: "car/special",
		ask: "Which special edition of the Halberd Estate is notable?",
		answer: "A notable special edition is the Mardale Edition, which carries a piece of Ines Tesvik's own gear lever",
	},
];
const question =
	"What are the main attributes of the Halberd Estate, including the years it was made in, its engine, the origin of its name, and a notable special edition?";
const whole = `${attributes.map(({ answer }) => answer).join(". ")}.`;
const entities = [
	...["Halberd Estate", "1962 to 1974", "Halberd Bend", "Tarnholm", "Corvane Series V6", "Ostrow"],
	...["Mardale Edition", "Ines Tesvik"],
];

test("a long document is several clusters in reading order, a short one is one as it comes", async () => {
	const pages = [1, 10, 2].map((page) => ({
		...evidenceOf(`manual#page=${page + 1}.1`, `Text of page ${page}.`),
		...{ document: "manual", title: "The manual", section: `Section ${page}` },
	}));
	const given = [...pages, evidenceOf("b", "Second."), evidenceOf("a", "First.")];
	async function* evidence() {
		yield* given;
	}
	const clusters: { id: string; title: string; texts: string[] }[] = [];
	for await (const { id, title, texts } of documentClusters(evidence(), { mostTexts: 2, mostImages: 2 }))
		clusters.push({ id, title, texts });
	expect(clusters).toEqual([
		{ id: "Halberd Estate", title: "Halberd Estate", texts: ["b", "a"] },
		{ id: "manual/1", title: "Section 1", texts: ["manual#page=2.1", "manual#page=3.1"] },
		{ id: "manual/2", title: "Section 10", texts: ["manual#page=11.1"] },
	]);
});

describe("a question about several attributes with a long answer, as printed", () => {
	const passages = attributes.map(({ id, answer }) => evidenceOf(id, `${answer}, as its makers told.`));
	const shape = { "image-initiated-chain": 0, "text-only-chain": 1, "image-text-fork": 0, "multi-image-fork": 0 };
	const told: string[] = [];
	let builds = 0;
	const build = (params = {}) => {
		builds += 1;
		const models = mcSearchCast({
			"generate-chain": ({ instructions }) => {
				told.push(instructions);
				const subqa_chain = attributes.map(({ id, ask, answer }) => ({
					...{ subquestion: ask, modality: "text", supporting_fact_id: id, answer, builds_on: [] },
				}));
				return { question, answer: whole, graph_type: "text-only-chain", subqa_chain };
			},
			// says of the evidence what answers the question, sentence by sentence
			"answer-from-evidence": ({ material, instructions }) => {
				expect(instructions).toContain("one to three sentences");
				const said = attributes.flatMap(({ answer }) => (material.evidence?.includes(answer) ? [answer] : []));
				return { answer: said.length > 0 ? `${said.join(". ")}.` : null };
			},
			"key-entities": () => ({ key_entities: entities }),
			"score-chain": () => ({ factual: 5, necessity: 5, clarity: 5, alignment: 5, comment: "" }),
			"find-confounders": () => ({ resolving: [] }),
		});
		const inputs = {
			knowledge: fakeKnowledge(passages),
			evidence: async function* () {
				yield* passages;
			},
		};
		const mix = { ...shape, "text-initiated-chain": 0 };
		return runRecipe(mcSearch, inputs, join(dir, `${builds}`), { models, params: { mix, ...params } });
	};
	const dropped = (made: Awaited<ReturnType<typeof build>>) =>
		Object.fromEntries(
			made.funnel.rows.flatMap(({ stage, dropped: by }) => (Object.keys(by).length > 0 ? [[stage, by]] : [])),
		);

	test("is accepted by the defaults, its answer as long and as full of names as the published mean", async () => {
		const { items, funnel } = await build();
		expect(funnel.faults).toBe(0);
		const [item] = items as [Item];
		expect(questionOf(item)).toBe(question);
		expect(item.answer).toMatchObject({ type: "text", value: whole, keyEntities: entities });
		expect(item.checks.find(({ check }) => check === "answer-tokens")?.score).toBeGreaterThanOrEqual(47);
		expect(item.checks.filter(({ verdict }) => verdict === "fail")).toEqual([]);
		expect(told.at(-1)).toContain("several things");
		const remarks = await mcSearch.remarks?.(
			(async function* () {
				yield item;
			})(),
		);
		expect(remarks?.[0]).toMatch(/^Answers have \d+\.\d tokens and 8\.0 key entities/);
	});
	test("falls where one question, short answers or few names are asked for", async () => {
		expect(dropped(await build({ compound: false }))).toEqual({ "asked-topology": { broken_graph: 1 } });
		expect(told.at(-1)).toContain("no list of several");
		expect(dropped(await build({ answerTokens: [1, 10] }))).toEqual({ "answer-tokens": { long_answer: 1 } });
		const { items } = await build({ keyEntities: 3 });
		expect(items[0]?.answer.keyEntities).toEqual(entities.slice(0, 3));
	});
});

describe("a step that a clue gives away", () => {
	const image: Evidence = {
		...{ kind: "image", id: "img/1", document: "d", title: "d", language: "en", file: "1.png", width: 4, height: 4 },
		...{ caption: "Annunciation, a copy", sha256: sha256("1"), provenance: { source: "test" } },
	};
	const images = [{ id: "img/1", file: "images/1.png", width: 4, height: 4, sha256: sha256("1") }];
	const look = (asked: string, hops: HopSketch[], more: { images?: typeof images; notes?: Item["notes"] } = {}) =>
		hopsNotGivenAway({ knowledge: fakeKnowledge([image]) }).look(
			sketchItem({ question: asked, hops, ...more }),
			undefined as never,
		);
	const scene: HopSketch = { question: "Which scene is shown?", answer: "The Annunciation.", modality: "image" };
	const museum: HopSketch = { question: "Who holds it?", answer: "Tarnholm Museum", needs: ["h1"] };
	const away = (on: string) => ({ verdict: "fail", reason: "clue_recoverable", on: { hop: on } });

	test("by the question, in whatever form of words", async () => {
		expect(await look("Who holds the Annunciation that is shown?", [scene, museum])).toMatchObject(away("h1"));
		expect(await look("Who holds the painting that is shown?", [scene, museum])).toMatchObject({ verdict: "pass" });
		const strings: HopSketch = { question: "What strings are seen?", answer: "It has wire strings of steel." };
		expect(await look("What did strings of steel wire lead to?", [strings, museum])).toMatchObject(away("h1"));
		expect(await look("What did the strings lead to?", [strings, museum])).toMatchObject({ verdict: "pass" });
	});
	test("by the caption of an image that goes with it", async () => {
		expect(await look("Who holds it?", [scene, museum], { images })).toMatchObject({
			...away("h1"),
			detail: expect.stringContaining("the caption of img/1"),
		});
	});
	test("by the illustrative question of its cluster, asked again", async () => {
		const cluster = { id: "c", topology: "text-only-chain", texts: [], images: [] };
		const asks = (question: string, answer: string) =>
			look("Who holds the painting?", [scene, museum], {
				notes: { cluster: { ...cluster, example: { question, answer } } },
			});
		expect(await asks("Which scene is shown here?", "Annunciation")).toMatchObject(away("h1"));
		expect(await asks("Which scene is shown here?", "Nativity")).toMatchObject({ verdict: "pass" });
		expect(await asks("Who painted in Tarnholm?", "Annunciation")).toMatchObject({ verdict: "pass" });
	});
	test("what a step's own question names, a yes or no, and the last answer are nothing that was to be found", async () => {
		const which: HopSketch = { question: "Is it the Annunciation or the Nativity?", answer: "The Annunciation" };
		const asked = "Of the Annunciation and the Nativity, which does Tarnholm Museum hold?";
		expect(await look(asked, [which, museum])).toMatchObject({ verdict: "pass" });
		expect(await look("Yes?", [{ ...scene, answer: "yes" }, museum])).toMatchObject({ verdict: "pass" });
	});
});
