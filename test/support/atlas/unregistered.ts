/**
 * A reading of the Atlas that knows nothing of how it was written: it looks for sentences, rows and lines that name
 * both ends of a fact beside a word for the relation, and tells which of them no statement was registered for.
 */
import type { Evidence } from "#domain";
import { type GraphFact, type Language, numberText, type TypedGraph, timeText } from "#recipes";

/** Words that say that a sentence is about the relation, in English or Spanish; a header row counts with its rows. */
const cues: Record<string, RegExp> = {
	capital: /capital|govern|gobierna/i,
	"city-country": /\bcity\b|\blies\b|belongs|capital|populous|largest urban|ciudad|pertenece/i,
	"official-name": /officially|official name/i,
	demonym: /demonym|known as|described/i,
	subregion:
		/\blies?\b|found|situated|\bparts?\b|lands|belongs|countries and|takes in|encuentra|situado|forman?\b|pertenece|, en /i,
	borders: /border|neighbour|cross|frontier|vecin|limita/i,
	area: /km²/,
	population: /inhabitants|population|people|habitantes|población|personas/i,
	coastline: /coastline/i,
	"land-boundary": /boundaries/i,
	language: /language|official|lengua/i,
	currency: /currency|payments|prices|banknotes|\bpay\b|moneda|pagos|\bpaga\b/i,
	"currency-code": /code/i,
	"highest-point": /highest|summit|culmin|más alto/i,
	elevation: /\bm\b|elevation/i,
	independence: /independ/i,
	"independent-from": /independ|ruled|separated/i,
	"export-partner": /export/i,
	"largest-city": /most populous|largest urban|más poblada/i,
	"city-population": /urban/i,
	"calling-code": /calling code/i,
	"internet-domain": /domain/i,
	"iso-code": /ISO 3166/i,
	anthem: /anthem/i,
	"national-symbol": /national symbol/i,
	"median-age": /median age/i,
	"urban-share": /urban population/i,
	"airport-city": /serve|flights|\bair\b|servicio/i,
	"airport-code": /IATA/,
	"airport-elevation": /\bft\b/,
	"element-symbol": /symbol:|el símbolo|símbolo químico/i,
	"atomic-number": /atomic|protons|atómico/i,
	discovery: /discover|descubri/i,
	"melting-point": /melting/i,
	namesake: /named? /i,
	"namesake-country": /named? /i,
};

const longestName = 13;

