import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { useLegend } from "../../data/legend.ts";
import { useLive } from "../../data/live.ts";
import { useData } from "../../data/source.ts";
import { Bar } from "../../parts/bar.tsx";
import { plural, showCount } from "../../parts/format.ts";
import { HelpDialog } from "../../parts/help-dialog.tsx";
import { KeyCap } from "../../parts/key-cap.tsx";
import { type KeyBinding, useKeys } from "../../parts/keys.ts";
import { Trouble } from "../../parts/trouble.tsx";
import type { CompareSearch } from "../../shell/router.tsx";
import { Cautions } from "../run/cautions.tsx";
import { Facets } from "../tasks/facets.tsx";
import { FilterField } from "../tasks/filter-field.tsx";
import { FilterHelp } from "../tasks/filter-help.tsx";
import { Sheet } from "../tasks/sheet.tsx";
import { SortMenu } from "../tasks/sort-menu.tsx";
import { CompareHelp } from "./compare-help.tsx";
import styles from "./compare-page.module.css";
import { ComparedList, type ListHandle } from "./compared-list.tsx";
import { ComparedRuns } from "./compared-runs.tsx";
import { Differences } from "./differences.tsx";
import { Flips } from "./flips.tsx";
import { PairPicker } from "./pair-picker.tsx";
import { runsIn, useComparedHead, useComparison } from "./use-comparison.ts";

const address = { from: "/compare" } as const;

