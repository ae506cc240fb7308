/** A view as LaTeX for a paper: booktabs rules, everything escaped, nothing but ASCII, set by plain pdflatex. */
import { sha256 } from "#store";
import type { View } from "../view.ts";
import { latexText } from "./latex-text.ts";
import { type ShownCell, type ShownColumn, type ShownRow, type ShownView, shownView, spansOf } from "./shown-view.ts";

/** Characters that a line of a one-column page holds at the size of a table's text. */
const lineWidth = 84;
/** Lines that a page holds; longer tables run over several. */
const pageLines = 42;
const longestCell = 80;

/** Packages that a document must load for `renderLatex`; all of them are in every installation. */
export const latexPackages = ["booktabs", "graphicx", "longtable"] as const;

/**
 * A float with caption, label and notes, or a `longtable` where it would not fit on a page. Best values are bold,
 * published figures in italics, and 95 % intervals in brackets beside or, where room is short, below the numbers.
 */
export function renderLatex(view: View): string {
	const shown = shownView(view);
	const head = [`% ${shown.name}: made by Hopscope. In the preamble: \\usepackage{${latexPackages.join(",")}}`];
	if (shown.rows.length === 0) return [...head, ...shown.notes.map((note) => `% ${latexText(note)}`), ""].join("\n");
	const inline = linesOf(shown, { stacked: false });
	const lines = widthOf(inline, shown) <= lineWidth ? inline : linesOf(shown, { stacked: true });
	const layout = { shown, lines, wide: widthOf(lines, shown) > lineWidth };
	return [...head, ...(lines.length > pageLines ? longTable(layout) : floating(layout)), ""].join("\n");
}

interface Layout {
	shown: ShownView;
	lines: readonly Line[];
	wide: boolean;
}

/** Of main text and of what stands beside or below it. */
type Sizes = readonly [main: string, beside: string];

function floating({ shown, lines }: Layout): string[] {
	const sizes: Sizes = ["\\footnotesize", "\\scriptsize"];
	const tabular = [
		`\\begin{tabular}{${alignment(shown)}}`,
		...headLines(shown.columns),
		...lines.map((line) => lineText(line, sizes)),
		"\\bottomrule",
		"\\end{tabular}",
	];
	return [
		"\\begin{table}[tbp]",
		"\\centering",
		// classes leave no room between a caption and what follows it
		"\\setlength{\\belowcaptionskip}{4pt}",
		captionOf(shown),
		`{${sizes[0]}\\setlength{\\tabcolsep}{4pt}%`,
		// never enlarged
		"\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%",
		...tabular,
		"}}",
		...(shown.notes.length > 0 ? [`\\par\\smallskip${notesOf(shown)}`] : []),
		"\\end{table}",
	];
}

function longTable({ shown, lines, wide }: Layout): string[] {
	const sizes: Sizes = wide ? ["\\tiny", "\\tiny"] : ["\\scriptsize", "\\tiny"];
	return [
		// one that is too wide even so hangs over both margins alike
		`{\\setlength{\\tabcolsep}{${wide ? 2 : 3}pt}\\setlength{\\LTcapwidth}{\\linewidth}%`,
		`\\setlength{\\LTleft}{0pt plus 1fill minus 1fill}\\setlength{\\LTright}{0pt plus 1fill minus 1fill}${sizes[0]}`,
		`\\begin{longtable}{${alignment(shown)}}`,
		`${captionOf(shown)}\\\\[4pt]`,
		...headLines(shown.columns),
		"\\endfirsthead",
		...headLines(shown.columns),
		"\\endhead",
		...lines.map((line) => lineText(line, sizes)),
		"\\bottomrule",
		"\\end{longtable}",
		`${shown.notes.length > 0 ? `\\noindent${notesOf(shown)}` : ""}\\par}`,
	];
}

const alignment = ({ columns }: ShownView) => `@{}${columns.map(({ words }) => (words ? "l" : "r")).join("")}@{}`;

const captionOf = ({ title, describe, name }: ShownView) =>
	`\\caption{${latexText(`${title}. ${describe}`.trim())}}\\label{tab:${labelOf(name)}}`;

