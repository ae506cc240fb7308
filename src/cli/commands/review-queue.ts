import { join } from "node:path";
import { type Command, Option } from "commander";
import { counted, exitCodes, HopscopeError, type Task } from "#domain";
import {
	assign,
	openReviewFolder,
	type ReviewForm,
	type ReviewItem,
	type ReviewPlan,
	reviewForms,
	reviewItemOf,
	type SettlePolicy,
	settle,
	spoil,
	writeReviewFile,
} from "#recipes";
import { openWorkspace } from "#store";
import { openForRun } from "#workbench";
import { type CommonOptions, type Context, next, numberFrom, wholeNumber, withWorkspace } from "../context.ts";

interface QueueOptions extends CommonOptions {
	reviewers?: string;
	perItem?: number;
	policy: SettlePolicy;
	traps: number;
	sample?: number;
	seed: number;
	form: ReviewForm;
	imagePrefix?: string;
	adjudication?: string;
	to: string;
	force?: boolean;
}

/** `hopscope review queue BENCH`: a file for each reviewer, without anything that models said. */
export function addReviewQueue(review: Command, { output }: Context): void {
	withWorkspace(review.command("queue"))
		.description(
			"Give out the tasks of a benchmark for review: a file for each person, for a spreadsheet or Label Studio",
		)
		.argument("<benchmark>", "a benchmark: its name in the workspace or its folder")
		.requiredOption("-o, --to <dir>", "folder for the files")
		.option("--reviewers <names>", "who reviews, separated by commas")
		.option("--per-item <n>", "reviewers an item (default: two, or all where there are fewer)", wholeNumber(1, 20))
		.addOption(
			new Option("--policy <name>", "how decisions settle an item")
				.choices(["majority", "unanimous"])
				.default("majority"),
		)
		.option("--traps <share>", "spoilt items among the others, as a share of them", numberFrom(0, 0.5), 0)
		.option("--sample <n>", "draw so many tasks instead of giving out all", wholeNumber(1, 1_000_000))
		.option("--seed <n>", "chooses and orders them", wholeNumber(0, 2 ** 31), 0)
		.addOption(new Option("--form <name>", "form of the files").choices([...reviewForms]).default("csv"))
		.option("--image-prefix <address>", "Label Studio: what image files are prefixed with to be found")
		.option("--adjudication <reviewer>", "give out what is in conflict, to one person who settles it")
		.option("--force", "give out anew although there is a queue: its assignment is lost, decisions stay")
		.addHelpText(
			"after",
			`
Nothing that a model said is shown. Copy decisions back with hopscope review import; hopscope review status shows how far
reviewers agree. Decisions: retain, discard, edit (with the new wording or answers), unsure.

Examples:
  $ hopscope review queue mine --reviewers ana,ben,cho --per-item 2 --traps 0.05 --to review/
  $ hopscope review queue mine --reviewers ana,ben --form label-studio --to review/
  $ hopscope review queue mine --adjudication dora --to review/`,
		)
		.action(async (name: string, options: QueueOptions) => {
			const { benchmark, knowledge } = await openForRun(openWorkspace(options.workspace), name);
			try {
				const folder = openReviewFolder(benchmark.dir);
				const before = await folder.plan();
				const made =
					options.adjudication === undefined
						? planned(benchmark.tasks, { ...benchmark.manifest, options, before })
						: await conflicts(benchmark.tasks, { reviewer: options.adjudication, before, folder });
				const lookUp = { evidence: (id: string) => knowledge.evidence(id) };
				const files: string[] = [];
				for (const [reviewer, ids] of made.queues) {
					const items: ReviewItem[] = [];
					for (const id of ids) {
						const task = made.tasks.get(id);
						if (task) items.push(await reviewItemOf(task, lookUp));
					}
					const { form, imagePrefix, to } = options;
					const about = { reviewer, items, form, ...(imagePrefix === undefined ? {} : { imagePrefix }) };
					files.push(...(await writeReviewFile(to, about)));
				}
				if (made.plan) await folder.start(made.plan, made.traps);
				const counts = {
					items: new Set([...made.queues.values()].flat()).size,
					traps: made.traps.length,
					reviewers: made.queues.size,
				};
				if (options.json) return output.write(JSON.stringify({ benchmark: benchmark.manifest.name, ...counts, files }));
				output.write(
					`${counted(counts.items, "item")} for ${counted(counts.reviewers, "reviewer")}: ${[...new Set(files)].join(", ")}`,
				);
				output.say(`then: ${next(`review import ${name} ${join(options.to, "FILE…")}`, options)}`);
			} finally {
				knowledge.close();
			}
		});
}

