import { z } from "zod";
import type { Benchmark } from "#benchmarks";
import { type Task, usageError } from "#domain";
import {
	assign,
	needsAdjudication,
	openReviewFolder,
	type ReviewForm,
	type ReviewItem,
	type ReviewPlan,
	reviewItemOf,
	type SettlePolicy,
	settle,
	spoil,
	writeReviewFile,
} from "#recipes";
import type { Workspace } from "#store";
import { itemsBehind } from "./items-behind.ts";
import { openForRun } from "./open.ts";
import type { Bench } from "./work.ts";

export interface QueueOptions {
	/** Folder for the files. */
	to: string;
	/** Who reviews; needed unless it is an adjudication. */
	reviewers?: readonly string[] | undefined;
	/** Reviewers an item; where nothing is said as many as the recipe publishes, else two, or all where there are fewer. */
	perItem?: number | undefined;
	/** How decisions settle an item; where nothing is said as the recipe publishes it, else the majority. */
	policy?: SettlePolicy | undefined;
	/** Spoilt items among the others, as a share of them. */
	traps?: number | undefined;
	/** Draw so many tasks instead of giving out all. */
	sample?: number | undefined;
	/** Chooses and orders them. */
	seed?: number | undefined;
	form?: ReviewForm | undefined;
	/** Label Studio: what image files are prefixed with to be found. */
	imagePrefix?: string | undefined;
	/** Give out what reviewers differ on, to this person or meeting, who settles it. */
	adjudication?: string | undefined;
	/** Give out anew although there is a queue: its assignment is lost, decisions stay. */
	force?: boolean | undefined;
}

/** What was given out for review. */
export interface Queued {
	benchmark: string;
	/** Items given out, spoilt ones among them. */
	items: number;
	traps: number;
	reviewers: number;
	/** For each reviewer the file to be filled in first. */
	files: string[];
}

/** Gives out the tasks of a benchmark: a file for each reviewer, without anything that models said. */
export async function queueReview(name: string, options: QueueOptions, { workspace }: Bench): Promise<Queued> {
	const { to, form = "csv", imagePrefix, adjudication } = options;
	const { benchmark, knowledge } = await openForRun(workspace, name);
	try {
		const folder = openReviewFolder(benchmark.dir);
		const before = await folder.plan();
		const made =
			adjudication === undefined
				? planned(benchmark, options, { before, published: await publishedReview(workspace, benchmark) })
				: await conflicts(benchmark.tasks, { reviewer: adjudication, before, folder });
		const lookUp = { evidence: (id: string) => knowledge.evidence(id) };
		const files: string[] = [];
		for (const [reviewer, ids] of made.queues) {
			const items: ReviewItem[] = [];
			for (const id of ids) {
				const task = made.tasks.get(id);
				if (task) items.push(await reviewItemOf(task, lookUp));
			}
			const about = { reviewer, items, form, ...(imagePrefix === undefined ? {} : { imagePrefix }) };
			files.push(...(await writeReviewFile(to, about)));
		}
		if (made.plan) await folder.start(made.plan, made.traps);
		return {
			benchmark: benchmark.manifest.name,
			items: new Set([...made.queues.values()].flat()).size,
			traps: made.traps.length,
			reviewers: made.queues.size,
			files,
		};
	} finally {
		await knowledge.close();
	}
}

interface Made {
	queues: Map<string, string[]>;
	tasks: Map<string, Task>;
	traps: { id: string; from: string; spoilt: "answer" | "last-hop" }[];
	plan?: ReviewPlan;
}

/** What a recipe says of the review of its items. */
const PublishedReview = z.object({ reviewers: z.number().int().positive(), drop: z.literal("any-fail").optional() });
type PublishedReview = z.infer<typeof PublishedReview>;

async function publishedReview(workspace: Workspace, benchmark: Benchmark): Promise<PublishedReview | undefined> {
	const items = await itemsBehind(workspace, benchmark);
	return items.map(({ notes }) => PublishedReview.safeParse(notes.review)).find(({ success }) => success)?.data;
}

function planned(
	{ manifest, tasks }: Benchmark,
	options: QueueOptions,
	{ before, published }: { before: ReviewPlan | undefined; published: PublishedReview | undefined },
): Made {
	const { name, hash } = manifest;
	if (before && !options.force)
		throw usageError("queue-exists", `the benchmark ${name} is given out already`, "Go on with it, or add --force.");
	const reviewers = [...new Set(options.reviewers)];
	if (reviewers.length === 0)
		throw usageError("no-reviewers", "nobody is named to review", "Give --reviewers ana,ben,cho.");
	const {
		perItem = published?.reviewers ?? Math.min(2, reviewers.length),
		traps: share = 0,
		seed = 0,
		sample,
	} = options;
	const policy = options.policy ?? (published?.drop ? "fail-any" : "majority");
	if (perItem > reviewers.length)
		throw usageError(
			"few-reviewers",
			`${perItem} reviewers an item need more people than ${reviewers.join(", ")}`,
			"Name more reviewers, or lower --per-item.",
		);
	const chosen = sample === undefined ? tasks : drawn(tasks, { sample, seed });
	const traps = spoil(chosen, { share, seed });
	const all = new Map([...chosen, ...traps.map(({ task }) => task)].map((task) => [task.id, task]));
	const { queues } = assign([...all.keys()], { reviewers, perItem, seed });
	const plan: ReviewPlan = {
		version: 2,
		benchmark: { name, hash },
		reviewers,
		perItem,
		policy,
		seed,
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
		throw usageError("no-queue", "nothing was given out for review yet", "Give it out first, without --adjudication.");
	const { reviews } = await folder.reviews();
	const settled = settle(
		tasks.map(({ id }) => id),
		reviews,
		before,
	);
	const open = settled.filter(needsAdjudication).map(({ item }) => item);
	if (open.length === 0)
		throw usageError("no-conflict", "reviewers differ on no item", "hopscope review settle writes the outcome.");
	const wanted = new Set(open);
	if (reviews.some((one) => one.reviewer === reviewer && one.round !== "adjudication" && wanted.has(one.item)))
		throw usageError(
			"adjudicator-voted",
			`${reviewer} has voted on items that reviewers differ on`,
			"Name another person, or a meeting: --adjudication meeting.",
		);
	return { queues: new Map([[reviewer, open]]), tasks: new Map(tasks.map((task) => [task.id, task])), traps: [] };
}
