import type { Task } from "#domain";
import { sha256 } from "#store";
import { seeded } from "../seeded.ts";

/** An item spoilt on purpose, to see whether reviewers look. */
export interface Trap {
	/** Of the same form as the others', so that nothing gives it away. */
	id: string;
	task: Task;
	/** The item it was made of, and what was done to it. */
	from: string;
	spoilt: "answer" | "last-hop";
}

/**
 * Spoils a share of the tasks: the answer of another task of the same answer type takes the place of its own, or the last
 * hop's sub-question and answer are another task's. Reviewers should discard them. The same seed spoils the same tasks.
 */
export function spoil(tasks: readonly Task[], { share, seed }: { share: number; seed: number }): Trap[] {
	const draws = seeded(seed, "traps");
	const wanted = Math.round(tasks.length * share);
	const traps: Trap[] = [];
	for (const task of draws.shuffle(tasks)) {
		if (traps.length >= wanted) break;
		const others = tasks.filter(
			(other) =>
				other.answer.type === task.answer.type &&
				!other.answer.accepted.some((form) => task.answer.accepted.includes(form)),
		);
		const other = draws.pick(others);
		if (other) traps.push(trapOf(task, other, draws.next() < 0.5 && task.chain !== undefined ? "last-hop" : "answer"));
	}
	return traps;
}

function trapOf(task: Task, other: Task, spoilt: Trap["spoilt"]): Trap {
	const id = `${task.id.replace(/[0-9a-f]{6,}$/, "")}${sha256(`trap ${task.id}`).slice(0, 10)}`;
	const theirs = other.chain?.hops.find((hop) => hop.id === other.chain?.sink);
	const sink = task.chain?.sink;
	const hops = task.chain?.hops.map((hop) => {
		if (hop.id !== sink) return hop;
		return spoilt === "answer" || !theirs
			? { ...hop, answer: other.answer }
			: { ...hop, question: theirs.question, answer: other.answer };
	});
	const chain = task.chain && hops ? { ...task.chain, hops } : undefined;
	return { id, from: task.id, spoilt, task: { ...task, id, answer: other.answer, ...(chain ? { chain } : {}) } };
}
