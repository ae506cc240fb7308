/** The keyboard of a page: single keys, as people's favourite tools have them. */
import { useEffect, useRef } from "react";

export interface KeyBinding {
	/** Values of `KeyboardEvent.key`: any of them will do. */
	keys: readonly string[];
	/** What it does, as the help says it: "next failure". */
	says: string;
	/** Absent where something else listens, such as a field: the help names it all the same. */
	does?: (event: KeyboardEvent) => void;
	/** How the help writes the keys, where that is shorter: "1–9". */
	shown?: string;
}

const typing =
	"input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=textbox], [role=combobox]";

const pressed = "a[href], button, summary, input";

/**
 * Listens for the keys of a page while it is shown. Nothing is done with a modifier held, while somebody is typing, and
 * while a dialog is open: those have keys of their own.
 */
export function useKeys(bindings: readonly KeyBinding[]): void {
	const latest = useRef(bindings);
	useEffect(() => {
		latest.current = bindings;
	});
	useEffect(() => {
		function press(event: KeyboardEvent) {
			if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
			if (event.target instanceof Element && event.target.closest(typing)) return;
			if (document.querySelector("dialog:modal")) return;
			// what has the focus is pressed, not the page
			if (
				(event.key === "Enter" || event.key === " ") &&
				event.target instanceof Element &&
				event.target.closest(pressed)
			)
				return;
			const binding = latest.current.find(({ keys, does }) => does && keys.includes(event.key));
			if (!binding?.does) return;
			// a held key repeats moving, and so it should; that the page scrolls besides it should not
			event.preventDefault();
			binding.does(event);
		}
		window.addEventListener("keydown", press);
		return () => window.removeEventListener("keydown", press);
	}, []);
}
