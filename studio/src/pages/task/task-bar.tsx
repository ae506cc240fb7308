import { Link } from "@tanstack/react-router";
import type { TaskKey, TaskPage } from "../../../../src/studio/pages.ts";
import { Bar } from "../../parts/bar.tsx";
import { KeyCap } from "../../parts/key-cap.tsx";
import { Unseen } from "../../parts/unseen.tsx";
import type { ListSearch } from "../../shell/router.tsx";
import styles from "./task-bar.module.css";
import type { Neighbours } from "./use-task.ts";

/** Where one is in the run, and the ways to the failures beside this answer. */
export function TaskBar({
	run,
	task,
	page,
	list,
	neighbours,
	onGo,
	onHelp,
}: {
	run: string;
	task: string;
	page: TaskPage | undefined;
	/** Where in the list of tasks one comes back to. */
	list: ListSearch;
	neighbours: Neighbours | undefined;
	onGo: (to: TaskKey | null | undefined) => void;
	onHelp: () => void;
}) {
	const attempt = page && page.attempt > 0 ? [`attempt ${page.attempt + 1}`] : [];
	return (
		<Bar
			path={[
				<Link key="tasks" to="/runs/$run/tasks" params={{ run }} search={list}>
					<span aria-hidden>‹ </span>Tasks
				</Link>,
			]}
			title={task}
			tags={[...attempt, ...new Set(page?.tags)]}
			onHelp={onHelp}
		>
			{page && page.repeats > 1 && (
				<select
					className={styles.repeat}
					aria-label="Repeat"
					title="Repeat"
					value={page.repeat}
					onChange={({ target }) => onGo({ task, repeat: Number(target.value) })}
				>
					{[...Array(page.repeats).keys()].map((repeat) => (
						<option key={repeat} value={repeat}>
							{repeat + 1} of {page.repeats}
						</option>
					))}
				</select>
			)}
			<button
				type="button"
				className={styles.go}
				disabled={!neighbours?.previousFailure}
				onClick={() => onGo(neighbours?.previousFailure)}
			>
				<span aria-hidden>‹ </span>
				<Unseen>Previous </Unseen>Failure <KeyCap>N</KeyCap>
			</button>
			<button
				type="button"
				className={`${styles.go} ${styles.next}`}
				disabled={!neighbours?.nextFailure}
				onClick={() => onGo(neighbours?.nextFailure)}
			>
				Next failure <KeyCap>n</KeyCap> <span aria-hidden>›</span>
			</button>
		</Bar>
	);
}
