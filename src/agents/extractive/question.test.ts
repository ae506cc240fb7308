import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Ask, parseQuestion } from "./question.ts";

/** An ask in one line: (relation: what), comparisons with their operands, image numbers. */
function line(ask: Ask): string {
	switch (ask.is) {
		case "name":
			return ask.name;
		case "image":
			return `image ${ask.index}`;
		case "fact":
			return `(${ask.words}: ${line(ask.of)})`;
		case "verify":
			return `verify ${ask.words} [${line(ask.of)}]`;
		case "compare":
			return `${ask.how} [${ask.operands.map(line).join(" | ")}]`;
		case "transform":
			return `made of ${line(ask.of)}`;
	}
}
const parsed = (question: string, images = 0) => line(parseQuestion(question, { images }));

describe("phrases nest", () => {
	test.each([
		["Who is the father of the director of the film Little Joe?", "(father: (director: (film: Little Joe)))"],
		["Who is the constructor of Acme Works?", "(constructor: Acme Works)"],
		["What is the place of birth of the founder of Acme Works?", "(place birth: (founder: Acme Works))"],
		["Where did Thomas Nabbes study?", "(study: Thomas Nabbes)"],
		["When was the mother of Ada King born?", "(born: (mother: Ada King))"],
		["What is the mayor of the town whose patron is Saint Olaf?", "(mayor: (town patron: Saint Olaf))"],
		["Which river does the bridge that Jonas Lund designed cross?", "(river cross: (bridge designed: Jonas Lund))"],
		["In which valley does the castle built by Otto II stand?", "(valley stand: (castle built: Otto II))"],
		["What is the length of the wings of Swift Two?", "(length wings: Swift Two)"],
		["¿Quién es el padre del director de la película Noche Roja?", "(padre: (director: (película: Noche Roja)))"],
		[
			"¿En qué valle se encuentra el castillo que construyó Otto II?",
			"(valle encuentra: (castillo construyó: Otto II))",
		],
		["¿Qué puerto tiene la isla cuya patrona es Santa Marta?", "(puerto: (isla patrona: Santa Marta))"],
	])("%s", (question, expected) => expect(parsed(question)).toBe(expected));
	test("a name without a capital stands after its preposition", () => {
		expect(parsed("When was the town after which radium was named founded?")).toBe("(founded: (town named: radium))");
	});
});

describe("phrases that point at images", () => {
	test.each([
		["What is the patron of the town whose crest is shown in the image?", "(patron: image 0)"],
		["Who designed the tower in the second picture?", "(designed: image 1)"],
		["¿Quién fundó la ciudad cuyo escudo aparece en la primera imagen?", "(fundó: image 0)"],
		["What is the patron of the town that bears the crest in the image?", "(patron: image 0)"],
	])("%s", (question, expected) => expect(parsed(question, 2)).toBe(expected));
	test("mean nothing in a question without images", () => {
		expect(parsed("Who painted the image of Saint Olaf?")).not.toContain("image 0");
	});
});

describe("comparisons and arithmetic", () => {
	test.each([
		["Which is longer: the Blue Bridge or the Red Bridge?", "most [Blue Bridge | Red Bridge]"],
		[
			"Which has the larger harbour area: the town whose patron is Saint Olaf or Norte?",
			"most [(harbour area: (town patron: Saint Olaf)) | (harbour area: Norte)]",
		],
		["Of Alba and Norte, which has the longer coastline?", "most [(coastline: Alba) | (coastline: Norte)]"],
		[
			"Is the height of Mount Alba greater than the height of Mount Norte?",
			"more [(height: Mount Alba) | (height: Mount Norte)]",
		],
		[
			"Is the town whose patron is Saint Olaf the same as the town in the image?",
			"same [(town patron: Saint Olaf) | image 0]",
		],
		["What is the sum of the weight of Alba and the weight of Norte?", "sum [(weight: Alba) | (weight: Norte)]"],
		["What is the difference between the weight of Alba and Norte?", "difference [(weight: Alba) | (weight: Norte)]"],
		[
			"How many times as large as the weight of Alba is the weight of Norte?",
			"ratio [(weight: Norte) | (weight: Alba)]",
		],
		[
			"What is the total number of letters in the last name of the mother of Ida Lund?",
			"made of made of (mother: Ida Lund)",
		],
	])("%s", (question, expected) => expect(parsed(question, 1)).toBe(expected));
	test("yes-or-no questions", () => {
		expect(parsed("Is Alba Island without a harbour?")).toBe("verify without harbour [Alba Island]");
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
