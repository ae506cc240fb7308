import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { parseHTML } from "linkedom";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderCsvAll, renderLatexAll, renderMarkdown, renderTerminalAll, type View, viewsPage } from "#reports";
import { csvRows, plainCellText } from "#store";
import type { Measured } from "../../report-data.ts";
import { columns as columnsIn } from "../../short-labels.ts";
import type { Cell, Mark } from "../view.ts";
import { latexText } from "./latex-text.ts";
import { latexPackages, renderLatex } from "./render-latex.ts";

const measured = (value: number | null, low: number | null, high: number | null, more: Partial<Measured> = {}) => ({
	...{ value, low, high, n: 40, groups: 40, method: "wilson" as const, expected: 40, scored: 40, missing: {} },
	...{ bounds: null, ...more },
});
const text = (words: string): Cell => ({ is: "text", text: words });
const number = (value: number, low: number, high: number, marks?: Mark[]): Cell => ({
	...{ is: "measured", measured: measured(value, low, high) },
	...(marks ? { marks } : {}),
});

/** A table with every kind of cell and row. */
const small: View = {
	name: "small",
	title: "A small table",
	describe: "How two runs fare.",
	source: "A Paper, Table 1",
	columns: [
		{ key: "slice", title: "Shape", unit: "text" },
		{ key: "run", title: "Run", unit: "text" },
		{ key: "tasks", title: "Tasks", unit: "number" },
		{ key: "f1", title: "F1", unit: "percent", group: "Answer", better: "higher" },
		{ key: "delta", title: "ΔF1", unit: "percent", signed: true, group: "Answer" },
		{ key: "rd", title: "RD", unit: "number", better: "lower" },
	],
	rows: [
		{
			run: "a",
			cells: {
				...{ slice: text("chain"), run: text("first"), tasks: { is: "count", value: 40 } },
				...{ f1: number(0.4268, 0.38, 0.47), delta: number(0.1, 0.05, 0.15), rd: number(1.25, 1, 1.5) },
			},
		},
		{
			run: "b",
			cells: {
				...{ slice: text("chain"), run: text("second"), tasks: { is: "count", value: 38, of: 40 } },
				f1: number(0.6, 0.55, 0.65, [{ against: "first", p: 0.01, better: true }]),
				delta: { is: "unscored", reason: "no run without searching" },
				rd: number(2, 1.8, 2.2, [{ against: "first", p: 0.2, better: false }]),
			},
		},
		{
			kind: "published",
			cells: {
				...{ slice: text("chain"), run: text("Their model"), tasks: { is: "count", value: 3333 } },
				f1: { is: "published", value: 0.365, shown: "36.50", spread: "±1.2" },
				...{ delta: { is: "published", value: 0.0263 }, rd: { is: "published", value: 1.46 } },
			},
		},
		{
			...{ run: "c", kind: "intervention" },
			cells: {
				...{ slice: text("chain"), run: text("first · oracle-retrieval"), tasks: { is: "count", value: 12 } },
				f1: {
					is: "measured",
					measured: measured(0.9, 0.6, 1, { n: 10, scored: 10, expected: 12, missing: { error: 2 } }),
				},
				...{ delta: number(-0.2, -0.3, -0.1), rd: number(0, 0, 0.3) },
			},
		},
	],
	plots: [{ form: "rows", x: "slice", y: "f1", series: "run", xTitle: "", yTitle: "F1 %" }],
	notes: ["Gold of 40 tasks."],
};

const attack = `\\input{/etc/passwd} {$&#^_~%} ]]> </table><script>attacked()</script> | \`x\` *y* "q", 'r' -- ?\` <<é ẞ ł 中文 Ж α 👩‍🚀 \u202e\u001b[31m @everyone [l](javascript:1) =cmd()`;

