import { expect, test } from "vitest";
import { withoutHtml } from "./html-in-markdown.ts";

test.each([
	['<p align="center">\n  <img src=x alt="A lake"> by <b>Ana</b>\n</p>', "\n  A lake by Ana\n"],
	["Press <kbd>Ctrl</kbd>&nbsp;+ C<br/>now &amp; then", "Press Ctrl + C\nnow & then"],
	["one<!-- gone\n\nstill --> two", "one two"],
	["<script>\nvar x = '<b>';\n</script>after", "after"],
	[
		"`<b>&amp;</b>` and Vec<T>, <https://x.org>, a < b && c > d",
		"`<b>&amp;</b>` and Vec<T>, <https://x.org>, a < b && c > d",
	],
	["```html\n<b>code</b>\n```\n<b>text</b>", "```html\n<b>code</b>\n```\ntext"],
	["x <b unclosed", "x <b unclosed"],
	[
		"<table>\n<tr>\n <th>Name</th><th>Age</th></tr>\n<tr><td>Ana</td>\n<td>5</td></tr></table>\nend",
		"\n| Name | Age |\n| Ana | 5 |\n\nend",
	],
])("%j", (markdown, text) => {
	expect(withoutHtml(markdown)).toBe(text);
});

test.each([
	"<table",
	"<table><tr><td>x",
	"<table></table>",
	"<b>",
	"<!--",
	"`<",
	"</b",
	"</p>",
	"<p>x",
	"&amp",
	"&amp;",
])("many of %j are read in no time", (piece) => {
	const start = process.cpuUsage();
	withoutHtml(piece.repeat(50_000));
	expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
});
