import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Media, TaskPage } from "../../../../../src/studio/pages.ts";
import { useData } from "../../../data/source.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { plural } from "../../../parts/format.ts";
import { Trouble } from "../../../parts/trouble.tsx";
import { MessageShown } from "./message-shown.tsx";
import styles from "./messages-dialog.module.css";

const pageful = 20;

/** What went over the wire, in the order in which it did, fetched as one reads on. */
export function MessagesDialog({
	page,
	open,
	onClose,
	onPicture,
}: {
	page: TaskPage;
	open: boolean;
	onClose: () => void;
	onPicture: (picture: Media) => void;
}) {
	return (
		<Dialog open={open} onClose={onClose} title={`${plural(page.messages, "message")} of ${page.task}`} wide>
			<Messages page={page} onPicture={onPicture} />
		</Dialog>
	);
}

function Messages({ page: { run, task, repeat }, onPicture }: { page: TaskPage; onPicture: (picture: Media) => void }) {
	const data = useData();
	const asked = useInfiniteQuery({
		queryKey: ["messages", run, task, repeat],
		queryFn: ({ pageParam }) => data.messages(run, { task, repeat, offset: pageParam, limit: pageful }),
		initialPageParam: 0,
		getNextPageParam: (last, all) => {
			const read = all.reduce((sum, { messages }) => sum + messages.length, 0);
			return read < last.of && last.messages.length > 0 ? read : undefined;
		},
	});
	const end = useRef<HTMLButtonElement>(null);
	const { hasNextPage, isFetching, fetchNextPage } = asked;
	useEffect(() => {
		if (!end.current || !hasNextPage || isFetching) return;
		const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), {
			rootMargin: "400px",
		});
		observer.observe(end.current);
		return () => observer.disconnect();
	}, [hasNextPage, isFetching, fetchNextPage]);
	if (asked.isError && !asked.data)
		return (
			<Trouble what="The messages could not be fetched" error={asked.error} onRetry={() => void asked.refetch()} />
		);
	const messages = asked.data?.pages.flatMap((one) => one.messages) ?? [];
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
		<section className={styles.messages} tabIndex={0} aria-label="Messages" aria-busy={isFetching}>
			<ol className={styles.list}>
				{messages.map((message, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: a message is named by its place
					<li key={index}>
						<MessageShown message={message} index={index} run={run} task={task} repeat={repeat} onPicture={onPicture} />
					</li>
				))}
			</ol>
			{isFetching && <p className={styles.note}>Fetching messages …</p>}
			{hasNextPage && (
				<button
					ref={end}
					type="button"
					className={styles.more}
					onClick={() => void fetchNextPage()}
					disabled={isFetching}
				>
					Show more
				</button>
			)}
			{asked.isSuccess && messages.length === 0 && <p className={styles.note}>No messages were recorded.</p>}
		</section>
	);
}
