import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import type { Facet } from "../../../../src/studio/pages.ts";
import { useRun } from "../../data/run.ts";
import { useData } from "../../data/source.ts";
import { Bar } from "../../parts/bar.tsx";
import { plural, showCount } from "../../parts/format.ts";
import { HelpDialog } from "../../parts/help-dialog.tsx";
import { KeyCap } from "../../parts/key-cap.tsx";
import { useKeys } from "../../parts/keys.ts";
import { phone, useMedia } from "../../parts/media.ts";
import { Trouble } from "../../parts/trouble.tsx";
import type { ListSearch } from "../../shell/router.tsx";
import { Facets } from "./facets.tsx";
import { FilterField } from "./filter-field.tsx";
import { FilterHelp } from "./filter-help.tsx";
import type { Held } from "./keep-focus.ts";
import { keysOf } from "./list-keys.ts";
import { NoTasks } from "./no-tasks.tsx";
import { type Place, rememberedPlace } from "./place.ts";
import { useHead } from "./rows.ts";
import { Sheet } from "./sheet.tsx";
import { SortMenu } from "./sort-menu.tsx";
import { steadyFacets } from "./steady-facets.ts";
import { type ListHandle, TaskList } from "./task-list.tsx";
import styles from "./tasks-page.module.css";
import { useFailures } from "./use-failures.ts";
import { WaitingList } from "./waiting-list.tsx";

const noFacets: readonly Facet[] = [];
const address = { from: "/runs/$run/tasks" } as const;

/** All tasks of a run: filtered by facets and a text, sorted by any column, walked through by keys. */
export function TasksPage() {
	const { run } = useParams(address);
	const search = useSearch(address);
	const { where = "", sort = "" } = search;
	const navigate = useNavigate();
	const data = useData();
	const about = useRun(run).data;
	const live = about?.line.live ?? false;
	const asked = useMemo(() => ({ run, where, sort }), [run, where, sort]);
	const head = useHead(asked);
	const whole = useHead(useMemo(() => ({ run, where: "", sort: "" }), [run]));
	// until another filter's first page is there, the list goes on showing the one before
	const settled = useRef(asked);
	if (!head.isPlaceholderData && head.data) settled.current = asked;
	const listed = settled.current.run === run ? settled.current : asked;

	const list = useRef<ListHandle>(null);
	const field = useRef<HTMLInputElement>(null);
	const page = useRef<HTMLDivElement>(null);
	const [help, setHelp] = useState(false);
	const [sheet, setSheet] = useState(false);
	const narrow = useMedia(phone);
	const held: Held = useRef(null);
	// coming back to the page is to come back to its place; another filter begins at its first row
	const [moved, setMoved] = useState(false);
	const known = search.row === undefined && search.top === undefined && !moved;
	const start = known ? (rememberedPlace(run, where, sort) ?? {}) : placeIn(search);
	const show = (next: { where?: string; sort?: string }, replace = false) => {
		setMoved(true);
		const query = { where, sort, ...next };
		void navigate({
			to: "/runs/$run/tasks",
			params: { run },
			search: {
				...(query.where === "" ? {} : { where: query.where }),
				...(query.sort === "" ? {} : { sort: query.sort }),
			},
			replace,
		});
	};
	const toList = () => {
		field.current?.blur();
		held.current = { column: undefined };
		page.current?.querySelector<HTMLElement>("[data-list]")?.focus();
	};
	const bindings = keysOf({
		list,
		onFailure: useFailures(list, (query) => data.next(run, { where, sort, ...query })),
		onFilter: () => field.current?.select(),
		onHelp: () => setHelp(true),
	});
	useKeys(bindings);

	const { total = 0, of = 0, facets = noFacets, problems = [] } = head.data ?? {};
	const steady = useMemo(() => steadyFacets(whole.data?.facets ?? facets, facets), [whole.data, facets]);
	const columns = about?.columns ?? [];
	const facetList = <Facets facets={steady} where={where} onWhere={(next) => show({ where: next })} />;
	return (
		<div className={styles.page} ref={page}>
			<Bar
				path={[
					<Link key="runs" to="/">
						Runs
					</Link>,
					<span key="run">
						/{" "}
						<Link to="/runs/$run" params={{ run }}>
							<bdi>{run}</bdi>
						</Link>{" "}
						/
					</span>,
				]}
				title="Tasks"
				onHelp={() => setHelp(true)}
			>
				<p className={styles.hints} aria-hidden="true">
					<KeyCap>/</KeyCap> filter <KeyCap>j</KeyCap> <KeyCap>k</KeyCap> move <KeyCap>n</KeyCap> failure{" "}
					<KeyCap>↵</KeyCap> open
				</p>
			</Bar>
			<aside className={styles.side} aria-label="Facets">
				{!narrow && facetList}
			</aside>
			<main className={styles.main}>
				<div className={styles.tools}>
					<FilterField
						ref={field}
						where={where}
						onWhere={(next) => next !== where && show({ where: next }, true)}
						onLeave={toList}
						facets={whole.data?.facets ?? []}
						columns={columns}
					/>
					<div className={styles.order}>
						<SortMenu sort={sort} columns={columns} onSort={(next) => show({ sort: next })} />
						<button type="button" className={styles.facetsButton} onClick={() => setSheet(true)}>
							Facets
						</button>
					</div>
				</div>
				<p className={problems.length > 0 ? `${styles.status} ${styles.problem}` : styles.status} aria-live="polite">
					{problems.length > 0 && `${problems.join("; ")} — left out. `}
					{head.data && `${showCount(total)} of ${plural(of, "task")}`}
				</p>
				{head.isError && !head.data ? (
					<Trouble what="The tasks could not be fetched" error={head.error} onRetry={() => void head.refetch()} />
				) : !head.data ? (
					<WaitingList />
				) : total === 0 && !head.isPlaceholderData ? (
					<NoTasks of={of} live={live} onClear={() => show({ where: "" })} />
				) : (
					<TaskList
						key={JSON.stringify([run, listed.where, listed.sort])}
						ref={list}
						listed={listed}
						total={total}
						start={start}
						held={held}
						columns={columns}
						currency={about?.line.currency ?? null}
						busy={head.isPlaceholderData}
						onSort={(next) => show({ sort: next })}
					/>
				)}
			</main>
			<Sheet
				open={sheet && narrow}
				onClose={() => setSheet(false)}
				title="Facets"
				done={`Show ${plural(total, "task")}`}
			>
				{facetList}
			</Sheet>
			<HelpDialog open={help} onClose={() => setHelp(false)} bindings={bindings}>
				<FilterHelp columns={columns} />
			</HelpDialog>
		</div>
	);
}

const placeIn = ({ row = 0, top = Math.max(0, row - 3) }: ListSearch): Place => ({ at: row, top });