/** The same view with every word of it hostile. */
function hostileOf(view: View, words: string): View {
	return {
		...view,
		...{ title: words, describe: words, source: words, notes: [words] },
		columns: view.columns.map((column) => ({ ...column, title: words, group: words })),
		rows: view.rows.map((row) => ({
			...row,
			cells: Object.fromEntries(
				Object.entries(row.cells).map(([key, cell]): [string, Cell] => {
					if (cell.is === "text") return [key, text(words)];
					if (cell.is === "unscored") return [key, { ...cell, reason: words }];
					if (cell.is === "published") return [key, { ...cell, shown: words, spread: words }];
					if (cell.is === "measured" && cell.marks)
						return [key, { ...cell, marks: cell.marks.map((mark) => ({ ...mark, against: words })) }];
					return [key, cell];
				}),
			),
		})),
	};
}

describe("the terminal", () => {
	test("shows numbers with their intervals, marks and kinds, and says what they mean", () => {
		expect(renderTerminalAll([small])).toMatchInlineSnapshot(`
			"A small table  small; after A Paper, Table 1

			How two runs fare.

			                                                        Answer
			Shape  Run                                 Tasks          F1 %       ΔF1 %       RD
			chain  first                                  40            43         +10     1.3*
			                                                         38–47   +5 to +15  1.0–1.5
			       second                              38/40          60*†           –      2.0
			                                                         55–65              1.8–2.2
			       Their model (published)              3333         36.50        2.63     1.46
			                                                          ±1.2
			       first · oracle-re…l (intervention)     12            90         −20      0.0
			                                                  60–100 10/12  −30 to −10  0.0–0.3

			Gold of 40 tasks.
			Intervals are of 95 % (Wilson); numbers rest on 10–40 tasks each.
			a/b: a of b expected answers were scored.
			*: the best of the runs that stand together, whether or not the difference is significant.
			† significantly better than first (paired tests, Holm over 2 of them, p ≤ 0.05).
			– is no number: no run without searching.
			Published figures are as printed in the paper; they were not run here and nothing was tested against
			them.
			Interventions are re-runs with a part of the world changed; they are no plain scores."
		`);
	});

	test("never exceeds its width, whatever the columns, and shows each of them", () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 24 }), fc.string({ maxLength: 60 }), (count, name) => {
				const extra = Array.from({ length: count }, (_, place) => `c${place}`);
				const wide: View = {
					...small,
					columns: [...small.columns, ...extra.map((key) => ({ key, title: key, unit: "percent" as const }))],
					rows: small.rows.map((row) => ({
						...row,
						cells: {
							...{ ...row.cells, run: text(`${name}`) },
							...Object.fromEntries(extra.map((key) => [key, number(0.5, 0.4, 0.6)])),
						},
					})),
				};
				const shown = renderTerminalAll([wide]);
				for (const line of shown.split("\n")) expect(columnsIn(line)).toBeLessThanOrEqual(100);
				for (const key of extra) expect(shown).toContain(`${key} %`);
			}),
			{ numRuns: 15 },
		);
	});
});

describe("CSV", () => {
	test("has full numbers with ends, counts, what differs and why there is none", () => {
		const [head = [], first = [], second = [], published = []] = [...csvRows(renderCsvAll([small]), ",")];
		const cell = (row: string[], title: string) => row[head.indexOf(title)];
		expect(head.slice(0, 6)).toEqual(["kind", "Shape", "Run", "Tasks", "Tasks of", "Answer F1"]);
		expect(cell(first, "Answer F1")).toBe("0.4268");
		expect(cell(first, "Answer F1 low")).toBe("0.38");
		expect(cell(second, "Answer F1 differs")).toBe("better than first");
		expect(cell(second, "RD differs")).toBe("");
		expect(cell(second, "Answer ΔF1 reason")).toBe("no run without searching");
		expect(published[0]).toBe("published");
		expect(cell(published, "Answer F1")).toBe("");
		expect(cell(published, "Answer F1 published")).toBe("0.365");
	});

	test("parses back to the words that it was given, of the same width in every row", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary", maxLength: 80 }), (words) => {
				const rows = [...csvRows(renderCsvAll([hostileOf(small, words)]), ",")];
				expect(rows).toHaveLength(1 + small.rows.length);
				expect(new Set(rows.map(({ length }) => length)).size).toBe(1);
				// what a spreadsheet would run has an apostrophe before it
				expect(plainCellText(rows[1]?.[1] ?? "")).toBe(plainCellText(words));
			}),
			{ numRuns: 25 },
		);
	});

	test("names each of several tables in a line before it", () => {
		const lines = renderCsvAll([small, { ...small, name: "other" }]).split("\r\n");
		expect(lines.filter((line) => line.startsWith("# "))).toEqual(["# small", "# other"]);
	});
});

