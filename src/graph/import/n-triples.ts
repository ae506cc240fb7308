import { readLines } from "#store";
import { collector, type Imported, type ImportOptions, relationOf } from "./imported.ts";

const iri = String.raw`<((?:[^<>"{}|^\x60\\\s]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*)>`;
const line = new RegExp(
	String.raw`^(?:${iri}|(_:[^\s]+))\s*${iri}\s*(?:${iri}|(_:[^\s]+)|"((?:[^"\\]|\\.)*)"(?:@([A-Za-z0-9-]+)|\^\^${iri})?)\s*\.\s*(?:#.*)?$`,
);
const longestLine = 100_000;

/** Predicates that name a thing rather than say something of it. */
const naming = /(?:rdf-schema#label|core#prefLabel|foaf\/0\.1\/name|schema\.org\/name)$/;
const alias = /(?:core#altLabel|schema\.org\/alternateName)$/;
const typing = /22-rdf-syntax-ns#type$/;
const numeric = /XMLSchema#(?:integer|decimal|double|float|int|long|short|nonNegativeInteger|positiveInteger)$/;
const temporal = /XMLSchema#(?:date|dateTime|gYear|gYearMonth|time)$/;

/**
 * Reads RDF N-Triples as a stream: a thing is its address, named by its labels (the English one first, the others as
 * aliases) or by the address's last part; a relation is its predicate's label or last part in words. N-Triples name no
 * place where a fact is stated.
 *
 * Source: https://www.w3.org/TR/n-triples/
 */
export async function readNTriples(file: string, options: ImportOptions = {}): Promise<Imported> {
	const into = collector("n-triples", options);
	const names = new Map<string, Set<string>>();
	const english = new Map<string, string>();
	const types = new Map<string, string>();
	const facts: { subject: string; predicate: string; object: string; literal?: { type?: string } }[] = [];
	for await (const { text, number } of readLines(file)) {
		if (text.startsWith("#")) continue;
		const match = text.length <= longestLine ? line.exec(text) : null;
		if (!match) {
			into.refuse(`line ${number} is no N-Triple`, text.slice(0, 300));
			continue;
		}
		const [, node, blank, predicate = "", target, blankTarget, value, language, datatype] = match.map(
			(part: string | undefined) => part && unescaped(part),
		);
		const subject = node ?? blank ?? "";
		if (value !== undefined && (naming.test(predicate) || alias.test(predicate))) {
			const known = names.get(subject) ?? new Set();
			names.set(subject, known.add(value.slice(0, 200)));
			if (naming.test(predicate) && (language === "en" || !english.has(subject)))
				english.set(subject, value.slice(0, 200));
		} else if (typing.test(predicate) && target !== undefined) types.set(subject, target);
		else if (facts.length < (options.maxItems ?? 5_000_000))
			facts.push({
				subject,
				predicate,
				object: value ?? target ?? blankTarget ?? "",
				...(value === undefined ? {} : { literal: literalType(datatype) }),
			});
		else into.lose("facts beyond the most that are taken are left out");
	}
	const nameOf = (id: string) => english.get(id) ?? lastPart(id);
	const thing = (id: string) => {
		const type = types.get(id);
		return {
			id: id.slice(0, 400),
			name: nameOf(id).slice(0, 200),
			...(type ? { type: nameOf(type).slice(0, 100) } : {}),
		};
	};
	for (const [id, all] of names) for (const name of all) into.entity({ ...thing(id), name });
	for (const { subject, predicate, object, literal } of facts)
		into.claim({
			subject: thing(subject),
			relation: relationOf(inWords(nameOf(predicate))),
			object: literal ? { name: object, ...literal } : thing(object),
		});
	into.lose("N-Triples name no passages: evidence is sought by what names both ends");
	return into.done();
}

const literalType = (datatype = "") =>
	numeric.test(datatype) ? { type: "number" } : temporal.test(datatype) ? { type: "time" } : {};

/** `http://dbpedia.org/resource/Andrei_Tarkovsky` → `Andrei Tarkovsky`. */
function lastPart(id: string): string {
	const last = /[^/#:]+(?=[/#]*$)/.exec(id.slice(-2000))?.[0] ?? id;
	try {
		return decodeURIComponent(last).replaceAll("_", " ");
	} catch {
		return last.replaceAll("_", " ");
	}
}

/** `birthPlace` → `birth place`. */
const inWords = (name: string) =>
	name.replace(/(\p{Ll})(\p{Lu})/gu, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);

const escapes: Record<string, string> = { t: "\t", b: "\b", n: "\n", r: "\r", f: "\f", '"': '"', "'": "'", "\\": "\\" };

function unescaped(text: string): string {
	return text.replace(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/g, (whole, short, long, one) => {
		if (one) return escapes[one as string] ?? whole;
		const code = Number.parseInt((short ?? long) as string, 16);
		return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
	});
}
