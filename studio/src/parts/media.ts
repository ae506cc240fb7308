import { useSyncExternalStore } from "react";

/** A phone, where tables become cards. */
export const phone = "(width < 700px)";

/** No room for what stands beside each other on a wider page. */
export const narrow = "(width < 1000px)";

/** Whether the window meets a media query: only where style sheets alone cannot tell. */
export const useMedia = (query: string): boolean =>
	useSyncExternalStore(
		(changed) => {
			const list = matchMedia(query);
			list.addEventListener("change", changed);
			return () => list.removeEventListener("change", changed);
		},
		() => matchMedia(query).matches,
	);
