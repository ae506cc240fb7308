import { useQueryClient } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { useData } from "../data/source.ts";
import { useWaiting } from "../data/waiting.ts";
import styles from "./shell.module.css";

/** Around every page: the page, and what it waits for where that takes longer. */
export function Shell() {
	const waiting = useWaiting();
	useLive(useParams({ strict: false }).run);
	return (
		<>
			<Outlet />
			<div role="status" className={waiting === null ? styles.none : styles.waiting}>
				{waiting}
			</div>
		</>
	);
}

/** Asks again for what is shown of a run whenever the run has changed. */
function useLive(run: string | undefined): void {
	const data = useData();
	const client = useQueryClient();
	useEffect(() => {
		if (run === undefined) return undefined;
		return data.onChange(run, () => {
			void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(run) });
		});
	}, [run, data, client]);
}
