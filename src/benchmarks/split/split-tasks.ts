import { retrievalHops, type Task } from "#domain";
import { sharedTexts } from "../shared-texts.ts";
import type { TextReading } from "../text-reading.ts";
import { assignClusters, type Load } from "./assign.ts";
import { keysOf, type LinkedCluster, type SplitLink, taskLinks } from "./linked.ts";

/** A part of a split: its name and its share of the tasks, as a weight. */
export interface SplitPart {
	name: string;
	weight: number;
}

export interface SplitOptions {
	/** MMhops splits 7 : 1 : 2. */
	parts?: readonly SplitPart[];
	/** Names of tags, `hops` or `answer` (its type); a stratum is one combination of their values. */
	by?: readonly string[];
	links?: readonly SplitLink[];
	seed?: number;
	reading: Pick<TextReading, "words">;
}

/** Where each task goes, and how near that comes to what was wanted. */
export interface TaskSplit {
	/** Part by task id. */
	of: Map<string, string>;
	parts: { name: string; tasks: number; wanted: number; clusters: number }[];
	/** Of every stratum, in the order of the parts; largest first. */
	strata: { name: string; tasks: number; counts: number[] }[];
	clusters: {
		count: number;
		/** Those too large for any part to hold them as wanted, and what ties them together. */
		oversized: { tasks: number; part: string; ties: { key: string; tasks: number }[] }[];
	};
	/** The largest difference between a part's share of the tasks and its weight's. */
	deviation: number;
}

export const defaultParts: readonly SplitPart[] = [
	{ name: "train", weight: 7 },
	{ name: "validation", weight: 1 },
	{ name: "test", weight: 2 },
];
export const defaultStrata: readonly string[] = ["hops", "questionType"];
export const defaultLinks: readonly SplitLink[] = ["evidence", "image", "question", "ladder", "cluster"];
/** For tasks that large tables or pages tie together: what states the same answer, not all that stands in one place. */
export const finerLinks: readonly SplitLink[] = ["fact", "image", "question", "ladder", "cluster"];

/**
 * Splits tasks in parts of given weights, each stratum alike, so that no two tasks that share anything in `links` stand
 * in different parts. Ratios are reached as nearly as whole clusters allow; what cannot be reached is told. The same
 * tasks and seed give the same split, in whatever order they come.
 * Source: MMhops-R1 (7 : 1 : 2, by depth and type); MuSiQue (no shared single hop between splits).
 */
export function splitTasks(tasks: Iterable<Task>, options: SplitOptions): TaskSplit {
	const splitter = taskSplitter(options);
	for (const task of tasks) splitter.add(task);
	return splitter.split();
}

/** The same of tasks that come one after another: of each no more is held than what decides where it goes. */
export function taskSplitter(options: SplitOptions): { add(task: Task): void; split(): TaskSplit } {
	const { by = defaultStrata, links = defaultLinks, reading } = options;
	const one = sharedTexts();
	const taken: TakenTask[] = [];
	const linked = taskLinks();
	return {
		add(task) {
			const stratum = by.map((name) => `${name} ${stratumOf(task, name)}`).join(", ") || "all";
			taken.push({ id: task.id, stratum: one(stratum) });
			linked.add(keysOf(task, links, reading).map(({ key }) => key));
		},
		split() {
			const idOf = (at: number) => taken[at]?.id ?? "";
			const order = [...taken.keys()].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
			return splitTaken(taken, linked.clusters(order), options);
		},
	};
}

/** What of a task is held until it is known where it goes. */
interface TakenTask {
	id: string;
	stratum: string;
}

function splitTaken(
	tasks: readonly TakenTask[],
	clusters: readonly LinkedCluster[],
	{ parts = defaultParts, seed = 0 }: SplitOptions,
): TaskSplit {
	const names = tasks.map(({ stratum }) => stratum);
	const strata = [...new Set(names)].sort();
	const place = new Map(strata.map((name, at) => [name, at]));
	const loads = clusters.map(({ members }): Load => {
		const counts = new Map<number, number>();
		for (const at of members) {
			const stratum = place.get(names[at] ?? "") ?? 0;
			counts.set(stratum, (counts.get(stratum) ?? 0) + 1);
		}
		// members are in order of id: the first names the cluster
		return { name: tasks[members[0] ?? 0]?.id ?? "", size: members.length, strata: counts };
	});
	const chosen = assignClusters(loads, { weights: parts.map(({ weight }) => weight), seed });
	const whole = parts.reduce((sum, { weight }) => sum + weight, 0);
	const of = new Map<string, string>();
	const counts = strata.map(() => parts.map(() => 0));
	for (const [index, { members }] of clusters.entries())
		for (const at of members) {
			const part = chosen[index] ?? 0;
			of.set(tasks[at]?.id ?? "", parts[part]?.name ?? "");
			const row = counts[place.get(names[at] ?? "") ?? 0];
			if (row) row[part] = (row[part] ?? 0) + 1;
		}
	const held = parts.map(({ name, weight }, part) => ({
		name,
		tasks: counts.reduce((sum, row) => sum + (row[part] ?? 0), 0),
		wanted: (tasks.length * weight) / whole,
		clusters: chosen.filter((one) => one === part).length,
	}));
	const smallest = Math.min(...held.map(({ wanted }) => wanted));
	return {
		of,
		parts: held,
		strata: strata
			.map((name, at) => ({
				name,
				tasks: (counts[at] ?? []).reduce((sum, count) => sum + count, 0),
				counts: counts[at] ?? [],
			}))
			.sort((a, b) => b.tasks - a.tasks || (a.name < b.name ? -1 : 1)),
		clusters: {
			count: clusters.length,
			oversized: clusters
				.map(({ members, ties }, at) => ({ tasks: members.length, part: parts[chosen[at] ?? 0]?.name ?? "", ties }))
				.filter((cluster) => cluster.tasks > Math.max(smallest, 1))
				.sort((a, b) => b.tasks - a.tasks),
		},
		deviation: Math.max(0, ...held.map((part) => Math.abs(part.tasks - part.wanted) / Math.max(1, tasks.length))),
	};
}

/** A task's value of a tag, or of `hops` (those that retrieve) and `answer` (the answer's type). */
function stratumOf(task: Task, name: string): string {
	if (name === "hops") return task.chain ? String(retrievalHops(task.chain).length) : "none";
	if (name === "answer") return task.answer.type;
	return (Object.hasOwn(task.tags, name) ? task.tags[name] : undefined) ?? "none";
}

/** The same task with its part as `tags.split`. */
export function withSplit(task: Task, { of }: Pick<TaskSplit, "of">): Task {
	const split = of.get(task.id);
	return split === undefined ? task : { ...task, tags: { ...task.tags, split } };
}
