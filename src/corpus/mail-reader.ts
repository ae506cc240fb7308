import { readFile } from "node:fs/promises";
import { counted } from "#domain";
import { pathOnDisk } from "#store";
import { addCuts } from "./add-record.ts";
import { inWords } from "./captions.ts";
import { blocksOf } from "./html/blocks.ts";
import { parseMarkup } from "./html/markup.ts";
import { cutByLength } from "./passages.ts";
import type { SourceReader } from "./reader.ts";

/** An e-mail (RFC 5322, MIME): who wrote to whom, when and about what, then its text; attachments are named only. */
export const mail: SourceReader = {
	tool: "mail-1",
	mostBytes: 64 * 1024 * 1024,
	isolated: true,
	kept: true,
	async read(file, context) {
		// loaded for the first e-mail: most commands read none
		const { default: PostalMime } = await import("postal-mime");
		const bytes = await readFile(pathOnDisk(file.path));
		const { from, to, cc, date, subject, text, html, attachments } = await PostalMime.parse(bytes, {
			maxNestingDepth: 32,
			maxHeadersSize: 1024 * 1024,
		});
		if (!from && subject === undefined && date === undefined)
			throw new Error("is no e-mail (it has neither sender, subject nor date); not read");
		const names = attachments.map(({ filename }) => filename ?? "one without a name");
		const facts = [
			["From", from && [from]],
			["To", to],
			["Cc", cc],
		] as const;
		const head = [
			...facts.map(([name, people]) => (people?.length ? `${name}: ${people.map(written).join(", ")}` : "")),
			date ? `Date: ${date}` : "",
			subject ? `Subject: ${subject}` : "",
			names.length > 0 ? `Attachments: ${names.join(", ")}` : "",
		].filter((line) => line !== "");
		const body = text?.trim() || (html ? htmlBody(html) : "");
		const title = subject?.trim() || inWords(file.label);
		addCuts(
			cutByLength([head.join("\n"), body].join("\n\n")).map((piece, index) => ({
				key: `${index + 1}`,
				text: piece,
				form: "prose" as const,
			})),
			{ file, title, document: file.label, idPrefix: `${file.label}#` },
			context,
		);
		if (names.length > 0) context.problem(`${counted(names.length, "attachment")} not read; save them as files`);
		return {};
	},
};

const written = ({ name, address }: { name?: string | undefined; address?: string | undefined }): string =>
	address ? (name ? `${name} <${address}>` : address) : (name ?? "");

const htmlBody = (html: string) =>
	blocksOf(parseMarkup(html, "html"))
		.map(({ text }) => text)
		.join("\n\n");
