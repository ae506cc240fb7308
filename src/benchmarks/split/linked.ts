import { disjointSets, grouped, type Task } from "#domain";
import { citedBy } from "../cited-by.ts";
import { lineOf, type TextReading } from "../text-reading.ts";

/** What makes two tasks depend on one another, so that they may not stand in different splits. */
export const splitLinks = ["evidence", "fact", "image", "question", "ladder", "cluster", "answer"] as const;
export type SplitLink = (typeof splitLinks)[number];

/**
 * What a task shares with others, by kind. evidence: gold evidence of any hop or support; fact: gold evidence that states the same
 * answer, where one table or page states many; image: question images by content;
 * question: the task's question and the sub-questions of its hops; answer: its final answer, of any type but yes or no and
 * none. MuSiQue keeps single-hop questions, paragraphs and answers apart.
 */
export function keysOf(
	task: Task,
	links: readonly SplitLink[],
	reading: Pick<TextReading, "words">,
): { link: SplitLink; key: string }[] {
	const hops = task.chain?.hops ?? [];
	const found: Record<SplitLink, () => string[]> = {
		evidence: () => citedBy(task),
		fact: () => hops.flatMap(({ evidence, answer }) => evidence.map((id) => `${id}${lineOf(answer.value, reading)}`)),
		image: () => task.images.map(({ sha256 }) => sha256),
		question: () => [
			lineOf(task.question, reading) +
				(task.images.length > 0 ? task.images.map(({ sha256 }) => sha256).join(" ") : ""),
			...hops.filter((hop) => !isOfAnImage(task, hop.id)).map(({ question }) => lineOf(question, reading)),
		],
		ladder: () => (task.ladder ? [task.ladder.id] : []),
		cluster: () => (task.cluster === undefined ? [] : [task.cluster]),
		answer: () =>
			task.answer.type === "boolean" || task.answer.type === "none" ? [] : [lineOf(task.answer.value, reading)],
	};
	return links.flatMap((link) => [...new Set(found[link]())].map((key) => ({ link, key: `${link} ${key}` })));
}

/** "Which country's flag is this?" is one question of as many images as it is asked of. */
function isOfAnImage(task: Task, hop: string): boolean {
	const found = task.chain?.hops.find(({ id }) => id === hop);
	return task.images.length > 0 && found?.modality === "image" && found.needs.length === 0;
}

/** A group of tasks that may not be parted, by place. */
export interface LinkedCluster {
	members: number[];
	/** What ties it together: the keys that most of its tasks share, most first. */
	ties: { key: string; tasks: number }[];
}

/**
 * Joins tasks, one after another, by everything they share. Of what they share no more is held than who had it first, and how
 * many have what several do.
 */
export function taskLinks(): {
	/** The next task, by its keys. */
	add(keys: Iterable<string>): void;
	/** Those that may not be parted, by their places, in this order of the places; a task that shares nothing stands alone. */
	clusters(order: Iterable<number>): LinkedCluster[];
} {
	const sets = disjointSets<number>();
	const first = new Map<string, number>();
	const shared = new Map<string, number>();
	let place = -1;
	return {
		add(keys) {
			place += 1;
			for (const key of keys) {
				const before = first.get(key);
				if (before === undefined) {
					first.set(key, place);
					continue;
				}
				sets.join(before, place);
				shared.set(key, (shared.get(key) ?? 1) + 1);
			}
		},
		clusters(order) {
			const clusters = new Map(
				[...grouped(order, sets.rootOf)].map(([root, members]): [number, LinkedCluster] => [
					root,
					{ members, ties: [] },
				]),
			);
			for (const [key, tasks] of shared) clusters.get(sets.rootOf(first.get(key) ?? 0))?.ties.push({ key, tasks });
			for (const cluster of clusters.values()) {
				cluster.ties.sort((a, b) => b.tasks - a.tasks || (a.key < b.key ? -1 : 1));
				cluster.ties.length = Math.min(cluster.ties.length, 5);
			}
			return [...clusters.values()];
		},
	};
}
