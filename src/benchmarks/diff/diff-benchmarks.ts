import { grouped, type Task, tally } from "#domain";
import { canonicalJson, sha256 } from "#store";
import { lineOf, type TextReading } from "../text-reading.ts";

/** What of a task can change. */
export const taskParts = [
	"id",
	"question",
	"answer",
	"chain",
	"evidence",
	"images",
	"tags",
	"context",
	"other",
] as const;
export type TaskPart = (typeof taskParts)[number];

/** A task that is in both versions and not the same. */
export interface ChangedTask {
	task: string;
	/** Its id before, where that changed. */
	was?: string;
	parts: TaskPart[];
	/** One line a part, in words. */
	changes: { part: TaskPart; before: string; after: string }[];
}

/** What changed between two versions of a benchmark. */
export interface BenchmarkDiff {
	tasks: { before: number; after: number; same: number };
	added: { task: string; question: string }[];
	removed: { task: string; question: string }[];
	changed: ChangedTask[];
	/** Changed tasks by part. */
	parts: Partial<Record<TaskPart, number>>;
}

/**
 * Compares two versions of a benchmark by id; what is left of each is paired by question and images where both are unique,
 * so that a task which was only renamed is not told as lost and new. Order does not matter.
 */
export async function diffBenchmarks(
	before: Iterable<Task> | AsyncIterable<Task>,
	after: Iterable<Task> | AsyncIterable<Task>,
	reading: Pick<TextReading, "words">,
): Promise<BenchmarkDiff> {
	const { old, fresh, same } = await differing(before, after);
	const { tasks, ...diff } = diffTasks(old, fresh, reading);
	return { tasks: { before: tasks.before + same, after: tasks.after + same, same: tasks.same + same }, ...diff };
}

/**
 * The tasks of either version that do not stand in the other just as they are, which of two versions of a large benchmark
 * are few: of the others no more than a hash is held.
 */
async function differing(
	before: Iterable<Task> | AsyncIterable<Task>,
	after: Iterable<Task> | AsyncIterable<Task>,
): Promise<{ old: Task[]; fresh: Task[]; same: number }> {
	const hashes = new Map<string, string>();
	for await (const task of before) hashes.set(task.id, sha256(JSON.stringify(task)));
	const unchanged = new Set<string>();
	const fresh: Task[] = [];
	for await (const task of after)
		if (hashes.get(task.id) === sha256(JSON.stringify(task))) unchanged.add(task.id);
		else fresh.push(task);
	const old: Task[] = [];
	if (unchanged.size < hashes.size) for await (const task of before) if (!unchanged.has(task.id)) old.push(task);
	return { old, fresh, same: unchanged.size };
}

function diffTasks(
	before: readonly Task[],
	after: readonly Task[],
	reading: Pick<TextReading, "words">,
): BenchmarkDiff {
	const old = new Map(before.map((task) => [task.id, task]));
	const fresh = new Map(after.map((task) => [task.id, task]));
	const lost = before.filter(({ id }) => !fresh.has(id));
	const found = after.filter(({ id }) => !old.has(id));
	const renamed = pairsByQuestion(lost, found, reading);
	const pairs = [
		...[...old.values()].flatMap((task) => {
			const other = fresh.get(task.id);
			return other ? [{ task, other }] : [];
		}),
		...renamed,
	];
	const changed = pairs
		.flatMap(({ task, other }) => changesOf(task, other) ?? [])
		.sort((a, b) => (a.task < b.task ? -1 : 1));
	const paired = new Set(renamed.flatMap(({ task, other }) => [task, other]));
	const named = (tasks: readonly Task[]) =>
		tasks
			.filter((task) => !paired.has(task))
			.map(({ id, question }) => ({ task: id, question }))
			.sort((a, b) => (a.task < b.task ? -1 : 1));
	return {
		tasks: { before: before.length, after: after.length, same: pairs.length - changed.length },
		...{ added: named(found), removed: named(lost), changed, parts: tally(changed.flatMap(({ parts }) => parts)) },
	};
}

function pairsByQuestion(
	lost: readonly Task[],
	found: readonly Task[],
	reading: Pick<TextReading, "words">,
): { task: Task; other: Task }[] {
	const key = ({ question, images }: Task) =>
		`${lineOf(question, reading)}\n${images.map(({ sha256 }) => sha256).join(" ")}`;
	const others = grouped(found, key);
	return [...grouped(lost, key)].flatMap(([key, [task, ...more]]) => {
		const [other, ...rest] = others.get(key) ?? [];
		return task && other && more.length === 0 && rest.length === 0 ? [{ task, other }] : [];
	});
}

function changesOf(before: Task, after: Task): ChangedTask | undefined {
	const changes = taskParts.flatMap((part) => {
		if (alike(partOf(before, part), partOf(after, part))) return [];
		return [{ part, before: inWords(part, before), after: inWords(part, after) }];
	});
	if (changes.length === 0) return undefined;
	const was = before.id === after.id ? {} : { was: before.id };
	return { task: after.id, ...was, parts: changes.map(({ part }) => part), changes };
}

/** Fields mostly stand in one order: only where they do not, they are put in order. */
const alike = (a: unknown, b: unknown) =>
	JSON.stringify(a) === JSON.stringify(b) || canonicalJson(a) === canonicalJson(b);

/** Each field belongs to one part: evidence apart from the chain it stands in, everything unnamed in `other`. */
function partOf(task: Task, part: TaskPart): unknown {
	const { id, question, answer, chain, images, tags, context, ...other } = task;
	const named: Record<TaskPart, () => unknown> = {
		...{ id: () => id, question: () => question, answer: () => answer, tags: () => tags },
		chain: () => chain && { ...chain, hops: chain.hops.map(({ evidence: _evidence, ...hop }) => hop) },
		evidence: () => chain?.hops.map(({ evidence }) => [...evidence].sort()),
		// where a file lies is no part of the task; what it shows is
		images: () => images.map(({ file: _file, ...image }) => image),
		...{ context: () => context ?? null, other: () => other },
	};
	return named[part]() ?? null;
}

function inWords(part: TaskPart, task: Task): string {
	const { chain } = task;
	const hops = chain?.hops ?? [];
	const words: Record<TaskPart, () => string> = {
		id: () => task.id,
		question: () => task.question,
		answer: () =>
			`${task.answer.value} (${task.answer.type}; ${task.answer.accepted.length} accepted${task.answer.asOf ? `; as of ${task.answer.asOf}` : ""})`,
		chain: () =>
			chain
				? hops
						.map(
							({ id, needs, question, answer }) =>
								`${id}${needs.length > 0 ? `(${needs.map(({ hop }) => hop).join(",")})` : ""} ${question} → ${answer.value}`,
						)
						.join("; ")
				: "none",
		evidence: () => hops.map(({ id, evidence }) => `${id}: ${evidence.join(", ") || "none"}`).join("; ") || "none",
		images: () =>
			task.images
				.map(({ id, sha256, width, height }) => `${id} ${width} × ${height} ${sha256.slice(0, 12)}`)
				.join("; ") || "none",
		tags: () =>
			Object.entries(task.tags)
				.sort(([a], [b]) => (a < b ? -1 : 1))
				.map(([name, value]) => `${name}=${value}`)
				.join(", "),
		context: () => `${task.context?.length ?? 0} evidences`,
		other: () => canonicalJson(partOf(task, "other")),
	};
	return words[part]();
}