describe("Markdown", () => {
	test("is a table with bold, italics, marks and notes", () => {
		expect(renderMarkdown(small)).toMatchInlineSnapshot(`
			"### A small table

			How two runs fare. After A Paper, Table 1.

			| Shape | Run | Tasks | Answer: F1 % | Answer: ΔF1 % | RD |
			| :--- | :--- | ---: | ---: | ---: | ---: |
			| chain | first | 40 | 43 (38–47) | +10 (+5 to +15) | **1.3** (1.0–1.5) |
			| chain | second | 38/40 | **60**† (55–65) | – | 2.0 (1.8–2.2) |
			| chain | Their model (published) | 3333 | *36.50* (±1.2) | *2.63* | *1.46* |
			| chain | first · oracle-retrieval (intervention) | 12 | 90 (60–100) 10/12 | −20 (−30 to −10) | 0.0 (0.0–0.3) |

			- Gold of 40 tasks.
			- Intervals are of 95 % (Wilson); numbers rest on 10–40 tasks each.
			- a/b: a of b expected answers were scored.
			- Bold: the best of the runs that stand together, whether or not the difference is significant.
			- † significantly better than first (paired tests, Holm over 2 of them, p ≤ 0.05).
			- – is no number: no run without searching.
			- Published figures are as printed in the paper; they were not run here and nothing was tested against them.
			- Interventions are re-runs with a part of the world changed; they are no plain scores.

			"
		`);
	});

	test("shows any words without tags, cells or mentions of their own", () => {
		fc.assert(
			fc.property(fc.oneof(fc.string({ maxLength: 60 }), fc.constant(attack)), (words) => {
				const lines = renderMarkdown(hostileOf(small, words)).split("\n");
				const table = lines.filter((line) => line.startsWith("| "));
				expect(table).toHaveLength(2 + small.rows.length);
				for (const line of table) expect(line.match(/(?<!\\)(?:\\\\)*\|/g)).toHaveLength(small.columns.length + 1);
				expect(lines.join("\n")).not.toMatch(/<|@/);
			}),
		);
	});
});

