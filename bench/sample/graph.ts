import { readRelations } from "./content.ts";
import { addCountries } from "./countries.ts";
import { createDraft, type Draft } from "./draft.ts";
import { addElements } from "./elements.ts";
import { type CountryRecord, readAirports, readCountries, readElements, readProfiles } from "./packages.ts";
import { addAirports, addCities } from "./places.ts";

/** All that the Atlas knows, before any of it is written down. */
export function createAtlasGraph(): { draft: Draft; records: CountryRecord[] } {
	const draft = createDraft(readRelations());
	const records = addCountries(draft, readCountries(), readProfiles());
	addCities(draft, records);
	addAirports(draft, readAirports());
	addElements(draft, readElements());
	settle(draft);
	return { draft, records };
}

/** Aliases that name another entity of the same type as well would make a wrong answer right. */
function settle(draft: Draft): void {
	const owners = new Map<string, Set<string>>();
	const key = (type: string, name: string) => `${type} ${name.toLowerCase()}`;
	for (const { id, type, names, aliases } of draft.entities.values())
		for (const name of [names.en, names.es, ...aliases.en, ...aliases.es]) {
			const known = owners.get(key(type, name)) ?? new Set();
			owners.set(key(type, name), known.add(id));
		}
	for (const { type, aliases } of draft.entities.values())
		for (const language of ["en", "es"] as const)
			aliases[language] = aliases[language].filter((name) => owners.get(key(type, name))?.size === 1);
}
