import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useMemo, useRef, useState } from "react";
import type { TablesPage as Page } from "../../../../src/studio/pages.ts";
import { useMade } from "../../data/made.ts";
import { useData } from "../../data/source.ts";
import { Bar } from "../../parts/bar.tsx";
import { plural } from "../../parts/format.ts";
import { HelpDialog } from "../../parts/help-dialog.tsx";
import { InTheMaking } from "../../parts/in-the-making.tsx";
import { KeyCap } from "../../parts/key-cap.tsx";
import { type KeyBinding, useKeys } from "../../parts/keys.ts";
import { Trouble } from "../../parts/trouble.tsx";
import { contentsOf, filterTables } from "./contents.ts";
import styles from "./tables-page.module.css";
import { TablesShown } from "./tables-shown.tsx";
import { useFolds } from "./use-folds.ts";

/** Everything that is reported of some runs, in tables that can be copied into a paper. */
export function TablesPage() {
	const { runs: named, q = "" } = useSearch({ from: "/tables" });
	const runs = useMemo(() => named.split(",").filter((run) => run !== ""), [named]);
	const data = useData();
	const navigate = useNavigate();
	const made = useMade<Page>(["tables", ...runs], () => data.tables(runs), { enabled: runs.length > 0 });
	const [help, setHelp] = useState(false);
	const field = useRef<HTMLInputElement>(null);
	const whole = made.page;
	const shown = useMemo(() => whole && filterTables(whole, q), [whole, q]);
	const contents = useMemo(() => (shown ? contentsOf(shown) : []), [shown]);
	const folds = useFolds(contents, q);
	const filter = (text: string) =>
		void navigate({ to: "/tables", search: { runs: named, ...(text === "" ? {} : { q: text }) }, replace: true });
	const [only] = runs;
	const back = () =>
		only !== undefined && runs.length === 1
			? void navigate({ to: "/runs/$run", params: { run: only } })
			: void navigate({ to: "/" });
	const bindings: KeyBinding[] = [
		{ keys: ["/"], says: "filter the tables", does: () => field.current?.select() },
		{ keys: ["j", "n"], says: "next table", does: () => folds.step(1) },
		{ keys: ["k", "p"], says: "previous table", does: () => folds.step(-1) },
		{ keys: ["o"], says: "unfold all, or fold all", does: folds.toggleAll },
		{ keys: ["Escape"], says: "back", does: back },
		{ keys: ["?"], says: "this help", does: () => setHelp(true) },
	];
	useKeys(bindings);
	return (
		<div className={styles.page}>
			<Bar path={pathOf(runs)} title="Tables" tags={whole ? [whole.title] : []} onHelp={() => setHelp(true)}>
				<p className={styles.hints} aria-hidden="true">
					<KeyCap>/</KeyCap> filter <KeyCap>j</KeyCap> <KeyCap>k</KeyCap> move <KeyCap>o</KeyCap> fold
				</p>
			</Bar>
			{runs.length === 0 ? (
				<p className={styles.none}>
					No run is named. <Link to="/">Choose some</Link>.
				</p>
			) : made.error ? (
				<main>
					<Trouble what="The tables could not be made" error={made.error} onRetry={made.retry} />
				</main>
			) : !whole || !shown ? (
				<main aria-busy="true">
					<InTheMaking
						what={
							runs.length > 1 ? `Making the tables of ${plural(runs.length, "run")}` : "Making the tables of this run"
						}
						making={made.making}
					/>
				</main>
			) : (
				<>
					<search className={styles.tools}>
						<input
							ref={field}
							className={styles.field}
							type="search"
							aria-label="Filter the tables"
							placeholder="topology, hop, misread …"
							value={q}
							onChange={({ target }) => filter(target.value)}
							onKeyDown={({ key, currentTarget }) => (key === "Enter" || key === "Escape") && currentTarget.blur()}
						/>
						<p className={styles.count} aria-live="polite">
							{plural(
								contents.reduce((sum, { tables }) => sum + tables.length, 0),
								"table",
							)}
						</p>
						<button type="button" className={styles.all} onClick={folds.toggleAll}>
							{folds.allOpen ? "Fold all" : "Unfold all"}
						</button>
					</search>
					<TablesShown page={shown} runs={runs} contents={contents} folds={folds} filtered={q !== ""} />
				</>
			)}
			<HelpDialog open={help} onClose={() => setHelp(false)} bindings={bindings} />
		</div>
	);
}

function pathOf(runs: readonly string[]): ReactNode[] {
	const [only] = runs;
	const top = (
		<span key="runs">
			<Link to="/">Runs</Link> /
		</span>
	);
	if (only === undefined || runs.length > 1) return [top];
	return [
		top,
		<span key="run" className={styles.run}>
			<Link to="/runs/$run" params={{ run: only }}>
				<bdi>{only}</bdi>
			</Link>{" "}
			/
		</span>,
	];
}
