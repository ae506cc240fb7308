import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const docs = join(import.meta.dirname, "../docs");
const page = readFileSync(join(docs, "glossary.md"), "utf8");
const schemas = readdirSync(join(docs, "schemas")).map((file) => ({
	record: file.replace(".json", ""),
	schema: JSON.parse(readFileSync(join(docs, "schemas", file), "utf8")),
}));
const [terms = "", fields = "", values = ""] = page.split(/^## .*$/m).slice(1);

/** Every field below a schema, with its place, whether it is explained, and the words that its value may be. */
function fieldsOf(node: unknown, place: string): { field: string; place: string; says: unknown; words: string[] }[] {
	if (typeof node !== "object" || node === null) return [];
	return Object.entries(node).flatMap(([key, part]) =>
		key === "properties"
			? Object.entries(part as Record<string, { description?: string }>).flatMap(([field, inner]) => [
					{ field, place: `${place}.${field}`, says: inner.description, words: wordsOf(inner) },
					...fieldsOf(inner, `${place}.${field}`),
				])
			: fieldsOf(part, place),
	);
}

/** The words that a value may be, itself or as one of a list or of several shapes. */
function wordsOf(node: unknown): string[] {
	if (typeof node !== "object" || node === null) return [];
	const { enum: among = [], const: only, items, anyOf = [], oneOf = [] } = node as Record<string, unknown[]>;
	const own = [...among, ...(only === undefined ? [] : [only])].map(String);
	return [...own, ...[items, ...anyOf, ...oneOf].flatMap(wordsOf)];
}

const recorded = schemas.flatMap(({ record, schema }) => fieldsOf(schema, record));
const written = [...fields.matchAll(/^\| `(\w+)` \| (.*) \| (.*) \|$/gm)].map(
	([, field = "", meaning = "", places = ""]) => ({
		field,
		meaning,
		places,
	}),
);
const listed = values
	.split(/^### /m)
	.slice(1)
	.flatMap((section) => {
		const [heading = "", ...lines] = section.split("\n");
		const words = lines.flatMap((line) => namesIn(/^- ((?:`[^`]+`(?:, )?)+): \S/.exec(line)?.[1] ?? ""));
		return namesIn(heading).flatMap((field) => words.map((word) => `${field}: ${word}`));
	});

function namesIn(text: string): string[] {
	return [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

const repeatedIn = (names: readonly string[]) => names.filter((name, place) => names.indexOf(name) !== place);

describe("the glossary", () => {
	test("gives every field of every record a meaning, which its schema carries", () => {
		expect(recorded.length).toBeGreaterThan(500);
		expect(recorded.filter(({ says }) => typeof says !== "string" || says === "").map(({ place }) => place)).toEqual(
			[],
		);
	});

	test("lists every field once, in order, and none that no record has", () => {
		const names = [...new Set(recorded.map(({ field }) => field))].sort((a, b) => a.localeCompare(b, "en"));
		expect(written.map(({ field }) => field)).toEqual(names);
		expect(written.filter(({ places }) => places === "")).toEqual([]);
		// a new field gets a name of its own rather than one that means something else
		expect(written.filter(({ meaning }) => meaning.startsWith("**Different meanings.**")).length).toBeLessThanOrEqual(
			24,
		);
	});

	test("gives every word that a field may hold one meaning, and no other word", () => {
		const held = recorded.flatMap(({ field, words }) => words.map((word) => `${field}: ${word}`));
		expect([...listed].sort()).toEqual([...new Set(held)].sort());
	});

	test("explains every term once, under one name and with a link to more, and gives no other name twice", () => {
		const entries = [...terms.matchAll(/^- \*\*(.+?)\*\*(?: \((.+?)\))?: (.+)$/gm)];
		expect(entries.length).toBe(terms.match(/^- /gm)?.length);
		const names = entries.map(([, name = ""]) => name.toLowerCase());
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, "en")));
		expect(entries.filter(([, , , meaning = ""]) => !/\]\([^)]+\)/.test(meaning)).map(([, name]) => name)).toEqual([]);
		const others = entries.flatMap(([, , other = ""]) => (other === "" ? [] : other.toLowerCase().split(", ")));
		expect(repeatedIn([...names, ...others])).toEqual([]);
	});

	test("leads to pages that there are", () => {
		const targets = [...page.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target = ""]) => target);
		expect(targets.filter((target) => !existsSync(join(docs, target)))).toEqual([]);
	});
});
