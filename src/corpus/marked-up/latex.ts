import { cutSections, outline, partTables, rowMark, type TextDocument } from "../sections.ts";

const sectioning = ["part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph"];
const heading = new RegExp(`^\\s*\\\\(${sectioning.join("|")})\\*?\\s*(?:\\[[^\\]]{0,300}\\])?\\{(.*)$`);

/**
 * LaTeX by its sections, as text: comments, the preamble and commands that only set or point are left out, what others
 * are given is kept. Formulas stay as they are written; the rows of tables part their cells by bars.
 */
export function readLatex(source: string): TextDocument {
	const all = source.replace(/\r\n?/g, "\n");
	const stated = /\\title\s*(?:\[[^\]]{0,300}\])?\{/.exec(all);
	const title = stated ? plain(braced(withoutComments(all.slice(stated.index + stated[0].length)))) : "";
	const begin = all.indexOf("\\begin{document}");
	const end = all.indexOf("\\end{document}", begin);
	const body = all.slice(begin === -1 ? 0 : begin + 16, end === -1 ? undefined : end);
	const found = outline((lines) =>
		partTables(
			lines,
			(line) => line.startsWith(rowMark),
			(line) => line.replace(rowMark, ""),
		),
	);
	let table = false;
	let verbatim: string | undefined;
	const lines = body.split("\n");
	for (const line of lines) {
		if (verbatim !== undefined) {
			if (line.includes(`\\end{${verbatim}}`)) verbatim = undefined;
			else found.lines.push(line);
			continue;
		}
		const environment = /\\begin\{(verbatim\*?|lstlisting|minted|comment)\}/.exec(line)?.[1];
		if (environment !== undefined) {
			verbatim = environment;
			continue;
		}
		const kept = withoutComments(line);
		// a line of nothing but a comment parts no paragraphs
		if (kept.trim() === "" && line.trim() !== "") continue;
		if (/\\begin\{(?:tabular|tabularx|longtable|array)\*?\}/.test(kept)) table = true;
		const section = heading.exec(kept);
		if (section?.[1]) {
			const rest = section[2] ?? "";
			const name = braced(rest);
			found.open(sectioning.indexOf(section[1]) + 1, plain(name));
			found.lines.push(plain(rest.slice(name.length + 1)));
		} else {
			const isRow = table && /(?<!\\)&/.test(kept);
			const written = isRow ? rowMark + plain(kept.replace(/\s*(?<!\\)&\s*/g, " | ")) : plain(kept);
			if (written !== "" || kept.trim() === "") found.lines.push(written);
		}
		if (/\\end\{(?:tabular|tabularx|longtable|array)\*?\}/.test(kept)) table = false;
	}
	return { title: title === "" ? undefined : title, cuts: cutSections(found.finish(), title) };
}

const withoutComments = (text: string) => text.replace(/(?<!\\)%.*$/gm, "");

/** Up to the brace that closes, at most a few lines. */
function braced(text: string): string {
	let depth = 1;
	for (let at = 0; at < Math.min(text.length, 2000); at += 1) {
		if (text[at] === "\\") at += 1;
		else if (text[at] === "{") depth += 1;
		else if (text[at] === "}") depth -= 1;
		if (depth === 0) return text.slice(0, at);
	}
	return text.slice(0, 2000).split("\n")[0] ?? "";
}

/** Commands that say nothing themselves and whose arguments name files, keys or measures. */
const silent =
	/\\(?:label|ref|eqref|autoref|cref|pageref|cite\w*|bibliography\w*|includegraphics|input|include|usepackage|vspace|hspace|setlength|pagestyle|thispagestyle|begin|end|cline|cmidrule|index|hypersetup)\*?(?:\s*(?:\[[^\][]{0,300}\]|\([^()]{0,50}\)|\{[^{}]{0,500}\})){0,4}/g;

function plain(line: string): string {
	let text = line
		.replace(/\\\\(?:\[[^\]]{0,20}\])?\s*$/, "")
		.replace(silent, "")
		.replace(/\\href\{[^{}]{0,1000}\}/g, "")
		.replace(/\\item\s*(?:\[([^\]]{0,200})\])?/g, (_, name: string | undefined) => (name ? `- ${name}: ` : "- "));
	// innermost first, outside of formulas
	const parts = text.split(/(?<!\\)(\$\$?[^$]{1,1000}\$\$?)/);
	text = parts
		.map((part, index) => (index % 2 === 1 ? part : withoutCommands(part)))
		.join("")
		.replace(/[ \t]+/g, " ");
	return text.trim();
}

function withoutCommands(text: string): string {
	let inner = text;
	for (let depth = 0; depth < 6; depth += 1)
		inner = inner.replace(/\\[a-zA-Z]+\*?(?:\[[^\][]{0,300}\])?\{([^{}]{0,2000})\}/g, "$1");
	return inner
		.replace(/\\(?:[a-zA-Z]+\*?)\s?/g, "")
		.replace(/(?<!\\)[{}]/g, "")
		.replace(/\\([%&_#${}])/g, "$1")
		.replace(/\\[,;:! ]/g, " ")
		.replace(/(?<!\\)~/g, " ")
		.replace(/``|''/g, '"')
		.replace(/---/g, "—")
		.replace(/--/g, "–");
}
