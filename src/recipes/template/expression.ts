import type { Answer } from "#domain";
import type { Depiction, GraphEntity, GraphFact, GraphRelation, Language, Operation } from "./graph.ts";
import { spokenIn } from "./quantity.ts";

/**
 * A question before it is worded: a tree whose leaves are entities (named, or shown in an image), whose inner nodes
 * follow a fact or compute. It carries its meaning, so that chain and wording are two readings of the same tree.
 */
export type Expression = Leaf | Step | Computation;
export type Value = { entity: GraphEntity } | { answer: Answer };

export type Leaf =
	| { kind: "named"; entity: GraphEntity }
	| { kind: "pictured"; entity: GraphEntity; depiction: Depiction; variant: number };

/** A fact followed from its subject ("forward") or from its object ("inverse"). */
export interface Step {
	kind: "step";
	of: Expression;
	fact: GraphFact;
	relation: GraphRelation;
	direction: "forward" | "inverse";
	value: Value;
	/** Which of the relation's phrasings; taken modulo their number. */
	variant: number;
}

export interface Computation {
	kind: "computation";
	op: Operation;
	operands: Expression[];
	/** What orders or measures the operands, where they share it. */
	relation?: GraphRelation;
	value: Value;
	variant: number;
}

/** The entity or literal that the expression denotes. */
export function meaningOf(expression: Expression): Value {
	return expression.kind === "named" || expression.kind === "pictured"
		? { entity: expression.entity }
		: expression.value;
}

export function entityOf(expression: Expression): GraphEntity | undefined {
	const value = meaningOf(expression);
	return "entity" in value ? value.entity : undefined;
}

/** What the expression is built on, directly. */
export function partsOf(expression: Expression): Expression[] {
	if (expression.kind === "step") return [expression.of];
	return expression.kind === "computation" ? expression.operands : [];
}

/** The leaves in the order in which the question says them. */
export function leavesOf(expression: Expression): Leaf[] {
	if (expression.kind === "named" || expression.kind === "pictured") return [expression];
	return partsOf(expression).flatMap(leavesOf);
}

/** Relations followed or compared by, each as often as it occurs. */
export function relationsOf(expression: Expression): string[] {
	const own =
		expression.kind === "step"
			? [`${expression.relation.id}${expression.direction === "inverse" ? "^-1" : ""}`]
			: expression.kind === "pictured"
				? [expression.depiction.what.en]
				: expression.kind === "computation"
					? [expression.op]
					: [];
	return [...partsOf(expression).flatMap(relationsOf), ...own];
}

/** Every entity in the tree but leaves that the question names, with repetitions. */
export function hiddenEntitiesOf(expression: Expression): GraphEntity[] {
	const own = expression.kind === "named" ? undefined : entityOf(expression);
	return [...partsOf(expression).flatMap(hiddenEntitiesOf), ...(own ? [own] : [])];
}

/** The value as an answer in the language; names in the other language count as right too. */
export function answerOf(value: Value, language: Language): Answer {
	if ("answer" in value) return spokenIn(value.answer, language);
	const { names, aliases } = value.entity;
	const other = language === "en" ? "es" : "en";
	const accepted = [names[language], ...aliases[language], names[other], ...aliases[other]];
	return { type: "string", value: names[language], accepted: [...new Set(accepted.filter((name) => name !== ""))] };
}