/** Runs of one benchmark against one another: how far apart, what flipped and where it broke, and the tasks themselves. */
export function ComparePage() {
	const search = useSearch(address);
	const { where = "", sort = "", pair: chosen, row = 0 } = search;
	const runs = useMemo(() => runsIn(search.runs), [search.runs]);
	useLive(runs);
	const navigate = useNavigate();
	const data = useData();
	const legend = useLegend();
	const comparison = useComparison(runs);
	const compared = useMemo(() => ({ runs, where, sort }), [runs, where, sort]);
	const head = useComparedHead(compared);
	const list = useRef<ListHandle>(null);
	const field = useRef<HTMLInputElement>(null);
	const tasks = useRef<HTMLElement>(null);
	const [help, setHelp] = useState(false);
	const [sheet, setSheet] = useState(false);
	useEffect(() => {
		document.title = "Compare · Hopscope";
	}, []);

	const show = (next: Partial<Record<"where" | "sort" | "pair", string>>, replace = false) => {
		const { row: _row, where: _where, sort: _sort, ...kept } = search;
		const query = { where, sort, ...next };
		const to: CompareSearch = { ...kept, ...(next.pair === undefined ? {} : { pair: next.pair }) };
		if (query.where !== "") to.where = query.where;
		if (query.sort !== "") to.sort = query.sort;
		void navigate({ to: "/compare", search: to, replace, resetScroll: false });
	};
	/** A figure's own tasks, and to them; the same again shows all. */
	const choose = (next: string) => {
		show({ where: next === where ? "" : next });
		if (next !== where) tasks.current?.scrollIntoView({ block: "start" });
	};
	const flip = (step: 1 | -1) => async () => {
		const from = list.current?.selected();
		if (!from) return;
		// one that cannot be found changes nothing
		const found = await data
			.comparedNext(runs, { where, sort, task: from.task, step, failures: true })
			.catch(() => null);
		if (found) list.current?.select(found.index);
	};
	const by = (step: number) => () => list.current?.select((place) => place + step);
	const bindings: KeyBinding[] = [
		{ keys: ["/"], says: "write a filter", does: () => field.current?.select() },
		{ keys: ["j", "ArrowDown"], says: "next task", does: by(1) },
		{ keys: ["k", "ArrowUp"], says: "previous task", does: by(-1) },
		{ keys: ["n"], says: "next task that flipped", does: flip(1) },
		{ keys: ["N"], says: "previous task that flipped", does: flip(-1) },
		{ keys: ["Enter"], says: "open the task side by side", does: () => list.current?.open() },
		{ keys: ["?"], says: "this help", does: () => setHelp(true) },
		{ keys: ["Escape"], says: "back to the runs", does: () => void navigate({ to: "/" }) },
	];
	useKeys(bindings);

	const page = comparison.data;
	const pair = page?.pairs.find(({ a, b }) => a + b === chosen) ?? page?.pairs[0];
	const { total = 0, of = 0, facets = [], problems = [] } = head.data ?? {};
	const columns = page?.columns ?? [];
	const facetList = <Facets facets={facets} where={where} onWhere={(next) => show({ where: next })} />;
	return (
		<div className={styles.page}>
			<Bar
				path={[
					<span key="runs">
						<Link to="/">Runs</Link> /
					</span>,
				]}
				title="Compare"
				tags={page ? [page.benchmark, ...(page.scoring === null ? [] : [`scored by ${page.scoring}`])] : []}
				onHelp={() => setHelp(true)}
			>
				<p className={styles.hints} aria-hidden="true">
					<KeyCap>/</KeyCap> filter <KeyCap>j</KeyCap> <KeyCap>k</KeyCap> move <KeyCap>n</KeyCap> flip{" "}
					<KeyCap>↵</KeyCap> open
				</p>
				<Link to="/tables" search={{ runs: runs.join(",") }} className={styles.tables}>
					Tables
				</Link>
			</Bar>
			{comparison.isError && !page ? (
				<main>
					<Trouble
						what="These runs cannot be compared"
						error={comparison.error}
						onRetry={() => void comparison.refetch()}
					/>
				</main>
			) : (
				<main className={styles.main}>
					{page && legend ? (
						<>
							<ComparedRuns runs={page.runs} />
							<Cautions cautions={page.cautions} />
							{pair && (
								<>
									<PairPicker pairs={page.pairs} chosen={pair} onChoose={(next) => show({ pair: next }, true)} />
									<div className={styles.columns}>
										<Differences pair={pair} tests={page.tests} />
										<Flips pair={pair} legend={legend} by={page.by} where={where} onWhere={choose} />
									</div>
								</>
							)}
						</>
					) : (
						<div className={styles.waiting} role="status" aria-label="Comparing the runs" />
					)}
					<section ref={tasks} className={styles.tasks} aria-labelledby="tasks">
						<aside className={styles.side} aria-label="Facets">
							{facetList}
						</aside>
						<div className={styles.list}>
							<div className={styles.tools}>
								<h2 id="tasks">Tasks</h2>
								<FilterField
									ref={field}
									where={where}
									onWhere={(next) => next !== where && show({ where: next }, true)}
									onLeave={() => field.current?.blur()}
									facets={facets}
									columns={columns}
								/>
								<div className={styles.order}>
									<SortMenu sort={sort} columns={columns} onSort={(next) => show({ sort: next })} />
									<button type="button" className={styles.facetsButton} onClick={() => setSheet(true)}>
										Facets
									</button>
								</div>
								<p
									className={problems.length > 0 ? `${styles.status} ${styles.problem}` : styles.status}
									aria-live="polite"
								>
									{problems.length > 0 && `${problems.join("; ")} — left out. `}
									{head.data && `${showCount(total)} of ${plural(of, "task")}`}
								</p>
							</div>
							{head.isError && !head.data ? (
								page && (
									<Trouble
										what="The tasks could not be fetched"
										error={head.error}
										onRetry={() => void head.refetch()}
									/>
								)
							) : (
								<ComparedList
									key={JSON.stringify([search.runs, where, sort])}
									ref={list}
									compared={compared}
									labels={page?.runs.map(({ label }) => label) ?? []}
									search={search}
									total={total}
									start={row}
									busy={head.isPlaceholderData || head.isPending}
								/>
							)}
						</div>
					</section>
				</main>
			)}
			<Sheet open={sheet} onClose={() => setSheet(false)} title="Facets" done={`Show ${plural(total, "task")}`}>
				{facetList}
			</Sheet>
			<HelpDialog open={help} onClose={() => setHelp(false)} bindings={bindings}>
				<CompareHelp />
				<FilterHelp columns={columns} />
			</HelpDialog>
		</div>
	);
}
