import { describe, expect, test } from "vitest";
import type { Evidence, Item } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { sketchItem } from "../../../test/support/recipes/item-sketch.ts";
import { finalRules } from "./final-gate.ts";

const passage = (id: string, text: string): Evidence => ({
	...{ kind: "passage", id, document: id, title: id, language: "en", form: "prose", text },
	...{ sha256: "0".repeat(64), provenance: { source: "test" } },
});

/** Names of the rules that an item fails. */
async function failing(item: Item, evidence: Evidence[] = []): Promise<string[]> {
	const failed: string[] = [];
	const rules = finalRules(
		{ exceptions: ["offered-options", "shown-in-the-image"] },
		{ knowledge: fakeKnowledge(evidence) },
	);
	for (const check of rules) {
		if (check.concerns && !check.concerns(item)) continue;
		if ((await check.look(item, {} as never)).verdict === "fail") failed.push(check.name.replace(/^final-/, ""));
	}
	return failed;
}

const one = (question: string, answer = "Blorvik", language = "en"): Item =>
	sketchItem({ question, hops: [{ question, answer, evidence: ["e"] }], tags: { language } });

/** A question of two steps: what the first one finds must not be said. */
const two = (
	question: string,
	bridge: string,
	{ first = "Which is it?", last = "Who led it then?", language = "en" } = {},
) =>
	sketchItem({
		question,
		hops: [
			{ question: first, answer: bridge },
			{ question: last, answer: "Ole Brask", needs: ["h1"] },
		],
		tags: { language },
	});

describe("what is said to the reader", () => {
	test.each([
		"Weigh every clue before settling: who built the mill at Vrin?",
		"Who built the mill at Vrin? Back the name up with a date.",
		"Relying on nothing but memory, who built the mill at Vrin?",
		"If you cannot tell, say so; who built the mill at Vrin?",
		"Since two hops are needed, who built the mill at Vrin?",
		"Here comes a three-step puzzle. Who built the mill at Vrin?",
		"Who built the mill at Vrin? The response has to be a surname.",
		"Bedenke jeden Schritt. Wer baute die Mühle in Vrin?",
		"Diese knifflige Frage führt weit: Wer baute die Mühle in Vrin?",
	])("is no question: %s", async (question) => expect(await failing(one(question))).toContain("no-instructions"));
	test.each([
		"The mill at Vrin burned down in 1911 and was never rebuilt. Who had built it?",
		"How many letters are left if you drop the vowels of Vrin?",
		"Which captain told his crew to disregard the rules?",
		"Who wrote the song Without You for the band of Vrin?",
		"Name the river that drives the mill at Vrin.",
		"Ride the Pale Road is a tour of which band?",
	])("is a question with what it is about: %s", async (question) => expect(await failing(one(question))).toEqual([]));
});

describe("a second asking", () => {
	test.each([
		"Who runs the ferry at Vrin, and since when?",
		"Did the founder of the mill hold a licence, and if so, from whom?",
		"What are the depth and outflow of the lake at Vrin?",
		"What is the length of the bridge at Vrin, along with its builder?",
		"In which year and in what town did the miller of Vrin die?",
		"Who sold the mill at Vrin, and for how much?",
		"Can you say where the mill stood and how it burned?",
		"Who bought the mill, and the ferry?",
		"Wie heißt der Müller von Vrin, und wem gehörte die Fähre?",
		"In welchem Jahr und in welcher Stadt starb der Müller von Vrin?",
	])("is told: %s", async (question) => expect(await failing(one(question))).toContain("one-question"));
	test.each([
		"Which lake, from which the Vrin flows and in which he drowned, is deepest?",
		"Which mill is owned by a firm that runs ferries and is the largest of its kind?",
		"Of the miller and the smith, who built the bridge that the floods took?",
		"Are the makers of Is It Late? (Film) and Jaws from the same country?",
		"Welcher Müller weihte die Fähre ein?",
	])("is none: %s", async (question) =>
		expect(await failing(one(question, "Blorvik", /^We/.test(question) ? "de" : "en"))).toEqual([]));
});

describe("a source that is pointed to", () => {
	test.each([
		"Who is named in the article as the miller of Vrin?",
		"In the leaflet, who ran the ferry at Vrin?",
		"Who, going by page two, ran the ferry at Vrin?",
		"Who ran the ferry at Vrin, per our records?",
		"Which year do both texts give for the fire at Vrin?",
		"Who was the miller described here?",
		"In the narrator's telling, who lit the fire at Vrin?",
		"What does the article's author call Vrin?",
	])("is told: %s", async (question) => expect(await failing(one(question))).toContain("no-source-reference"));
	test.each([
		"Who wrote the letter in which Vrin is first mentioned?",
		"Which firm printed a book that Ann Bell wrote, and this book is set in Vrin?",
		"Who signed the document titled Vrin Compact?",
		"Who edited the report on the fire at Vrin?",
		"Wer vertonte den Text der Dichterin aus Vrin?",
	])("is itself asked about: %s", async (question) =>
		expect(await failing(one(question, "Blorvik", /^We/.test(question) ? "de" : "en"))).not.toContain(
			"no-source-reference",
		));
});

