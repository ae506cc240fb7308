import { join } from "node:path";
import { type Benchmark, openBenchmark } from "#benchmarks";
import {
	byCodeUnits,
	counted,
	itemOf,
	type ReviewLine as Line,
	ownField,
	Reason,
	Review,
	type Task,
	usageError,
} from "#domain";
import {
	type AgreementOn,
	editFits,
	lastOfEach,
	needsAdjudication,
	openReviewFolder,
	policyInWords,
	type ReviewFolder,
	type ReviewPlan,
	reviewStanding,
	type Settled,
	settle,
	spoil,
} from "#recipes";
import { fileInside } from "#store";
import {
	checksInWords,
	hopIdsOf,
	mediaNamed,
	nameOfMedia,
	type ReviewEntry,
	type ReviewPut,
	type ReviewQueue,
	type ReviewSaid,
	type ReviewSeat,
	type ReviewStandingPage,
	type ReviewTake,
	reviewInWords,
	reviewReasons,
	taskAsked,
} from "#studio";
import { itemsBehind } from "./items-behind.ts";
import { locate } from "./locate.ts";
import { lazyKnowledge } from "./open.ts";
import { readWhenChanged, stampOf } from "./read-when-changed.ts";
import { createRetired } from "./retired.ts";
import { badReview, type Reviews, unknownItem } from "./review-source.ts";
import type { Bench } from "./work.ts";

interface Opened {
	stamp: string;
	benchmark: Benchmark;
	/** By id, those of the benchmark and those that were spoilt for reviewers. */
	tasks: ReadonlyMap<string, Task>;
	knowledge: ReturnType<typeof lazyKnowledge>;
	close(): Promise<void>;
	items: ReturnType<typeof itemsBehind>;
}

const mostOpen = 4;
const decisionsFile = (dir: string) => join(openReviewFolder(dir).dir, "reviews.jsonl");

