import { cutSections, outline, partTables, type TextDocument } from "../sections.ts";

/** AsciiDoc by its sections: comments, attributes and what marks a block left out, the blocks' text and tables kept. */
export function readAsciiDoc(source: string): TextDocument {
	const found = outline((lines) => partTables(lines, (line) => /^\|.*\|$/.test(line), plain));
	let title: string | undefined;
	let comment = false;
	/** The sign that ends the block of code that is open. */
	let code: string | undefined;
	let table = false;
	for (const line of source.replace(/\r\n?/g, "\n").split("\n")) {
		const whole = line.trimEnd();
		if (/^\/{4,}$/.test(whole)) {
			comment = !comment;
			continue;
		}
		if (comment) continue;
		if (/^(?:-{4,}|\.{4,}|`{3,}\S*)$/.test(whole)) {
			if (code === undefined) code = whole.slice(0, 3);
			else if (whole.startsWith(code)) code = undefined;
			continue;
		}
		if (code !== undefined) {
			found.lines.push(line);
			continue;
		}
		if (/^[|,:!]===+$/.test(whole)) {
			table = !table;
			found.lines.push("");
			continue;
		}
		const heading = /^(={1,6}|#{1,6})\s+(\S.*)$/.exec(whole);
		const name = heading?.[2] && plain(heading[2]);
		if (heading?.[1] && name) {
			title ??= name;
			found.open(heading[1].length, name);
		} else if (table && whole.startsWith("|")) found.lines.push(`${whole.replace(/\s*\|\s*/g, " | ").trim()} |`);
		else if (!aside.test(whole)) found.lines.push(whole.replace(/^\.(?=[^\s.])/, ""));
	}
	return { title, cuts: cutSections(found.finish(), title) };
}

/** Comments, attributes, block attributes and anchors, what ends an example or sidebar, other files. */
const aside =
	/^(?:\/\/(?!\/)|:!?[\w-]+!?:(?:\s|$)|\[[^\]]{0,1000}\]$|[=*_+]{4,}$|--$|\+$|'{3}$|<{3}$|(?:include|ifdef|ifndef|ifeval|endif|toc)::)/;

const plain = (line: string) =>
	line
		.replace(/\bimage::?[^\s[]{1,1000}\[([^\],]{0,500})[^\]]{0,1000}\]/g, "$1")
		.replace(/(?:link:|xref:|mailto:|https?:\/\/)[^\s[]{1,1000}\[([^\]]{1,500})\]/g, "$1")
		.replace(/<<[^<>,]{1,300},\s*([^<>]{1,300})>>/g, "$1")
		.replace(/\[\[[^[\]]{1,200}\]\]/g, "")
		.replace(/(?<![\w*])\*{1,2}([^\s*](?:[^*]{0,500}[^\s*])?)\*{1,2}(?![\w*])/g, "$1");
