import { disjointSets } from "#domain";
import type { Seeded } from "../seeded.ts";
import { type Expression, leavesOf, meaningOf, relationsOf } from "./expression.ts";
import type { Language, Operation } from "./graph.ts";
import { key, type Move } from "./walk.ts";

/**
 * Keeps count of what the tasks so far use, and says how far a candidate would add to what is already frequent:
 * relations, patterns of relations, answers, leaves and groups of tasks that share a leaf.
 */
export function createBalance() {
	const counts = new Map<string, number>();
	const used = new Map<string, number>();
	const groups = createGroups();
	const count = (name: string) => counts.get(name) ?? 0;
	const more = (name: string, by = 1) => counts.set(name, count(name) + by);

	return {
		/** Weight of a move in a random walk: falls with how often its relation was used. */
		weight: (move: Move) => 1 / (1 + (used.get(key(move)) ?? 0)),
		/** Higher is worse. Only comparable between candidates for the same place. */
		cost(expression: Expression, language: Language): number {
			const relations = relationsOf(expression);
			const average = relations.reduce((sum, relation) => sum + (used.get(relation) ?? 0), 0) / relations.length;
			return (
				0.15 * average +
				2 * count(`pattern ${patternOf(expression)}`) +
				(typeOf(expression) === "boolean" ? 0 : 3 * count(`answer ${answerText(expression, language)}`)) +
				0.04 * count(`type ${typeOf(expression)}`) +
				2 * groups.sizeWith(headsOf(expression))
			);
		},
		count(expression: Expression, language: Language): void {
			for (const relation of relationsOf(expression)) used.set(relation, (used.get(relation) ?? 0) + 1);
			more(`pattern ${patternOf(expression)}`);
			more(`answer ${answerText(expression, language)}`);
			more(`type ${typeOf(expression)}`);
			if (expression.kind === "computation") more(`operation ${expression.op}`);
			groups.add(headsOf(expression));
		},
		/** The operations from least to most used; ties by chance. */
		leastUsed(operations: readonly Operation[], random: Seeded): Operation[] {
			return random.shuffle(operations).sort((a, b) => count(`operation ${a}`) - count(`operation ${b}`));
		},
		/** Whether "yes" is behind "no" among the yes-or-no answers so far. */
		wantsYes: (language: Language) => count(`answer yes ${language}`) <= count(`answer no ${language}`),
		/** Names the group of tasks that share a leaf, directly or through others. */
		groupOf: (expression: Expression) => groups.nameOf(headsOf(expression)),
	};
}

const headsOf = (expression: Expression) => leavesOf(expression).map((leaf) => leaf.entity.id);

function patternOf(expression: Expression): string {
	return [...leavesOf(expression).map((leaf) => leaf.kind), ...relationsOf(expression)].join(" ");
}

function typeOf(expression: Expression): string {
	const value = meaningOf(expression);
	return "answer" in value ? value.answer.type : "entity";
}

function answerText(expression: Expression, language: Language): string {
	const value = meaningOf(expression);
	if ("entity" in value) return value.entity.id;
	return value.answer.type === "boolean" ? `${value.answer.value} ${language}` : value.answer.value;
}

/** Groups of names joined whenever they occur together, with how many tasks each holds. */
function createGroups() {
	const { rootOf, join } = disjointSets<string>();
	const sizes = new Map<string, number>();
	const rootsOf = (names: string[]) => [...new Set(names.map(rootOf))].sort();
	return {
		sizeWith: (names: string[]) => rootsOf(names).reduce((sum, root) => sum + (sizes.get(root) ?? 0), 0),
		add(names: string[]): void {
			const roots = rootsOf(names);
			const first = roots[0];
			if (first === undefined) return;
			const size = roots.reduce((sum, root) => sum + (sizes.get(root) ?? 0), 1);
			for (const root of roots) join(first, root);
			sizes.set(first, size);
		},
		nameOf: (names: string[]) => rootOf(names[0] ?? ""),
	};
}
