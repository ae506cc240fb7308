/** The keyboard of a page: single keys, as people's favourite tools have them. */
import { type AnyRouter, useRouter } from "@tanstack/react-router";
import { useLayoutEffect, useRef } from "react";

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
	const router = useRouter();
	const latest = useRef(bindings);
	// as soon as what they are for is seen
	useLayoutEffect(() => {
		latest.current = bindings;
	});
	useLayoutEffect(() => {
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
			// a held key repeats moving, and so it should; that the page scrolls besides it should not
			if (binding) event.preventDefault();
			if (router.state.status === "pending") keepFor(router, event);
			else binding?.does?.(event);
		}
		window.addEventListener("keydown", press);
		return () => window.removeEventListener("keydown", press);
	}, [router]);
}

/** Keys that were pressed while another page was on its way, in their order: they are that page's. */
const early: KeyboardEvent[] = [];

function keepFor(router: AnyRouter, event: KeyboardEvent): void {
	// several parts of a page may listen
	if (early.includes(event)) return;
	early.push(event);
	if (early.length > 1) return;
	// by looking, since not every way that a page arrives is told
	const look = () => {
		if (router.state.status === "pending") return void requestAnimationFrame(look);
		for (const { key } of early.splice(0)) {
			const again = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
			(document.activeElement ?? document.body).dispatchEvent(again);
		}
	};
	requestAnimationFrame(look);
}
