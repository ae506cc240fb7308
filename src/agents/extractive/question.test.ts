import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ask } from "./ask.ts";
import { parseQuestion } from "./question.ts";

/** An ask in one line: (relation of what), [choices], image numbers. */
function line(ask: Ask): string {
	const all = (asks: Ask[]) => asks.map(line).join(" | ");
	switch (ask.is) {
		case "name":
			return ask.name;
		case "image":
			return `image ${ask.index}`;
		case "fact":
			return `(${ask.words}: ${all(ask.of)})`;
		case "choose":
			return `${ask.pick} ${ask.measure.relations.join(" < ")} [${all(ask.choices)}]`;
		case "exceeds":
			return `${ask.pick}? ${ask.measure.relations.join(" < ")} [${all(ask.operands)}]`;
		case "same":
			return `same [${all(ask.operands)}]`;
		case "verify":
			return `verify ${ask.words} [${all(ask.of)}]`;
		case "arithmetic":
			return `${ask.op} [${all(ask.operands)}]`;
		case "transform":
			return `${ask.transform.do} ${line(ask.of)}`;
	}
}
const parsed = (question: string, images = 0) => line(parseQuestion(question, { images }));

describe("noun phrases nest", () => {
	test.each([
		["Who is the father of the director of film Little Joe (Film)?", "(father: (director: Little Joe (Film)))"],
		["Who is Anna Rehn's maternal grandmother?", "(mother: (mother: Anna Rehn))"],
		["Who is the constructor of Acme Works?", "(constructor: Acme Works)"],
		["What is the place of birth of the founder of Acme Works?", "(place of birth: (founder: Acme Works))"],
		["Where did Thomas Nabbes study?", "(study: Thomas Nabbes)"],
		["When was Ada King's mother born?", "(born: (mother: Ada King))"],
		["What is the mayor of the town whose patron is Saint Olaf?", "(mayor: (town patron: Saint Olaf))"],
		["Which river does the bridge that Jonas Lund designed cross?", "(river cross: (bridge designed: Jonas Lund))"],
		["In which valley does the castle built by Otto II stand?", "(valley stand: (castle built by: Otto II))"],
		["Which painter painted The Mud Bath?", "(painter painted: The Mud Bath)"],
		['Who wrote the novel on which "Dust and Rain" is based?', "(wrote: (novel on based: Dust and Rain))"],
		["What is the height in feet at which Loch Tower stands?", "(height in feet at stands: Loch Tower)"],
		["What is the length of the wings of Swift Two?", "(length wings: Swift Two)"],
	])("%s", (question, expected) => expect(parsed(question)).toBe(expected));

	test.each([
		["¿Quién es el padre del director de la película Noche Roja?", "(padre: (director: Noche Roja))"],
		[
			"¿En qué valle se encuentra el castillo que construyó Otto II?",
			"(valle se encuentra: (castillo construyó: Otto II))",
		],
		["¿Cuándo nació el autor de La Casa Verde?", "(nació: (autor: La Casa Verde))"],
		["¿Qué puerto tiene la isla cuya patrona es Santa Marta?", "(puerto: (isla patrona: Santa Marta))"],
	])("%s", (question, expected) => expect(parsed(question)).toBe(expected));
});

describe("phrases that point at images", () => {
	test.each([
		["What is the patron of the town whose crest is shown in the image?", "(patron: image 0)"],
		["Who designed the tower in the second picture?", "(designed: image 1)"],
		["¿Quién fundó la ciudad cuyo escudo aparece en la primera imagen?", "(fundó: image 0)"],
		["What is the patron of the town whose founder is the man in the image?", "(patron: (town founder: image 0))"],
	])("%s", (question, expected) => expect(parsed(question, 2)).toBe(expected));
	test("mean nothing in a question without images", () => {
		expect(parsed("Who painted the image of Saint Olaf?")).not.toContain("image 0");
	});
});

describe("comparisons and arithmetic", () => {
	test.each([
		[
			"Which film has the director who died later, Night Train or Old Mill?",
			"most died < director [Night Train | Old Mill]",
		],
		["Who was born first out of Paul Friedman and Abdel Mouaoui?", "least born [Paul Friedman | Abdel Mouaoui]"],
		["Was Paul Friedman or Abdel Mouaoui born first?", "least born [Paul Friedman | Abdel Mouaoui]"],
		["Which is longer: the Blue Bridge or the Red Bridge?", "most length [Blue Bridge | Red Bridge]"],
		["Entre Alba y Norte, ¿cuál tiene más barcos?", "most barcos [Alba | Norte]"],
		[
			"Is the height of Mount Alba greater than that of Mount Norte?",
			"most?  [(height: Mount Alba) | (height: Mount Norte)]",
		],
		["Are Alba Lund and Ove Rask from the same town?", "same [(town: Alba Lund) | (town: Ove Rask)]"],
		["What is the sum of the weight of Alba and the weight of Norte?", "sum [(weight: Alba) | (weight: Norte)]"],
		[
			"What is the average of the depth of Alba, the depth of Norte and the depth of Sur?",
			"mean [(depth: Alba) | (depth: Norte) | (depth: Sur)]",
		],
		["How many more sailors does Alba have than Norte?", "difference [(sailors: Alba) | (sailors: Norte)]"],
		[
			"¿Cuántos años separan la fecha de la boda de Ana de la fecha de la boda de Eva?",
			"difference [(fecha: (boda: Ana)) | (fecha: (boda: Eva))]",
		],
		[
			"What is the total number of letters in the last name of Ida Lund's mother?",
			"count name-part (mother: Ida Lund)",
		],
		["What is the date 3 days after the date of death of Ida Lund?", "shift (date of death: Ida Lund)"],
	])("%s", (question, expected) => expect(parsed(question)).toBe(expected));
	test("yes-or-no questions", () => {
		expect(parsed("Is Alba Island without a harbour?")).toBe("verify without a harbour [Alba Island]");
	});
});

describe("hostile questions", () => {
	const pieces = fc.constantFrom(
		..."the of whose that which in is and or than image, “ \" ' ( ) ¿ ? : ; Lima capital más que del 's 1999 first difference between X".split(
			" ",
		),
	);
	test("never throw, whatever the words", () => {
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string({ maxLength: 300, unit: "grapheme" }),
					fc.array(pieces, { maxLength: 120 }).map((words) => words.join(" ")),
				),
				fc.nat(3),
				(question, images) => {
					expect(parseQuestion(question, { images })).toBeTypeOf("object");
				},
			),
			{ numRuns: 400 },
		);
	});
	test.each([
		["the capital of ".repeat(50_000)],
		["whose ".repeat(100_000)],
		['"'.repeat(200_000)],
		["Is the sum of A, and B, and ".repeat(20_000)],
		["a".repeat(1_000_000)],
		[`${"(".repeat(300_000)}?`],
		["what is the first letter of the last name of ".repeat(5_000)],
	])("are read within bounded time (%#)", (question) => {
		const started = process.cpuUsage();
		parseQuestion(question, { images: 2 });
		expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
	});
});
