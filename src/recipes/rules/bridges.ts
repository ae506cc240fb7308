import { type Answer, type Hop, type Item, questionOf } from "#domain";
import { answerPresence, mentionsAny } from "#scoring";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { isBareNumber } from "./answer-form.ts";
import { isChoosing, isYesOrNo } from "./comparison.ts";
import { rule } from "./rule.ts";

type Matching = "words" | "released";

/** A hop with an earlier one whose answer is what it asks about. */
interface Bridge {
	hop: Hop;
	from: Hop;
	/** Place of the earlier hop, from 1, as `#1` in a sub-question names it. */
	place: number;
}

/** Every place of a chain where an answer becomes the next question's subject. */
export function bridgesOf({ chain }: Pick<Item, "chain">): Bridge[] {
	return chain.hops.flatMap((hop) =>
		hop.needs.flatMap((need): Bridge[] => {
			const place = chain.hops.findIndex(({ id }) => id === need.hop) + 1;
			const from = chain.hops[place - 1];
			return from && need.role === "bridge" ? [{ hop, from, place }] : [];
		}),
	);
}

/** What a chain lacks in which no answer becomes another question's subject. */
export const lacksBridges = (item: Item): string | undefined =>
	bridgesOf(item).length === 0 ? "no hop asks about an earlier answer" : undefined;

const isSaid = (answer: Answer, question: string, matching: Matching): boolean =>
	matching === "released"
		? answerPresence(answer.value, question).named
		: mentionsAny(
				[answer.value, ...answer.accepted].flatMap((form) => [form, nameOf(form)]),
				[question],
			);

/** The hop asks about the earlier answer: by a form of it, or by its number as in `#1`. */
export function isMentioned({ hop, from, place }: Bridge, options: { matching?: Matching } = {}): boolean {
	if (new RegExp(`#\\s*(?:${place})(?!\\p{Nd})`, "u").test(hop.question)) return true;
	return isSaid(from.answer, hop.question, options.matching ?? "words");
}

/**
 * A hop that needs an earlier answer names it (or its number). Computing hops name nothing. `released`: all words of the
 * answer that look like names follow one another in the question.
 */
export function bridgesMentioned({ matching = "words" }: { matching?: Matching } = {}): RuleCheck {
	return rule({ name: "bridges-mentioned", params: { matching }, lacks: lacksBridges }, (item) => {
		const missed = bridgesOf(item).find(
			(bridge) => bridge.hop.modality !== "compute" && !isMentioned(bridge, { matching }),
		);
		if (!missed) return pass();
		const { hop, from } = missed;
		return fail("bad_linkage", `"${hop.question}" does not name "${from.answer.value}"`, { on: { hop: hop.id } });
	});
}

/**
 * No answer on the way to the last one stands in the question. What a comparison chose is exempt: its question named it
 * already; so is a yes or no.
 */
export function bridgesHidden(): RuleCheck {
	const onTheWay = ({ chain }: Item) =>
		chain.hops.filter((hop) => hop.id !== chain.sink && !isChoosing(hop) && !isYesOrNo(hop.answer));
	const lacks = (item: Item) => (onTheWay(item).length === 0 ? "no other answer leads to the last one" : undefined);
	return rule({ name: "bridges-hidden", lacks }, (item) => {
		const question = questionOf(item);
		const shown = onTheWay(item).find(({ answer }) => mentionsAny([answer.value, ...answer.accepted], [question]));
		return shown ? fail("intermediate_in_question", shown.answer.value, { on: { hop: shown.id } }) : pass();
	});
}

/** The bridge stands in its sub-question once, verbatim and whole: the rule of MMhops' sub-questions. */
export function bridgesNamedOnce(): RuleCheck {
	return rule({ name: "bridges-named-once", lacks: lacksBridges }, (item) => {
		for (const { hop, from } of bridgesOf(item)) {
			const times = hop.question.split(from.answer.value).length - 1;
			const detail = `"${from.answer.value}" stands ${times} times in "${hop.question}"`;
			if (times !== 1) return fail("missing_name", detail, { on: { hop: hop.id }, score: times });
		}
		return pass();
	});
}

/** No bare number or year leads to another hop. Operands of a computation are what numbers are for. */
export function noNumericBridge(): RuleCheck {
	return rule({ name: "no-numeric-bridge", lacks: lacksBridges }, (item) => {
		const bridge = bridgesOf(item).find(({ from }) => isBareNumber(from.answer.value));
		return bridge ? fail("numeric_intermediate", bridge.from.answer.value, { on: { hop: bridge.from.id } }) : pass();
	});
}

/** The name that a title gives: what tells namesakes apart, in brackets behind it, is nothing that people say. */
export const nameOf = (title: string): string => title.replace(/(?<=\S)\s+\([^()]*\)$/u, "");
