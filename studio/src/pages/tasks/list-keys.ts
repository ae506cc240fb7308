import type { RefObject } from "react";
import type { KeyBinding } from "../../parts/keys.ts";
import type { ListHandle } from "./task-list.tsx";

/** How many rows a page's key goes. */
const far = 15;

export function keysOf({
	list,
	onFailure,
	onFilter,
	onHelp,
}: {
	list: RefObject<ListHandle | null>;
	onFailure: (step: 1 | -1) => void;
	onFilter: () => void;
	onHelp: () => void;
}): KeyBinding[] {
	const by = (step: number) => () => list.current?.select((at) => at + step);
	return [
		{ keys: ["/"], says: "write a filter", does: onFilter },
		{ keys: ["j", "ArrowDown"], says: "next task", does: by(1) },
		{ keys: ["k", "ArrowUp"], says: "previous task", does: by(-1) },
		{ keys: ["PageDown"], says: "a page further", does: by(far) },
		{ keys: ["PageUp"], says: "a page back", does: by(-far) },
		{ keys: ["Home"], says: "the first task", does: () => list.current?.select(0) },
		{ keys: ["End"], says: "the last task", does: () => list.current?.select(Number.MAX_SAFE_INTEGER) },
		{ keys: ["n"], says: "next failure of the filter", does: () => onFailure(1) },
		{ keys: ["N"], says: "previous failure of the filter", does: () => onFailure(-1) },
		{ keys: ["Enter"], says: "open the task", does: () => list.current?.open() },
		{ keys: ["?"], says: "this help", does: onHelp },
	];
}
