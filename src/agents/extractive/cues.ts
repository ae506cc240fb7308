/** Where encyclopedic prose puts an answer: wordings of kinship and lives that no count of shared words tells apart. */
import type { Sought } from "./ask.ts";
import type { Sentence } from "./passage-parts.ts";
import type { Span } from "./spans.ts";
import { contentStems, isFunctionWord, stem } from "./words.ts";

interface Cue {
	/** Stems of the relation that it speaks for. */
	of: string;
	/** Text right before the span. */
	before?: RegExp;
	/** Text right after the span. */
	after?: RegExp;
	bonus: number;
}

const cues: Cue[] = [
	{ of: "father padre", before: /\b(?:son|daughter|child|hij[oa]) (?:of|de)(?: the)?(?: \p{L}+){0,3} $/u, bonus: 1 },
	{ of: "father padre", before: /\b(?:father|padre)(?: was| is|,| era| fue)? (?:\p{L}+ ){0,2}$/u, bonus: 0.8 },
	{ of: "father padre", before: /\b(?:son|daughter|child) of [^.;]{3,60} and (?:his wife )?$/u, bonus: -1 },
	{
		of: "mother madre",
		before: /\b(?:son|daughter|child|hij[oa]) (?:of|de) [^.;]{3,80} (?:and|y)(?: his| her)?(?: [\p{Ll}-]+){0,3} $/u,
		bonus: 1.2,
	},
	{ of: "mother madre", before: /\b(?:mother|madre)(?: was| is|,| era| fue)? (?:\p{L}+ ){0,2}$/u, bonus: 1 },
	{ of: "mother madre", before: /\b(?:son|daughter|child) of (?:the )?$/u, bonus: -0.5 },
	{
		of: "spouse husband wife esposa esposo marido",
		before:
			/\b(?:married|wife of|husband of|married to|spouse of|wife|husband|consort of|widow of)(?: to)?(?:,| was| is)? (?:\p{Ll}+ ){0,2}$/u,
		bonus: 1,
	},
	{
		of: "child children hijo hija son daughter",
		before: /\b(?:father|mother|parent|padre|madre) (?:of|de) (?:\p{Ll}+ ){0,2}$/u,
		bonus: 1,
	},
	{
		of: "director directed dirigida dirigido",
		before: /\b(?:directed|direction|director|dirigid[oa])(?: and [\p{Ll}-]+)*(?: by| por|:|,| was| is)? $/u,
		bonus: 0.9,
	},
	{
		of: "author writer wrote written novel autor escritor",
		before:
			/\b(?:written|novel|book|play|authored|wrote|escrit[oa])(?: and [\p{Ll}-]+)*(?: by| por) (?:\p{Ll}+ ){0,3}(?:\p{Lu}\p{Ll}+ author )?$/u,
		bonus: 0.9,
	},
	{
		of: "performer singer sung recorded",
		before: /\b(?:song|single|recorded|performed|sung|album|track)(?: and [\p{Ll}-]+)*(?: by| from) [^.,;]{0,50}$/u,
		bonus: 0.6,
	},
	{
		of: "composer composed music",
		before: /\b(?:composed|music|score|scored|composer)(?: and [\p{Ll}-]+)*(?: by| was by|:)? (?:\p{Ll}+ ){0,2}$/u,
		bonus: 0.9,
	},
	{
		of: "founder founded",
		before: /\b(?:founded|established|created)(?: in \d{4})? by (?:\p{Ll}+ ){0,3}$/u,
		bonus: 0.9,
	},
	{ of: "publisher published", before: /\bpublished (?:\p{Ll}+ )?by (?:\p{Ll}+ ){0,2}$/u, bonus: 1 },
	{
		of: "creator painter painted created",
		before: /\b(?:painted|painting|created|developed|designed)(?: in \d{4})? by (?:[\p{L}]+ ){0,3}$/u,
		bonus: 0.8,
	},
];
const byStem = new Map<string, Cue[]>();
for (const cue of cues)
	for (const word of cue.of.split(" ")) byStem.set(stem(word), [...(byStem.get(stem(word)) ?? []), cue]);

