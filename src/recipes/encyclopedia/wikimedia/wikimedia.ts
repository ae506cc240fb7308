import { z } from "zod";
import { nameKey } from "#graph";
import type { Encyclopedia } from "../encyclopedia.ts";
import { type ClientOptions, createClient } from "./client.ts";
import { readImage } from "./commons.ts";
import { instanceOf, labelOf, readEntities, type WikidataEntity } from "./entities.ts";
import { readNeighbours } from "./neighbours.ts";
import { readPage } from "./pages.ts";
import { itemOf } from "./statements.ts";

/** What disambiguation pages are instances of. */
const disambiguation = "Q4167410";
/** A subject in as many Wikipedias as this is as well known as any. */
const mostSitelinks = 300;

/** Items of a name that are looked at, as the service bounds them. */
const mostFound = 50;

const Found = z.object({ search: z.array(z.object({ id: z.string() })) });

/**
 * Wikipedia, Wikidata and Commons, asked live: nobody is asked before a person names this source and a contact. Labels
 * of properties are Wikidata's own. Familiarity is log(1 + sitelinks) on a scale of 0 to 300, since percentiles over all
 * items would need a dump; 0.4 stands at about nine Wikipedias.
 */
export function wikimediaEncyclopedia(options: ClientOptions & { language?: string | undefined }): Encyclopedia {
	const client = createClient(options);
	const { language: usual = "en", at } = options;

	async function named(name: string, language: string, signal: AbortSignal | undefined): Promise<WikidataEntity[]> {
		const { value } = await client.query(
			"www.wikidata.org",
			{
				action: "wbsearchentities",
				search: name.slice(0, 250),
				language,
				uselang: language,
				type: "item",
				limit: String(mostFound),
			},
			Found,
			{ signal },
		);
		const ids = value.search.slice(0, mostFound).map(({ id }) => id);
		const props = "info|labels|descriptions|aliases|claims|sitelinks";
		const entities = await readEntities(client, ids, { props, languages: `${language}|mul|en`, signal });
		const key = nameKey(name);
		return ids.flatMap((id) => {
			const entity = entities.get(id);
			return entity && namesOf(entity).some((one) => nameKey(one) === key) && !isDisambiguation(entity) ? [entity] : [];
		});
	}

	async function typeLabels(entities: readonly WikidataEntity[], language: string, signal: AbortSignal | undefined) {
		const ids = entities.flatMap(typesOf);
		return readEntities(client, ids, { props: "labels", languages: `${language}|mul|en`, signal });
	}

	return {
		id: `wikimedia:${at ?? "public"}:${usual}`,
		async resolve(name, { language = usual, signal } = {}) {
			const entities = await named(name, language, signal);
			const types = await typeLabels(entities, language, signal);
			return entities.map((entity) => {
				const description = (entity.descriptions?.[language] ?? entity.descriptions?.en)?.value;
				const label = labelOf(entity, entity.id, language);
				return {
					id: entity.id,
					name: label,
					aliases: [...new Set(namesOf(entity))].filter((one) => one !== label).sort(),
					...(description === undefined ? {} : { description }),
					types: typesOf(entity).map((id) => labelOf(types.get(id), id, language)),
					familiarity: familiarityOf(Object.keys(entity.sitelinks ?? {}).length),
				};
			});
		},
		page: (title, { language = usual, signal } = {}) => readPage(client, title, { language, signal }),
		neighbours: (id, { direction = "both", limit = 100, signal } = {}) =>
			readNeighbours(client, id, { direction, limit, language: usual, signal }),
		async sameName(name, { type, language = usual, signal } = {}) {
			const entities = await named(name, language, signal);
			const types =
				type === undefined ? new Map<string, WikidataEntity>() : await typeLabels(entities, language, signal);
			const same = entities.filter(
				(entity) => type === undefined || typesOf(entity).some((id) => labelOf(types.get(id), id, language) === type),
			);
			return { count: same.length, ids: same.map(({ id }) => id) };
		},
		image: (file, { width, signal } = {}) => readImage(client, file, { width, signal }),
	};
}

const namesOf = ({ labels = {}, aliases = {} }: WikidataEntity): string[] =>
	[...Object.values(labels), ...Object.values(aliases).flat()].map(({ value }) => value);

const typesOf = ({ claims = {} }: WikidataEntity): string[] =>
	(claims[instanceOf] ?? [])
		.filter(({ rank }) => rank !== "deprecated")
		.flatMap(({ mainsnak }) => itemOf(mainsnak) ?? []);

const isDisambiguation = (entity: WikidataEntity) => typesOf(entity).includes(disambiguation);

export const familiarityOf = (sitelinks: number): number =>
	Math.min(1, Math.log1p(sitelinks) / Math.log1p(mostSitelinks));
