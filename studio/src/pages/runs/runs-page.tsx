import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { useData } from "../../data/source.ts";
import { Bar } from "../../parts/bar.tsx";
import { plural, showCount } from "../../parts/format.ts";
import { HelpDialog } from "../../parts/help-dialog.tsx";
import { KeyCap } from "../../parts/key-cap.tsx";
import { type KeyBinding, useKeys } from "../../parts/keys.ts";
import { SourceLinks } from "../../parts/source-links.tsx";
import { Trouble } from "../../parts/trouble.tsx";
import { CompareBar } from "./compare-bar.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { filterRuns } from "./filter-runs.ts";
import { NoRuns } from "./no-runs.tsx";
import styles from "./runs-page.module.css";
import { RunsTable } from "./runs-table.tsx";
import { TagsDialog } from "./tags-dialog.tsx";

/** What is being asked about which runs. */
interface Asked {
	what: "tag" | "delete";
	runs: readonly string[];
}

/** Which runs there are, how far they are and how good. */
export function RunsPage() {
	const data = useData();
	const navigate = useNavigate();
	const runs = useQuery({
		queryKey: ["runs"],
		queryFn: () => data.runs(),
		// a run that is being written moves; another may begin at any time; an export stays as it is
		refetchInterval: ({ state: { data: page } }) =>
			page?.working || page?.runs.some(({ live }) => live) ? 2_000 : page?.live ? 15_000 : false,
	});
	const [filter, setFilter] = useState("");
	const [at, setAt] = useState(0);
	const [ticked, setTicked] = useState<readonly string[]>([]);
	const [asked, setAsked] = useState<Asked | null>(null);
	const [help, setHelp] = useState(false);
	const field = useRef<HTMLInputElement>(null);
	const all = runs.data?.runs;
	const shown = useMemo(() => filterRuns(all ?? [], filter), [all, filter]);
	const selected = Math.min(at, Math.max(0, shown.length - 1));
	// one that is gone meanwhile is chosen no more
	const chosen = all ? ticked.filter((id) => all.some((run) => run.id === id)) : ticked;
	const choose = (id: string) =>
		setTicked((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
	const move = (step: number) => () => {
		const next = Math.max(0, Math.min(shown.length - 1, selected + step));
		setAt(next);
		document.getElementById(`run-${next}`)?.scrollIntoView({ block: "nearest" });
	};
	const here = shown[selected];
	/** Does something to the chosen runs; where none is chosen, to the one that the keys are at. */
	const ask = (what: Asked["what"]) => () => {
		const runs = chosen.length > 0 ? chosen : here ? [here.id] : [];
		if (runs.length > 0) setAsked({ what, runs });
	};
	const askedFor = (what: Asked["what"]) => (asked?.what === what ? asked.runs : []);
	const forget = () => setAsked(null);
	const changes: KeyBinding[] = data.manage
		? [
				{ keys: ["t"], says: "tags of the chosen runs, or of this one", does: ask("tag") },
				{ keys: ["Delete", "#"], says: "delete the chosen runs, or this one, after asking", does: ask("delete") },
			]
		: [];
	const bindings: KeyBinding[] = [
		{ keys: ["/"], says: "filter the runs", does: () => field.current?.select() },
		{ keys: ["j", "ArrowDown"], says: "next run", does: move(1) },
		{ keys: ["k", "ArrowUp"], says: "previous run", does: move(-1) },
		{
			keys: ["Enter"],
			says: "open the run",
			does: () => here && void navigate({ to: "/runs/$run", params: { run: here.id } }),
		},
		{ keys: ["x"], says: "choose the run, to compare it with others", does: () => here && choose(here.id) },
		...changes,
		{ keys: ["?"], says: "this help", does: () => setHelp(true) },
	];
	useKeys(bindings);

	return (
		<div className={styles.page}>
			<Bar
				path={[<b key="name">Hopscope</b>]}
				title="Runs"
				tags={runs.data ? [runs.data.workspace] : []}
				onHelp={() => setHelp(true)}
			>
				<SourceLinks here="runs" />
				<p className={styles.hints} aria-hidden="true">
					<KeyCap>/</KeyCap> filter <KeyCap>j</KeyCap> <KeyCap>k</KeyCap> move <KeyCap>x</KeyCap> choose{" "}
					<KeyCap>↵</KeyCap> open
				</p>
			</Bar>
			<main className={styles.main}>
				<div className={styles.tools}>
					<input
						ref={field}
						className={styles.field}
						type="search"
						aria-label="Filter the runs"
						placeholder="agent, model, benchmark, tag …"
						value={filter}
						onChange={({ target }) => {
							setFilter(target.value);
							setAt(0);
						}}
						onKeyDown={({ key, currentTarget }) => (key === "Enter" || key === "Escape") && currentTarget.blur()}
					/>
					<p className={styles.count} aria-live="polite">
						{all &&
							(shown.length < all.length
								? `${showCount(shown.length)} of ${plural(all.length, "run")}`
								: plural(all.length, "run"))}
					</p>
				</div>
				{runs.isError && !all ? (
					<Trouble what="The runs could not be fetched" error={runs.error} onRetry={() => void runs.refetch()} />
				) : all?.length === 0 ? (
					<NoRuns />
				) : (
					<RunsTable
						runs={all && shown}
						selected={selected}
						chosen={chosen}
						onChoose={choose}
						onClear={() => setFilter("")}
					/>
				)}
			</main>
			<CompareBar
				chosen={chosen}
				onClear={() => setTicked([])}
				onTag={data.manage && ask("tag")}
				onDelete={data.manage && ask("delete")}
			/>
			<TagsDialog
				runs={(all ?? []).filter(({ id }) => askedFor("tag").includes(id))}
				known={[...new Set((all ?? []).flatMap(({ tags }) => tags))].sort()}
				onClose={forget}
			/>
			<DeleteDialog runs={askedFor("delete")} onClose={forget} onDeleted={forget} />
			<HelpDialog open={help} onClose={() => setHelp(false)} bindings={bindings} />
		</div>
	);
}
