import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { putFiles, readAlone } from "../../test/support/corpus/sources.ts";
import { readersFor } from "./readers.ts";

let root: string;
beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-texts-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const readerOf = (name: string, ...others: string[]) =>
	readersFor(new Set([name, ...others]), { dpi: 0, ocr: [], scans: false, htmlPages: true })({
		path: name,
		label: name,
		size: 1,
	});

async function read(name: string, content: string | Uint8Array) {
	await putFiles(root, { [name]: content });
	const reader = readerOf(name);
	if (typeof reader === "string") throw new Error(reader);
	const { passages } = await readAlone(reader, root, name);
	return {
		title: passages[0]?.title,
		passages: passages.map(({ id, section, text, form }) => [id.split("#")[1], section, text, form].filter(Boolean)),
	};
}

describe("text by its sections", () => {
	test("reStructuredText: headings by their signs, comments and directives' options out", async () => {
		const source = [
			"========\nThe X200\n========\n\n.. _top:\n\n.. This is a comment\n   of two lines.\n",
			"See :ref:`the guide <guide>` and ``code`` of `Brammer <https://x.org>`_.\n",
			".. toctree::\n   :maxdepth: 2\n\n   one\n   two\n",
			"Parts\n-----\n\n.. note:: Keep it **dry**.\n   :class: x\n\n   And cool.\n\n.. figure:: a.png\n   :width: 5\n\n   The drill.\n",
			"Sizes\n~~~~~\n\n===== ====\nName  Size\n===== ====\nbit   5\n===== ====\n\nHistory\n-------\nOld.\n",
		].join("\n");
		expect(await read("x200.rst", source)).toEqual({
			title: "The X200",
			passages: [
				["start", "See the guide and code of Brammer.", "prose"],
				["parts", "Parts", "Keep it dry.\n\nAnd cool.\n\n\n\nThe drill.", "prose"].map((text) =>
					text.replace("\n\n\n\n", "\n\n"),
				),
				["parts-sizes", "Parts > Sizes", "Name | Size\nbit | 5", "table"],
				["history", "History", "Old.", "prose"],
			],
		});
	});

	test("AsciiDoc: comments and attributes out, tables apart", async () => {
		const source =
			"= The X200\n:toc:\n// a comment\n\n////\nlong\n////\nMade by *Brammer*, see https://x.org[their page].\n\n" +
			"== Parts\n[source,js]\n----\n= no heading\n----\n.Sizes\n[cols=2]\n|===\n|Name |Size\n|bit |5\n|===\n\n=== Bits\nSteel, <<top,above>>.\n";
		expect(await read("x200.adoc", source)).toEqual({
			title: "The X200",
			passages: [
				["start", "Made by Brammer, see their page.", "prose"],
				["parts.1", "Parts", "= no heading\nSizes", "prose"],
				["parts.2", "Parts", "| Name | Size |\n| bit | 5 |", "table"],
				["parts-bits", "Parts > Bits", "Steel, above.", "prose"],
			],
		});
	});

	test("LaTeX: comments, preamble and commands out, what they are given kept", async () => {
		const source =
			"\\documentclass{article}\n\\title{The \\emph{X200} drill}\n\\begin{document}\n\\maketitle\n% not this\n" +
			"Made by \\textbf{Brammer \\& Sons}~\\cite{b} for 5\\,\\% of $x_{1} \\le 3$. % nor this\n" +
			"\\section{Parts \\label{p}}\n\\begin{itemize}\n\\item a bit\n\\end{itemize}\n" +
			"\\begin{tabular}{ll}\n\\hline\nName & Size \\\\\nbit & 5 \\\\\n\\end{tabular}\n" +
			"\\subsection*{Bits}\nSteel.\n\\begin{verbatim}\n\\raw % kept\n\\end{verbatim}\n\\end{document}\nnever\n";
		expect(await read("x200.tex", source)).toEqual({
			title: "The X200 drill",
			passages: [
				["start", "Made by Brammer & Sons for 5 % of $x_{1} \\le 3$.", "prose"],
				["parts.1", "Parts", "- a bit", "prose"],
				["parts.2", "Parts", "Name | Size\nbit | 5", "table"],
				["parts-bits", "Parts > Bits", "Steel.\n\\raw % kept", "prose"],
			],
		});
	});
});

