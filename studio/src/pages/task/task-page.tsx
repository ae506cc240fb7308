import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { TaskKey } from "../../../../src/studio/pages.ts";
import { useLegendQuery } from "../../data/legend.ts";
import { type KeyBinding, useKeys } from "../../parts/keys.ts";
import { Trouble } from "../../parts/trouble.tsx";
import { useWalk } from "../../parts/use-walk.ts";
import type { ListSearch } from "../../shell/router.tsx";
import { Answer, type Overlay } from "./answer.tsx";
import { type Selection, written } from "./selection.ts";
import { TaskBar } from "./task-bar.tsx";
import { TaskHelp } from "./task-help.tsx";
import styles from "./task-page.module.css";
import { type Neighbours, useNeighbours, useTask } from "./use-task.ts";

const path = "/runs/$run/tasks/$task";

/** One answer: where its chain broke, and what that rests on. */
export function TaskPage() {
	const { run, task } = useParams({ from: path });
	const search = useSearch({ from: path });
	const { where = "", sort = "", repeat = 0, at } = search;
	const navigate = useNavigate({ from: path });
	const legend = useLegendQuery();
	const asked = useTask(run, { task, repeat });
	const beside = useNeighbours(run, { task, repeat }, { where, sort });
	const neighbours = beside.known;
	const [overlay, setOverlay] = useState<Overlay>(null);
	const page = asked.data;

	// whoever went on from the answer that the list opened comes back to where they are now
	const moved = useRef(false);
	const list: ListSearch = {
		...(where === "" ? {} : { where }),
		...(sort === "" ? {} : { sort }),
		...(moved.current && neighbours?.previous ? { row: neighbours.previous.index + 1 } : {}),
	};

	function go(to: TaskKey | null | undefined) {
		if (!to) return;
		moved.current = true;
		const { at: _at, repeat: _repeat, ...kept } = search;
		setOverlay(null);
		void navigate({
			to: path,
			params: { run, task: to.task },
			search: { ...kept, ...(to.repeat > 0 ? { repeat: to.repeat } : {}) },
		});
	}
	const here: TaskKey = { task, repeat };
	const goBeside = useWalk(here, {
		find: async (from, which: keyof Neighbours) => (await beside.find(from))[which],
		go,
	});
	function select(selection: Selection) {
		void navigate({ search: { ...search, at: written(selection) }, replace: true });
	}
	const back = () => void navigate({ to: "/runs/$run/tasks", params: { run }, search: list });
	const bindings: KeyBinding[] = [
		{ keys: ["n"], says: "next failure", does: () => goBeside("nextFailure") },
		{ keys: ["N"], says: "previous failure", does: () => goBeside("previousFailure") },
		{ keys: ["j"], says: "next task", does: () => goBeside("next") },
		{ keys: ["k"], says: "previous task", does: () => goBeside("previous") },
		{
			keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
			shown: "1–9",
			says: "a hop of the chain",
			does: ({ key }) => {
				const hop = page?.hops.find(({ place }) => place === Number(key));
				if (hop) select({ is: "hop", id: hop.id });
			},
		},
		{ keys: ["0"], says: "the answer as a whole", does: () => select({ is: "answer" }) },
		{ keys: ["m"], says: "messages", does: () => page && page.messages > 0 && setOverlay("messages") },
		{ keys: ["?"], says: "this help", does: () => setOverlay("help") },
		{ keys: ["Escape"], says: "back to the tasks", does: back },
	];
	useKeys(bindings);
	useEffect(() => {
		document.title = `${task} · Hopscope`;
	}, [task]);

	const failed = asked.isError && !asked.isPlaceholderData ? asked : legend.isError ? legend : undefined;
	return (
		<div className={styles.page}>
			<TaskBar
				run={run}
				task={task}
				page={page?.task === task ? page : undefined}
				list={list}
				neighbours={neighbours}
				onGo={go}
				onHelp={() => setOverlay("help")}
			/>
			{failed ? (
				<main>
					<Trouble what="This answer could not be shown" error={failed.error} onRetry={() => void failed.refetch()} />
				</main>
			) : page && legend.data ? (
				<Answer
					key={`${page.task} ${page.repeat}`}
					page={page}
					legend={legend.data}
					at={at}
					waiting={asked.isPlaceholderData}
					overlay={overlay}
					onOverlay={setOverlay}
					onSelect={select}
				/>
			) : (
				<Loading />
			)}
			<TaskHelp open={overlay === "help"} onClose={() => setOverlay(null)} bindings={bindings} legend={legend.data} />
		</div>
	);
}

/** Keeps the places of what is to come. */
const Loading = () => (
	<main className={styles.loading} aria-busy="true">
		<p className={styles.loadingQuestion}>Fetching the answer …</p>
		<div className={styles.loadingBand} />
	</main>
);
