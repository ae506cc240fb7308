/**
 * Grammars that hold a reply to its protocol, in GBNF, which llama.cpp reads, and xgrammar for vLLM and SGLang. A line is
 * short: a small model that is held to a form would otherwise fill it until its tokens are spent.
 */

/** What the next reply may be. */
export interface NextReply {
	/** Nothing was said before it. */
	first: boolean;
	/** It may only answer. */
	last: boolean;
}

/** Text as it stands. */
export const literal = (text: string): string => JSON.stringify(text);

/** A piece of a rule that may be left out. */
export const optional = (rule: string): string => `(${rule})?`;

/** Either of these pieces. */
export const either = (...rules: readonly string[]): string => `(${rules.join(" | ")})`;

/**
 * One line without the marks that open a tag: `line` longer, for a thought; `words` shorter, for a query or an answer; `inner`
 * without brackets, `quoted` as it stands in a JSON string.
 */
const rules = [
	"line ::= [^<\\n] [^<\\n]{0,299}",
	"words ::= [^<\\n] [^<\\n]{0,159}",
	"inner ::= [^<\\n[\\]] [^<\\n[\\]]{0,159}",
	'quoted ::= [^<\\n"\\\\] [^<\\n"\\\\]{0,159}',
];

/** A grammar of one root rule, which may name these. */
export const grammarOf = (root: string): string => [`root ::= ${root}`, ...rules].join("\n");

/** The number of one of so many images, from 1. */
export const imageNumber = (images: number): string =>
	either(...Array.from({ length: Math.max(1, Math.min(images, 20)) }, (_, at) => literal(String(at + 1))));