test("code, settings and logs keep their lines and are cut between their blocks", async () => {
	const body = (name: string) => `def ${name}():\n${`    call(${name})  # a line\n`.repeat(30)}\n    return 1\n`;
	const { title, passages } = await read("a.py", Buffer.from(`${body("one")}\n\n${body("two")}`));
	expect(title).toBe("a.py");
	expect(passages.map(([id, text]) => [id, text?.split("\n").slice(0, 2)])).toEqual([
		["1", ["def one():", "    call(one)  # a line"]],
		["2", ["def two():", "    call(two)  # a line"]],
	]);
	expect((await read("b.yaml", "a:\n  - 1\nb: 2\n")).passages).toEqual([["1", "a:\n  - 1\nb: 2", "prose"]]);
	expect((await read("c.json", '{\n  "name": "gull",\n  "port": 8080\n}\n')).passages).toEqual([
		["1", '{\n  "name": "gull",\n  "port": 8080\n}', "prose"],
	]);
	const log = await read("c.log", "2026-01-01 00:00:00 something happened\n".repeat(100));
	expect(log.passages).toHaveLength(4);
	for (const [, text] of log.passages) expect(text).toMatch(/^(2026-01-01 00:00:00 something happened\n?)+$/);
	expect((await read("d.log", "x".repeat(3000))).passages.map(([, text]) => text?.length)).toEqual([1200, 1200, 600]);
});

test("a script is read, but not where it belongs to web pages", () => {
	expect(readerOf("src/a.js")).toMatchObject({ tool: "lines-1" });
	expect(readerOf("docs/_static/a.js", "docs/index.html")).toBe("side");
});

test("UTF-16 and Latin-1 files are read like others", async () => {
	expect((await read("a.txt", Buffer.from("The lake Noé.", "utf16le"))).passages).toEqual([
		["1", "The lake Noé.", "prose"],
	]);
	expect((await read("b.md", Buffer.from("# Caf\xe9\n\nNo\xe9.", "latin1"))).title).toBe("Café");
});

describe("a table in text", () => {
	test.each([
		["a.csv", 'name,"made by, and where",year\nX200,"Brammer Works, Oldhaven",1999\n\n,,\nX300,Ilse,2001,extra\n'],
		["a.csv", "name;made by, and where;year\r\nX200;Brammer Works, Oldhaven;1999\r\nX300;Ilse;2001;extra\r\n"],
		["a.tsv", "name\tmade by, and where\tyear\nX200\tBrammer Works, Oldhaven\t1999\nX300\tIlse\t2001\textra\n"],
	])("gives a passage a row under its columns' names: %s", async (name, content) => {
		expect((await read(name, content)).passages).toEqual([
			["1", "X200", "name: X200\nmade by, and where: Brammer Works, Oldhaven\nyear: 1999", "table"],
			["2", "X300", "name: X300\nmade by, and where: Ilse\nyear: 2001\ncolumn 4: extra", "table"],
		]);
	});

	test("as Excel saves it in UTF-16 is read, and one of a head alone is told", async () => {
		const text = Buffer.from("\ufeffname\tcity\nNoé\tOldhaven\n", "utf16le");
		expect((await read("a.csv", text)).passages).toEqual([["1", "Noé", "name: Noé\ncity: Oldhaven", "table"]]);
		await putFiles(root, { "b.csv": "name,city\n" });
		const reader = readerOf("b.csv");
		if (typeof reader === "string") throw new Error(reader);
		expect((await readAlone(reader, root, "b.csv")).problems).toEqual(["holds no rows"]);
	});
});
