/** The reviews of a workspace as the studio's pages have them, over the files that `hopscope review` and others read. */
import { usageError } from "#domain";
import type {
	ReviewEntry,
	ReviewKind,
	ReviewOf,
	ReviewPut,
	ReviewQueue,
	ReviewSeat,
	ReviewStandingPage,
	ReviewsPage,
	ReviewTake,
} from "#studio";
import { answerReviews } from "../review-answers.ts";
import { itemReviews } from "../review-items.ts";
import { searchReviews } from "../review-searches.ts";
import type { Reviews, ShowRun } from "../review-source.ts";
import type { Bench } from "../work.ts";

/** Opens the reviews of a workspace; pictures of runs are the studio's own. */
export function studioReviews(
	runs: { show: ShowRun; media(run: string, name: string): Promise<string | undefined> },
	bench: Bench,
) {
	const { workspace } = bench;
	const kinds: Record<ReviewKind, Reviews> = {
		items: itemReviews(bench),
		answers: answerReviews(runs, bench),
		hops: searchReviews(runs, bench),
	};

	/** Names come from addresses: only what the workspace lists is opened. */
	async function of({ kind, of: name }: ReviewOf): Promise<Reviews> {
		const there = await workspace.list(kind === "items" ? "benchmarks" : "runs");
		if (there.includes(name)) return kinds[kind];
		throw usageError("unknown-queue", "there is nothing of that name to review", "It may have been removed.");
	}

	return {
		async queues(): Promise<ReviewsPage> {
			const benchmarks = await workspace.list("benchmarks");
			const names = (await workspace.list("runs")).reverse().slice(0, 200);
			const lines = [
				...benchmarks.map((name) => kinds.items.line(name)),
				...names.map((name) => kinds.answers.line(name)),
				...names.map((name) => kinds.hops.line(name)),
			];
			// what is half written or broken is not offered
			const settled = await Promise.allSettled(lines);
			return { queues: settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])) };
		},
		async standing(queue: ReviewOf): Promise<ReviewStandingPage> {
			const reviews = await of(queue);
			return { line: await reviews.line(queue.of), ...(await reviews.standing(queue.of)) };
		},
		async queue({ kind, of: name, reviewer, round }: ReviewSeat): Promise<ReviewQueue> {
			const seat = { kind, of: name, reviewer, round };
			const reviews = await of(seat);
			const { title } = await reviews.line(name);
			return { ...seat, title, ...(await reviews.queue(seat)) };
		},
		entry: async (seat: ReviewTake): Promise<ReviewEntry> => (await of(seat)).entry(seat),
		async put(said: ReviewPut): Promise<ReviewEntry> {
			const reviews = await of(said);
			await reviews.put(said);
			return reviews.entry(said);
		},
		async undo(seat: ReviewTake): Promise<ReviewEntry> {
			const reviews = await of(seat);
			await reviews.undo(seat);
			return reviews.entry(seat);
		},
		media: async (queue: ReviewOf, name: string) => (await of(queue)).media(queue.of, name),
		file: async (queue: ReviewOf) => (await of(queue)).file(queue.of),
		async close(): Promise<void> {
			for (const reviews of Object.values(kinds)) await reviews.close();
		},
	};
}