/** The review of the items of benchmarks, in the files that `hopscope review` reads and writes. */
export function itemReviews({ workspace }: Bench): Reviews {
	const open = new Map<string, Promise<Opened>>();
	const retired = createRetired();
	const decisions = readWhenChanged(decisionsFile, (_, dir) => openReviewFolder(dir).reviews());

	async function opened(name: string): Promise<Opened> {
		const dir = workspace.benchmark(name);
		const stamp = await stampOf([join(dir, "benchmark.json"), join(dir, "reviews/queue.json")]);
		const known = open.get(name);
		const before = await known?.catch(() => undefined);
		if (before?.stamp === stamp) return before;
		// another request has opened it meanwhile
		if (open.get(name) !== known) return opened(name);
		if (known) retired.add(known);
		const opening = openOne(dir, stamp);
		open.set(name, opening);
		for (const [oldest, one] of open) {
			if (open.size <= mostOpen) break;
			open.delete(oldest);
			retired.add(one);
		}
		return opening;
	}

	async function openOne(dir: string, stamp: string): Promise<Opened> {
		const benchmark = await openBenchmark(dir);
		const folder = openReviewFolder(dir);
		const spoilt = await spoiltTasks(benchmark, await folder.plan(), await folder.traps());
		const name = benchmark.manifest.knowledge;
		const first = join(dir, "..", "..", "knowledge", name);
		const knowledge = lazyKnowledge(() => locate(workspace, "knowledge", name, { first }));
		return {
			stamp,
			benchmark,
			tasks: new Map([...benchmark.tasks, ...spoilt].map((task) => [task.id, task])),
			knowledge,
			close: knowledge.close,
			// checks that cannot be read are not shown; the review goes on
			items: itemsBehind(workspace, benchmark).catch(() => benchmark.tasks.map((task) => itemOf(task))),
		};
	}

	const nothing = { reviews: [], lines: [], damaged: 0 };
	const decisionsOn = async ({ dir }: Benchmark): ReturnType<ReviewFolder["reviews"]> =>
		(await decisions(dir)) ?? nothing;

	async function line(name: string) {
		const { benchmark } = await opened(name);
		const folder = openReviewFolder(benchmark.dir);
		const plan = await folder.plan();
		const { reviews } = await decisionsOn(benchmark);
		const queues = Object.entries(plan?.queues ?? {});
		const own = (reviewer: string) =>
			new Set(reviews.flatMap((one) => (one.reviewer === reviewer && one.round === 1 ? [one.item] : [])));
		const people = plan
			? queues.map(([reviewer, queue]) => {
					const done = own(reviewer);
					return { name: reviewer, done: queue.filter((item) => done.has(item)).length, of: queue.length };
				})
			: [...new Set(reviews.map(({ reviewer }) => reviewer))]
					.sort()
					.map((reviewer) => ({ name: reviewer, done: own(reviewer).size, of: benchmark.tasks.length }));
		return {
			...{ kind: "items" as const, of: name, title: benchmark.manifest.title || name, reviewers: people },
			items: plan ? new Set(queues.flatMap(([, queue]) => queue)).size : benchmark.tasks.length,
			closed: plan !== undefined,
			conflicts: settledOf(benchmark, plan, reviews).filter(needsAdjudication).length,
			before: "",
		};
	}

	/** The items that a person is asked, in that person's order. */
	async function asked({
		of,
		reviewer,
		round,
	}: ReviewSeat): Promise<{ ids: string[]; reviews: Review[]; lines: Line[] }> {
		const { benchmark } = await opened(of);
		const folder = openReviewFolder(benchmark.dir);
		const plan = await folder.plan();
		const { reviews, lines } = await decisionsOn(benchmark);
		if (round === "adjudication") {
			const others = reviews.filter((one) => one.round !== "adjudication");
			// whoever is unsure has settled nothing: the next one may
			const taken = new Set(
				reviews.flatMap((one) =>
					one.round === "adjudication" && one.reviewer !== reviewer && one.decision !== "unsure" ? [one.item] : [],
				),
			);
			const conflicts = settledOf(benchmark, plan, others).filter(needsAdjudication);
			const open = conflicts.map(({ item }) => item).filter((item) => !taken.has(item));
			const voted = new Set(others.flatMap((one) => (one.reviewer === reviewer ? [one.item] : [])));
			const ids = open.filter((item) => !voted.has(item));
			if (open.length > 0 && ids.length === 0)
				throw usageError(
					"adjudicator-voted",
					`${reviewer} voted on ${open.length === 1 ? "the item" : "all items"} that reviewers differ on, and nobody settles a split of one's own`,
					"Begin as another person, or as a meeting: meeting.",
				);
			return { ids, reviews, lines };
		}
		if (!plan) return { ids: benchmark.tasks.map(({ id }) => id), reviews, lines };
		const ids = ownField(plan.queues, reviewer);
		if (ids) return { ids, reviews, lines };
		throw usageError(
			"unknown-reviewer",
			"nothing was given out to a person of that name",
			`It was given out to ${plan.reviewers.slice(0, 20).join(", ")}.`,
		);
	}

	async function taskFor(seat: ReviewTake): Promise<Opened & { task: Task; reviews: Review[]; lines: Line[] }> {
		const { ids, reviews, lines } = await asked(seat);
		const one = await opened(seat.of);
		const task = ids.includes(seat.item) ? one.tasks.get(seat.item) : undefined;
		if (!task) throw unknownItem();
		return { ...one, task, reviews, lines };
	}

	return {
		line,
		async queue(seat): Promise<Pick<ReviewQueue, "items" | "reasons">> {
			const { ids, reviews } = await asked(seat);
			const done = new Set(reviews.flatMap((one) => (isBy(one, seat) ? [one.item] : [])));
			const { tasks } = await opened(seat.of);
			const there = ids.filter((id) => tasks.has(id));
			return { items: there.map((id) => ({ id, done: done.has(id) })), reasons: reviewReasons };
		},
		async entry(seat): Promise<ReviewEntry> {
			const { task, reviews, knowledge, items } = await taskFor(seat);
			const own = reviews.filter(({ item }) => item === seat.item);
			const mine = own.findLast((one) => isBy(one, seat));
			const adjudications = own.filter(({ round }) => round === "adjudication");
			const others = [...lastOfEach(own), ...adjudications].filter((one) => one.reviewer !== seat.reviewer);
			const disagree = seat.round === "adjudication" ? lastOfEach(own) : [];
			const item = mine && (await items).find(({ id }) => id === seat.item);
			return {
				...(await taskAsked(task, knowledge.evidence)),
				mine: mine ? saidOf(mine, task) : null,
				// in an order that says nothing of who was first
				disagreement: disagree
					.map((one) => reviewInWords(one, { named: false }))
					.sort((a, b) => byCodeUnits(a.says + a.why, b.says + b.why)),
				revealed: mine
					? {
							models: item ? checksInWords(item) : [],
							others: others.map((one) => reviewInWords(one, { named: true })),
						}
					: null,
			};
		},
		async put(put) {
			const { task, benchmark, lines } = await taskFor(put);
			// whoever decided once was shown what others said
			const blind = !lines.some((one) => one.item === put.item && one.reviewer === put.reviewer);
			await openReviewFolder(benchmark.dir).add([reviewOf(put, task, blind)]);
		},
		async undo(seat) {
			const { benchmark } = await taskFor(seat);
			const { item, reviewer, round } = seat;
			const at = new Date().toISOString();
			await openReviewFolder(benchmark.dir).withdraw({ withdrawn: true, item, reviewer, round, at });
		},
		async standing(name): Promise<Omit<ReviewStandingPage, "line">> {
			const { benchmark, items } = await opened(name);
			const folder = openReviewFolder(benchmark.dir);
			const { perItem, policy, states, agreement, damaged } = await reviewStanding(folder, await items);
			const { reviews } = await decisionsOn(benchmark);
			const settled = settledOf(benchmark, await folder.plan(), reviews);
			const byId = new Map(benchmark.tasks.map((task) => [task.id, task]));
			return {
				states: Object.entries(states).map(([state, count]) => ({
					state: stateWords[state as Settled["state"]] ?? state,
					count,
				})),
				about: `${counted(agreement.reviews, "review")} of ${counted(agreement.items, "item")}, ${counted(perItem, "reviewer")} an item, settled ${policyInWords[policy]}${damaged > 0 ? `; ${counted(damaged, "line")} cannot be read` : ""}.`,
				agreement: agreement.reviews > 0 ? figuresOf(agreement.decision) : [],
				reviewers: agreement.reviewers.map(({ reviewer, reviews: count, retained, traps, caught, ms }) => ({
					...{ reviewer, reviews: count, kept: retained, traps, caught, ms },
				})),
				conflicts: settled
					.filter(needsAdjudication)
					.map(({ item }) => ({ id: item, question: byId.get(item)?.question.slice(0, 300) ?? item })),
				next: [
					{ does: "The same figures at a terminal", command: `hopscope review status ${name}` },
					{
						does: "Write what was kept as a benchmark",
						command: `hopscope review settle ${name} --to ${name}-reviewed`,
					},
				],
			};
		},
		async media(name, picture) {
			const { benchmark, tasks, knowledge } = await opened(name);
			const named = mediaNamed(picture);
			if (!named) return undefined;
			if (named.is === "image") {
				const image = tasks.get(named.task)?.images.find(({ id }) => id === named.image);
				return image && fileInside(benchmark.dir, image.file);
			}
			const evidence = await knowledge.evidence(named.id);
			return evidence && (await knowledge.open()).file(evidence, "picture");
		},
		file: (name) => decisionsFile(workspace.benchmark(name)),
		close: () => retired.close(open.values()),
	};
}