describe("what is made of a bridge's name", () => {
	test.each([
		["Which Norwegian miner led the union in that land?", "Norway", "en"],
		["Who led the Hollanders of the miner's homeland?", "the Netherlands", "en"],
		["Welcher ungarische König führte das Land des Müllers?", "Ungarn", "de"],
		["Wer führte den Bremer Hafen der Stadt des Müllers?", "Bremen", "de"],
		["Who led the basketmakers when the craft of Vrin was at its height?", "basketmaking", "en"],
		["Who led the school where Rachmaninov's pupil taught?", "Rakhmaninov", "en"],
		["Who led the forty-second street guild of his number?", "42", "en"],
		["Who led the Velmondic school of the painter's master?", "Velmond", "en"],
		["Among Velmondian things, who led the school of the master?", "Velmond", "en"],
	] as const)("is told: %s", async (question, bridge, language) =>
		expect(await failing(two(question, bridge, { language }))).toContain("bridges-hidden"));
	test("a plain word that a name is written like is another word, and kin share a surname", async () => {
		const bath = { first: "In which town did he live?", last: "Who led the guild in Bath then?" };
		expect(await failing(two("Who led the guild of bath makers where he lived?", "Bath", bath))).toEqual([]);
		expect(await failing(two("Who led the turkey farm where he lived?", "Turkey"))).toEqual([]);
		const wife = { first: "Who was the miller's wife?", last: "Who taught Ada Loy?" };
		expect(await failing(two("Who taught the wife of the miller Loy?", "Ada Loy", wife))).toEqual([]);
	});
	test("what a picture shows is no option by name, nor by a part of it", async () => {
		const compared = (question: string) =>
			sketchItem({
				question,
				hops: [
					{ question: "What is shown in the first image?", answer: "Agnes Velmond", modality: "image" },
					{ question: "What is shown in the second image?", answer: "Ole Brask", modality: "image" },
					{ question: "When was Agnes Velmond born?", answer: "1901", needs: ["h1"] },
					{ question: "When was Ole Brask born?", answer: "1904", needs: ["h2"] },
					{
						...{ question: "Which was born first?", answer: "Agnes Velmond", modality: "compute" },
						...{ needs: ["h3", "h4"].map((hop) => ({ hop, role: "operand" as const })), compute: { op: "argmin" } },
					},
				],
				tags: { language: "en", questionType: "comparison" },
				images: [{ id: "i", file: "i.png", width: 9, height: 9, sha256: "0".repeat(64) }],
			});
		const shown = "the person in the second image";
		expect(await failing(compared(`Who was born first, the person in the first image or ${shown}?`))).toEqual([]);
		for (const name of ["Velmond", "Agnes Velmond", "the person in the first image, i.e. Velmond,"])
			expect(await failing(compared(`Who was born first, ${name} or ${shown}?`)), name).toContain("bridges-hidden");
		for (const name of ["Considering the Velmondian life", "With Velmond's fame in mind"])
			expect(
				await failing(compared(`${name}, which of the two was born first, the person shown here or ${shown}?`)),
			).toEqual(["bridges-hidden"]);
	});
});

describe("an answer in another form", () => {
	test.each([
		["Which year, MDCCCXII as it were, saw the mill burn?", "1812"],
		["Which decade, the '30s of all times, saw the mill burn?", "the 1930s"],
		["In which century, in the 1300s that is, was the mill built?", "the fourteenth century"],
		["What share of the grain, one part in five, went to the miller?", "20%"],
		["What did the mill cost, 1,200,000 crowns or so?", "1.2 million crowns"],
		["Which office, the VRC by name, licensed the mill?", "Vrin River Commission"],
		["Which church – Saint Olaf's – stands by the mill?", "St. Olaf's"],
	])("is told: %s", async (question, answer) =>
		expect(await failing(one(question, answer))).toContain("answer-hidden"));
	test.each([
		["Which decade saw the 1914 mill burn?", "the 1930s"],
		["What share of the grain in the year 5 went to the miller?", "20%"],
		["Which game was half of the mill's income spent on?", "Half-Life"],
		["Which woman led the von Velmond musical group?", "Ann von Velmond"],
	])("is not: %s", async (question, answer) => expect(await failing(one(question, answer))).toEqual([]));
});

describe("no answer", () => {
	test.each([
		"That would depend on the source",
		"depends on the year",
		"to be announced",
		"see above",
		"none of the above",
		"The records are silent on that",
		"Possibly Lund",
		"the same person",
		"beyond the scope of the text",
		"nicht überliefert",
		"keine Angaben",
	])("is told: %s", async (answer) =>
		expect(await failing(one("Who built the mill at Vrin?", answer))).toContain("answer-given"));
	test("a name, a count, a state and what the evidence says are answers", async () => {
		expect(await failing(one("Which band did the drummer join?", "None"), [passage("e", "He joined None.")])).toEqual(
			[],
		);
		expect(await failing(one("Which band did the drummer join?", "None"), [passage("e", "He joined Lund.")])).toEqual([
			"answer-given",
		]);
		expect(await failing(one("How many mills are left at Vrin?", "none"))).toEqual([]);
		expect(await failing(one("What was the cause of the fire at Vrin?", "undetermined"))).toEqual([]);
		const verdict = passage("e", "The court of Vrin ruled: not proven.");
		expect(await failing(one("What did the court at Vrin rule?", "not proven"), [verdict])).toEqual([]);
	});
	test("a title that is asked for may be in any language", async () => {
		expect(await failing(one("What is the title of the anthem?", "Der er et yndigt land"))).toEqual([]);
		expect(await failing(one("Where does the mill stand?", "Der er et yndigt land"))).toEqual(["language"]);
		expect(await failing(one("Which kind is it?", "8D hand-drawn fantasy-comedy film"))).toEqual([]);
	});
});
