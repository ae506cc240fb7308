import { byCodeUnits, remembering } from "#domain";
import { sha256 } from "#store";
import type { AliasClaim, Named } from "./claim.ts";
import { isAcronym, isValue, nameKey, splitName, typeFamily } from "./names.ts";
import { push } from "./push.ts";

/** One mention of an entity: an end of a claim, with the document that it stands in. */
export interface Mention extends Named {
	document?: string | undefined;
	description?: string | undefined;
}

/** What a mention's name and type come to. Equal keys are one entity, unless their families conflict. */
interface MentionKey {
	key: string;
	family: string;
	/** Why the key is not the name's own. */
	reason?: string;
}

/** What an acronym stands for. */
interface Meaning {
	key: string;
	reason: string;
}

export const tidy = (name: string) => name.normalize("NFC").replace(/\s+/gu, " ").trim() || name;
export const tidied = (mention: Mention): Mention => {
	const name = tidy(mention.name);
	return name === mention.name ? mention : { ...mention, name };
};
export const reasonOf = ({ evidence, quote }: AliasClaim) =>
	quote === undefined ? `acronym explained in ${evidence}` : `${evidence} says: ${quote}`;

/** An acronym in brackets behind its long form, rather than another name. */
export const isAcronymClaim = ({ alias, quote }: AliasClaim) => quote === undefined && isAcronym(alias);

/** The key of each mention, names tidied; an acronym has that of what it stands for, in its document or everywhere. */
export function keyFinder(mentions: Mention[], claims: AliasClaim[]): (mention: Mention) => MentionKey {
	const ownKey = remembering(
		({ id, name, type }: Named): MentionKey => {
			const family = typeFamily(type);
			return { key: id === undefined ? plainKey(name, family) : `@${id}`, family };
		},
		{ keyOf: ({ id, name, type = "" }) => (id === undefined ? `=${type}\n${name}` : `@${id}\n${type}`) },
	);
	const families = new Map<string, Set<string>>();
	const longs = new Map<string, (Meaning & { document: string | undefined })[]>();
	for (const claim of claims.filter(isAcronymClaim)) {
		const { key } = ownKey({ name: tidy(claim.name) });
		push(longs, lettersOf(claim.alias), { key, document: claim.document, reason: reasonOf(claim) });
	}
	for (const mention of mentions) {
		const { key, family } = ownKey(mention);
		if (family !== "") families.set(key, (families.get(key) ?? new Set<string>()).add(family));
		if (mention.id !== undefined || !mention.name.endsWith(")")) continue;
		const { acronym } = splitName(mention.name);
		const reason = `acronym explained in "${mention.name}"`;
		if (acronym) push(longs, lettersOf(acronym), { key, document: mention.document, reason });
	}
	const meanings = new Map([...longs].map(([letters, found]) => [letters, meaningsOf(found)]));
	return (mention) => {
		const own = ownKey(mention);
		if (mention.id !== undefined || !isAcronym(mention.name)) return own;
		const { anywhere, inDocument } = meanings.get(lettersOf(mention.name)) ?? {};
		const meaning = inDocument?.get(mention.document ?? "") ?? anywhere;
		if (!meaning || meaning.key === own.key) return own;
		const others = families.get(meaning.key);
		return own.family !== "" && others && !others.has(own.family) ? own : { ...meaning, family: own.family };
	};
}

function meaningsOf(found: (Meaning & { document: string | undefined })[]) {
	const byDocument = new Map<string, Meaning[]>();
	for (const one of found) if (one.document !== undefined) push(byDocument, one.document, one);
	return {
		anywhere: only(found),
		inDocument: new Map([...byDocument].map(([document, here]) => [document, only(here)])),
	};
}

/** The meaning, where all agree on one; of several reasons the first in order. */
function only(found: Meaning[]): Meaning | undefined {
	const [first] = [...found].sort((a, b) => byCodeUnits(a.reason, b.reason));
	return first && found.every(({ key }) => key === first.key) ? { key: first.key, reason: first.reason } : undefined;
}

/** Values are compared as written: "-5" is not "5", and "10 %" is not "10". */
function plainKey(name: string, family: string): string {
	const exact = () => `=${name.normalize("NFKC").toLowerCase().replaceAll("~", "∼")}`;
	const key = isValue(name, family) ? exact() : nameKey(name) || exact();
	return key.length > 300 ? `${key.slice(0, 280)}#${sha256(key).slice(0, 16)}` : key;
}

const lettersOf = (acronym: string) => acronym.replace(/[^\p{L}\p{N}]/gu, "");
