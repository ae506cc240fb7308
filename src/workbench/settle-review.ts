import { deriveBenchmark } from "#benchmarks";
import { counted, exitCodes, HopscopeError, type Item, type Task, taskOf, usageError } from "#domain";
import {
	type Applied,
	applyReviews,
	openReviewFolder,
	outOfReach,
	type RecipeInputs,
	recheckRecipe,
	reviewInWords,
	reviewStanding,
	rules,
	runRecipe,
	settle,
} from "#recipes";
import { itemsBehind } from "./items-behind.ts";
import { openForRun } from "./open.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";
import type { Bench } from "./work.ts";

export interface ReviewSettleOptions {
	/** Name of the reviewed benchmark. */
	to: string;
	/** Go on although items wait or are in conflict: they are left out. */
	leaveOpen?: boolean | undefined;
	/** Replace the benchmark that has that name. */
	force?: boolean | undefined;
}

/** The benchmark that reviewers left. */
export interface SettledReview {
	/** How many it has. */
	tasks: number;
	/** What became of the tasks, `refused` being edits that a check refuses. */
	counts: Record<"retained" | "edited" | "discarded" | "refused" | "open" | "not given out", number>;
}

/** Writes what reviewers kept as a benchmark of its own: discarded tasks gone, edits carried out and checked again. */
export async function settleReview(
	name: string,
	options: ReviewSettleOptions,
	{ workspace, signal, say }: Bench,
): Promise<SettledReview> {
	const { to, force = false } = options;
	const { benchmark, knowledge } = await openForRun(workspace, name);
	try {
		const folder = openReviewFolder(benchmark.dir);
		const plan = await folder.plan();
		const { reviews } = await folder.reviews();
		const { perItem = 1, policy = "majority" } = plan ?? {};
		// of a sample only what was given out can wait for somebody
		const given = plan ? new Set(Object.values(plan.queues).flat()) : undefined;
		const items = (await itemsBehind(workspace, benchmark)).filter(({ id }) => given?.has(id) ?? true);
		const ids = items.map(({ id }) => id);
		const applied = applyReviews(items, settle(ids, reviews, { perItem, policy }));
		mustBeSettled(applied, name, options);
		const nothing = async function* () {};
		const rechecked = await recheck(applied, { inputs: { knowledge, evidence: nothing }, signal });
		for (const { item, reason } of rechecked.refused.slice(0, 10)) say(`${item}: ${reason}`);
		const kept = new Map([...applied.retained, ...rechecked.accepted].map((item) => [item.id, item]));
		if (kept.size === 0)
			throw new HopscopeError(
				"nothing-kept",
				`reviewers kept no task of ${name}`,
				"hopscope review status shows why.",
				{ exitCode: exitCodes.failed },
			);
		const counts = {
			retained: applied.retained.length,
			edited: rechecked.accepted.length,
			discarded: applied.discarded.length,
			refused: rechecked.refused.length,
			open: applied.open.length,
			"not given out": benchmark.tasks.length - items.length,
		};
		const told = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
		await deriveBenchmark(benchmark, workspace.benchmark(to), {
			name: to,
			tasks: tasksKept(benchmark.tasks, kept),
			force,
			review: reviewInWords(await reviewStanding(folder, items)),
			how: `reviewed by people, ${perItem} a task, ${policy}; ${told.join(", ")}.`,
		});
		return { tasks: kept.size, counts };
	} finally {
		await knowledge.close();
	}
}

/** What became of the tasks that reviewers edited. */
interface Rechecked {
	accepted: Item[];
	/** An edit that a rule refuses, and checks of models that have to be run again elsewhere. */
	refused: { item: string; reason: string }[];
}

function mustBeSettled({ open }: Applied, name: string, { leaveOpen }: ReviewSettleOptions): void {
	if (open.length === 0 || leaveOpen) return;
	throw usageError(
		"not-settled",
		`${counted(open.length, "item")} of ${name} wait for reviews or are in conflict`,
		`hopscope review status ${name} shows them; --leave-open leaves them out.`,
		{ facts: { open: open.slice(0, 100).map(({ id }) => id) } },
	);
}

async function recheck(
	{ edited }: Applied,
	{ inputs, signal }: { inputs: RecipeInputs; signal: AbortSignal },
): Promise<Rechecked> {
	const checks = Object.values(rules);
	const refused = edited.flatMap((one) => {
		const lacking = outOfReach(one, checks);
		return lacking.length > 0 ? [{ item: one.item.id, reason: `has to pass ${lacking.join(", ")} again` }] : [];
	});
	const far = new Set(refused.map(({ item }) => item));
	const near = edited.filter(({ item }) => !far.has(item.id));
	if (near.length === 0) return { accepted: [], refused };
	const { items } = await inTemporaryFolder("recheck", (dir) =>
		runRecipe(recheckRecipe(near, checks), inputs, dir, { models: {}, signal }),
	);
	const passed = new Set(items.map(({ id }) => id));
	const failed = near.filter(({ item }) => !passed.has(item.id));
	return {
		accepted: items,
		refused: [...refused, ...failed.map(({ item }) => ({ item: item.id, reason: "a rule refuses the edit" }))],
	};
}

/** The tasks that reviewers kept, as they stand now. */
function tasksKept(tasks: readonly Task[], kept: ReadonlyMap<string, Item>): Task[] {
	return tasks.flatMap((task): Task[] => {
		const item = kept.get(task.id);
		if (!item) return [];
		const { question, answer, chain } = taskOf(item);
		return [{ ...task, question, answer, ...(task.chain && chain ? { chain } : {}) }];
	});
}
