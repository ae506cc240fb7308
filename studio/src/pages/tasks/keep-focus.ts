import { type RefObject, useLayoutEffect } from "react";

/** Which part of a list had the focus when another took its place. */
export type Held = RefObject<{ column: string | undefined } | null>;

/** Another filter or order is another list: whoever was in the one before with the keyboard stays where he was. */
export function useKeptFocus(list: RefObject<HTMLElement | null>, held: Held): void {
	useLayoutEffect(() => {
		const shown = list.current;
		if (held.current && document.activeElement === document.body) {
			const { column } = held.current;
			const head = column === undefined ? null : shown?.querySelector<HTMLElement>(`[data-column="${column}"]`);
			(head ?? shown)?.focus({ preventScroll: true });
		}
		held.current = null;
		return () => {
			const focus = document.activeElement;
			if (focus instanceof HTMLElement && shown?.contains(focus)) held.current = { column: focus.dataset.column };
		};
	}, [list, held]);
}
