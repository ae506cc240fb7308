/** Entities that countries share, made from their names in both languages. */
import { stringAnswer, unaccented } from "#recipes";
import { inSpanish } from "./content.ts";
import type { Draft } from "./draft.ts";
import { slugOf } from "./slug.ts";

export const distinct = (names: string[]) => [...new Set(names.filter((name) => name.trim() !== ""))];

export function addSubregion(draft: Draft, name: string): string {
	const spanish = inSpanish("subregions", name) ?? name;
	return draft.addEntity({
		id: `region/${slugOf(name)}`,
		type: "subregion",
		names: { en: name, es: spanish.replace(/^el /, "") },
		mentions: { en: name === "Caribbean" ? "the Caribbean" : name, es: spanish },
		aliases: { en: [], es: [unaccented(spanish)] },
	}).id;
}

/** The city entity of a name; accents and Spanish exonyms are among its aliases. */
export function addCity(draft: Draft, name: string): string {
	const spanish = inSpanish("cities", name) ?? name;
	return draft.addEntity({
		id: `city/${slugOf(name)}`,
		type: "city",
		names: { en: name, es: spanish },
		aliases: { en: distinct([unaccented(name)]), es: distinct([unaccented(spanish)]) },
	}).id;
}

export function addCurrency(draft: Draft, code: string, name: string): string {
	const renamed: Record<string, string> = {
		GEL: "Georgian lari",
		GMD: "Gambian dalasi",
		MKD: "Macedonian denar",
		EUR: "euro",
		GBP: "pound sterling",
	};
	const english = renamed[code] ?? name;
	const spanish = inSpanish("currencies", code) ?? `el ${english}`;
	const entity = draft.addEntity({
		id: `currency/${slugOf(english)}`,
		type: "currency",
		names: { en: english, es: spanish.replace(/^(el|la) /, "") },
		mentions: { en: `the ${english}`, es: spanish },
		aliases: {
			en: distinct([unaccented(english), code]),
			es: distinct([unaccented(spanish.replace(/^(el|la) /, ""))]),
		},
	});
	if (draft.about(entity.id, "currency-code").length === 0)
		draft.addFact(entity.id, "currency-code", { answer: stringAnswer(code) });
	return entity.id;
}

export function addLanguage(draft: Draft, code: string, name: string): string {
	const renamed: Record<string, string> = {
		sot: "Sotho",
		ron: "Romanian",
		nau: "Nauruan",
		toi: "Chitonga",
		fas: "Persian",
	};
	const english = renamed[code] ?? name;
	const spanish = inSpanish("languages", code) ?? english;
	return draft.addEntity({
		id: `language/${slugOf(english)}`,
		type: "language",
		names: { en: english, es: spanish },
		aliases: {
			en: distinct([unaccented(english), `${english} language`]),
			es: distinct([unaccented(spanish), `el ${spanish}`]),
		},
	}).id;
}
