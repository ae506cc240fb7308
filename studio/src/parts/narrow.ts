import { useSyncExternalStore } from "react";

const query = "(width < 700px)";

/** Whether the window is a phone's, where tables become cards: only where style sheets alone cannot tell. */
export const useNarrow = (): boolean =>
	useSyncExternalStore(
		(changed) => {
			const list = matchMedia(query);
			list.addEventListener("change", changed);
			return () => list.removeEventListener("change", changed);
		},
		() => matchMedia(query).matches,
	);