const notesOf = ({ notes }: ShownView) =>
	`\\begin{minipage}{\\linewidth}\\scriptsize ${notes.map(latexText).join(" ")}\\end{minipage}`;

/** Names are ours or a builder's; what a label cannot hold becomes a part of a hash, so that labels stay apart. */
function labelOf(name: string): string {
	const plain = name.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 60);
	return plain === name ? plain : /^[a-z0-9-]+$/.test(name) ? name : `${plain}-${sha256(name).slice(0, 6)}`;
}

function headLines(columns: readonly ShownColumn[]): string[] {
	const titles = columns.map(({ title, words }) =>
		words ? latexText(title) : `\\multicolumn{1}{r}{${latexText(title)}}`,
	);
	const spans = spansOf(columns);
	const groups = spans.map(({ group, count }) =>
		group === ""
			? count > 1
				? `\\multicolumn{${count}}{c}{}`
				: ""
			: `\\multicolumn{${count}}{c}{${latexText(group)}}`,
	);
	const rules = spans.flatMap(({ group, from, count }) =>
		group === "" ? [] : [`\\cmidrule(lr){${from}-${from + count - 1}}`],
	);
	return [
		"\\toprule",
		...(rules.length > 0 ? [`${groups.join(" & ")} \\\\`, rules.join("")] : []),
		`${titles.join(" & ")} \\\\`,
		"\\midrule",
	];
}

interface Line {
	/** A rule goes before it. */
	parted: boolean;
	cells: { text: string; beside: string }[];
	/** A page break never comes between it and the next. */
	held: boolean;
	/** Characters as printed. */
	widths: number[];
}

function linesOf({ rows }: ShownView, { stacked }: { stacked: boolean }): Line[] {
	return rows.flatMap((row, place): Line[] => {
		const beside = row.cells.map(besideOf);
		const below = stacked && beside.some((text) => text !== "");
		const cells = row.cells.map((cell, column) => ({
			text: column < row.repeats ? "" : cellText(cell, row),
			beside: below ? "" : (beside[column] ?? ""),
		}));
		const widths = row.cells.map(({ text, marks }, column) =>
			column < row.repeats
				? 0
				: Math.min(longestCell, text.length) + marks.length + (cells[column]?.beside.length ?? 0) * besideWidth,
		);
		const first = { parted: row.parted && place > 0, cells, held: below, widths };
		if (!below) return [first];
		const under = beside.map((text) => ({ text: "", beside: text }));
		return [
			first,
			{ parted: false, cells: under, held: false, widths: beside.map((text) => text.length * besideWidth) },
		];
	});
}

/** Of a character of what stands beside, in characters of the main size. */
const besideWidth = 0.8;

function lineText({ parted, cells, held }: Line, [, small]: Sizes): string {
	const set = cells.map(({ text, beside }) =>
		[text, ...(beside === "" ? [] : [`{${small} ${latexText(beside)}}`])].filter((part) => part !== "").join(" "),
	);
	return `${parted ? "\\midrule\n" : ""}${set.join(" & ")} \\\\${held ? "*" : ""}`;
}

/** The width of the widest cells of all columns with the space between them, in characters. */
function widthOf(lines: readonly Line[], { columns }: ShownView): number {
	const widths = columns.map(({ title }, column) =>
		Math.max(title.length, ...lines.map((line) => line.widths[column] ?? 0)),
	);
	return widths.reduce((sum, width) => sum + width + 1.6, 0);
}

const besideOf = ({ interval, counts, published }: ShownCell) =>
	[interval === "" ? "" : published ? interval : `[${interval.replace(/–| to /, ", ")}]`, counts]
		.filter((part) => part !== "")
		.join(" ");

function cellText(cell: ShownCell, row: ShownRow): string {
	const text = latexText(cell.text.length > longestCell ? `${cell.text.slice(0, longestCell - 1)}…` : cell.text);
	const italic = text !== "" && (cell.published || row.kind === "published");
	const set = cell.best ? `\\textbf{${text}}` : italic ? `\\textit{${text}}` : text;
	return cell.marks === "" ? set : `${set}\\textsuperscript{${latexText(cell.marks)}}`;
}

/** Several views in one file, a page break's room between them. */
export const renderLatexAll = (views: readonly View[]): string => views.map(renderLatex).join("\n");
