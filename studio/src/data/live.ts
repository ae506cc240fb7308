import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useData } from "./source.ts";

/**
 * Asks again for what is shown of runs whenever one of them has changed. While that is on its way nothing is asked anew,
 * and what took long to fetch is asked for less often: whoever makes it has other things to do.
 */
export function useLive(runs: readonly string[]): void {
	const data = useData();
	const client = useQueryClient();
	const named = runs.join(",");
	useEffect(() => {
		if (named === "") return undefined;
		const changed = new Set<string>();
		let [asking, over] = [false, false];
		async function askAgain() {
			if (asking) return;
			asking = true;
			while (changed.size > 0 && !over) {
				const these = new Set<unknown>(changed);
				changed.clear();
				const started = performance.now();
				await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey.some((part) => these.has(part)) });
				const took = performance.now() - started;
				await new Promise((resolve) => setTimeout(resolve, took));
			}
			asking = false;
		}
		const stop = data.onChange(named.split(","), (run) => {
			changed.add(run);
			void askAgain();
		});
		return () => {
			over = true;
			stop();
		};
	}, [named, data, client]);
}
