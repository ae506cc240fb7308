import { z } from "zod";
import { freeRecord, plainLine } from "#domain";
import { EncyclopediaError } from "../encyclopedia.ts";
import type { Asking, WikimediaClient } from "./client.ts";

/** An item's or property's id; anything else is never put into an address. */
export const WikidataId = z.string().regex(/^[QP][1-9]\d{0,11}$/);

/** The property that names a class: told as the types of a subject, never as an edge. */
export const instanceOf = "P31";

/** Characters of a label, description or alias, as the service bounds them. */
const mostCharacters = 250;
const Worded = z.object({ value: z.string().transform((text) => plainLine(text, mostCharacters)) });
const Value = z.discriminatedUnion("type", [
	z.object({ type: z.literal("wikibase-entityid"), value: z.object({ id: z.string() }) }),
	z.object({ type: z.literal("time"), value: z.object({ time: z.string(), precision: z.number().int() }) }),
	z.object({ type: z.literal("quantity"), value: z.object({ amount: z.string(), unit: z.string() }) }),
	z.object({ type: z.literal("monolingualtext"), value: z.object({ text: z.string(), language: z.string() }) }),
	z.object({ type: z.literal("string"), value: z.string() }),
]);
const Snak = z.object({
	snaktype: z.string(),
	property: z.string(),
	datatype: z.string().optional(),
	/** Other kinds (coordinates, …) state nothing that a question could be about. */
	datavalue: Value.optional().catch(undefined),
});
export type Snak = z.infer<typeof Snak>;
export const Claim = z.object({
	rank: z.enum(["preferred", "normal", "deprecated"]),
	mainsnak: Snak,
	qualifiers: freeRecord(z.array(Snak)).optional(),
});
export type Claim = z.infer<typeof Claim>;

/** The service writes an empty table as a list. */
const table = <T extends z.ZodType>(of: T) =>
	z.preprocess((value) => (Array.isArray(value) ? {} : value), freeRecord(of));
export const WikidataEntity = z.object({
	id: z.string(),
	lastrevid: z.number().int().optional(),
	labels: table(Worded).optional(),
	descriptions: table(Worded).optional(),
	aliases: table(z.array(Worded)).optional(),
	claims: table(z.array(Claim)).optional(),
	sitelinks: table(z.unknown()).optional(),
});
export type WikidataEntity = z.infer<typeof WikidataEntity>;
const Missing = z.object({ id: z.string(), missing: z.unknown() });
const Entities = z.object({
	entities: freeRecord(z.union([WikidataEntity, Missing])),
});

/** Entities of one call, as the service bounds it, and of all calls for one question. */
const batch = 50;
const mostIds = 2000;

/** The entities with the parts asked for, in calls of fifty; what does not exist is absent. */
export async function readEntities(
	client: WikimediaClient,
	ids: readonly string[],
	{ props, languages, ...asking }: Asking & { props: string; languages?: string },
): Promise<Map<string, WikidataEntity>> {
	const wanted = [...new Set(ids)].filter((id) => WikidataId.safeParse(id).success).sort();
	if (wanted.length > mostIds)
		throw new EncyclopediaError(`an answer names ${wanted.length} items: more than is asked for`);
	const found = new Map<string, WikidataEntity>();
	for (let at = 0; at < wanted.length; at += batch) {
		const parameters = {
			action: "wbgetentities",
			ids: wanted.slice(at, at + batch).join("|"),
			props,
			...(languages === undefined ? {} : { languages, languagefallback: "1" }),
		};
		const { value } = await client.query("www.wikidata.org", parameters, Entities, asking);
		for (const entity of Object.values(value.entities)) if (!("missing" in entity)) found.set(entity.id, entity);
	}
	return found;
}

/** An item with all its statements, as it stands at its latest revision. */
export async function readStatements(
	client: WikimediaClient,
	id: string,
	asking: Asking,
): Promise<{ entity: WikidataEntity; revision: string } | undefined> {
	const known = (await readEntities(client, [id], { props: "info", ...asking })).get(id);
	if (known?.lastrevid === undefined) return undefined;
	const path = `/wiki/Special:EntityData/${known.id}.json?revision=${known.lastrevid}`;
	const { value } = await client.file("www.wikidata.org", path, Entities, asking);
	const entity = value.entities[known.id];
	return entity && !("missing" in entity) ? { entity, revision: String(known.lastrevid) } : undefined;
}

/** The label in the language, else the one for all languages, else English, else the id. */
export function labelOf(entity: WikidataEntity | undefined, id: string, language: string): string {
	const { labels = {} } = entity ?? {};
	return (labels[language] ?? labels.mul ?? labels.en)?.value ?? id;
}
