// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed by hand make no table to a browser: the roles do
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its selected row
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from "react";
import type { Query } from "../../../../src/studio/pages.ts";
import { phone, useMedia } from "../../parts/media.ts";
import styles from "./benchmark-list.module.css";
import { BenchmarkRowShown } from "./benchmark-row.tsx";
import { useBenchmarkRows } from "./benchmark-rows.ts";

const rowHeight = 48;
const cardHeight = 118;
const headHeight = 34;

export interface BenchmarkListHandle {
	move: (step: number) => void;
	open: () => void;
}

/** The tasks that a filter leaves; only those in view are in the page. */
export function BenchmarkList({
	name,
	query,
	total,
	start,
	ref,
}: {
	name: string;
	query: Query;
	total: number;
	/** Where its address says to begin. */
	start: { row?: number; top?: number };
	ref: Ref<BenchmarkListHandle>;
}) {
	const { where, sort } = query;
	const router = useRouter();
	const navigate = useNavigate();
	const narrow = useMedia(phone);
	const height = narrow ? cardHeight : rowHeight;
	const scroller = useRef<HTMLDivElement>(null);
	const [selected, setSelected] = useState(Math.min(start.row ?? 0, total - 1));
	const virtual = useVirtualizer({
		count: total,
		getScrollElement: () => scroller.current,
		estimateSize: () => height,
		initialOffset: (start.top ?? Math.max(0, selected - 3)) * height,
		overscan: 8,
	});
	// biome-ignore lint/correctness/useExhaustiveDependencies: rows become cards and back: all heights are another
	useEffect(() => virtual.measure(), [height]);
	const items = virtual.getVirtualItems();
	const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
	const rowAt = useBenchmarkRows(name, query, { first, last, total });
	const search = { ...(where === "" ? {} : { where }), ...(sort === "" ? {} : { sort }) };

	function move(step: number) {
		const at = Math.max(0, Math.min(total - 1, selected + step));
		setSelected(at);
		const view = scroller.current;
		if (!view) return;
		const [from, to] = [at * height, (at + 1) * height];
		if (from < view.scrollTop) view.scrollTop = from;
		else if (to > view.scrollTop + view.clientHeight - headHeight) view.scrollTop = to - view.clientHeight + headHeight;
	}
	function open(index: number) {
		const row = rowAt(index);
		if (!row) return;
		const top = Math.round((scroller.current?.scrollTop ?? 0) / height);
		const place = { ...(index > 0 ? { row: index } : {}), ...(top > 0 ? { top } : {}) };
		// coming back finds the same place
		void navigate({ to: "/benchmarks/$name", params: { name }, search: { ...search, ...place }, replace: true }).then(
			() => navigate({ to: "/benchmarks/$name/tasks/$task", params: { name, task: row.task }, search }),
		);
	}
	function click(event: MouseEvent) {
		if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
		const index = (event.target as Element).closest<HTMLElement>("[data-index]")?.dataset.index;
		if (index === undefined) return;
		event.preventDefault();
		open(Number(index));
	}
	useImperativeHandle(ref, () => ({ move, open: () => open(selected) }));

	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: the page's keys open the selected row
		<div
			ref={scroller}
			className={styles.list}
			role="grid"
			aria-label="Tasks"
			aria-rowcount={total + 1}
			aria-activedescendant={selected >= first && selected <= last ? `gold-${selected}` : undefined}
			tabIndex={0}
			data-list=""
			onClick={click}
		>
			<div role="row" className={styles.head} aria-rowindex={1}>
				{["Gold chain", "Question", "Answer", "Language", "Found"].map((title) => (
					<span key={title} role="columnheader">
						{title}
					</span>
				))}
			</div>
			<div role="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
				{items.map(({ index, start: offset }) => (
					<BenchmarkRowShown
						key={index}
						name={name}
						row={rowAt(index)}
						index={index}
						offset={offset}
						selected={index === selected}
						hrefOf={(task) =>
							router.history.createHref(
								`/benchmarks/${encodeURIComponent(name)}/tasks/${encodeURIComponent(task)}${router.options.stringifySearch(search)}`,
							)
						}
					/>
				))}
			</div>
		</div>
	);
}
