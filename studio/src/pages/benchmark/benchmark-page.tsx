import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { mostCheckedUnasked, useBenchmark, useCheck } from "../../data/sources.ts";
import { Bar } from "../../parts/bar.tsx";
import { plural, showCount } from "../../parts/format.ts";
import { HelpDialog } from "../../parts/help-dialog.tsx";
import { type KeyBinding, useKeys } from "../../parts/keys.ts";
import { phone, useMedia } from "../../parts/media.ts";
import { SourceLinks } from "../../parts/source-links.tsx";
import { Trouble } from "../../parts/trouble.tsx";
import type { BenchmarkSearch } from "../../shell/router.tsx";
import { Facets } from "../tasks/facets.tsx";
import { FilterField } from "../tasks/filter-field.tsx";
import { Sheet } from "../tasks/sheet.tsx";
import { SortMenu } from "../tasks/sort-menu.tsx";
import { WaitingList } from "../tasks/waiting-list.tsx";
import { AboutBenchmark } from "./about-benchmark.tsx";
import { BenchmarkList, type BenchmarkListHandle } from "./benchmark-list.tsx";
import styles from "./benchmark-page.module.css";
import { useBenchmarkHead } from "./benchmark-rows.ts";
import { Integrity } from "./integrity.tsx";

const address = { from: "/benchmarks/$name" } as const;
const views = [
	[undefined, "Tasks"],
	["integrity", "Integrity"],
	["about", "About"],
] as const;

