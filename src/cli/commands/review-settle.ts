import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { deriveBenchmark } from "#benchmarks";
import { counted, exitCodes, HopscopeError, type Item, type Task, taskOf } from "#domain";
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
import { openWorkspace } from "#store";
import { itemsBehind, openForRun } from "#workbench";
import { type CommonOptions, type Context, next, withWorkspace } from "../context.ts";

interface SettleOptions extends CommonOptions {
	to: string;
	leaveOpen?: boolean;
	force?: boolean;
}

/** What became of the tasks that reviewers edited. */
interface Rechecked {
	accepted: Item[];
	/** An edit that a rule refuses, and checks of models that have to be run again elsewhere. */
	refused: { item: string; reason: string }[];
}

/** `hopscope review settle BENCH --to NAME`: what reviewers kept, as a new benchmark. */
export function addReviewSettle(review: Command, { output, signal }: Context): void {
	withWorkspace(review.command("settle"))
		.description(
			"Write what reviewers kept as a benchmark of its own: discarded tasks gone, edits carried out and checked again",
		)
		.argument("<benchmark>", "a benchmark: its name in the workspace or its folder")
		.requiredOption("--to <name>", "name of the reviewed benchmark")
		.option("--force", "replace the benchmark that has that name")
		.option("--leave-open", "go on although items wait or are in conflict: they are left out")
		.addHelpText(
			"after",
			`
An edit makes the checks of its item void. Rules are run again at once; an item that one of them refuses, or that a model
had checked, is left out and told: make the benchmark anew with its recipe, or review it as it is.

Example:
  $ hopscope review settle mine --to mine-reviewed`,
		)
		.action(async (name: string, options: SettleOptions) => {
			const workspace = openWorkspace(options.workspace);
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
				const settled = settle(ids, reviews, { perItem, policy });
				const applied = applyReviews(items, settled);
				mustBeSettled(applied, name, options);
				const nothing = async function* () {};
				const inputs = { knowledge, evidence: nothing };
				const rechecked = await recheck(applied, { inputs, signal });
				for (const { item, reason } of rechecked.refused.slice(0, 10)) output.say(`${item}: ${reason}`);
				const kept = new Map([...applied.retained, ...rechecked.accepted].map((item) => [item.id, item]));
				if (kept.size === 0)
					throw new HopscopeError(
						"nothing-kept",
						`reviewers kept no task of ${name}`,
						"hopscope review status shows why.",
						{
							exitCode: exitCodes.failed,
						},
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
				await deriveBenchmark(benchmark, workspace.benchmark(options.to), {
					name: options.to,
					tasks: tasksKept(benchmark.tasks, kept),
					force: options.force === true,
					review: reviewInWords(await reviewStanding(folder, items)),
					how: `reviewed by people, ${perItem} a task, ${policy}; ${told.join(", ")}.`,
				});
				if (options.json) return output.write(JSON.stringify({ benchmark: options.to, ...counts }));
				output.write(
					`${options.to}: ${counted(kept.size, "task")}; ${counts["not given out"]} were not given out, ${counts.edited} edited, ${counts.discarded} discarded, ${counts.refused} edits refused by checks, ${counts.open} open`,
				);
				output.write(`Try: ${next(`benchmark diff ${name} ${options.to}`, options)}`);
			} finally {
				knowledge.close();
			}
		});
}

function mustBeSettled({ open }: Applied, name: string, { leaveOpen }: SettleOptions): void {
	if (open.length === 0 || leaveOpen) return;
	throw new HopscopeError(
		"not-settled",
		`${counted(open.length, "item")} of ${name} wait for reviews or are in conflict`,
		`hopscope review status ${name} shows them; --leave-open leaves them out.`,
		{ exitCode: exitCodes.usage, facts: { open: open.slice(0, 100).map(({ id }) => id) } },
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
	const dir = await mkdtemp(join(tmpdir(), "hopscope-recheck-"));
	try {
		const { items } = await runRecipe(recheckRecipe(near, checks), inputs, dir, { models: {}, signal });
		const passed = new Set(items.map(({ id }) => id));
		const failed = near.filter(({ item }) => !passed.has(item.id));
		return {
			accepted: items,
			refused: [...refused, ...failed.map(({ item }) => ({ item: item.id, reason: "a rule refuses the edit" }))],
		};
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
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