const birth = new Set("born birth birthday birthdate birthplace nacio nacido nacida nacimiento".split(" ").map(stem));
const death = new Set("died death die dies murio fallecio muerte fallecimiento".split(" ").map(stem));

/** The bonus of a span by the wording around it. `own`: the passage is about the known entity. */
export function cueBonus(span: Span, sentence: Sentence, sought: Sought, own: boolean): number {
	const wanted = contentStems(sought.words);
	const start = sentence.tokens[span.from]?.start ?? 0;
	const lead = sentence.text.slice(Math.max(0, start - 120), start);
	let bonus = 0;
	for (const word of wanted)
		for (const cue of byStem.get(word) ?? [])
			if (cue.before?.test(lead)) bonus = cue.bonus < 0 ? bonus + cue.bonus : Math.max(bonus, cue.bonus);
	bonus += placeBonus(span, sentence, sought, lead);
	const forBirth = wanted.some((word) => birth.has(word));
	const forDeath = wanted.some((word) => death.has(word));
	if (forBirth || forDeath) bonus += lifeBonus(span, sentence, { lead, own, forBirth });
	return bonus;
}

/** A place stands after "in" or "at"; a lone capitalised word before a plain noun is an adjective ("American actor"). */
function placeBonus(span: Span, sentence: Sentence, sought: Sought, lead: string): number {
	if (span.kind !== "name" || sought.want === "number" || sought.want === "date" || sought.want === "year") return 0;
	const last = sentence.tokens[span.to];
	const next = sentence.tokens[span.to + 1];
	const adjective =
		span.from === span.to &&
		last !== undefined &&
		next !== undefined &&
		/^\p{Ll}{3,}/u.test(next.text) &&
		!isFunctionWord(next.text) &&
		sentence.text.slice(last.end, next.start) === " " &&
		/\b(?:an?|the|un|una|el|la|is|was)\s$/.test(lead);
	if (adjective) return sought.want === "any" ? -0.2 : -0.7;
	if (sought.want !== "place") return 0;
	return /\b(?:in|at|near|to|en)\s(?:the\s|[\p{Lu}][\p{L}]+,\s)?$/u.test(lead) ? 0.4 : 0;
}

/** "(born 12 May 1950 in Lima)", "(3 June 1901 – 9 May 1980)", "died in Madrid". */
function lifeBonus(span: Span, sentence: Sentence, context: { lead: string; own: boolean; forBirth: boolean }): number {
	const { lead, own, forBirth } = context;
	const asked = forBirth
		? /\b(?:born|b\.|nacid[oa]|nació)\s?(?:on |in |at |el |en )?[^.;()]{0,60}$/iu
		: /(?:\b(?:died|death|d\.|murió|falleció|fallecid[oa])|†)\s?(?:on |in |at |el |en |of )?[^.;()]{0,60}$/iu;
	const other = forBirth
		? /\b(?:died|death|murió|falleció)\b[^.;]{0,60}$/iu
		: /\b(?:born|nacid[oa]|nació)\b[^.;–-]{0,60}$/iu;
	if (span.kind === "date") {
		const open = sentence.text.indexOf("(");
		const start = sentence.tokens[span.from]?.start ?? 0;
		const close = sentence.text.indexOf(")", open);
		if (own && sentence.index === 0 && open !== -1 && start > open && (close === -1 || start < close)) {
			const inner = sentence.text.slice(open, start);
			const second =
				/\d{3,4}[^)]{0,60}[–—-]/u.test(inner) ||
				/[–—]\s*$/u.test(inner) ||
				/[–—-][^\d]*(?:\d{1,2}[^\d]{1,12})?$/u.test(inner.replace(/^\(/, ""));
			return (forBirth ? !second && !/\bdied\b/i.test(inner) : second || /\bdied\b/i.test(inner)) ? 1.5 : -0.8;
		}
	}
	if (asked.test(lead) && !other.test(lead)) return 0.8;
	return other.test(lead) && !asked.test(lead) ? -0.8 : 0;
}
