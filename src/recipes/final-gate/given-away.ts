import { type Hop, type Item, questionOf } from "#domain";
import { isChoosing, isComparison, isYesOrNo, orOf } from "../rules/comparison.ts";
import { asked, foundIn, type Said } from "./looked-at.ts";
import { isPersonAsked, isPersonsName } from "./names.ts";
import { isCountry } from "./peoples.ts";
import { type Form, formsOf } from "./said-forms.ts";
import { saidIn } from "./said-in.ts";
import { valueSaidIn } from "./said-values.ts";

/** Other names of what is called so, where a graph knows them. */
export type NamesOf = (name: string) => readonly string[];

export interface GivenAway {
	detail: string;
	hop?: string;
}

interface Hidden {
	hop: Hop;
	forms: Form[];
}

/** Whether the question offers its answer: what is computed, a difference say, is offered by none but "5 or 7?". */
export function offersIt(item: Item): boolean {
	if (!isComparison(item)) return false;
	const { type, value } = item.answer;
	const isValue = type === "number" || type === "time" || /^[\s$€£¥]*[-+−]?\p{Nd}/u.test(value);
	return !isValue || orOf(item.tags.language).test(questionOf(item));
}

/** The item's answer that its question or a sub-question before the last one's answer holds in any form. */
export function answerGivenAway(
	item: Item,
	{ namesOf, offered }: { namesOf: NamesOf; offered: boolean },
): GivenAway | undefined {
	if (offered && offersIt(item)) return undefined;
	const sink = item.chain.hops.find(({ id }) => id === item.chain.sink);
	const hidden: Hidden = {
		hop: { ...(sink ?? item.chain.hops[0]), answer: item.answer } as Hop,
		forms: formsFor(item, item.answer, { asking: [questionOf(item), sink?.question ?? ""], namesOf }),
	};
	return sayings(item, asked(item), hidden, offered);
}

/** An answer on the way that the question, its own sub-question or an earlier one holds in any form. */
export function bridgeGivenAway(
	item: Item,
	{ namesOf, offered }: { namesOf: NamesOf; offered: boolean },
): GivenAway | undefined {
	const texts = asked(item);
	const { hops, sink } = item.chain;
	for (const [at, hop] of hops.entries()) {
		if (hop.id === sink || isYesOrNo(hop.answer) || hop.modality === "compute" || (offered && isChoosing(hop)))
			continue;
		const before = new Set(hops.slice(0, at + 1).map(({ id }) => id));
		const looked = texts.filter(
			(said) => said.hop === undefined || (before.has(said.hop) && said.text === hop.question),
		);
		const later = hops.filter(({ needs }) => needs.some((need) => need.hop === hop.id)).map(({ question }) => question);
		// of what a picture shows, only the whole question may say what it is
		const isShown = hop.modality === "image";
		const asking = isShown ? [hop.question, questionOf(item)] : [hop.question, ...later];
		const forms = formsFor(item, hop.answer, { asking, namesOf, shown: isShown });
		// what a picture stands for is no option by name
		const found = sayings(item, looked, { hop, forms }, offered && !isShown);
		if (found) return { ...found, hop: hop.id };
	}
	return undefined;
}

/** What a question about a picture of a person says. */
const ofPerson = /(?<!\p{L})(?:person|people|man|woman|born|died)(?!\p{L})/iu;

function formsFor(
	{ chain, tags }: Item,
	answer: Item["answer"],
	{ asking, namesOf, shown = false }: { asking: readonly string[]; namesOf: NamesOf; shown?: boolean },
): Form[] {
	const person =
		isPersonsName(answer.value) &&
		asking.slice(0, 2).some((text) => isPersonAsked(text) || (shown && ofPerson.test(text)));
	const also = answer.type === "string" ? namesOf(answer.value) : [];
	// "patented in Reading": where a step has a capital, a plain "reading" is another word
	const proper =
		isCountry(answer.value) ||
		chain.hops.some(({ question }) => new RegExp(`\\p{Ll}\\s${escaped(answer.value)}(?!\\p{L})`, "u").test(question));
	return formsOf(answer, { person, also, language: tags.language }).map((form) => ({ ...form, proper }));
}

const kin =
	/(?<!\p{L})(?:wife|husband|spouse|widow|widower|son|daughter|child|children|brother|sister|sibling|father|mother|parent|grandson|granddaughter|grandfather|grandmother|uncle|aunt|nephew|niece|cousin|Frau|Mann|Sohn|Tochter|Bruder|Schwester|Vater|Mutter|Witwe|Gattin|Neffe|Nichte)s?(?!\p{L})/iu;

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function sayings(item: Item, texts: readonly Said[], { hop, forms }: Hidden, offered: boolean): GivenAway | undefined {
	const { language } = item.tags;
	const own = hop.question === questionOf(item) ? undefined : hop.question;
	const isAbout = (form: Form) =>
		own !== undefined && saidIn(own, [{ ...form, is: "whole" }], { language, anywhere: true }) !== undefined;
	// kin have one surname, whose name the question may begin with
	const isOfKin = own !== undefined && kin.test(own);
	// an airport may be called after the city, and a father as his son, that the hop asks about
	const telling = forms.filter(
		(form) =>
			!(isOfKin && form.is === "surname") &&
			((form.is !== "surname" && form.is !== "distinctive part" && form.is !== "part") || !isAbout(form)),
	);
	for (const said of texts) {
		const passes = offered ? (from: number, to: number) => isOption(said.text, [from, to], language) : undefined;
		// "the official name of Tunisia", "the code of the euro": a hop may ask for one name of a thing by another
		const looked = said.text === own ? forms.filter(({ is, text }) => is === "whole" && /\p{L}/u.test(text)) : telling;
		const place = saidIn(said.text, looked, { language, passes, own: said.text === own });
		if (place) {
			const is = place.form.is === "whole" ? "" : `${place.form.is} `;
			const of = place.found === hop.answer.value ? "" : ` (${is}of "${hop.answer.value}")`;
			return { detail: `${foundIn(place.found, said)}${of}` };
		}
		// what computes with letters and digits holds them
		if (said.hop === hop.id) continue;
		const value = valueSaidIn(said.text, hop.answer, { language });
		if (value) return { detail: `${foundIn(value, said)} is "${hop.answer.value}"` };
	}
	return undefined;
}

/** "Noel M. Smith or Reza Parsa": the place has an "or" beside it, names and kinds of things between. */
function isOption(text: string, [from, to]: readonly [number, number], language: string): boolean {
	const or = orOf(language).source;
	const between = "(?:\\p{Lu}[\\p{L}\\p{M}.'’-]*|the|an?|of|de|von|film|movie|play|book|novel|song|album|band)";
	const before = new RegExp(`(?:${or})\\s+(?:["“'‘]?${between}["”'’,]?\\s+){0,5}["“'‘]?$`, "u");
	const after = new RegExp(`^["”'’]?(?:\\s+${between}|\\s+\\([^()]*\\)){0,5}\\s*,?\\s*(?:${or})`, "u");
	return before.test(text.slice(Math.max(0, from - 120), from)) || after.test(text.slice(to, to + 120));
}