const isBy = (review: Review, { reviewer, round }: ReviewSeat) =>
	review.reviewer === reviewer && review.round === round;

const stateWords: Record<Settled["state"], string> = {
	retain: "kept",
	edit: "edited",
	discard: "dropped",
	conflict: "in conflict",
	waiting: "waiting",
};

function settledOf({ tasks }: Benchmark, plan: ReviewPlan | undefined, reviews: readonly Review[]): Settled[] {
	const given = plan ? new Set(Object.values(plan.queues).flat()) : undefined;
	const ids = tasks.flatMap(({ id }) => (given?.has(id) === false ? [] : [id]));
	return settle(ids, reviews, plan ?? { perItem: 1 });
}

/** The spoilt tasks that were given out among the others: the same seed spoils the same ones alike. */
async function spoiltTasks(
	{ tasks }: Benchmark,
	plan: ReviewPlan | undefined,
	traps: readonly { id: string }[],
): Promise<Task[]> {
	if (!plan || traps.length === 0) return [];
	const given = new Set(Object.values(plan.queues).flat());
	const chosen = tasks.filter(({ id }) => given.has(id));
	const wanted = new Set(traps.map(({ id }) => id));
	const made = spoil(chosen, { share: traps.length / Math.max(1, chosen.length), seed: plan.seed });
	return made.flatMap(({ id, task }) => (wanted.has(id) ? [task] : []));
}

