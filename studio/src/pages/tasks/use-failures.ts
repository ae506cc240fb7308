import { type RefObject, useRef } from "react";
import type { NextQuery, PlacedTask, StudioData } from "../../../../src/studio/pages.ts";
import type { ListHandle } from "./task-list.tsx";

/** Goes from failure to failure, one after the other: a key that is pressed before the last one was found is not lost. */
export function useFailures(
	list: RefObject<ListHandle | null>,
	next: (query: Pick<NextQuery, "from" | "step" | "failures">) => ReturnType<StudioData["next"]>,
): (step: 1 | -1) => void {
	const walk = useRef<{ waiting: number; at: PlacedTask | null; done: Promise<void> }>({
		waiting: 0,
		at: null,
		done: Promise.resolve(),
	});
	return (step) => {
		const going = walk.current;
		going.waiting += 1;
		going.done = going.done.then(async () => {
			const from = going.at ?? list.current?.selected();
			// one that cannot be found changes nothing: the list says what it could not fetch
			const found =
				from &&
				(await next({ from: { task: from.task, repeat: from.repeat }, step, failures: true }).catch(() => null));
			if (found) list.current?.select(found.index);
			going.waiting -= 1;
			going.at = going.waiting === 0 ? null : (found ?? going.at);
		});
	};
}
