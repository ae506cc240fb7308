/** Where one was in a list: written into its address when the list rests, and remembered for links that do not say it. */
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";

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
	const navigate = useNavigate();
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	useEffect(() => () => clearTimeout(timer.current), []);
	return useCallback(
		({ at, top }: Place, now = false) => {
			places.set(keyOf(run, where, sort), { at, top });
			clearTimeout(timer.current);
			const write = () =>
				navigate({
					to: "/runs/$run/tasks",
					params: { run },
					search: {
						...(where === "" ? {} : { where }),
						...(sort === "" ? {} : { sort }),
						...(at > 0 ? { at } : {}),
						...(top > 0 ? { top } : {}),
					},
					replace: true,
					resetScroll: false,
				});
			if (now) void write();
			else timer.current = setTimeout(write, restMs);
		},
		[navigate, run, where, sort],
	);
}
