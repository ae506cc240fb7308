import { fold } from "#corpus";

type Sort = "person" | "place" | "organisation" | "work";
type Sex = "female" | "male";

/** One thing that is said of what an entity is. */
export interface KindFact {
	/** Undefined for a kind that only a graph names. */
	sort?: Sort | undefined;
	/** What it is among its sort, such as `film`; persons have none. */
	noun?: string | undefined;
	sex?: Sex | undefined;
}

/** Nouns that define things of one kind; the first of each line stands for all of it. */
const nounsOf: Record<Sort, string[]> = {
	place: [
		"settlement city town village municipality commune hamlet capital suburb",
		...["country nation republic", "county", "state", "province", "region", "river", "lake", "island", "mountain"],
		...[
			"bridge",
			"museum",
			"church cathedral",
			"castle",
			"stadium arena",
			"airport",

			"street road",
			"park",
		],
	],
	organisation: [
		"band duo trio quartet group",
		"company corporation manufacturer retailer conglomerate subsidiary",
		"school university college institute",
		"association society league federation organization organisation",
		...["publisher", "party", "club", "team", "agency", "foundation charity"],
	],
	work: [
		"film movie",
		"song single",
		"album ep",
		"book novel novella memoir",
		"periodical magazine newspaper journal newsletter",
		"series sitcom",
		...["play tragedy", "opera", "poem", "painting", "game videogame"],
	],
	person: [
		"person people human actor actress director filmmaker producer screenwriter writer author novelist poet playwright " +
			"singer rapper musician songwriter composer drummer guitarist comedian painter artist sculptor architect " +
			"politician diplomat lawyer judge general soldier officer admiral nobleman noblewoman peer aristocrat ruler monarch " +
			"emperor sultan pharaoh prime minister president governor player footballer cricketer skier swimmer runner athlete " +
			"boxer coach manager engineer scientist physicist chemist mathematician inventor explorer philosopher historian " +
			"journalist editor teacher professor businessman businesswoman socialite model bishop priest monk saint activist " +
			"child sibling consort",
	],
};
const ofSex: Record<Sex, string> = {
	female:
		"woman actress queen princess duchess countess marchioness baroness lady empress noblewoman businesswoman " +
		"heiress daughter mother wife sister grandmother stepmother",
	male:
		"man king prince duke count earl marquess baron viscount lord emperor nobleman businessman " +
		"son father husband brother grandfather stepfather",
};

const factOf = new Map<string, KindFact>();
for (const [sort, lines] of Object.entries(nounsOf) as [Sort, string[]][])
	for (const line of lines) {
		const [first, ...others] = line.split(" ");
		for (const noun of [first ?? "", ...others]) factOf.set(noun, sort === "person" ? { sort } : { sort, noun: first });
	}
for (const [sex, words] of Object.entries(ofSex) as [Sex, string][])
	for (const word of words.split(" ")) factOf.set(word, { sort: "person", sex });

/** What a noun says of the thing that it defines; nothing where it is none of those known. */
export const nounFact = (noun: string): KindFact | undefined => factOf.get(fold(noun.toLowerCase()));

/** A graph's type says what a thing is, also one that no noun here does. */
export const typeFact = (type: string): KindFact =>
	nounFact(type) ?? { noun: `type ${type.toLowerCase().trim()}`, sort: undefined };

const definitionEnds =
	/[,;.:]|\s(?:and|or|of|in|by|from|at|for|with|who|which|that|whose|on|to|near|during|under|between|about|as|formed|founded|published|directed|written|based|located|starring|featuring|released|created|established|owned|recorded|performed|produced|set|known)\s/u;
const mostOpening = 500;

/** What the first sentence of an entity's own passage defines it as, and the pronouns that the passage has for it. */
export function definitionFacts(name: string, text: string): KindFact[] {
	const opening = text.slice(0, mostOpening).replace(/\([^()]*\)/gu, " ");
	const words = wordsOf(name);
	const begins: string[] = wordsOf(opening.slice(0, name.length + 80));
	if (!begins.includes(words[0] ?? "") && !begins.includes(words.at(-1) ?? "")) return [];
	const predicate = /\b(?:is|was|are|were)\s+(?:an?|the|one of the)\s+(.{1,120})/u.exec(opening)?.[1] ?? "";
	const phrase = `${predicate} `.split(definitionEnds)[0] ?? "";
	const defined = nounFact(/(\p{L}+)\s*$/u.exec(phrase)?.[1] ?? "");
	const sex = sexByPronouns(text);
	return [...(defined ? [defined] : []), ...(sex ? [{ sex }] : [])];
}

