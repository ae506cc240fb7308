import { z } from "zod";
import type { EncyclopediaPage } from "../encyclopedia.ts";
import { type Asking, type WikimediaClient, webAddress } from "./client.ts";

const Titled = z.object({ title: z.string() });
const Answer = z.object({
	query: z.object({
		rightsinfo: z.object({ text: z.string().default("") }).optional(),
		pages: z.array(
			z.object({
				title: z.string(),
				missing: z.boolean().optional(),
				invalid: z.boolean().optional(),
				extract: z.string().optional(),
				fullurl: z.string().optional(),
				lastrevid: z.number().int().optional(),
				pageprops: z.object({ wikibase_item: z.string().optional(), disambiguation: z.string().optional() }).optional(),
				links: z.array(Titled).optional(),
				images: z.array(Titled).optional(),
			}),
		),
	}),
});

const Language = z.string().regex(/^[a-z]{2,12}(-[a-z]{2,12})?$/);

/** The article of that title, redirects followed; undefined where there is none or the title is ambiguous. */
export async function readPage(
	client: WikimediaClient,
	title: string,
	{ language, signal }: Asking & { language: string },
): Promise<EncyclopediaPage | undefined> {
	if (title.trim() === "" || /[|#<>[\]{}]/.test(title) || !Language.safeParse(language).success) return undefined;
	const { value, retrievedAt } = await client.query(
		`${language}.wikipedia.org`,
		{
			action: "query",
			titles: title.slice(0, 250),
			redirects: "1",
			prop: "info|extracts|pageprops|links|images",
			inprop: "url",
			explaintext: "1",
			exsectionformat: "wiki",
			ppprop: "wikibase_item|disambiguation",
			pllimit: "max",
			plnamespace: "0",
			imlimit: "max",
			meta: "siteinfo",
			siprop: "rightsinfo",
		},
		Answer,
		{ signal },
	);
	const [page] = value.query.pages;
	if (!page || page.missing || page.invalid || page.extract === undefined) return undefined;
	if (page.pageprops?.disambiguation !== undefined || page.lastrevid === undefined) return undefined;
	const subject = page.pageprops?.wikibase_item;
	return {
		title: page.title,
		...(subject === undefined ? {} : { subject }),
		language,
		sections: sectionsOf(page.extract),
		links: (page.links ?? []).map((link) => link.title),
		images: (page.images ?? []).map((image) => image.title.replace(/^[^:]+:/, "")),
		revision: String(page.lastrevid),
		licence: value.query.rightsinfo?.text ?? "",
		...webAddress(page.fullurl),
		retrievedAt,
	};
}

/** Characters of a line that may be a heading. */
const mostHeading = 500;

/** The text apart at its headings (`== History ==`). */
function sectionsOf(extract: string): EncyclopediaPage["sections"] {
	const sections = [{ title: "", text: "" }];
	for (const line of extract.split("\n")) {
		const heading = line.length > mostHeading ? undefined : /^={2,6}\s*(.+?)\s*={2,6}\s*$/.exec(line)?.[1];
		const current = sections.at(-1);
		if (heading !== undefined) sections.push({ title: heading, text: "" });
		else if (current) current.text += `${line}\n`;
	}
	return sections.map(({ title, text }) => ({ title, text: text.trim() })).filter(({ text }) => text !== "");
}
