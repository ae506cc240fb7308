// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed by hand make no table to a browser: the roles do
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its selected row
import { useRouter } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type MouseEvent, type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { Row, RunPage } from "../../../../src/studio/pages.ts";
import { useLegend } from "../../data/legend.ts";
import { useData } from "../../data/source.ts";
import { phone, useMedia } from "../../parts/media.ts";
import { type Held, useKeptFocus } from "./keep-focus.ts";
import { ListHead } from "./list-head.tsx";
import { ListNotice } from "./list-notice.tsx";
import { type Place, usePlace } from "./place.ts";
import { type Listed, useRows } from "./rows.ts";
import styles from "./task-list.module.css";
import { type RowContext, TaskRow } from "./task-row.tsx";

const rowHeight = 44;
const cardHeight = 120;
const headHeight = 36;

/** What the keys of the page do with the list. */
export interface ListHandle {
	selected: () => Row | undefined;
	select: (index: number | ((at: number) => number)) => void;
	open: () => void;
}

/** All answers of a filter. Of a hundred thousand only those in view are in the page. */
export function TaskList({
	listed,
	total,
	start,
	columns,
	currency,
	busy,
	onSort,
	held,
	ref,
}: {
	listed: Listed;
	total: number;
	/** Where to begin. */
	start: Partial<Place>;
	held: Held;
	columns: RunPage["columns"];
	currency: string | null;
	/** Whether another filter is being fetched. */
	busy: boolean;
	onSort: (sort: string) => void;
	ref: Ref<ListHandle>;
}) {
	const { run, where, sort } = listed;
	const data = useData();
	const legend = useLegend();
	const router = useRouter();
	const narrow = useMedia(phone);
	const tight = useMedia("(width < 1100px)") && !narrow;
	const height = narrow ? cardHeight : rowHeight;
	const scroller = useRef<HTMLDivElement>(null);
	const [first] = useState((): Place => {
		const { at = 0, top = Math.max(0, at - 3) } = start;
		return { at, top };
	});
	const [selected, setSelected] = useState(Math.min(first.at, Math.max(0, total - 1)));
	// scrolling may end before what was selected is drawn
	const standing = useRef(selected);
	const note = usePlace(run, where, sort);
	useKeptFocus(scroller, held);
	const top = () => Math.round((scroller.current?.scrollTop ?? 0) / height);

	const virtual = useVirtualizer({
		count: total,
		getScrollElement: () => scroller.current,
		estimateSize: () => height,
		initialOffset: first.top * height,
		overscan: 10,
		onChange: (_, scrolling) => {
			if (!scrolling) note({ at: standing.current, top: top() });
		},
	});
	// biome-ignore lint/correctness/useExhaustiveDependencies: rows become cards and back: all heights are another
	useEffect(() => virtual.measure(), [height]);
	const items = virtual.getVirtualItems();
	const { rowAt, error, retry } = useRows(listed, {
		first: items[0]?.index ?? 0,
		last: items.at(-1)?.index ?? 0,
		direction: virtual.scrollDirection,
		total,
	});

	const context = useMemo((): RowContext => {
		const query = { ...(where === "" ? {} : { where }), ...(sort === "" ? {} : { sort }) };
		// by hand and not by the router's links: a list of them costs more than all else in it
		const address = (row: Row) =>
			`/runs/${encodeURIComponent(run)}/tasks/${encodeURIComponent(row.task)}${router.options.stringifySearch({
				...query,
				...(row.repeat > 0 ? { repeat: row.repeat } : {}),
			})}`;
		const href = (row: Row) => router.history.createHref(address(row));
		return { run, data, legend, currency, href, hops: tight ? 5 : 7 };
	}, [run, where, sort, data, legend, currency, router, tight]);

	function select(to: number | ((at: number) => number)) {
		const at = Math.max(0, Math.min(total - 1, typeof to === "number" ? to : to(selected)));
		setSelected(at);
		standing.current = at;
		// whoever moves in the list is in it: Enter opens the row, and not a head that was pressed before
		scroller.current?.focus({ preventScroll: true });
		reveal(scroller.current, { from: at * height, height, head: narrow ? 0 : headHeight });
		note({ at, top: top() });
	}

	function open(index: number) {
		const row = rowAt(index);
		if (!row) return;
		setSelected(index);
		standing.current = index;
		note({ at: index, top: top() }, true);
		void router.navigate({
			to: "/runs/$run/tasks/$task",
			params: { run, task: row.task },
			search: {
				...(where === "" ? {} : { where }),
				...(sort === "" ? {} : { sort }),
				...(row.repeat > 0 ? { repeat: row.repeat } : {}),
			},
		});
	}

	function click(event: MouseEvent) {
		if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
		const index = (event.target as Element).closest<HTMLElement>("[data-index]")?.dataset.index;
		if (index === undefined) return;
		event.preventDefault();
		open(Number(index));
	}

	useImperativeHandle(ref, () => ({ selected: () => rowAt(selected), select, open: () => open(selected) }));

	return (
		<div className={styles.frame}>
			{/* biome-ignore lint/a11y/useKeyWithClickEvents: the page's keys open the selected row */}
			<div
				ref={scroller}
				className={styles.list}
				role="grid"
				aria-label="Tasks"
				aria-rowcount={total + 1}
				aria-busy={busy}
				aria-activedescendant={items.some(({ index }) => index === selected) ? `row-${selected}` : undefined}
				tabIndex={0}
				data-list=""
				onClick={click}
			>
				<ListHead sort={sort} columns={columns} onSort={onSort} />
				<div role="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
					{items.map(({ index, start: offset }) => (
						<TaskRow
							key={index}
							row={rowAt(index)}
							index={index}
							offset={offset}
							selected={index === selected}
							context={context}
						/>
					))}
				</div>
			</div>
			{error && <ListNotice error={error} onRetry={retry} />}
		</div>
	);
}

/** Scrolls as little as it takes to show a row below the heads; to the middle where it is far away. */
function reveal(
	scroller: HTMLElement | null,
	{ from, height, head }: { from: number; height: number; head: number },
): void {
	if (!scroller) return;
	const view = scroller.clientHeight - head;
	const [above, below] = [scroller.scrollTop - from, from + height - (scroller.scrollTop + view)];
	if (above > view || below > view) scroller.scrollTop = from - view / 2;
	else if (above > 0) scroller.scrollTop = from;
	else if (below > 0) scroller.scrollTop = from + height - view;
}
