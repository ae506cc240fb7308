import { Fragment, type ReactNode, useState } from "react";
import { partsAt } from "../../../../../src/studio/join-runs.ts";
import type { ComparedRow, Legend, Media, TaskPage } from "../../../../../src/studio/pages.ts";
import { Clipped } from "../../../parts/clipped.tsx";
import { Picture } from "../../../parts/picture.tsx";
import { PictureDialog } from "../../../parts/picture-dialog.tsx";
import { hopOfStep } from "../../task/board/board-rows.ts";
import type { Looked } from "./evidence-dialog.tsx";
import { GoldCard } from "./gold-card.tsx";
import { PathCell } from "./path-cell.tsx";
import { PathSteps } from "./path-steps.tsx";
import styles from "./paths.module.css";
import { RunBand } from "./run-band.tsx";

/**
 * The gold chain with what each run did for each of its hops: of two runs the chain stands between them, of more at the
 * left. Where they first go different ways, a line says so.
 */
export function Paths({
	row,
	pages,
	labels,
	legend,
	picker,
	onLook,
}: {
	row: ComparedRow;
	/** In the order of the runs; null where one has no answer. */
	pages: readonly (TaskPage | null)[];
	labels: readonly string[];
	legend: Legend;
	/** Which repeat is shown. */
	picker: ReactNode;
	onLook: (looked: Looked) => void;
}) {
	const first = pages.find((page) => page !== null);
	if (!first) return null;
	const { hops } = first;
	const inRun = (id: string) => pages.map((page) => page?.hops.find((hop) => hop.id === id) ?? null);
	const parts = partsAt(hops.map(({ id }) => inRun(id).map((hop) => hop?.verdict ?? null)));
	const strays = pages.map((page) => (page?.steps ?? []).filter((step) => hopOfStep(step) === undefined));
	const two = pages.length === 2;
	/** The side on which the gold chain stands. */
	const sideOf = (run: number) => (two && run === 0 ? "right" : "left");
	const cells = (cell: (page: TaskPage | null, run: number) => ReactNode, gold: ReactNode) => (
		<>
			{two ? null : gold}
			{pages.map((page, run) => (
				<Fragment key={page?.run ?? run}>
					{cell(page, run)}
					{two && run === 0 ? gold : null}
				</Fragment>
			))}
		</>
	);
	return (
		<>
			<Question page={first} />
			<div className={styles.paths} data-two={two || undefined} style={{ "--runs": pages.length }}>
				<div className={styles.bands}>
					{cells(
						(page, run) => (
							<RunBand
								page={page}
								letter={String.fromCharCode(97 + run)}
								label={labels[run] ?? ""}
								legend={legend}
								onSelect={() => onLook({ is: "own", run, selection: { is: "answer" } })}
							/>
						),
						<div className={styles.gold}>
							<span className={styles.goldTitle}>◆ Gold</span>
							<b>
								<bdi>{first.accepted[0] ?? row.gold}</bdi>
							</b>
							<small>{partsWords(parts, hops.length)}</small>
							{picker}
						</div>,
					)}
				</div>
				{hops.map((hop) => {
					const own = inRun(hop.id);
					return (
						<section key={hop.id} className={styles.row} aria-label={`Hop ${hop.place}`}>
							{hop.place === parts && (
								<p className={styles.parting}>
									<span>the paths part here</span>
								</p>
							)}
							{cells(
								(page, run) => (
									<PathCell
										page={page}
										hop={own[run] ?? null}
										towards={sideOf(run)}
										far={!two && run > 0}
										letter={String.fromCharCode(97 + run)}
										legend={legend}
										onLook={(selection) => onLook({ is: "own", run, selection })}
									/>
								),
								<GoldCard hop={hop} onSelect={() => onLook({ is: "hop", id: hop.id })} />,
							)}
						</section>
					);
				})}
				{(strays.some((steps) => steps.length > 0) || hops.length === 0) && (
					<section className={styles.row} aria-label={hops.length === 0 ? "Steps" : "Steps that aim at no hop"}>
						{cells(
							(page, run) => (
								<div className={styles.strays}>
									{page && (
										<PathSteps
											page={page}
											steps={strays[run] ?? []}
											onSelect={(index) => onLook({ is: "own", run, selection: { is: "step", index } })}
										/>
									)}
								</div>
							),
							<p className={styles.strayTitle}>{hops.length === 0 ? "no gold chain" : "aim at no hop"}</p>,
						)}
					</section>
				)}
			</div>
		</>
	);
}

function partsWords(parts: number | null, hops: number): string {
	if (hops === 0) return "the task has no gold chain";
	if (parts === null) return "there are not two paths to compare";
	return parts === 0 ? "no hop is seen to go otherwise" : `the paths part at hop ${parts}`;
}

function Question({ page: { run, question, images } }: { page: TaskPage }) {
	const [picture, setPicture] = useState<Media | null>(null);
	return (
		<section className={styles.question} aria-label="Question">
			{images.map((image) => (
				<Picture key={image.name} run={run} picture={image} height={56} onOpen={() => setPicture(image)} />
			))}
			<div className={styles.text}>
				<Clipped text={question} lines={3} most={420} />
			</div>
			<PictureDialog run={run} picture={picture} onClose={() => setPicture(null)} />
		</section>
	);
}
