import { z } from "zod";
import { ownField, plainLine } from "#domain";
import { sha256 } from "#store";
import { EncyclopediaError, type EncyclopediaImage } from "../encyclopedia.ts";
import { type Asking, type WikimediaClient, webAddress } from "./client.ts";

const Meta = z
	.object({ value: z.union([z.string(), z.number()]) })
	.optional()
	.catch(undefined);
const Info = z.object({
	url: z.string(),
	thumburl: z.string().optional(),
	mime: z.string(),
	descriptionurl: z.string().optional(),
	extmetadata: z
		.object({ LicenseShortName: Meta, LicenseUrl: Meta, Artist: Meta, Credit: Meta })
		.optional()
		.catch(undefined),
});
const Answer = z.object({
	query: z.object({
		pages: z.array(z.object({ missing: z.boolean().optional(), imageinfo: z.array(Info).optional() })),
	}),
});

/** A file of Commons no wider than `width`, with the terms that its page states. Files held elsewhere are not found. */
export async function readImage(
	client: WikimediaClient,
	file: string,
	{ width = 1280, signal }: Asking & { width?: number | undefined },
): Promise<EncyclopediaImage | undefined> {
	const name = file.replace(/^File:/i, "").trim();
	if (name === "" || /[|#<>[\]{}]/.test(name)) return undefined;
	const { value } = await client.query(
		"commons.wikimedia.org",
		{
			action: "query",
			titles: `File:${name}`,
			prop: "imageinfo",
			iiprop: "url|mime|extmetadata",
			iiurlwidth: String(Math.max(1, Math.floor(width))),
			iiextmetadatafilter: "LicenseShortName|LicenseUrl|Artist|Credit",
		},
		Answer,
		{ signal },
	);
	const info = value.query.pages[0]?.imageinfo?.[0];
	if (!info) return undefined;
	if (!/^image\/[a-z0-9.+-]{1,60}$/.test(info.mime)) throw new EncyclopediaError(`${name.slice(0, 300)} is no picture`);
	const data = await client.picture(info.thumburl ?? info.url, { signal });
	const said = info.extmetadata;
	const licence = [said?.LicenseShortName, said?.LicenseUrl].map(textOf).filter((text) => text !== "");
	const attribution = [said?.Artist, said?.Credit].map(textOf).filter((text) => text !== "");
	return {
		data,
		mediaType: info.thumburl !== undefined && info.mime === "image/svg+xml" ? "image/png" : info.mime,
		sha256: sha256(data),
		licence: licence.join(", "),
		...(attribution.length > 0 ? { attribution: [...new Set(attribution)].join("; ") } : {}),
		...webAddress(info.descriptionurl),
	};
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#039": "'", nbsp: " " };

/** The fields hold markup of whoever uploaded the file: only its text is kept. */
function textOf(meta: z.infer<typeof Meta>): string {
	const text = String(meta?.value ?? "")
		.slice(0, 20_000)
		.replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, " ")
		.replace(/<[^>]*(>|$)/g, " ")
		.replace(/&(#?\w+);/g, (whole, name: string) => ownField(entities, name) ?? whole);
	return plainLine(text, 500);
}