/** What is left of LaTeX when every command that may stand in it is taken out. */
const withoutCommands = (latex: string) =>
	latex
		.replace(
			/\\(?:textbackslash|textasciicircum|textasciitilde|ldots|dag|ddag|copyright|pounds|ss|ae|AE|oe|OE|o|O|l|L|i|S|P)\{\}/g,
			"x",
		)
		.replace(/\$(?:\\[A-Za-z]+|\^\{(?:\d|\\circ)\}|[<>|]|-)\$/g, "x")
		.replace(/\\[{}$&#_%]/g, "x")
		.replace(/\\[`'^~="udcbrHv.](?=\{)/g, "")
		.replace(/\{\\[ij]\}/g, "{i}");

describe("LaTeX", () => {
	test("is a booktabs table with caption, label, groups and marks", () => {
		expect(renderLatex(small)).toMatchInlineSnapshot(`
			"% small: made by Hopscope. In the preamble: \\usepackage{booktabs,graphicx,longtable}
			\\begin{table}[tbp]
			\\centering
			\\setlength{\\belowcaptionskip}{4pt}
			\\caption{A small table. How two runs fare.}\\label{tab:small}
			{\\footnotesize\\setlength{\\tabcolsep}{4pt}%
			\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%
			\\begin{tabular}{@{}llrrrr@{}}
			\\toprule
			\\multicolumn{3}{c}{} & \\multicolumn{2}{c}{Answer} &  \\\\
			\\cmidrule(lr){4-5}
			Shape & Run & \\multicolumn{1}{r}{Tasks} & \\multicolumn{1}{r}{F1 \\%} & \\multicolumn{1}{r}{$\\Delta$F1 \\%} & \\multicolumn{1}{r}{RD} \\\\
			\\midrule
			chain & first & 40 & 43 & +10 & \\textbf{1.3} \\\\*
			 &  &  & {\\scriptsize {[}38, 47{]}} & {\\scriptsize {[}+5, +15{]}} & {\\scriptsize {[}1.0, 1.5{]}} \\\\
			 & second & 38/40 & \\textbf{60}\\textsuperscript{\\dag{}} & -- & 2.0 \\\\*
			 &  &  & {\\scriptsize {[}55, 65{]}} &  & {\\scriptsize {[}1.8, 2.2{]}} \\\\
			\\midrule
			 & \\textit{Their model (published)} & \\textit{3333} & \\textit{36.50} & \\textit{2.63} & \\textit{1.46} \\\\*
			 &  &  & {\\scriptsize $\\pm$1.2} &  &  \\\\
			\\midrule
			 & first $\\cdot$ oracle-retrieval (intervention) & 12 & 90 & $-$20 & 0.0 \\\\*
			 &  &  & {\\scriptsize {[}60, 100{]} 10/12} & {\\scriptsize {[}$-$30, $-$10{]}} & {\\scriptsize {[}0.0, 0.3{]}} \\\\
			\\bottomrule
			\\end{tabular}
			}}
			\\par\\smallskip\\begin{minipage}{\\linewidth}\\scriptsize Gold of 40 tasks. Intervals are of 95 \\% (Wilson); numbers rest on 10--40 tasks each. a/b: a of b expected answers were scored. Bold: the best of the runs that stand together, whether or not the difference is significant. \\dag{} significantly better than first (paired tests, Holm over 2 of them, p $\\leq$ 0.05). -- is no number: no run without searching. Published figures are as printed in the paper; they were not run here and nothing was tested against them. Interventions are re-runs with a part of the world changed; they are no plain scores.\\end{minipage}
			\\end{table}
			"
		`);
	});

	test("of any text is ASCII in one line with balanced groups and nothing active", () => {
		const characters = fc.oneof(
			fc.string({ unit: "binary", maxLength: 60 }),
			fc.string({
				unit: fc.constantFrom(..."\\{}$&#^_~%[]*\"'`-,?!<>|éñçœßłıÅẤØΑλЩйґ中한👍🏽\u0328\u0301\u00a0\n"),
				maxLength: 60,
			}),
		);
		fc.assert(
			fc.property(characters, (words) => {
				const latex = latexText(words);
				expect(latex).toMatch(/^[\u0020-\u007e]*$/);
				const rest = withoutCommands(latex).replaceAll("~", " ");
				expect(rest).not.toMatch(/[\\$&#^_%]/);
				let depth = 0;
				for (const character of rest) {
					depth += character === "{" ? 1 : character === "}" ? -1 : 0;
					expect(depth).toBeGreaterThanOrEqual(0);
				}
				expect(depth).toBe(0);
				// but for what is meant by them, no two run together into another character
				if (!/["“”„–—¡¿]/.test(words.normalize("NFKC"))) expect(rest).not.toMatch(/--|''|``|,,|[?!]`/);
			}),
			{ numRuns: 300, examples: [["`\u00a0`"]] },
		);
	});

	test.each([
		["café naïve Åse Łódź", "caf\\'{e} na\\\"{\\i}ve \\r{A}se \\L{}\\'{o}d\\'{z}"],
		["50% of $5 & #1_a {x}", "50\\% of \\$5 \\& \\#1\\_a \\{x\\}"],
		["Ж Щука Чайковский", "Zh Shchuka Chaykovskiy"],
		["α ≤ β − 2", "$\\alpha$ $\\leq$ $\\beta$ $-$ 2"],
		["中文", "{[}U+4E2D{]}{[}U+6587{]}"],
		["한", "{[}U+D55C{]}"],
		["a--b ''", "a-{}-b '{}'"],
		["Ấ ẹ", "\\'{\\^{A}} \\d{e}"],
	])("writes %s", (words, latex) => {
		expect(latexText(words)).toBe(latex);
	});

	test("labels are of plain letters and differ where names do", () => {
		const labelOf = (name: string) => /\\label\{([^}]*)\}/.exec(renderLatex({ ...small, name }))?.[1];
		expect(labelOf("by-topology")).toBe("tab:by-topology");
		expect(labelOf("a_b%}{")).toMatch(/^tab:[A-Za-z0-9-]+$/);
		expect(labelOf("a_b%}{")).not.toBe(labelOf("a_b%}}"));
	});
});

