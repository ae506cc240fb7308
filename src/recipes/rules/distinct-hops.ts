import { type Item, questionOf, retrievalHops } from "#domain";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { isComparison, isYesOrNo } from "./comparison.ts";
import { rule } from "./rule.ts";

/** No two hops rest on the same evidence. A recipe whose steps may share a page leaves this rule out. */
export function distinctEvidence(): RuleCheck {
	const lacks = ({ chain }: Item) =>
		retrievalHops(chain).length < 2 ? "fewer than two hops name evidence" : undefined;
	return rule({ name: "distinct-evidence", params: { by: "evidence" }, lacks }, ({ chain }) => {
		const owner = new Map<string, string>();
		for (const hop of retrievalHops(chain))
			for (const name of new Set(hop.evidence)) {
				const other = owner.get(name);
				if (other) return fail("hop_skippable", `${other} and ${hop.id} share ${name}`, { on: { hop: hop.id } });
				owner.set(name, hop.id);
			}
		return pass();
	});
}

/** No hop answers what another answered already. Operands may be equal, and a computation may choose among them. */
export function distinctAnswers(): RuleCheck {
	const concerns = ({ chain }: Item) => chain.hops.length > 1;
	return rule({ name: "distinct-answers", concerns }, ({ chain }) => {
		const operands = new Set(
			chain.hops.flatMap(({ needs }) => needs.filter(({ role }) => role === "operand").map(({ hop }) => hop)),
		);
		const seen = new Set<string>();
		for (const hop of chain.hops) {
			if (hop.compute || operands.has(hop.id) || isYesOrNo(hop.answer)) continue;
			const value = hop.answer.value.trim().toLowerCase();
			if (seen.has(value)) return fail("repeated_answer", hop.answer.value, { on: { hop: hop.id } });
			seen.add(value);
		}
		return pass();
	});
}

const plain = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(" ");

/**
 * The question is more than its parts side by side. It is not where its last hop merely collects what others found and
 * computes nothing, where the answer lists the answers of several hops, or where a sub-question stands in it whole behind
 * an "and". A comparison joins its branches by computing.
 */
export function noTrivialConcatenation(): RuleCheck {
	const concerns = ({ chain }: Item) => chain.hops.length > 1;
	return rule({ name: "no-trivial-concatenation", concerns }, (item) => {
		const { chain, answer } = item;
		const sink = chain.hops.find(({ id }) => id === chain.sink);
		if (sink?.compute) return pass();
		const collected = sink?.needs.filter(({ role }) => role === "operand") ?? [];
		if (collected.length > 1) return fail("trivial_concatenation", "the last hop collects and computes nothing");
		const parts = new Set(answer.value.split(/[,;&]|\band\b/).map(plain));
		const listed = new Set(chain.hops.map((hop) => plain(hop.answer.value)).filter((value) => parts.has(value)));
		if (listed.size > 1) return fail("trivial_concatenation", `the answer lists ${[...listed].join(" and ")}`);
		const question = ` ${plain(questionOf(item))} `;
		const whole = chain.hops.find((hop) => question.includes(` and ${plain(hop.question)} `));
		return whole ? fail("trivial_concatenation", `… and "${whole.question}"`) : pass();
	});
}

/** The last sub-question does not stand whole in the question: one could answer it and skip the rest. */
export function newestNotWhole(): RuleCheck {
	const concerns = (item: Item) => item.chain.hops.length > 1 && !isComparison(item);
	return rule({ name: "newest-not-whole", concerns }, (item) => {
		const sink = item.chain.hops.find(({ id }) => id === item.chain.sink);
		if (!sink || sink.compute) return pass();
		const holds = ` ${plain(questionOf(item))} `.includes(` ${plain(sink.question)} `);
		return holds ? fail("hop_skippable", sink.question, { on: { hop: sink.id } }) : pass();
	});
}

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
