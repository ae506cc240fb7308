/**
 * Labels that people give to what a run holds, its answers or its searches. The two differ in what is asked and in the
 * file that the labels stand in; who is how far, what is in conflict and who settles it is one for both.
 */
import { counted, grouped, tally } from "#domain";
import { type Estimate, krippendorffAlpha } from "#scoring";
import type {
	ReviewAsk,
	ReviewAsked,
	ReviewKind,
	ReviewLine,
	ReviewSaid,
	ReviewSeat,
	ReviewStandingPage,
	SaidInWords,
} from "#studio";
import { badReview, type Reviews, unknownItem } from "./review-source.ts";

/** What one person said to one question about one item. */
export interface Vote {
	item: string;
	/** Empty where nobody is named. */
	rater: string;
	/** It settles what others disagree on. */
	settles: boolean;
	ask: string;
	values: string[];
}

export type Given = Extract<ReviewSaid, { is: "options" }>["given"];

/** What is labelled of runs, and the files that hold it. */
export interface LabelQueues {
	kind: Exclude<ReviewKind, "items">;
	title(run: string): string;
	/** One thing that is labelled, for sentences: "answer". */
	thing: { one: string; many: string };
	/** In the order in which they are labelled; none before they were drawn. */
	items(run: string): Promise<readonly { id: string; question: string }[]>;
	/** What draws them, as a command. */
	draw(run: string): string;
	/** All that is asked in the run's queue. */
	asks(run: string): Promise<ReviewAsk[]>;
	/** What is asked of an item; refused where there is no such item. */
	asksOf(run: string, item: string): Promise<ReviewAsk[]>;
	asked(run: string, item: string): Promise<ReviewAsked>;
	/** What models said of it. */
	models(run: string, item: string): Promise<SaidInWords[]>;
	votes(run: string): Promise<Vote[]>;
	/** Puts what somebody says in place of what that person said of the item before, in the same round. */
	keep(run: string, vote: Pick<Vote, "item" | "rater" | "settles"> & { given: Given }): Promise<void>;
	next(run: string): ReviewStandingPage["next"];
	file(run: string): string;
	media: Reviews["media"];
}

/** An answer that decides nothing: it counts as a label, and neither makes nor settles a conflict. */
export const undecided = "unsure";

export function labelReviews(queues: LabelQueues): Reviews {
	const { kind, title, thing, items, asks, asksOf, votes, file, media } = queues;
	const settles = ({ round }: ReviewSeat) => round === "adjudication";
	const isBy = ({ rater, settles: settling }: Vote, seat: ReviewSeat) =>
		rater === seat.reviewer && settling === settles(seat);

	/** What the seat is asked of an item: who settles, only what is contested. */
	async function asksFor(seat: ReviewSeat, item: string, all: readonly Vote[]): Promise<ReviewAsk[]> {
		const own = await asksOf(seat.of, item);
		if (!settles(seat)) return own;
		const contested = contestedAsks(all.filter((vote) => vote.item === item));
		if (contested.size === 0) throw unknownItem();
		return own.filter(({ name }) => contested.has(name));
	}

	return {
		async line(run): Promise<ReviewLine> {
			const [own, all] = [await items(run), await votes(run)];
			const reviewers = ratersOf(all).map((name) => ({ name, done: labelledBy(all, name).size, of: own.length }));
			const conflicts = [...statesOf(all).values()].filter((state) => state === "in conflict").length;
			const before = own.length > 0 ? "" : queues.draw(run);
			return { kind, of: run, title: title(run), items: own.length, closed: false, reviewers, conflicts, before };
		},
		async queue(seat) {
			const [own, all] = [await items(seat.of), await votes(seat.of)];
			const done = new Set(all.flatMap((vote) => (isBy(vote, seat) ? [vote.item] : [])));
			const states = statesOf(all);
			const isOpen = (id: string) => states.get(id) === "in conflict" || (states.get(id) === "settled" && done.has(id));
			const asked = settles(seat) ? own.filter(({ id }) => isOpen(id)) : own;
			return { items: asked.map(({ id }) => ({ id, done: done.has(id) })), reasons: [] };
		},
		async entry(seat) {
			const { of: run, item } = seat;
			const all = (await votes(run)).filter((vote) => vote.item === item);
			const shown = { ...(await queues.asked(run, item)), asks: await asksFor(seat, item, all) };
			const own = all.filter((vote) => isBy(vote, seat));
			const others = all.filter(({ rater, settles: settling, ask }) => {
				const isOwn = rater === seat.reviewer && (settling || !settles(seat));
				return !isOwn && shown.asks.some(({ name }) => name === ask);
			});
			const given = own.map(({ ask, values }) => ({ ask, values }));
			return {
				...shown,
				mine: given.length > 0 ? { is: "options", given } : null,
				disagreement: settles(seat) ? disagreementOf(all, shown.asks) : [],
				revealed:
					given.length > 0
						? { models: await queues.models(run, item), others: others.map((vote) => voteInWords(vote, shown.asks)) }
						: null,
			};
		},
		async put(put) {
			const { of: run, item, reviewer: rater, said } = put;
			if (said.is !== "options") throw badReview(`${thing.many} are labelled`);
			const asked = await asksFor(put, item, await votes(run));
			const given = [...new Map(said.given.map((one) => [one.ask, checked(one, asked)])).values()];
			if (given.length === 0) throw badReview("nothing was chosen");
			await queues.keep(run, { item, rater, settles: settles(put), given });
		},
		async undo(seat) {
			const { of: run, item, reviewer: rater } = seat;
			await asksOf(run, item);
			await queues.keep(run, { item, rater, settles: settles(seat), given: [] });
		},
		async standing(run): Promise<Omit<ReviewStandingPage, "line">> {
			const [own, all] = [await items(run), await votes(run)];
			const found = statesOf(all);
			const counts = tally(own.map(({ id }) => found.get(id) ?? "waiting"));
			const labelled = own.length - (counts.waiting ?? 0);
			const raters = ratersOf(all);
			return {
				states: states.map((state) => ({ state, count: counts[state] ?? 0 })),
				about: `${labelled} of ${own.length} ${own.length === 1 ? thing.one : thing.many} labelled by ${counted(raters.length, "person").replace("persons", "people")}.`,
				agreement: (await asks(run)).map(({ name }) => figureOf(name, alphaOf(all, name))),
				reviewers: raters.map((reviewer) => ({
					...{ reviewer, reviews: labelledBy(all, reviewer).size, kept: null, traps: 0, caught: 0, ms: null },
				})),
				conflicts: own
					.filter(({ id }) => found.get(id) === "in conflict")
					.map(({ id, question }) => ({ id, question: question.slice(0, 300) })),
				next: queues.next(run),
			};
		},
		media,
		file,
		async close() {},
	};
}