/** What was said as the review that `hopscope review import` would take in. */
function reviewOf({ said, item, reviewer, round, ms }: ReviewPut, task: Task, blind: boolean): Review {
	if (said.is !== "decision") throw badReview("an item of a benchmark is decided on");
	const { decision, question, accepted, boxes, comment } = said;
	const hops = hopIdsOf(task);
	if (said.hops.some(({ hop }) => !hops.has(hop)) || boxes.some(({ hop }) => hop !== undefined && !hops.has(hop)))
		throw badReview("the item has no such hop");
	const edited = decision === "edit" && (question !== undefined || accepted !== undefined);
	const parsed = Review.safeParse({
		...{ item, reviewer, round, blind, decision },
		reasons: [...new Set(said.reasons)].map((reason) => {
			const known = Reason.safeParse(reason);
			if (!known.success) throw badReview("there is no such reason");
			return known.data;
		}),
		...(said.hops.length > 0
			? { hops: Object.fromEntries(said.hops.map(({ hop, right }) => [hop, { right, reasons: [] }])) }
			: {}),
		...(edited
			? { edits: { ...(question === undefined ? {} : { question }), ...(accepted === undefined ? {} : { accepted }) } }
			: {}),
		...(boxes.length > 0 ? { pointed: boxes.map((box) => boxOf(box, task)) } : {}),
		...(comment === "" ? {} : { comment }),
		...(ms === undefined ? {} : { ms: Math.round(ms) }),
		at: new Date().toISOString(),
	});
	if (!parsed.success) throw badReview(parsed.error.issues[0]?.message ?? "the decision cannot be read");
	const fitting = editFits(parsed.data);
	if ("problem" in fitting) throw badReview("an edit needs a new wording or new answers");
	return fitting.review;
}

type Pointed = Extract<ReviewSaid, { is: "decision" }>["boxes"][number];

function boxOf({ picture, hop, box }: Pointed, task: Task): NonNullable<Review["pointed"]>[number] {
	const named = mediaNamed(picture);
	const about = { ...(hop === undefined ? {} : { hop }), box };
	if (named?.is === "image" && named.task === task.id && task.images.some(({ id }) => id === named.image))
		return { picture: { is: "image", id: named.image }, ...about };
	const ids = [...(task.chain?.hops.flatMap(({ evidence }) => evidence) ?? []), ...(task.supporting ?? [])];
	if (named?.is === "evidence" && ids.includes(named.id))
		return { picture: { is: "evidence", id: named.id }, ...about };
	throw badReview("a box is on a picture of another item");
}

/** A review as its reviewer said it. */
function saidOf({ decision, reasons, hops, edits, pointed, comment }: Review, task: Task): ReviewSaid {
	return {
		...{ is: "decision", decision, reasons, comment: comment ?? "" },
		hops: Object.entries(hops ?? {}).map(([hop, { right }]) => ({ hop, right })),
		...(edits?.question === undefined ? {} : { question: edits.question }),
		...(edits?.accepted === undefined ? {} : { accepted: edits.accepted }),
		boxes: (pointed ?? []).map(({ picture, hop, box }) => ({
			picture: nameOfMedia(picture.is === "image" ? { is: "image", task: task.id, image: picture.id } : picture),
			...(hop === undefined ? {} : { hop }),
			box,
		})),
	};
}

function figuresOf({ percent, cohen, fleiss, alpha, prevalence }: AgreementOn): ReviewStandingPage["agreement"] {
	const coefficient = (name: string, of: AgreementOn["alpha"]) => ({
		...{ name, value: of.value, low: of.low, high: of.high, unit: "number" as const },
		note: of.value === null ? (of.reason ?? "too little to tell") : "",
	});
	return [
		{
			...{ name: "Pairs that agree", value: percent.value, low: percent.low, high: percent.high, unit: "percent" },
			note: percent.value === null ? "no item has two reviews" : counted(percent.n, "item"),
		},
		coefficient("Krippendorff's alpha", alpha),
		coefficient("Fleiss' kappa", fleiss),
		...(cohen ? [coefficient("Cohen's kappa", cohen)] : []),
		{
			...{ name: "Share kept", value: prevalence, low: null, high: null, unit: "percent" },
			note: prevalence === null ? "" : "where it is near 0 or 100 %, a kappa tells little",
		},
	];
}
