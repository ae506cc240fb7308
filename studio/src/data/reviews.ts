/** Reviews as pages ask for them: queues, items, and decisions that are on disk before they are answered. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
	ReviewData,
	ReviewEntry,
	ReviewOf,
	ReviewPut,
	ReviewQueue,
	ReviewSeat,
	ReviewTake,
} from "../../../src/studio/review-pages.ts";
import { useData } from "./source.ts";

const never = () => Promise.reject(new Error("An export can only be looked at. Review with `hopscope studio`."));
const nowhere: ReviewData = {
	...{ queues: never, standing: never, queue: never, entry: never, put: never, undo: never },
	media: () => "",
	file: () => "",
};

export const useReviewData = (): ReviewData => useData().reviews ?? nowhere;

const queueKey = ({ kind, of, reviewer, round }: ReviewSeat) => ["review-queue", kind, of, reviewer, round];
const entryKey = (seat: ReviewSeat, item: string) => ["review-item", ...queueKey(seat), item];

export function useQueues() {
	const reviews = useReviewData();
	return useQuery({ queryKey: ["reviews"], queryFn: () => reviews.queues(), staleTime: 0 });
}

export function useStanding({ kind, of }: ReviewOf) {
	const reviews = useReviewData();
	return useQuery({
		queryKey: ["review-standing", kind, of],
		queryFn: () => reviews.standing({ kind, of }),
		staleTime: 0,
	});
}

export function useReviewQueue(seat: ReviewSeat) {
	const reviews = useReviewData();
	return useQuery({
		queryKey: queueKey(seat),
		queryFn: () => reviews.queue(seat),
		staleTime: Number.POSITIVE_INFINITY,
		// what came into conflict since it was last looked at
		refetchOnMount: "always",
	});
}

/** One item; the next one is fetched ahead, so that it is there at once. */
export function useReviewEntry(seat: ReviewSeat, item: string | undefined, ahead: string | undefined) {
	const reviews = useReviewData();
	const ask = (id: string | undefined) => ({
		queryKey: entryKey(seat, id ?? ""),
		queryFn: () => reviews.entry({ ...seat, item: id ?? "" }),
		enabled: id !== undefined,
		staleTime: Number.POSITIVE_INFINITY,
	});
	useQuery(ask(ahead));
	return useQuery(ask(item));
}

/** Keeps and takes back decisions; what is shown follows what came back. */
export function useDecide(seat: ReviewSeat) {
	const reviews = useReviewData();
	const client = useQueryClient();
	const follow = (entry: ReviewEntry, { item }: ReviewTake) => {
		client.setQueryData(entryKey(seat, item), entry);
		client.setQueryData<ReviewQueue>(
			queueKey(seat),
			(queue) =>
				queue && {
					...queue,
					items: queue.items.map((one) => (one.id === item ? { id: item, done: entry.mine !== null } : one)),
				},
		);
	};
	const put = useMutation({ mutationFn: (said: ReviewPut) => reviews.put(said), onSuccess: follow });
	const undo = useMutation({ mutationFn: (taken: ReviewTake) => reviews.undo(taken), onSuccess: follow });
	return { put, undo };
}
