import { useSyncExternalStore } from "react";

/** Whether a media query holds, and follows it: for what differs by more than its style. */
export function useMedia(query: string): boolean {
	return useSyncExternalStore(
		(changed) => {
			const list = window.matchMedia(query);
			list.addEventListener("change", changed);
			return () => list.removeEventListener("change", changed);
		},
		() => window.matchMedia(query).matches,
	);
}
