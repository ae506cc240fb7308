import type { Evidence, Statement } from "#domain";
import { type AliasClaim, Claim, longestName } from "./claim.ts";
import type { Rejected } from "./manifest.ts";
import { acronymsIn, nameKey, plainWords } from "./names.ts";
import { type Quotable, quotable } from "./quote.ts";
import { type ReadReply, type ReplyTriple, readReply } from "./reply.ts";

/** Triples of one text that are taken; more than that is a model repeating itself. */
const mostTriples = 500;
const longestQuote = 2000;

/** What one reply comes to when held against its text. */
export interface Checked {
	claims: Claim[];
	aliases: AliasClaim[];
	rejected: Rejected[];
	/** Why nothing, or not everything, could be read. */
	problem?: string;
}

/** The text of an evidence that triples are taken from. */
export function readableText(evidence: Evidence): string {
	return evidence.kind === "image" ? evidence.caption : evidence.text;
}

/**
 * Holds a model's reply against the evidence that it was asked about: a triple is kept if its quote stands there word by
 * word and both ends are named in the quote, elsewhere in the text or in the title. Everything else is refused with its
 * reason. Never throws. `origin` names the model and the prompt.
 */
export function checkReply(evidence: Evidence, reply: string, origin: string): Checked {
	const read = readReply(reply);
	const place = quotable(readableText(evidence), evidence.title);
	const refusal = (reason: string, detail: string, item: unknown): Rejected => ({
		kind: "triple",
		evidence: evidence.id,
		reason,
		detail,
		item: (typeof item === "string" ? item : JSON.stringify(item)).slice(0, 2000),
		origin,
	});
	const claims: Claim[] = [];
	const rejected = read.refused.map(({ item, problem }) => refusal("bad-shape", problem, item));
	for (const [index, triple] of read.triples.entries()) {
		const found = index < mostTriples ? check(triple, evidence, place, origin) : tooMany;
		if ("claim" in found) claims.push(found.claim);
		else rejected.push(refusal(found.reason, found.detail, triple));
	}
	const aliases = [...explained(evidence), ...aliasesOf(read, evidence, place)];
	return { claims, aliases, rejected, ...(read.problem === undefined ? {} : { problem: read.problem }) };
}

const tooMany = { reason: "too-many", detail: `more than ${mostTriples} triples of one text` };

/** Words that stand for a name and are none. */
const pronouns = new Set(
	"he she it they him her his hers its their theirs them this that these those who which we us our you i me my one someone él ella ellos ellas".split(
		" ",
	),
);

function check(
	{ subject, relation, object, quote, subjectType, objectType }: ReplyTriple,
	evidence: Evidence,
	place: Quotable,
	origin: string,
): { claim: Claim } | { reason: string; detail: string } {
	const claim = Claim.safeParse({
		subject: { name: tidy(subject), ...typed(subjectType) },
		relation: tidy(relation),
		object: { name: tidy(object), ...typed(objectType) },
	});
	if (!claim.success) {
		const [issue] = claim.error.issues;
		return { reason: "bad-shape", detail: `${issue?.path.join(".")}: ${issue?.message}` };
	}
	for (const name of [claim.data.subject.name, claim.data.object.name])
		if (pronouns.has(plainWords(name))) return { reason: "pronoun", detail: `"${name}" names nothing` };
	if (sameName(subject, object)) return { reason: "same-ends", detail: "subject and object are one name" };
	if (quote.trim() === "") return { reason: "no-quote", detail: "without a quote" };
	if (quote.length > longestQuote) return { reason: "long-quote", detail: `a quote of ${quote.length} characters` };
	const span = place.find(quote);
	if (!span) return { reason: "quote-not-in-text", detail: "the quote does not stand in the text" };
	const verbatim = readableText(evidence).slice(...span);
	const grounds = { subject: place.groundsOf(subject, verbatim), object: place.groundsOf(object, verbatim) };
	if (!grounds.subject) return { reason: "subject-not-in-text", detail: `"${tidy(subject)}" is not named in the text` };
	if (!grounds.object) return { reason: "object-not-in-text", detail: `"${tidy(object)}" is not named in the text` };
	const statement: Statement = {
		...placeOf(evidence),
		basis: "quote",
		quote: verbatim,
		span,
		grounds: { subject: grounds.subject, object: grounds.object },
		origin,
	};
	return { claim: { ...claim.data, statement } };
}

/** Evidence, document and pages, as a statement names them. */
export function placeOf(evidence: Evidence): Pick<Statement, "evidence" | "document" | "pages"> {
	const pages =
		evidence.kind === "page"
			? [evidence.page]
			: evidence.kind === "image"
				? evidence.region && [evidence.region.page]
				: evidence.regions?.map(({ page }) => page);
	return {
		evidence: evidence.id,
		document: evidence.document,
		...(pages && pages.length > 0 ? { pages: [...new Set(pages)].sort((a, b) => a - b) } : {}),
	};
}

function explained(evidence: Evidence): AliasClaim[] {
	const place = { evidence: evidence.id, document: evidence.document };
	return acronymsIn(readableText(evidence)).map((one) => ({ ...one, ...place }));
}

/** Aliases count only where the quote stands in the text and names both. */
function aliasesOf(read: ReadReply, evidence: Evidence, place: Quotable): AliasClaim[] {
	return read.aliases.slice(0, mostTriples).flatMap(({ name, alias, quote }) => {
		const fits = [name, alias].every((one) => one.trim() !== "" && one.length <= longestName && nameKey(one) !== "");
		const span = fits && quote.length <= longestQuote && !sameName(name, alias) ? place.find(quote) : undefined;
		if (!span) return [];
		const verbatim = readableText(evidence).slice(...span);
		if ([name, alias].some((one) => pronouns.has(plainWords(one)) || place.groundsOf(one, verbatim) !== "quote"))
			return [];
		return [
			{ name: tidy(name), alias: tidy(alias), evidence: evidence.id, document: evidence.document, quote: verbatim },
		];
	});
}

/** Without marks that cannot be seen, line ends, and the quotation marks or asterisks that models put around names. */
const tidy = (text: string) =>
	text
		.replace(/\p{Cf}+/gu, "")
		.replace(/[\p{Cc}\s]+/gu, " ")
		.trim()
		.replace(/^(["“*_`]+)(.*?)["”*_`]+$/u, "$2")
		.trim();

const typed = (type: string | undefined) => (type?.trim() ? { type: tidy(type).slice(0, 60) } : {});
const sameName = (a: string, b: string) => tidy(a) === tidy(b) || (nameKey(a) !== "" && nameKey(a) === nameKey(b));
