import { useEffect, useState } from "react";
import type { Group } from "./contents.ts";

export interface Folds {
	/** Whether a group, or a table that folds alone, is unfolded. */
	isOpen(id: string): boolean;
	toggle(id: string): void;
	toggleAll(): void;
	allOpen: boolean;
	/** Unfolds what a table stands in and brings it into view. */
	show(group: Group, table?: string): void;
	/** The table after the one in view, or before it. */
	step(by: 1 | -1): void;
}

/** So many tables that a filter leaves are unfolded at once. */
const mostUnfolded = 6;

/** What is folded: groups stand open at first, tables that fold alone stand closed, what a filter finds is unfolded. */
export function useFolds(contents: readonly Group[], filter: string): Folds {
	const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
	const single = contents.flatMap(({ single: alone, tables }) => (alone ? tables.map(({ id }) => tableKey(id)) : []));
	const groups = contents.map(({ id }) => id);
	const found = filter !== "" && single.length <= mostUnfolded;
	// a group begins open, a single table closed
	const isOpen = (id: string) => (found && single.includes(id)) || turned.has(id) !== groups.includes(id);
	// biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another list, which begins anew
	useEffect(() => setTurned(new Set()), [filter]);
	const turn = (ids: readonly string[], open: boolean) =>
		setTurned((before) => {
			const next = new Set(before);
			for (const id of ids) {
				if (open !== groups.includes(id)) next.add(id);
				else next.delete(id);
			}
			return next;
		});
	const allOpen = [...groups, ...single].every(isOpen);
	const show = (group: Group, table?: string) => {
		turn([group.id, ...(table !== undefined && group.single ? [tableKey(table)] : [])], true);
		const id = table === undefined ? `group-${group.id}` : `table-${table}`;
		// it stands where it stands only when it is unfolded
		requestAnimationFrame(() => bring(document.getElementById(id)));
	};
	return {
		isOpen,
		toggle: (id) => turn([id], !isOpen(id)),
		toggleAll: () => turn([...groups, ...single], !allOpen),
		allOpen,
		show,
		step(by) {
			const places = contents.flatMap((group) => group.tables.map(({ id }) => ({ group, id })));
			const at = places.findLastIndex(({ id }) => {
				const top = document.getElementById(`table-${id}`)?.getBoundingClientRect().top;
				return top !== undefined && top < headRoom + 8;
			});
			const next = places[Math.max(0, Math.min(places.length - 1, at + by))];
			if (next) show(next.group, next.id);
		},
	};
}

export const tableKey = (id: string): string => `table ${id}`;

/** What stands above the tables and does not move, in pixels. */
const headRoom = 108;

function bring(element: HTMLElement | null): void {
	element?.scrollIntoView({ block: "start" });
	element?.querySelector<HTMLElement>("button, summary")?.focus({ preventScroll: true });
}
