import { type Answer, type Chain, type Topology, topologyOf } from "#domain";
import { chainOf } from "./chain-of.ts";
import { type Expression, hiddenEntitiesOf, leavesOf, relationsOf } from "./expression.ts";
import { isShort, says } from "./giveaway.ts";
import type { Language, TypedGraph } from "./graph.ts";
import { phraseBook } from "./phrasing.ts";

/** An expression that passed every check, worded, with its chain. */
export interface Draft {
	expression: Expression;
	language: Language;
	question: string;
	chain: Chain;
	topology: Topology;
}

/**
 * Words an expression and checks it: no entity or relation comes back on the way, a question about equality shows two
 * kinds of image, nothing is left unworded, and the question says neither its answer, nor an answer on the way, nor a
 * name that an image hides. Undefined when it fails.
 */
export function drafted(expression: Expression, language: Language, graph: TypedGraph): Draft | undefined {
	if (returns(expression) || repeats(expression) || looksAlike(expression)) return undefined;
	const question = phraseBook(language, graph).question(expression);
	const chain = chainOf(expression, language, graph);
	const worded = [question, ...chain.hops.map((hop) => hop.question)];
	if (worded.some((text) => text === "" || /[{}]|^[¿?\s]*$/.test(text))) return undefined;
	if (chain.hops.some((hop) => givesAway(question, hop.answer))) return undefined;
	const hops = chain.hops.map((hop) => ({ ...hop, answer: withoutSaid(question, hop.answer) }));
	return { expression, language, question, chain: { ...chain, hops }, topology: topologyOf(chain) };
}

/** Whether an entity occurs twice. The two ends of an equality are meant to meet; a choice is one of its operands. */
function returns(expression: Expression): boolean {
	const root = expression.kind === "computation" ? expression : undefined;
	const hidden = hiddenEntitiesOf(expression).map((entity) => entity.id);
	if (root && "entity" in root.value) hidden.pop();
	if (root?.op === "equal" && "answer" in root.value && root.value.answer.value === "yes") {
		const [end] = root.operands.slice(-1).flatMap((operand) => hiddenEntitiesOf(operand).slice(-1));
		hidden.splice(hidden.indexOf(end?.id ?? ""), 1);
	}
	const named = leavesOf(expression).flatMap((leaf) => (leaf.kind === "named" ? [leaf.entity.id] : []));
	const all = [...hidden, ...named];
	return new Set(all).size < all.length;
}

/** Whether a path follows the same relation twice: "the neighbour of the neighbour of" reads like a riddle. */
function repeats(expression: Expression): boolean {
	if (expression.kind === "computation") return expression.operands.some(repeats);
	const path = relationsOf(expression);
	return new Set(path).size < path.length;
}

/** Two images compared for what they show must be of two kinds: two flags could be told apart without knowing any. */
function looksAlike(expression: Expression): boolean {
	if (expression.kind !== "computation" || expression.op !== "equal") return false;
	const [a, b] = expression.operands;
	return a?.kind === "pictured" && b?.kind === "pictured" && a.depiction.what.en === b.depiction.what.en;
}

function givesAway(question: string, answer: Answer): boolean {
	const exact = answer.type === "number" || answer.type === "time";
	return says(question, [answer.value, ...answer.accepted.filter((form) => exact || !isShort(form))]);
}

/** Drops accepted forms of one or two letters that happen to be words of the question. */
function withoutSaid<T extends Answer>(question: string, answer: T): T {
	return { ...answer, accepted: answer.accepted.filter((form) => form === answer.value || !says(question, [form])) };
}
