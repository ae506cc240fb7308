/** Cities beyond the capitals, and the airports that serve them. */
import { grouped } from "#domain";
import { numberAnswer, stringAnswer, unaccented } from "#recipes";
import type { Draft } from "./draft.ts";
import { addCity } from "./naming.ts";
import type { Airport, CountryRecord } from "./packages.ts";
import { slugOf } from "./slug.ts";

/** Spellings of the factbook that differ from those of the capitals, or are slips. */
const spelled: Record<string, string> = {
	Mombassa: "Mombasa",
	"Sao Paulo": "São Paulo",
	"New York-Newark": "New York",
	Willemsted: "Willemstad",
	Ulaanbaatar: "Ulan Bator",
	"Saint George's": "St. George's",
	Tarawa: "South Tarawa",
	Guangdong: "Guangzhou",
};

/** A population ten times too large, and a city whose country is disputed. */
const leftOut = new Set(["Mbuji-Mayi", "Jerusalem"]);

/** Urban areas of the factbook: the largest of each country and its capital, with their populations. */
export function addCities(draft: Draft, records: readonly CountryRecord[]): void {
	const owners = new Map<string, string>();
	for (const fact of draft.facts)
		if (fact.relation === "city-country" && "entity" in fact.object) owners.set(fact.subject, fact.object.entity);
	for (const { id, profile } of records) {
		const areas = urbanAreas(profile?.("People and Society", "Major urban areas - population") ?? "");
		const capital = draft.about(id, "capital")[0];
		const capitalId = capital && "entity" in capital.object ? capital.object.entity : undefined;
		const capitalNames = new Set(capitalId === undefined ? [] : namesOf(draft, capitalId));
		const cities = areas.flatMap(({ name, people }) => {
			if (leftOut.has(name)) return [];
			if (capitalId !== undefined && capitalNames.has(plain(name))) return [{ city: capitalId, people }];
			const city = `city/${slugOf(name)}`;
			// A name that two countries use stays with the one that had it first: names must be unmistakable.
			if ((owners.get(city) ?? id) !== id || draft.entities.has(`country/${slugOf(name)}`)) return [];
			owners.set(city, id);
			return [{ city: addCity(draft, name), people }];
		});
		for (const { city, people } of cities) {
			draft.addFact(city, "city-country", { entity: id });
			if (draft.about(city, "city-population").length === 0)
				draft.addFact(city, "city-population", { answer: numberAnswer(people, { slack: 0.02 }) });
		}
		const largest = areas.reduce((most, area) => Math.max(most, area.people), 0);
		const first = cities.filter(({ people }) => people === largest);
		if (areas.length > 1 && cities.length === areas.length && first.length === 1 && first[0])
			draft.addFact(id, "largest-city", { entity: first[0].city });
	}
}

/** Names and populations from "LIMA (capital) 9.897 million; Arequipa 850,000 (2015)"; nothing if a part is unclear. */
function urbanAreas(text: string): { name: string; people: number }[] {
	const parts = text.replace(/\s*\(20\d\d\)$/, "").split(";");
	const areas = parts.flatMap((part) => {
		const [, rawName, isCapital, figure, million] =
			/^\s*([^\d(]+?)\s*(\(capital\))?\s+([\d.,]+)( million)?\s*$/.exec(part) ?? [];
		if (rawName === undefined || figure === undefined) return [];
		const people = Math.round(Number(figure.replaceAll(",", "")) * (million ? 1_000_000 : 1));
		// Capitals are written in capitals; the factbook's may not be today's.
		const name = isCapital === undefined ? rawName : titled(rawName);
		return [{ name: spelled[name] ?? name, people }];
	});
	return areas.length === parts.length ? areas : [];
}

const titled = (name: string) =>
	name
		.toLowerCase()
		.replace(
			/(^|[ '-])(?!(?:de|es|al)\b)(\p{L})/gu,
			(_, before: string, letter: string) => before + letter.toUpperCase(),
		);

const namesOf = (draft: Draft, id: string) => {
	const entity = draft.entities.get(id);
	return entity ? [entity.names.en, ...entity.aliases.en, entity.names.es].map(plain) : [];
};

/** Up to two airports with an IATA code for every city of the graph, those named international first. */
export function addAirports(draft: Draft, airports: readonly Airport[]): void {
	const cities = [...draft.entities.values()].filter(({ type }) => type === "city");
	const fit = airports.filter(
		({ iata, name }) => /^[A-Z]{3}$/.test(iata ?? "") && /^[\p{L} .'’/-]+ Airport$/u.test(name),
	);
	const byCity = grouped(fit, ({ city }) => plain(city));
	for (const city of cities) {
		const owner = draft.about(city.id, "city-country")[0];
		const country = owner && "entity" in owner.object ? draft.entities.get(owner.object.entity) : undefined;
		if (!country) continue;
		const countryNames = new Set([country.names.en, ...country.aliases.en].map(plain));
		const here = (byCity.get(plain(city.names.en)) ?? [])
			.filter((airport) => countryNames.has(plain(airport.country)))
			.sort((a, b) => rank(a) - rank(b) || ((a.iata ?? "") < (b.iata ?? "") ? -1 : 1));
		for (const airport of here.slice(0, 2)) addAirport(draft, airport, city.id);
	}
}

function addAirport(draft: Draft, airport: Airport, city: string): void {
	const name = airport.name;
	const id = `airport/${slugOf(name)}`;
	if (draft.entities.has(id)) return;
	const spanish = /^(.+) International Airport$/.exec(name)?.[1];
	const inSpanish =
		spanish === undefined ? `aeropuerto ${name.replace(/ Airport$/, "")}` : `aeropuerto internacional ${spanish}`;
	draft.addEntity({
		id,
		type: "airport",
		names: { en: name, es: inSpanish },
		mentions: { en: name, es: `el ${inSpanish}` },
		aliases: { en: [unaccented(name)], es: [name] },
	});
	draft.addFact(id, "airport-city", { entity: city });
	draft.addFact(id, "airport-code", { answer: stringAnswer(airport.iata ?? "") });
	draft.addFact(id, "airport-elevation", { answer: numberAnswer(airport.altitude, { unit: "ft", slack: 0.01 }) });
}

const rank = (airport: Airport) => (airport.name.includes("International") ? 0 : 1);
const plain = (name: string) => unaccented(name).toLowerCase();
