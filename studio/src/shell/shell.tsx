import { Outlet, useParams } from "@tanstack/react-router";
import { useLive } from "../data/live.ts";
import { useWaiting } from "../data/waiting.ts";
import styles from "./shell.module.css";

/** Around every page: the page, and what it waits for where that takes longer. */
export function Shell() {
	const waiting = useWaiting();
	const { run } = useParams({ strict: false });
	useLive(run === undefined ? [] : [run]);
	return (
		<>
			<Outlet />
			<div role="status" className={waiting === null ? styles.none : styles.waiting}>
				{waiting}
			</div>
		</>
	);
}
