import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { useLegendQuery } from "../../../data/legend.ts";
import { useLive } from "../../../data/live.ts";
import { Bar } from "../../../parts/bar.tsx";
import { HelpDialog } from "../../../parts/help-dialog.tsx";
import { KeyCap } from "../../../parts/key-cap.tsx";
import { type KeyBinding, useKeys } from "../../../parts/keys.ts";
import { Trouble } from "../../../parts/trouble.tsx";
import { Unseen } from "../../../parts/unseen.tsx";
import { useWalk } from "../../../parts/use-walk.ts";
import type { CompareSearch } from "../../../shell/router.tsx";
import bar from "../../task/task-bar.module.css";
import { flipWords } from "../standing.ts";
import { type Beside, runsIn, useBeside, useComparedTask, useComparison, useSides } from "../use-comparison.ts";
import styles from "./compared-task-page.module.css";
import { EvidenceDialog, type Looked } from "./evidence-dialog.tsx";
import { Paths } from "./paths.tsx";
import { RepeatPicker } from "./repeat-picker.tsx";

const path = "/compare/$task";

/** One task as several runs did it, joined at the gold chain, and where their paths part. */
export function ComparedTaskPage() {
	const { task } = useParams({ from: path });
	const search = useSearch({ from: path });
	const { where = "", sort = "", repeat } = search;
	const runs = useMemo(() => runsIn(search.runs), [search.runs]);
	const compared = useMemo(() => ({ runs, where, sort }), [runs, where, sort]);
	useLive(runs);
	const navigate = useNavigate();
	const legend = useLegendQuery();
	const about = useComparison(runs).data;
	const row = useComparedTask(runs, task);
	const { known: beside, find } = useBeside(compared, task);
	const repeats = row.data?.sides.map((side, place) => {
		if (side === null) return null;
		// a run with fewer repeats goes on showing the one that stands for it
		return repeat !== undefined && repeat < (about?.runs[place]?.repeats ?? 0) ? repeat : side.repeat;
	});
	const asked = useSides(runs, task, repeats);
	const [looked, setLooked] = useState<Looked | null>(null);
	const [help, setHelp] = useState(false);
	const pages = asked.map(({ data }) => data ?? null);
	const first = pages.find((page) => page !== null);
	useEffect(() => {
		document.title = `${task} compared · Hopscope`;
	}, [task]);

	const { repeat: _repeat, ...kept } = search;
	const list: CompareSearch = kept;
	const go = (to: string | null | undefined) => {
		if (!to) return;
		setLooked(null);
		void navigate({ to: path, params: { task: to }, search: kept });
	};
	const goBeside = useWalk(task, { find: async (from, which: keyof Beside) => (await find(from))[which], go });
	const bindings: KeyBinding[] = [
		{ keys: ["n"], says: "next task that flipped", does: () => goBeside("nextFlip") },
		{ keys: ["N"], says: "previous task that flipped", does: () => goBeside("previousFlip") },
		{ keys: ["j"], says: "next task", does: () => goBeside("next") },
		{ keys: ["k"], says: "previous task", does: () => goBeside("previous") },
		{
			keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
			shown: "1–9",
			says: "evidence of a hop, of each run beside the other",
			does: ({ key }) => {
				const hop = first?.hops.find(({ place }) => place === Number(key));
				if (hop) setLooked({ is: "hop", id: hop.id });
			},
		},
		{ keys: ["?"], says: "this help", does: () => setHelp(true) },
		{
			keys: ["Escape"],
			says: "back to the comparison",
			does: () => void navigate({ to: "/compare", search: list }),
		},
	];
	useKeys(bindings);

	const failed = row.isError ? row : (asked.find(({ isError }) => isError) ?? (legend.isError ? legend : undefined));
	const labels = runs.map((run, place) => about?.runs[place]?.label ?? run);
	const there = row.data && legend.data && asked.every(({ isPending }) => !isPending);
	return (
		<div className={styles.page}>
			<Bar
				path={[
					<Link key="compare" to="/compare" search={list}>
						<span aria-hidden>‹ </span>Compare
					</Link>,
				]}
				title={task}
				tags={[...(row.data ? [flipWords(row.data)] : []), ...new Set(first?.tags)]}
				onHelp={() => setHelp(true)}
			>
				<button
					type="button"
					className={bar.go}
					disabled={!beside?.previousFlip}
					onClick={() => go(beside?.previousFlip)}
				>
					<span aria-hidden>‹ </span>
					<Unseen>Previous </Unseen>Flip <KeyCap>N</KeyCap>
				</button>
				<button
					type="button"
					className={`${bar.go} ${bar.next}`}
					disabled={!beside?.nextFlip}
					onClick={() => go(beside?.nextFlip)}
				>
					Next flip <KeyCap>n</KeyCap> <span aria-hidden>›</span>
				</button>
			</Bar>
			{failed ? (
				<main>
					<Trouble what="This task could not be shown" error={failed.error} onRetry={() => void failed.refetch()} />
				</main>
			) : row.data === null ? (
				<main>
					<p className={styles.waiting}>None of these runs has an answer to this task.</p>
				</main>
			) : there && row.data && legend.data ? (
				<main>
					<Paths
						row={row.data}
						pages={pages}
						labels={labels}
						legend={legend.data}
						picker={
							<RepeatPicker
								repeats={Math.max(1, ...pages.map((page) => page?.repeats ?? 1))}
								chosen={repeat}
								onChoose={(next) =>
									void navigate({
										to: path,
										params: { task },
										search: next === undefined ? kept : { ...kept, repeat: next },
										replace: true,
									})
								}
							/>
						}
						onLook={setLooked}
					/>
					<EvidenceDialog
						looked={looked}
						onLook={setLooked}
						pages={pages}
						labels={labels}
						legend={legend.data}
						onMessages={(page) =>
							void navigate({
								to: "/runs/$run/tasks/$task",
								params: { run: page.run, task },
								search: page.repeat > 0 ? { repeat: page.repeat } : {},
							})
						}
					/>
				</main>
			) : (
				<main aria-busy="true">
					<p className={styles.waiting}>Fetching the answers …</p>
				</main>
			)}
			<HelpDialog open={help} onClose={() => setHelp(false)} bindings={bindings} />
		</div>
	);
}
