import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useLegend } from "../../data/legend.ts";
import { useRun } from "../../data/run.ts";
import { Bar } from "../../parts/bar.tsx";
import { HelpDialog } from "../../parts/help-dialog.tsx";
import { KeyCap } from "../../parts/key-cap.tsx";
import { type KeyBinding, useKeys } from "../../parts/keys.ts";
import { Trouble } from "../../parts/trouble.tsx";
import { Breaks } from "./breaks.tsx";
import { Cautions } from "./cautions.tsx";
import { Errors } from "./errors.tsx";
import { Facts } from "./facts.tsx";
import { Figures } from "./figures.tsx";
import { Metrics } from "./metrics.tsx";
import { Outcomes } from "./outcomes.tsx";
import styles from "./run-page.module.css";
import { Slices } from "./slices.tsx";

/** One run: where its chains break, then how good it is, and on what. */
export function RunPage() {
	const { run } = useParams({ from: "/runs/$run" });
	const navigate = useNavigate();
	const about = useRun(run);
	const legend = useLegend();
	const [help, setHelp] = useState(false);
	const bindings: KeyBinding[] = [
		{ keys: ["t", "Enter"], says: "all tasks", does: () => void navigate({ to: "/runs/$run/tasks", params: { run } }) },
		{
			keys: ["r"],
			says: "tables of this run",
			does: () => void navigate({ to: "/tables", search: { runs: run } }),
		},
		{ keys: ["b"], says: "error budget", does: () => void navigate({ to: "/runs/$run/budget", params: { run } }) },
		{ keys: ["Escape"], says: "back to the runs", does: () => void navigate({ to: "/" }) },
		{ keys: ["?"], says: "this help", does: () => setHelp(true) },
	];
	useKeys(bindings);
	const page = about.data;
	return (
		<div className={styles.page}>
			<Bar
				path={[
					<span key="runs">
						<Link to="/">Runs</Link> /
					</span>,
				]}
				title={run}
				tags={page?.line.tags ?? []}
				onHelp={() => setHelp(true)}
			>
				<Link to="/tables" search={{ runs: run }} className={styles.link}>
					Tables <KeyCap>r</KeyCap>
				</Link>
				<Link to="/runs/$run/budget" params={{ run }} className={styles.link}>
					<span className={styles.wide}>Error budget</span>
					<span className={styles.narrow}>Budget</span> <KeyCap>b</KeyCap>
				</Link>
				<Link to="/runs/$run/tasks" params={{ run }} className={styles.tasks}>
					All tasks <KeyCap>t</KeyCap>
				</Link>
			</Bar>
			{about.isError && !page ? (
				<Trouble what="This run could not be fetched" error={about.error} onRetry={() => void about.refetch()} />
			) : (
				<main className={styles.main} aria-busy={!page || !legend}>
					{page && legend ? (
						<>
							<Breaks run={run} breaks={page.breaks} headline={page.headline} legend={legend} />
							<Cautions cautions={page.cautions} />
							<Figures page={page} />
							<div className={styles.columns}>
								<Metrics metrics={page.metrics} />
								<div className={styles.beside}>
									<Outcomes run={run} outcomes={page.outcomes} legend={legend} />
									<Errors run={run} errors={page.errors} />
									<Slices run={run} slices={page.slices} />
									<Facts facts={page.facts} line={page.line} />
								</div>
							</div>
						</>
					) : (
						<div className={styles.waiting} role="status" aria-label="Fetching the run" />
					)}
				</main>
			)}
			<HelpDialog open={help} onClose={() => setHelp(false)} bindings={bindings} />
		</div>
	);
}
