import { z } from "zod";
import { usageError } from "#domain";
import type { ChatModel } from "#models";
import { createPageReader } from "./page-reader.ts";
import { formPictureSearch, type RecordedPictureSearch, recordedPictureSearch, serperLens } from "./picture-search.ts";
import { searchEngines } from "./search-engines.ts";
import type { PictureSearch, Web } from "./web.ts";
import { createWebSearch } from "./web-search.ts";

const Address = z.url({ protocol: /^https?$/ });
/** A picture leaves the house, or a stranger is told of it: only with the user's word. */
const consentToUpload = z.boolean().default(false);

/** The live web in a user's configuration. What is left out is not offered. Keys stand in the environment. */
export const WebConfiguration = z.strictObject({
	search: z
		.strictObject({
			engine: z.enum(Object.keys(searchEngines) as [keyof typeof searchEngines]),
			/** Of a service of one's own, or another address of a public one. */
			address: Address.optional(),
			/** So many of the best results are read and condensed to the query. */
			readPages: z.number().int().min(0).max(10).default(0),
		})
		.optional(),
	read: z
		.strictObject({
			/** Private hosts, or hosts with port, that may be read. */
			allowHosts: z.array(z.string().min(1)).default([]),
			/** The model that condenses pages, e.g. `openai:NAME`; without it a page is cut to its beginning. */
			summariser: z.string().optional(),
		})
		.optional(),
	pictures: z
		.discriminatedUnion("by", [
			z.strictObject({ by: z.literal("form"), address: Address, consentToUpload }),
			z.strictObject({
				by: z.literal("serper-lens"),
				publicImages: Address,
				address: Address.optional(),
				consentToUpload,
			}),
			/** A file of JSON lines with results recorded before. */
			z.strictObject({ by: z.literal("recorded"), file: z.string().min(1) }),
		])
		.optional(),
});
export type WebConfiguration = z.infer<typeof WebConfiguration>;

export interface WebParts {
	/** Keys by the names of their variables: SERPER_API_KEY, BRAVE_API_KEY, TAVILY_API_KEY, PICTURE_SEARCH_API_KEY. */
	keys?: Record<string, string | undefined>;
	/** The model that `read.summariser` names. */
	summariser?: ChatModel | undefined;
	/** What stands in the file of recorded results. */
	recorded?: RecordedPictureSearch[];
}

/** The web as it is configured. */
export function createWeb({ search, read, pictures }: WebConfiguration, parts: WebParts = {}): Web {
	const { keys = {}, summariser } = parts;
	const { allowHosts } = read ?? {};
	const reader = createPageReader({ allowHosts, summariser });
	const key = search && searchEngines[search.engine].key;
	return {
		...(search && { search: createWebSearch({ ...search, reader, apiKey: key && keys[key] }) }),
		...(read && { reader }),
		...(pictures && { pictureSearch: pictureSearchBy(pictures, parts) }),
	};
}

function pictureSearchBy(
	pictures: NonNullable<WebConfiguration["pictures"]>,
	{ keys = {}, recorded = [] }: WebParts,
): PictureSearch {
	if (pictures.by === "recorded") return recordedPictureSearch(recorded);
	if (!pictures.consentToUpload)
		throw misconfigured(
			"searching the web by image hands the question's images to a service",
			"If they may leave, set consentToUpload: true in the configuration.",
		);
	if (pictures.by === "form") return formPictureSearch({ ...pictures, apiKey: keys.PICTURE_SEARCH_API_KEY });
	const { SERPER_API_KEY: apiKey } = keys;
	if (!apiKey) throw misconfigured("searching by Google Lens needs a key", "Set SERPER_API_KEY in the environment.");
	return serperLens({ ...pictures, apiKey });
}

const misconfigured = (message: string, remedy: string) => usageError("bad-web-configuration", message, remedy);
