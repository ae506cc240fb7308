/** Chemical elements, and the few of them that are named after a place of the Atlas. */
import { numberAnswer, stringAnswer, timeAnswer } from "#recipes";
import { inSpanish } from "./content.ts";
import type { Draft } from "./draft.ts";
import type { Element } from "./packages.ts";
import { slugOf } from "./slug.ts";

/** By symbol: the city or country that the discoverers or namers had in mind. */
const namesakes: Record<string, string> = {
	Hf: "city/copenhagen",
	Ho: "city/stockholm",
	Lu: "city/paris",
	Po: "country/poland",
	Ge: "country/germany",
	Fr: "country/france",
	Nh: "country/japan",
	Ru: "country/russia",
};

export function addElements(draft: Draft, elements: readonly Element[]): void {
	for (const element of elements) {
		const spanish = inSpanish("elements", element.symbol) ?? element.name.toLowerCase();
		const english = element.name.toLowerCase();
		const { id } = draft.addEntity({
			id: `element/${slugOf(element.name)}`,
			type: "element",
			names: { en: english, es: spanish },
			mentions: { en: english, es: `${element.symbol === "Ag" ? "la" : "el"} ${spanish}` },
			aliases: { en: element.symbol === "W" ? ["wolfram"] : [], es: element.symbol === "W" ? ["tungsteno"] : [] },
		});
		draft.addFact(id, "element-symbol", { answer: stringAnswer(element.symbol) });
		draft.addFact(id, "atomic-number", { answer: numberAnswer(element.atomicNumber, { kind: "identifier" }) });
		if (/^1[5-9]\d\d$|^20\d\d$/.test(element.yearDiscovered))
			draft.addFact(id, "discovery", { answer: timeAnswer(element.yearDiscovered) });
		if (element.meltingPoint !== null)
			draft.addFact(id, "melting-point", { answer: numberAnswer(element.meltingPoint, { unit: "K", slack: 0.01 }) });
		const namesake = namesakes[element.symbol];
		if (namesake !== undefined && draft.entities.has(namesake))
			draft.addFact(id, namesake.startsWith("city/") ? "namesake" : "namesake-country", { entity: namesake });
	}
}