const hasLatex = (() => {
	try {
		execFileSync("pdflatex", ["--version"], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
})();

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-latex-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe.skipIf(!hasLatex)("pdflatex", () => {
	test("sets small, wide, long and hostile tables without an error", async () => {
		const long: View = { ...small, name: "long", rows: Array.from({ length: 30 }, () => small.rows).flat() };
		const wide: View = {
			...{ ...small, name: "wide" },
			columns: [...small.columns, ...small.columns.slice(2).flatMap((column) => [column, column, column])],
		};
		const letters = Array.from({ length: 0x250 - 0xa0 }, (_, at) => String.fromCodePoint(0xa0 + at));
		const more = Array.from({ length: 0x180 }, (_, at) => String.fromCodePoint(0x370 + at));
		const set = [...letters, ...more, ..."ḀẤệὖ‖″ℝ∑∂√①Ⅳ"].join(" ");
		const views = [small, long, wide, hostileOf(small, attack), hostileOf(long, attack), { ...small, rows: [] }];
		const body = `${renderLatexAll(views)}\n${latexText(set)}`;
		const document = `\\documentclass{article}\n\\usepackage{${latexPackages.join(",")}}\n\\begin{document}\n${body}\n\\end{document}\n`;
		await writeFile(join(dir, "tables.tex"), document);
		const { stdout } = await promisify(execFile)(
			"pdflatex",
			["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "tables.tex"],
			{ cwd: dir, timeout: 60_000, maxBuffer: 10_000_000 },
		);
		expect(stdout).toMatch(/Output written on tables\.pdf/);
		expect(stdout).not.toMatch(/^!|Missing character|undefined control/im);
	});
});

describe("the page", () => {
	test("has a table and a plot for each view, named rows, and the kinds of rows", async () => {
		const { document } = parseHTML(await viewsPage([small], { title: "Tables" }));
		expect(document.querySelectorAll("table.view tbody tr")).toHaveLength(4);
		expect(document.querySelectorAll("tr.published, tr.intervention")).toHaveLength(2);
		expect(document.querySelectorAll("svg.plot")).toHaveLength(1);
		expect(document.querySelectorAll("tbody th[scope=row]")).toHaveLength(4);
		const best = Array.from(document.querySelectorAll("td.strong"), (cell) => cell.textContent);
		expect(best).toEqual(["1.31.0–1.5", "60†55–65"]);
		expect(document.querySelector(".notes")?.textContent).toContain("were not run here");
	});

	test("has no tag, attribute or acting character from its data", async () => {
		const forms = ["rows", "bars", "lines", "curve", "cells"] as const;
		const plots = forms.map((form) => ({
			...{ form, x: "slice", y: "f1", series: "run", split: "run" },
			xTitle: attack,
			yTitle: attack,
		}));
		const page = await viewsPage([{ ...hostileOf(small, attack), name: `"><script>`, plots }], { title: attack });
		const { document } = parseHTML(page);
		expect(document.querySelectorAll("script, iframe, a, img, [style]")).toHaveLength(0);
		expect(document.querySelectorAll("table.view tbody tr")).toHaveLength(small.rows.length);
		expect(document.querySelectorAll("table.view tbody tr > *")).toHaveLength(small.rows.length * small.columns.length);
		expect(document.querySelectorAll("svg.plot").length).toBeGreaterThan(3);
		for (const element of Array.from(document.querySelectorAll("*")))
			for (const name of element.getAttributeNames()) expect(name).not.toMatch(/^on|^style$/);
		expect(/[\u202a-\u202e]/.test(page) || page.includes("\u001b")).toBe(false);
	});
});
