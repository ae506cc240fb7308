import { readFileSync } from "node:fs";
import { z } from "zod";
import { freeRecord, ownField, packageFile } from "#domain";
import { plainOf } from "./words.ts";

/** Names and peoples of countries, written by the sample's maker from world-countries, under its ODbL. */
const countriesFile = "src/recipes/final-gate/countries.json";
const Countries = z.object({
	countries: z.array(
		z.object({
			names: z.array(z.string()),
			peoples: z.array(z.string()),
			/** By code of language. */
			translations: freeRecord(z.string()),
		}),
	),
});
type Country = z.infer<typeof Countries>["countries"][number];

/** Lands that no list of countries has, with what is of them called; and who is of a country, where that is another word. */
const more: Record<string, string> = {
	england: "English",
	scotland: "Scottish Scots Scot",
	wales: "Welsh",
	"soviet union": "Soviet Soviets",
	"great britain": "British Briton Britons",
	persia: "Persian",
	prussia: "Prussian",
	bavaria: "Bavarian",
	denmark: "Dane Danes",
	finland: "Finn Finns",
	france: "Frenchman Frenchmen Franco Gallic",
	germany: "Germanic",
	greece: "Hellenic Greco",
	ireland: "Irishman Irishmen",
	netherlands: "Dutchman Dutchmen Hollander Hollanders",
	poland: "Pole Poles",
	spain: "Spaniard Spaniards Hispano",
	sweden: "Swede Swedes",
	turkiye: "Turkish Turk Turks Turkic",
	china: "Sino",
	russia: "Russo",
	argentina: "Argentinian",
};
/** The codes of languages as the names of countries are listed by them. */
const translated: Record<string, string> = { de: "deu", fr: "fra", es: "spa", it: "ita", pt: "por", nl: "nld" };

let byName: Map<string, Country> | undefined;

function countries(): Map<string, Country> {
	if (byName) return byName;
	byName = new Map();
	const read = Countries.parse(JSON.parse(readFileSync(packageFile(countriesFile), "utf8")));
	for (const { names: all, ...country } of read.countries) {
		const known = { ...country, names: all.filter((one) => one.length > 2 || /^U[SK]$/.test(one)) };
		for (const one of [...known.names, ...Object.values(known.translations)])
			if (!byName.has(keyOf(one))) byName.set(keyOf(one), known);
	}
	return byName;
}

/** What countries are still called whose name is listed as another. */
const renamed: Record<string, string> = { turkey: "turkiye", burma: "myanmar", "cape verde": "cabo verde" };

function keyOf(name: string): string {
	const key = plainOf(name).replace(/^(?:the|la|le|l|die|der)\s+/u, "");
	return ownField(renamed, key) ?? key;
}

export const isCountry = (name: string): boolean => countries().has(keyOf(name));

/** What every text is full of tells too little. */
const tellsLittle = /^(?:American|British)$/;

/** Other names of a country, and what is of it called: "Holland" and "Dutch" for the Netherlands. */
export function ofCountry(name: string, language: string): { names: string[]; peoples: string[] } {
	const key = keyOf(name);
	const known = countries().get(key);
	const keys = known ? known.names.map(keyOf) : [];
	// of German, whose nouns all have capitals, see below
	const own = language.startsWith("de") ? [] : [key, ...keys].flatMap((one) => ownField(more, one)?.split(" ") ?? []);
	const peoples = [...(language.startsWith("de") ? [] : (known?.peoples ?? [])), ...own].filter(
		(one) => !tellsLittle.test(one),
	);
	const there = known?.translations[ownField(translated, language.slice(0, 2)) ?? ""];
	return { names: [...(known?.names ?? []), ...(there ? [there] : [])], peoples: [...new Set(peoples)] };
}

/** "polnisch" of Polen, "französische" of Frankreich: an adjective that shares how the country's name begins. */
export function isGermanAdjective(country: string, word: string): boolean {
	const [name, plain] = [plainOf(country), plainOf(word)];
	const begin = name.slice(0, Math.max(3, Math.min(5, name.length - 3)));
	return (
		/isch(?:e[nrms]?)?$/u.test(plain) &&
		plain.startsWith(begin) &&
		plain.length <= name.length + 6 &&
		isCountry(country)
	);
}
