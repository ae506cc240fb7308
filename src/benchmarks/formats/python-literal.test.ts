import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PythonValue, readPythonLiteral } from "./python-literal.ts";

const value = (text: string) => {
	const read = readPythonLiteral(text);
	return "value" in read ? read.value : read;
};

describe("lists as Python writes them", () => {
	it("reads what published tables hold", () => {
		expect(value("[5, 6]")).toEqual([5, 6]);
		expect(value("['Pure-text (Plain-text)', 'Table']")).toEqual(["Pure-text (Plain-text)", "Table"]);
		expect(value(`["it's", 'say "so"', 'both \\' and "']`)).toEqual(["it's", 'say "so"', `both ' and "`]);
		expect(value("[[1, -2.5e3], (3,), (4), (), None, True, {'page': [0]}]")).toEqual([
			...[[1, -2500], [3], 4, [], null, true],
			{ page: [0] },
		]);
		expect(value("['caf\\xe9', '\\u65e5\\n', '\\U0001F600', 'C:\\\\d', '\\q']")).toEqual([
			...["café", "日\n", "😀", "C:\\d", "\\q"],
		]);
		expect(value("[]")).toEqual([]);
		expect(value("  [ 'a' ,\n 'b', ] ")).toEqual(["a", "b"]);
	});

	it("refuses what is not one, and says where", () => {
		for (const text of [
			"",
			"[1 2]",
			"['a'",
			"[a]",
			"[1, 2",
			"['a",
			"[1]]",
			"[,]",
			"{1: 2}",
			"__import__('os')",
			"[1, nan]",
		])
			expect(readPythonLiteral(text), text).toHaveProperty("problem");
		expect(readPythonLiteral("[1 2]")).toEqual({
			problem: 'not a Python list as text: "," or "]" expected at character 4',
		});
		expect(readPythonLiteral("[".repeat(200))).toHaveProperty("problem");
	});

	it("writes as repr does", () => {
		// as printed by Python's own repr
		expect(writePythonLiteral(["it's", 'say "so"', `both ' and "`, "a\\b", "tab\t", "\x07", "日本"])).toBe(
			`["it's", 'say "so"', 'both \\' and "', 'a\\\\b', 'tab\\t', '\\x07', '日本']`,
		);
		expect(writePythonLiteral([5, 1.5, 1e-7, null, true, { a: [] }])).toBe("[5, 1.5, 1e-07, None, True, {'a': []}]");
	});

	it("gives back every value that it wrote", () => {
		const { tree } = fc.letrec<{ tree: PythonValue }>((tie) => ({
			tree: fc.oneof(
				{ depthSize: "small" },
				fc.constant(null),
				fc.boolean(),
				fc.integer(),
				fc.double({ noNaN: true, noDefaultInfinity: true }),
				fc.string({ unit: "binary" }),
				fc.array(tie("tree")),
				fc.dictionary(fc.string(), tie("tree")).map((entries) => Object.fromEntries(Object.entries(entries))),
			),
		}));
		fc.assert(
			fc.property(tree, (one) => {
				expect(value(writePythonLiteral(one))).toEqual(one);
			}),
		);
	});
});

/** As Python's `repr` writes it. Whole numbers are written without a decimal point. */
function writePythonLiteral(value: PythonValue): string {
	if (value === null) return "None";
	if (value === true) return "True";
	if (value === false) return "False";
	if (typeof value === "number") return writeNumber(value);
	if (typeof value === "string") return writeString(value);
	if (Array.isArray(value)) return `[${value.map(writePythonLiteral).join(", ")}]`;
	const entries = Object.entries(value).map(([key, inner]) => `${writeString(key)}: ${writePythonLiteral(inner)}`);
	return `{${entries.join(", ")}}`;
}

function writeNumber(value: number): string {
	const text = Object.is(value, -0) ? "-0.0" : `${value}`;
	// Python pads a one-digit exponent
	return text.replace(/e([+-])(\d)$/, "e$10$2");
}

function writeString(text: string): string {
	const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
	const named: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", [quote]: `\\${quote}` };
	let written = "";
	for (const character of text) {
		const code = character.codePointAt(0) ?? 0;
		// control characters and lone surrogates are not printable
		const hidden = code < 0x20 || (code >= 0x7f && code <= 0xa0) || code === 0xad;
		if (named[character] !== undefined) written += named[character];
		else if (hidden) written += `\\x${code.toString(16).padStart(2, "0")}`;
		else if (code >= 0xd800 && code <= 0xdfff) written += `\\u${code.toString(16)}`;
		else written += character;
	}
	return `${quote}${written}${quote}`;
}
