import { Tokenizer } from "htmlparser2";
import { wordSet } from "./html/markup.ts";
import { htmlTable, htmlText, tableText } from "./html/table.ts";

/** Elements that people write into Markdown; what else stands in angle brackets, such as a type's parameters, is text. */
const known = wordSet(
	"a abbr address article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del details " +
		"dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 head header hr html i iframe img ins kbd li " +
		"link main map mark meta nav ol p picture pre q rp rt ruby s samp script section small source span strike strong " +
		"style sub summary sup table tbody td tfoot th thead time tr tt u ul var video wbr",
);
const ownLine = wordSet("br p div li tr h1 h2 h3 h4 h5 h6 dt dd details summary table");

/** What opens or closes a fence of code, where a line of Markdown does. */
export const fenceOf = (line: string): string | undefined => /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];

/**
 * Markdown without its HTML: tags and comments out, their text and the words of pictures kept, tables as lines of cells;
 * scripts and styles out. Code, in fences and in backquotes, stays as it is.
 */
export function withoutHtml(markdown: string): string {
	if (!markdown.includes("<") && !markdown.includes("&")) return markdown;
	const kept: string[] = [];
	let open: string | undefined;
	let run: string[] = [];
	const close = () => {
		if (run.length > 0) kept.push(clean(run.join("\n")));
		run = [];
	};
	for (const line of markdown.split("\n")) {
		const mark = fenceOf(line);
		if (open !== undefined) {
			if (mark?.startsWith(open)) open = undefined;
			kept.push(line);
		} else if (mark === undefined) run.push(line);
		else {
			close();
			open = mark;
			kept.push(line);
		}
	}
	close();
	return kept.join("\n");
}

/** Code in backquotes: on its line, so that one which is never closed hides nothing. */
const code = /(`{1,10})[^`\n]{1,2000}\1(?!`)/g;
/** Stands for `<` and `&` in code while the rest is read. */
const guarded: Record<string, string> = { "<": "\ue000", "&": "\ue001" };

function clean(text: string): string {
	const source = text.replace(code, (span) => span.replace(/[<&]/g, (sign) => guarded[sign] ?? sign));
	return withoutTags(source)
		.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi, (entity) => htmlText(entity) || " ")
		.replaceAll("\ue000", "<")
		.replaceAll("\ue001", "&");
}

function withoutTags(source: string): string {
	let out = "";
	let done = 0;
	let name = "";
	let start = 0;
	let attribute = "";
	let words = "";
	let tables = 0;
	let table = { start: 0, length: 0 };
	/** Puts `text` in the place of the source from `from` up to, not with, `to`. */
	const put = (from: number, to: number, text: string) => {
		out += source.slice(done, from) + text;
		done = to;
	};
	const opened = (end: number) => {
		if (!known.has(name)) return;
		put(start, end + 1, name === "img" ? words : ownLine.has(name) ? brokenLine(out) : "");
		if (name === "table") {
			if (tables === 0) table = { start, length: out.length };
			tables += 1;
		}
	};
	const nothing = () => {};
	const tokenizer = new Tokenizer(
		{ xmlMode: false, decodeEntities: false },
		{
			onopentagname(from, to) {
				name = source.slice(from, to).toLowerCase();
				start = from - 1;
				words = "";
			},
			onattribname(from, to) {
				attribute = source.slice(from, to).toLowerCase();
			},
			onattribdata(from, to) {
				if (attribute === "alt") words += source.slice(from, to);
			},
			onopentagend: opened,
			onselfclosingtag: opened,
			onclosetag(from, to) {
				const closed = source.slice(from, to).toLowerCase();
				const end = source.indexOf(">", to);
				if (!known.has(closed) || end === -1) return;
				const begin = source.lastIndexOf("</", from);
				if (closed === "script" || closed === "style") done = Math.max(done, begin);
				put(begin, end + 1, ownLine.has(closed) ? brokenLine(out + source.slice(done, begin)) : "");
				if (closed !== "table" || tables === 0) return;
				tables -= 1;
				if (tables > 0) return;
				const lines = tableText(htmlTable(source.slice(table.start, done)));
				const rows = lines.split("\n").map((line) => `| ${line} |`);
				if (lines !== "") out = `${out.slice(0, table.length)}\n${rows.join("\n")}\n`;
			},
			// one that never ends is no comment: its offset, the length of its end, is 0
			oncomment(from, to, offset) {
				if (offset > 0) put(from - 4, to + 1, "");
			},
			onattribentity: nothing,
			onattribend: nothing,
			oncdata: nothing,
			ondeclaration: nothing,
			onend: nothing,
			onprocessinginstruction: nothing,
			ontext: nothing,
			ontextentity: nothing,
		},
	);
	tokenizer.write(source);
	tokenizer.end();
	return out + source.slice(done);
}

const brokenLine = (before: string) => (before === "" || before.endsWith("\n") ? "" : "\n");