/** "evidence: subject relation object" of every statement that was read in texts but not registered. */
export function unregistered(evidence: readonly Evidence[], graph: Pick<TypedGraph, "entities" | "facts">): string[] {
	const bySubject = new Map<string, GraphFact[]>();
	for (const fact of graph.facts) bySubject.set(fact.subject, [...(bySubject.get(fact.subject) ?? []), fact]);
	const stated = new Map(
		graph.facts.map((fact) => [fact, new Set(fact.statements.map((statement) => statement.evidence))]),
	);
	const names = { en: nameIndex(graph, "en"), es: nameIndex(graph, "es") };
	const missing: string[] = [];
	for (const item of evidence) {
		if (item.kind === "image") continue;
		const language = item.language === "es" ? "es" : "en";
		const own = item.document.replace(/^es\//, "");
		for (const { text, cue, heading } of pieces(item.text, names[language])) {
			const { found, phrases } = read(text, names[language]);
			for (const subject of new Set([...found, own, ...(heading === undefined ? [] : [heading])]))
				for (const fact of bySubject.get(subject) ?? []) {
					if (stated.get(fact)?.has(item.id) || !cues[fact.relation]?.test(cue)) continue;
					const says =
						"entity" in fact.object ? found.has(fact.object.entity) : phrases.has(valueText(fact, language) ?? "");
					if (
						says &&
						!meansAnother(fact, { found, own, isTold: (other) => stated.get(other)?.has(item.id) === true, bySubject })
					)
						missing.push(`${item.id}: ${subject} ${fact.relation} in "${text}"`);
				}
		}
	}
	return missing;
}

/**
 * Sentences that name both ends and mean something else: neighbours of the article's country listed side by side, the
 * same relation of one named entity to another or to the object of the article's own, said the other way round.
 */
function meansAnother(
	{ subject, relation, object }: GraphFact,
	context: { found: Set<string>; own: string; isTold(fact: GraphFact): boolean; bySubject: Map<string, GraphFact[]> },
): boolean {
	const { found, own, isTold, bySubject } = context;
	const end = "entity" in object ? object.entity : undefined;
	if (relation === "borders") return subject !== own && end !== own;
	const told = (from: string, to: string | undefined) =>
		(bySubject.get(from) ?? []).some(
			(other) => other.relation === relation && isTold(other) && "entity" in other.object && other.object.entity === to,
		);
	if (end !== undefined && told(end, subject)) return true;
	return !found.has(subject) && [...found].some((other) => told(other, end));
}

type NameIndex = Map<string, string[]>;

/** Entities by name; official names too, within which other countries may be named. */
function nameIndex({ entities, facts }: Pick<TypedGraph, "entities" | "facts">, language: Language): NameIndex {
	const index: NameIndex = new Map();
	const add = (name: string, id: string) => {
		const known = index.get(plain(name)) ?? [];
		if (!known.includes(id)) index.set(plain(name), [...known, id]);
	};
	for (const { id, names, mentions } of entities.values()) {
		add(names[language], id);
		add(mentions?.[language] ?? names[language], id);
	}
	for (const { subject, relation, object } of facts)
		if (relation === "official-name" && "answer" in object)
			for (const article of ["", "the "]) add(article + object.answer.value, subject);
	return index;
}

/** Sentences and lines, each with the text in which its cue may stand and the entity whose heading it is under. */
function* pieces(text: string, names: NameIndex): Generator<{ text: string; cue: string; heading?: string }> {
	let heading: string | undefined;
	let header = "";
	for (const line of text.split("\n")) {
		const country = names.get(plain(line))?.find((id) => id.startsWith("country/"));
		if (country !== undefined) heading = country;
		if (line.includes(" | ") && header === "") header = line;
		const cue = line.includes(" | ") ? `${header} ${line}` : "";
		for (const sentence of line.replace(/\b(St|Mt|D)\. /g, "$1.\u00a0").split(/(?<=[.!?])\s+(?=\p{Lu}|“)/u))
			yield { text: sentence, cue: cue === "" ? sentence : cue, ...(heading !== undefined && { heading }) };
	}
}

/** Entities named, the longest names first so that none is found within another; and every run of words and names. */
function read(text: string, names: NameIndex): { found: Set<string>; phrases: Set<string> } {
	const words = plain(text).split(" ");
	const found = new Set<string>();
	const whole: string[] = [];
	for (let start = 0; start < words.length; ) {
		let taken = 1;
		for (let length = Math.min(longestName, words.length - start); length > 0; length -= 1) {
			const ids = names.get(words.slice(start, start + length).join(" "));
			if (!ids) continue;
			for (const id of ids) found.add(id);
			taken = length;
			break;
		}
		whole.push(words.slice(start, start + taken).join(" "));
		start += taken;
	}
	const phrases = new Set<string>();
	for (let start = 0; start < whole.length; start += 1)
		for (let length = 1; length <= longestName && start + length <= whole.length; length += 1)
			phrases.add(whole.slice(start, start + length).join(" "));
	return { found, phrases };
}

/** The object as texts write it; yes and no are too common to be looked for. */
function valueText(fact: GraphFact, language: Language): string | undefined {
	if ("entity" in fact.object || fact.object.answer.type === "boolean") return undefined;
	const { answer } = fact.object;
	if (answer.type === "number") return plain(numberText(answer.number.value, language));
	return plain(answer.type === "time" ? timeText(answer.time.iso, language) : answer.value);
}

/** Lower case, words parted by single blanks, punctuation around words taken off. */
const plain = (text: string) =>
	text
		.toLowerCase()
		.split(/[\s/|“”«»()\u00a0]+/)
		.map((word) => word.replace(/^[,;:¿¡"]+|[.,;:!?"]+$/g, "").replace(/%$/, ""))
		.filter((word) => word !== "")
		.join(" ");
