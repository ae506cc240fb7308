import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Media } from "../../../../../src/studio/pages.ts";
import {
	benchmarkMedia,
	mostCheckedUnasked,
	useBenchmark,
	useBenchmarkTask,
	useCheck,
	useSources,
} from "../../../data/sources.ts";
import { Bar } from "../../../parts/bar.tsx";
import { HelpDialog } from "../../../parts/help-dialog.tsx";
import { KeyCap } from "../../../parts/key-cap.tsx";
import { type KeyBinding, useKeys } from "../../../parts/keys.ts";
import { type PictureBox, PictureDialog } from "../../../parts/picture-dialog.tsx";
import { Trouble } from "../../../parts/trouble.tsx";
import { BenchmarkQuestion } from "./benchmark-question.tsx";
import styles from "./benchmark-task-page.module.css";
import { GoldGraph } from "./gold-graph.tsx";
import { GoldHopCard } from "./gold-hop-card.tsx";
import { SaidOfTask } from "./said-of-task.tsx";

const path = "/benchmarks/$name/tasks/$task";

/** One task of a benchmark: its gold chain with its evidence, and all that was said of it. */
export function BenchmarkTaskPage() {
	const { name, task } = useParams({ from: path });
	const { where = "", sort = "", at } = useSearch({ from: path });
	const search = { ...(where === "" ? {} : { where }), ...(sort === "" ? {} : { sort }) };
	const navigate = useNavigate();
	const sources = useSources();
	const about = useBenchmark(name);
	const check = useCheck(name, (about.data?.tasks ?? Number.POSITIVE_INFINITY) <= mostCheckedUnasked);
	const { data: page, isError, error, refetch } = useBenchmarkTask(name, task, check.data?.is === "made");
	const [help, setHelp] = useState(false);
	const [opened, setOpened] = useState<{ picture: Media; boxes: PictureBox[] } | null>(null);
	const asked = useQuery({
		queryKey: ["benchmark-next", name, task, where, sort],
		queryFn: async () => ({
			next: await sources.next(name, { where, sort, from: task, step: 1 }),
			previous: await sources.next(name, { where, sort, from: task, step: -1 }),
		}),
	});
	const beside = asked.data;
	const go = (to: { task: string } | null | undefined) =>
		to && void navigate({ to: path, params: { name, task: to.task }, search });
	/** A key that is pressed before the neighbours are known waits for them. */
	const step = async (to: "next" | "previous") =>
		go((beside ?? (await asked.refetch({ cancelRefetch: false })).data)?.[to]);
	const point = (hop: string) => {
		void navigate({
			to: path,
			params: { name, task },
			search: { ...search, at: hop },
			replace: true,
			resetScroll: false,
		});
		document.getElementById(`hop-${hop}`)?.scrollIntoView({ block: "nearest" });
	};
	const back = () => void navigate({ to: "/benchmarks/$name", params: { name }, search });
	const bindings: KeyBinding[] = [
		{ keys: ["j", "n"], says: "next task", does: () => void step("next") },
		{ keys: ["k", "N", "p"], says: "previous task", does: () => void step("previous") },
		{
			keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
			shown: "1–9",
			says: "a hop of the chain, with its evidence",
			does: ({ key }) => {
				const hop = page?.hops.find(({ place }) => place === Number(key));
				if (hop) point(hop.id);
			},
		},
		{ keys: ["Escape"], says: "back to the tasks", does: back },
		{ keys: ["?"], says: "this help", does: () => setHelp(true) },
	];
	useKeys(bindings);
	const media = benchmarkMedia(name);
	return (
		<div className={styles.page}>
			<Bar
				path={[
					<span key="benchmark">
						<Link to="/benchmarks/$name" params={{ name }} search={search}>
							‹ <bdi>{name}</bdi>
						</Link>
					</span>,
				]}
				title={task}
				tags={page ? [page.topology, ...page.tags.slice(0, 5).map(({ value }) => value)] : []}
				onHelp={() => setHelp(true)}
			>
				<button
					type="button"
					className={styles.beside}
					disabled={!beside?.previous}
					onClick={() => go(beside?.previous)}
				>
					‹ Previous <KeyCap>k</KeyCap>
				</button>
				<button type="button" className={styles.beside} disabled={!beside?.next} onClick={() => go(beside?.next)}>
					Next <KeyCap>j</KeyCap> ›
				</button>
			</Bar>
			{isError && !page ? (
				<main className={styles.main}>
					<Trouble what="The task could not be fetched" error={error} onRetry={() => void refetch()} />
				</main>
			) : (
				<main className={styles.main} aria-busy={!page}>
					{page && (
						<>
							<BenchmarkQuestion media={media} page={page} onOpen={(picture, boxes) => setOpened({ picture, boxes })} />
							{page.hops.length > 0 && <GoldGraph key={task} page={page} pointed={at} onPoint={point} />}
							<div className={styles.columns}>
								<section aria-labelledby="chain" className={styles.chain}>
									<h2 id="chain">{page.hops.length > 0 ? "Gold chain" : "No gold chain"}</h2>
									{page.hops.length === 0 && (
										<p className={styles.dim}>
											Its source states no hops.
											{page.supporting > 0 && " What it marks as supporting has no order."}
										</p>
									)}
									{(page.hops.length > 0 ? page.hops : page.supporting > 0 ? [null] : []).map((hop) => (
										<GoldHopCard
											key={hop?.id ?? ""}
											name={name}
											page={page}
											hop={hop}
											pointed={hop !== null && hop.id === at}
											onPicture={(picture) => setOpened({ picture, boxes: [] })}
										/>
									))}
								</section>
								<SaidOfTask
									name={name}
									page={page}
									runs={about.data?.runs ?? []}
									checking={check.data?.is === "making"}
								/>
							</div>
						</>
					)}
				</main>
			)}
			<PictureDialog
				run={media}
				picture={opened?.picture ?? null}
				boxes={opened?.boxes ?? []}
				onClose={() => setOpened(null)}
			/>
			<HelpDialog open={help} onClose={() => setHelp(false)} bindings={bindings} />
		</div>
	);
}
