// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed by hand make no table to a browser: the roles do
import { useRouter } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
	type MouseEvent,
	type Ref,
	useEffect,
	useImperativeHandle,
	useLayoutEffect,
	useMemo,
	useRef,
	useState,
} from "react";
import type { ComparedRow as Row } from "../../../../src/studio/pages.ts";
import { useLegend } from "../../data/legend.ts";
import { useData } from "../../data/source.ts";
import { phone, useMedia } from "../../parts/media.ts";
import type { CompareSearch } from "../../shell/router.tsx";
import { ListNotice } from "../tasks/list-notice.tsx";
import styles from "./compared-list.module.css";
import { ComparedRow, type RowContext } from "./compared-row.tsx";
import { type Compared, useComparedRows } from "./use-comparison.ts";

/** A line of a run's chain, and what stands around the lines. */
const lineHeight = 28;
const around = 16;
/** The bar and the tools that stay at the top. */
const covered = 150;

/** What the keys of the page do with the list. */
export interface ListHandle {
	selected: () => Row | undefined;
	select: (index: number | ((at: number) => number)) => void;
	open: () => void;
}

/** The compared tasks of a filter; the page scrolls, and only the rows in view are in it. */
export function ComparedList({
	compared,
	labels,
	search,
	total,
	start,
	busy,
	ref,
}: {
	compared: Compared;
	labels: readonly string[];
	/** The address, of which each task's own is made. */
	search: CompareSearch;
	total: number;
	/** The row that its address names. */
	start: number;
	busy: boolean;
	ref: Ref<ListHandle>;
}) {
	const data = useData();
	const legend = useLegend();
	const router = useRouter();
	const narrow = useMedia(phone);
	const { runs } = compared;
	const height = around + lineHeight * runs.length + (narrow ? 46 : 0);
	const box = useRef<HTMLDivElement>(null);
	const [selected, setSelected] = useState(start);
	const [margin, setMargin] = useState(0);
	// what stands above the list may grow when it comes
	useLayoutEffect(() => {
		const measure = () => setMargin((box.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(document.body);
		return () => observer.disconnect();
	}, []);
	const virtual = useWindowVirtualizer({ count: total, estimateSize: () => height, overscan: 8, scrollMargin: margin });
	// biome-ignore lint/correctness/useExhaustiveDependencies: rows become cards and back: all heights are another
	useEffect(() => virtual.measure(), [height]);
	const items = virtual.getVirtualItems();
	const { rowAt, error, retry } = useComparedRows(compared, {
		first: items[0]?.index ?? 0,
		last: items.at(-1)?.index ?? 0,
		direction: virtual.scrollDirection,
		total,
	});
	const opened = useRef(false);
	useEffect(() => {
		// coming back from a task, to where it stands
		if (opened.current || total === 0 || margin === 0) return;
		opened.current = true;
		if (start > 0) window.scrollTo(0, margin + start * height - window.innerHeight / 2);
	}, [total, margin, start, height]);

	const context = useMemo((): RowContext => {
		const href = (row: Row, index: number) =>
			router.history.createHref(
				`/compare/${encodeURIComponent(row.task)}${router.options.stringifySearch({ ...search, row: index })}`,
			);
		return { run: runs, data, legend, labels, href };
	}, [runs, data, legend, labels, router, search]);

	function select(to: number | ((at: number) => number)) {
		const at = Math.max(0, Math.min(total - 1, typeof to === "number" ? to : to(selected)));
		setSelected(at);
		const top = margin + at * height - window.scrollY;
		if (top < covered) window.scrollBy(0, top - covered);
		else if (top + height > window.innerHeight) window.scrollBy(0, top + height - window.innerHeight + 8);
	}
	function open(index: number) {
		const row = rowAt(index);
		if (!row) return;
		// the place is kept in the address that one comes back to
		const there = { ...search, ...(index > 0 ? { row: index } : {}) };
		void router
			.navigate({ to: "/compare", search: there, replace: true, resetScroll: false })
			.then(() => router.navigate({ to: "/compare/$task", params: { task: row.task }, search: there }));
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
		<>
			{/* biome-ignore lint/a11y/useKeyWithClickEvents: the page's keys open the selected row */}
			<div
				ref={box}
				className={styles.list}
				role="grid"
				aria-label="Compared tasks"
				aria-rowcount={total}
				aria-busy={busy}
				aria-activedescendant={items.some(({ index }) => index === selected) ? `row-${selected}` : undefined}
				tabIndex={0}
				style={{ height: virtual.getTotalSize() }}
				onClick={click}
			>
				{items.map(({ index, start: offset }) => (
					<ComparedRow
						key={index}
						row={rowAt(index)}
						index={index}
						offset={offset - margin}
						height={height}
						selected={index === selected}
						context={context}
					/>
				))}
			</div>
			{total === 0 && !busy && <p className={styles.empty}>No task meets this filter.</p>}
			{error && <ListNotice error={error} onRetry={retry} />}
		</>
	);
}