const independent = (votes: readonly Vote[]) => votes.filter(({ settles }) => !settles);
const ratersOf = (votes: readonly Vote[]) =>
	[...new Set(independent(votes).flatMap(({ rater }) => rater || []))].sort();
const labelledBy = (votes: readonly Vote[], name: string) =>
	new Set(independent(votes).flatMap(({ rater, item }) => (rater === name ? [item] : [])));
const said = ({ values }: Pick<Vote, "values">) => values.toSorted().join(", ");
const decides = ({ values }: Vote) => !values.includes(undecided);

/** Of the votes on one item, what people answer differently. */
function contestedAsks(votes: readonly Vote[]): Set<string> {
	const byAsk = grouped(independent(votes).filter(decides), ({ ask }) => ask);
	return new Set([...byAsk].flatMap(([ask, some]) => (new Set(some.map(said)).size > 1 ? [ask] : [])));
}

const states = ["labelled by one", "labelled alike", "settled", "in conflict", "waiting"] as const;

/** Where every item stands that has a label: one has to settle all of what people differ on. */
function statesOf(votes: readonly Vote[]): Map<string, (typeof states)[number]> {
	const stateOf = (some: readonly Vote[]) => {
		const contested = [...contestedAsks(some)];
		const settled = new Set(some.flatMap((vote) => (vote.settles && decides(vote) ? [vote.ask] : [])));
		if (contested.some((ask) => !settled.has(ask))) return "in conflict";
		if (contested.length > 0) return "settled";
		return new Set(some.map(({ rater }) => rater)).size > 1 ? "labelled alike" : "labelled by one";
	};
	return new Map([...grouped(votes, ({ item }) => item)].map(([item, some]) => [item, stateOf(some)]));
}

function checked({ ask: name, values }: Given[number], asks: readonly ReviewAsk[]): Given[number] {
	const ask = asks.find((one) => one.name === name);
	const known = ask && values.every((value) => ask.options.some((option) => option.value === value));
	if (!known || (!ask.several && values.length !== 1)) throw badReview("there is no such label");
	return { ask: name, values: [...new Set(values)] };
}

/** What is said to each question and by how many, without their names. */
const disagreementOf = (votes: readonly Vote[], asks: readonly ReviewAsk[]): SaidInWords[] =>
	asks.map((ask) => {
		const answers = independent(votes).filter((vote) => vote.ask === ask.name);
		const counts = Object.entries(tally(answers.map((vote) => voteInWords(vote, [ask]).says)));
		const says = counts
			.sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1))
			.map(([words, count]) => `${count} ${count === 1 ? "says" : "say"} ${words}`);
		return { who: ask.title, says: says.join(", "), why: "" };
	});

function voteInWords(vote: Vote, asks: readonly ReviewAsk[]): SaidInWords {
	const ask = asks.find(({ name }) => name === vote.ask);
	const titles = vote.values.map((value) => ask?.options.find((one) => one.value === value)?.title ?? value);
	const who = vote.settles ? `${vote.rater}, adjudicating` : vote.rater;
	return { who, says: titles.join(", ").toLowerCase() || "none", why: ask?.title ?? vote.ask };
}

function alphaOf(votes: readonly Vote[], ask: string): Estimate {
	const own = independent(votes).filter((vote) => vote.ask === ask && decides(vote));
	const items = [...new Set(own.map(({ item }) => item))];
	const bySaying = new Map(own.map((vote) => [JSON.stringify([vote.rater, vote.item]), said(vote)]));
	const raters = [...new Set(own.map(({ rater }) => rater))];
	return krippendorffAlpha(
		raters.map((rater) => items.map((item) => bySaying.get(JSON.stringify([rater, item])) ?? null)),
	);
}

const figureOf = (ask: string, { value, low, high, reason }: Estimate): ReviewStandingPage["agreement"][number] => ({
	...{
		name: `Krippendorff's alpha: ${ask.replace(/^score /, "").replaceAll(/[_-]/g, " ")}`,
		value,
		low,
		high,
		unit: "number",
	},
	note: value === null ? (reason ?? "too little to tell") : "",
});