interface Made {
	queues: Map<string, string[]>;
	tasks: Map<string, Task>;
	traps: { id: string; from: string; spoilt: "answer" | "last-hop" }[];
	plan?: ReviewPlan;
}

function planned(
	tasks: readonly Task[],
	{
		name,
		hash,
		options,
		before,
	}: { name: string; hash: string; options: QueueOptions; before: ReviewPlan | undefined },
): Made {
	if (before && !options.force)
		throw usage("queue-exists", `the benchmark ${name} is given out already`, "Go on with it, or add --force.");
	const reviewers = [...new Set((options.reviewers ?? "").split(",").flatMap((one) => one.trim() || []))];
	if (reviewers.length === 0) throw usage("no-reviewers", "nobody is named to review", "Give --reviewers ana,ben,cho.");
	const perItem = options.perItem ?? Math.min(2, reviewers.length);
	if (perItem > reviewers.length)
		throw usage(
			"few-reviewers",
			`${perItem} reviewers an item need more people than ${reviewers.join(", ")}`,
			"Name more reviewers, or lower --per-item.",
		);
	const { seed, policy, sample } = options;
	const chosen = sample === undefined ? tasks : drawn(tasks, { sample, seed });
	const traps = spoil(chosen, { share: options.traps, seed });
	const all = new Map([...chosen, ...traps.map(({ task }) => task)].map((task) => [task.id, task]));
	const { queues } = assign([...all.keys()], { reviewers, perItem, seed });
	const plan: ReviewPlan = {
		...{ version: 1, benchmark: { name, hash }, reviewers, perItem, policy, seed },
		queues: Object.fromEntries(queues),
	};
	return { queues, tasks: all, traps: traps.map(({ id, from, spoilt }) => ({ id, from, spoilt })), plan };
}

function drawn(tasks: readonly Task[], { sample, seed }: { sample: number; seed: number }): Task[] {
	const { queues } = assign(
		tasks.map(({ id }) => id),
		{ reviewers: ["sample"], perItem: 1, seed },
	);
	const chosen = new Set(queues.get("sample")?.slice(0, sample));
	return tasks.filter(({ id }) => chosen.has(id));
}

async function conflicts(
	tasks: readonly Task[],
	{
		reviewer,
		before,
		folder,
	}: { reviewer: string; before: ReviewPlan | undefined; folder: ReturnType<typeof openReviewFolder> },
): Promise<Made> {
	if (!before)
		throw usage("no-queue", "nothing was given out for review yet", "Give it out first, without --adjudication.");
	const { reviews } = await folder.reviews();
	const settled = settle(
		tasks.map(({ id }) => id),
		reviews,
		before,
	);
	const open = settled.filter(({ state }) => state === "conflict").map(({ item }) => item);
	if (open.length === 0)
		throw usage("no-conflict", "no item is in conflict", "hopscope review settle writes the outcome.");
	return { queues: new Map([[reviewer, open]]), tasks: new Map(tasks.map((task) => [task.id, task])), traps: [] };
}

const usage = (code: string, message: string, remedy: string) =>
	new HopscopeError(code, message, remedy, { exitCode: exitCodes.usage });
