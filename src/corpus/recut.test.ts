import { expect, test } from "vitest";
import { recut } from "#corpus";
import { Evidence } from "#domain";
import { sha256 } from "#store";

const passage = (id: string, text: string, more: object = {}): Evidence =>
	Evidence.parse({
		...{ kind: "passage", id, document: "d", title: "D", language: "en", text, sha256: sha256(text) },
		...{ provenance: { source: "test" }, form: "prose", ...more },
	});

async function cut(evidence: Evidence[], words: number): Promise<Evidence[]> {
	async function* all() {
		yield* evidence;
	}
	const made: Evidence[] = [];
	for await (const one of recut(all(), { words })) made.push(one);
	return made;
}
const textOf = (one: Evidence) => (one.kind === "image" ? "" : one.text);

const sentence = (n: number) => `Sentence number ${n} says what it has to say and no more than that.`;

test("passages of a section are put together in the order of their numbers, without what was repeated, and cut anew", async () => {
	// the tenth stands before the second where ids are sorted as text; each repeats the last sentence of the one before
	const parts = Array.from({ length: 11 }, (_, at) => ({
		id: `d#s.${at + 1}`,
		text: `${sentence(at)} ${sentence(at + 1)}`,
	})).sort((a, b) => (a.id < b.id ? -1 : 1));
	const made = await cut(
		parts.map(({ id, text }) => passage(id, text, { section: "S" })),
		2000,
	);
	expect(made.map(textOf)).toEqual([Array.from({ length: 12 }, (_, at) => sentence(at)).join(" ")]);
	expect(made[0]).toMatchObject({ id: "d#s.1~2000w.1", document: "d", section: "S", form: "prose" });
	expect(made[0]?.sha256).toBe(sha256(textOf(made[0] as Evidence)));

	const short = await cut(made, 24);
	expect(short.length).toBeGreaterThan(5);
	for (const one of short) expect(textOf(one).length).toBeLessThanOrEqual(24 * 6);
	for (let at = 0; at < 12; at += 1) expect(short.some((one) => textOf(one).includes(sentence(at)))).toBe(true);
	expect(new Set(short.map(({ id }) => id)).size).toBe(short.length);
});

test("no passage reaches over a section or a document; tables, and pages, stay as they are", async () => {
	const table = passage("d#t", "| a | b |", { form: "table" });
	const page = Evidence.parse({
		...{ kind: "page", id: "d#0", document: "d", title: "D", language: "en", text: "A page.", page: 0 },
		...{ sha256: sha256("A page."), provenance: { source: "test" } },
	});
	const made = await cut(
		[
			passage("d#a", "One.", { section: "A" }),
			table,
			page,
			passage("d#b", "Two."),
			passage("e#a", "Three.", { document: "e" }),
		],
		200,
	);
	expect(made).toContainEqual(table);
	expect(made).toContainEqual(page);
	expect(made.filter(({ id }) => id.includes("~")).map(textOf)).toEqual(["One.", "Two.", "Three."]);
});