/** A benchmark: its tasks by what they are made of, what can be said against it, and where it comes from. */
export function BenchmarkPage() {
	const { name } = useParams(address);
	const search = useSearch(address);
	const { where = "", sort = "", view } = search;
	const navigate = useNavigate();
	const client = useQueryClient();
	const about = useBenchmark(name);
	// once what one came for is there
	const check = useCheck(
		name,
		view === "integrity" || (about.data?.tasks ?? Number.POSITIVE_INFINITY) <= mostCheckedUnasked,
	);
	const checked = check.data?.is === "made";
	const head = useBenchmarkHead(name, { where, sort });
	const list = useRef<BenchmarkListHandle>(null);
	const field = useRef<HTMLInputElement>(null);
	const page = useRef<HTMLDivElement>(null);
	const [help, setHelp] = useState(false);
	const [sheet, setSheet] = useState(false);
	const narrow = useMedia(phone);
	// what checks found makes columns of its own; the rows stay until they are told it
	useEffect(() => {
		if (!checked) return;
		void client.invalidateQueries({ queryKey: ["benchmark", name] });
		void client.invalidateQueries({ queryKey: ["benchmark-rows", name] });
	}, [checked, client, name]);
	function show(next: { where?: string; sort?: string; view?: BenchmarkSearch["view"] | undefined }, replace = false) {
		const query = { where, sort, view, ...next };
		void navigate({
			to: "/benchmarks/$name",
			params: { name },
			search: {
				...(query.where ? { where: query.where } : {}),
				...(query.sort ? { sort: query.sort } : {}),
				...(query.view ? { view: query.view } : {}),
			},
			replace,
		});
	}
	const toTasks = (next: string) => show({ where: next, view: undefined });
	const by = (step: number) => () => list.current?.move(step);
	const bindings: KeyBinding[] = [
		{ keys: ["/"], says: "write a filter", does: () => field.current?.select() },
		{ keys: ["j", "ArrowDown"], says: "next task", does: by(1) },
		{ keys: ["k", "ArrowUp"], says: "previous task", does: by(-1) },
		{ keys: ["PageDown"], says: "a page further", does: by(15) },
		{ keys: ["PageUp"], says: "a page back", does: by(-15) },
		{ keys: ["Enter"], says: "open the task", does: () => list.current?.open() },
		...views.map(([of, says], place) => ({
			keys: [String(place + 1)],
			says: says.toLowerCase(),
			does: () => show({ view: of }),
		})),
		{ keys: ["Escape"], says: "back to the benchmarks", does: () => void navigate({ to: "/benchmarks" }) },
		{ keys: ["?"], says: "this help", does: () => setHelp(true) },
	];
	useKeys(bindings);
	const { total = 0, of = 0, facets = [], problems = [] } = head.data ?? {};
	const columns = about.data?.columns ?? [];
	const facetList = <Facets facets={facets} where={where} onWhere={(next) => show({ where: next })} />;
	const made = check.data?.is === "made" ? check.data.page : undefined;
	return (
		<div className={styles.page} ref={page} data-view={view ?? "tasks"}>
			<Bar
				path={[
					<span key="all">
						<Link to="/benchmarks">Benchmarks</Link> /
					</span>,
				]}
				title={name}
				tags={about.data ? [plural(about.data.tasks, "task"), about.data.licence] : []}
				onHelp={() => setHelp(true)}
			>
				<SourceLinks here="benchmarks" />
			</Bar>
			<nav className={styles.views} aria-label="Views of this benchmark">
				{views.map(([of, says]) => (
					<button
						key={says}
						type="button"
						aria-current={view === of ? "page" : undefined}
						onClick={() => show({ view: of })}
					>
						{says}
						{of === "integrity" && made && made.counts.error + made.counts.warning > 0 && (
							<span className={styles.badge} data-grave={made.counts.error > 0 || undefined}>
								{showCount(made.counts.error + made.counts.warning)}
							</span>
						)}
					</button>
				))}
			</nav>
			{view === "integrity" ? (
				<main className={styles.whole}>
					<Integrity name={name} check={check} onWhere={toTasks} />
				</main>
			) : view === "about" ? (
				<main className={styles.whole} aria-busy={!about.data && !about.isError}>
					{about.isError && !about.data ? (
						<Trouble
							what="The benchmark could not be opened"
							error={about.error}
							onRetry={() => void about.refetch()}
						/>
					) : (
						about.data && <AboutBenchmark page={about.data} onWhere={toTasks} />
					)}
				</main>
			) : (
				<>
					<aside className={styles.side} aria-label="Distributions">
						{!narrow && facetList}
					</aside>
					<main className={styles.main}>
						<div className={styles.tools}>
							<FilterField
								ref={field}
								where={where}
								onWhere={(next) => next !== where && show({ where: next }, true)}
								onLeave={() => page.current?.querySelector<HTMLElement>("[data-list]")?.focus()}
								facets={facets}
								columns={columns}
								placeholder="topology:text-fork  hops>3  modality:image  -language:en  words"
							/>
							<div className={styles.order}>
								<SortMenu sort={sort} columns={columns} onSort={(next) => show({ sort: next })} />
								<button type="button" className={styles.facetsButton} onClick={() => setSheet(true)}>
									Distributions
								</button>
							</div>
						</div>
						<p
							className={problems.length > 0 ? `${styles.status} ${styles.problem}` : styles.status}
							aria-live="polite"
						>
							{problems.length > 0 && `${problems.join("; ")} — left out. `}
							{head.data && `${showCount(total)} of ${plural(of, "task")}`}
						</p>
						{head.isError && !head.data ? (
							<Trouble what="The tasks could not be fetched" error={head.error} onRetry={() => void head.refetch()} />
						) : !head.data ? (
							<WaitingList />
						) : total === 0 ? (
							<div className={styles.none}>
								<p>No task meets this filter.</p>
								<button type="button" onClick={() => show({ where: "" })}>
									Clear the filter
								</button>
							</div>
						) : (
							<BenchmarkList
								key={JSON.stringify([name, where, sort])}
								ref={list}
								name={name}
								query={{ where, sort }}
								total={total}
								start={search}
							/>
						)}
					</main>
				</>
			)}
			<Sheet
				open={sheet && narrow}
				onClose={() => setSheet(false)}
				title="Distributions"
				done={`Show ${plural(total, "task")}`}
			>
				{facetList}
			</Sheet>
			<HelpDialog open={help} onClose={() => setHelp(false)} bindings={bindings} />
		</div>
	);
}
