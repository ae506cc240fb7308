import { type Item, questionOf } from "#domain";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { rule } from "./rule.ts";

/** Whole words of four digits, with an s or without. */
const years = (text: string): string[] => text.match(/(?<![\p{L}\p{N}_])\p{Nd}{4}s?(?![\p{L}\p{N}_])/gu) ?? [];

/** The question of the item that this one was grown from, where a stage noted it; else its first hop's. */
const questionBefore = ({ notes, chain }: Item): string =>
	typeof notes.grownFrom === "string" ? notes.grownFrom : (chain.hops[0]?.question ?? "");

/** Every year of the questions that it was grown from is still asked about, unless it is an answer on the way. */
export function yearsKept(): RuleCheck {
	const concerns = ({ chain }: Item) => chain.hops.length > 1;
	return rule({ name: "years-kept", concerns }, (item) => {
		const { hops, sink } = item.chain;
		const earlier = hops.filter(({ id, compute }) => id !== sink && !compute).map(({ question }) => question);
		const found = new Set(hops.flatMap(({ answer }) => years([answer.value, ...answer.accepted].join(" "))));
		const kept = new Set(years(questionOf(item)));
		const lost = years([questionBefore(item), ...earlier].join(" ")).find(
			(year) => !kept.has(year) && !found.has(year),
		);
		return lost === undefined ? pass() : fail("time_unanchored", `${lost} is lost`);
	});
}

/** The question has grown by so many characters over the one that it extends: less means that something fell away. */
export function longerThanBefore({ least = 3 }: { least?: number } = {}): RuleCheck {
	const concerns = ({ chain }: Item) => chain.hops.length > 1;
	return rule({ name: "longer-than-before", params: { least }, concerns }, (item) => {
		const grown = questionOf(item).length - questionBefore(item).length;
		const measured = { score: grown, threshold: least };
		return grown >= least ? pass(measured) : fail("under_specified", `longer by ${grown} characters`, measured);
	});
}