function sexByPronouns(text: string): Sex | undefined {
	const times = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
	const [she, he] = [times(/\b(?:she|her|hers)\b/giu), times(/\b(?:he|his|him)\b/giu)];
	if (she > 3 * he) return "female";
	return he > 3 * she ? "male" : undefined;
}

const sexed = new RegExp(
	`(?<!\\p{L})(?:he|his|him|she|her|hers|boy|girl|mr|mrs|sir|${ofSex.female.replaceAll(" ", "|")}|${ofSex.male.replaceAll(" ", "|")})(?!\\p{L})`,
	"iu",
);

/** Whether a text has words that fit women only or men only: a person of unknown sex can bear no new name in it. */
export const tellsSex = (text: string): boolean => sexed.test(text);

const kinship = "mother|father|wife|husband|spouse|son|daughter|child|sibling|brother|sister|grandmother|grandfather";
const kin = new RegExp(`(?:^|\\s)(${kinship})(?:\\s(?:of|to)\\s_|$)`, "u");
const asksOfPerson = new RegExp(
	`\\b(?:born|birth|died|death|buried|married|nationality|citizenship|${kinship})\\b`,
	"u",
);
const makes = /\b(?:director|author|writer|creator|composer|founder|monarch|king|queen|president)\s(?:of|for)\s/u;
const viaAnother = /\b(?:director|author|performer|publisher|producer|composer|creator|film|song|album)\b/u;

/** What a sub-question, with `_` for its subjects, says of what it asks about, and of its answer. */
export function questionFacts(pattern: string): { subject: KindFact[]; answer: KindFact[] } {
	const asked = /^(?:(?:in|from|of|to|at|on|for) )?(?:which|what) (\p{L}+)/u.exec(pattern)?.[1];
	const relative = kin.exec(pattern)?.[1];
	const before = /\b(\p{L}+) _/u.exec(pattern)?.[1];
	const subject: KindFact[] = [];
	const answer: KindFact[] = [];
	const noun = before === undefined ? undefined : nounFact(before);
	// "the publisher of film _", but not "the mother _"
	if (noun && noun.sort !== "person") subject.push(noun);
	if (asksOfPerson.test(pattern) && !viaAnother.test(pattern)) subject.push({ sort: "person" });
	const askedFact = asked === undefined ? undefined : nounFact(asked);
	if (askedFact) answer.push(askedFact);
	const kinFact = relative === undefined ? undefined : (nounFact(relative) ?? { sort: "person" as const });
	if (kinFact) answer.push(kinFact);
	else if (/^(?:who|whom|whose)\b/u.test(pattern) && makes.test(pattern)) answer.push({ sort: "person" });
	if (/^where\b/u.test(pattern) && asksOfPerson.test(pattern)) answer.push({ sort: "place" });
	return { subject, answer };
}

/**
 * The last or first word of a name that says what it names: `Vassar College`, `Lake Constance`. Titles of works end so too:
 * what looks like a sentence, or whose own texts speak of a work, is left alone.
 */
export function nameFacts(name: string, texts: readonly string[]): KindFact[] {
	const words = wordsOf(name);
	const title = words.length > 1 ? nounFact(words[0] ?? "")?.sex : undefined;
	// "Queen Anne" says who she is, if she is a person
	if (title) return [{ sex: title }];
	if (words.length < 2 || /\s(?!of\s)\p{Ll}|['’]s?\s/u.test(name)) return [];
	if (texts.some((text) => /\b(?:film|movie|novel|album|song|episode|series|game)\b/iu.test(text))) return [];
	const fact = nounFact(words.at(-1) ?? "") ?? nounFact(words[0] ?? "");
	return fact && fact.sort !== "person" && fact.sort !== "work" ? [fact] : [];
}

/**
 * The kind within which names may be exchanged; undefined where nothing says it or what is said disagrees, as where a
 * singer and an album have one name.
 */
export function kindOf(facts: readonly KindFact[]): string | undefined {
	const said = <Key extends keyof KindFact>(key: Key) => [...new Set(facts.flatMap((fact) => fact[key] ?? []))];
	const [sorts, nouns] = [said("sort"), said("noun")];
	if (sorts.length > 1 || nouns.length > 1) return undefined;
	if (sorts[0] !== "person") return nouns[0];
	const sexes = said("sex");
	if (nouns.length > 0 || sexes.length > 1) return undefined;
	return sexes[0] === undefined ? "person" : `person, ${sexes[0]}`;
}

const wordsOf = (text: string): string[] => fold(text.toLowerCase()).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
