import { type Item, questionOf } from "#domain";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { isComparison } from "./comparison.ts";
import { rule } from "./rule.ts";

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
