import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import type { BudgetPage as Page, ShownTable, TableFormat } from "../../../../src/studio/pages.ts";
import { useLegend } from "../../data/legend.ts";
import { useMade } from "../../data/made.ts";
import { useData } from "../../data/source.ts";
import { Bar } from "../../parts/bar.tsx";
import { HelpDialog } from "../../parts/help-dialog.tsx";
import { InTheMaking } from "../../parts/in-the-making.tsx";
import { type KeyBinding, useKeys } from "../../parts/keys.ts";
import { TableBlock } from "../../parts/table/table-block.tsx";
import { Trouble } from "../../parts/trouble.tsx";
import styles from "./budget-page.module.css";
import { Commands } from "./commands.tsx";
import { Decisive } from "./decisive.tsx";
import { LostTo } from "./lost-to.tsx";
import { Recovered } from "./recovered.tsx";
import { Reruns } from "./reruns.tsx";
import { Settling } from "./settling.tsx";

/** What the failures of a run were lost to, as re-runs of the same agent with a part of the world made perfect show. */
export function BudgetPage() {
	const { run } = useParams({ from: "/runs/$run/budget" });
	const data = useData();
	const navigate = useNavigate();
	const legend = useLegend();
	const made = useMade<Page>(["budget", run], () => data.budget(run));
	const [help, setHelp] = useState(false);
	const bindings: KeyBinding[] = [
		{
			keys: ["t"],
			says: "all tasks of the run",
			does: () => void navigate({ to: "/runs/$run/tasks", params: { run } }),
		},
		{ keys: ["Escape"], says: "back to the run", does: () => void navigate({ to: "/runs/$run", params: { run } }) },
		{ keys: ["?"], says: "this help", does: () => setHelp(true) },
	];
	useKeys(bindings);
	const { page } = made;
	const copy = (table: ShownTable) => (format: TableFormat) => data.budgetText(run, table.id, format);
	return (
		<div className={styles.page}>
			<Bar
				path={[
					<span key="runs">
						<Link to="/">Runs</Link> /
					</span>,
					<span key="run" className={styles.run}>
						<Link to="/runs/$run" params={{ run }}>
							<bdi>{run}</bdi>
						</Link>{" "}
						/
					</span>,
				]}
				title="Error budget"
				onHelp={() => setHelp(true)}
			/>
			{made.error ? (
				<main>
					<Trouble what="The error budget could not be worked out" error={made.error} onRetry={made.retry} />
				</main>
			) : !page || !legend ? (
				<main aria-busy="true">
					<InTheMaking what="Working out what interventions recovered" making={made.making} />
				</main>
			) : (
				<main className={styles.main}>
					{page.of === null ? <Budget page={page} legend={legend} copy={copy} /> : <OfAnother of={page.of} />}
				</main>
			)}
			<HelpDialog open={help} onClose={() => setHelp(false)} bindings={bindings} />
		</div>
	);
}

function Budget({
	page,
	legend,
	copy,
}: {
	page: Page;
	legend: NonNullable<ReturnType<typeof useLegend>>;
	copy: (table: ShownTable) => (format: TableFormat) => Promise<string>;
}) {
	const [open, setOpen] = useState<readonly string[]>([]);
	const toggle = (id: string) =>
		setOpen((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
	return (
		<>
			<LostTo page={page} legend={legend} />
			{page.recoveries.length > 0 && <Recovered recoveries={page.recoveries} />}
			{page.decisive.length > 0 && <Decisive decisive={page.decisive} />}
			{page.settling && <Settling run={page.run} settling={page.settling} legend={legend} />}
			{page.reruns.length > 0 && <Reruns reruns={page.reruns} />}
			<Commands commands={page.commands} cannot={page.cannot} none={page.reruns.length === 0} />
			{page.tables.length > 0 && (
				<section aria-labelledby="budget-tables">
					<h2 id="budget-tables">In tables</h2>
					<p className={styles.note}>
						As <code>hopscope intervene</code> writes them, to be copied.
					</p>
					{page.tables.map((table) => (
						<TableBlock
							key={table.id}
							table={table}
							open={open.includes(table.id)}
							onToggle={() => toggle(table.id)}
							text={copy(table)}
						/>
					))}
				</section>
			)}
		</>
	);
}

const OfAnother = ({ of }: { of: string }) => (
	<p className={styles.note}>
		This run is itself a re-run with a part of the world changed. What it shows stands in{" "}
		<Link to="/runs/$run/budget" params={{ run: of }}>
			the error budget of the run that it is of
		</Link>
		.
	</p>
);
