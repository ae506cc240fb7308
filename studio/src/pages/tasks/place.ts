/** Where one was in a list: written into its address when the list rests, and remembered for links that do not say it. */
import { useRouter } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";
import type { ListSearch } from "../../shell/router.tsx";

export interface Place {
	at: number;
	top: number;
}

const places = new Map<string, Place>();

const keyOf = (run: string, where: string, sort: string) => JSON.stringify([run, where, sort]);

export const rememberedPlace = (run: string, where: string, sort: string): Place | undefined =>
	places.get(keyOf(run, where, sort));

/** How long a list rests before its address is written: scrolling must not wait for the router. */
const restMs = 250;

/** Notes the place; `now` writes it into the address at once, before another page is opened. */
export function usePlace(run: string, where: string, sort: string) {
	const router = useRouter();
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	useEffect(() => () => clearTimeout(timer.current), []);
	return useCallback(
		({ at, top }: Place, now = false) => {
			places.set(keyOf(run, where, sort), { at, top });
			clearTimeout(timer.current);
			const write = () => {
				// another filter may have been set since, and its list be still on its way
				const asked: ListSearch = router.latestLocation.search;
				if ((asked.where ?? "") !== where || (asked.sort ?? "") !== sort) return;
				void router.navigate({
					to: "/runs/$run/tasks",
					params: { run },
					search: {
						...(where === "" ? {} : { where }),
						...(sort === "" ? {} : { sort }),
						...(at > 0 ? { row: at } : {}),
						...(top > 0 ? { top } : {}),
					},
					replace: true,
					resetScroll: false,
				});
			};
			if (now) {
				write();
				// what is gone to at once would take its place in the history
				router.history.flush();
			} else timer.current = setTimeout(write, restMs);
		},
		[router, run, where, sort],
	);
}
