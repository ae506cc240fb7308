// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
import { useState } from "react";
import type { Legend, Media, TaskPage } from "../../../../../src/studio/pages.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { type PictureBox, PictureDialog } from "../../../parts/picture-dialog.tsx";
import { Inspector } from "../../task/inspector/inspector.tsx";
import { evidenceBoxes, questionBoxes } from "../../task/picture-boxes.ts";
import type { Selection } from "../../task/selection.ts";
import { Letter } from "../letter.tsx";
import styles from "./evidence-dialog.module.css";

/** What is looked at: a hop, of all runs beside each other, or something of one run. */
export type Looked = { is: "hop"; id: string } | { is: "own"; run: number; selection: Selection };

/** What a hop or a step rests on: evidence that was wanted and what came back, of each run in a column of its own. */
export function EvidenceDialog({
	looked,
	onLook,
	pages,
	labels,
	legend,
	onMessages,
}: {
	/** Null: closed. */
	looked: Looked | null;
	onLook: (looked: Looked | null) => void;
	pages: readonly (TaskPage | null)[];
	labels: readonly string[];
	legend: Legend;
	onMessages: (page: TaskPage) => void;
}) {
	const [picture, setPicture] = useState<{ run: string; picture: Media; boxes: PictureBox[] } | null>(null);
	const shown = pages.flatMap((page, run) =>
		page && looked && (looked.is === "hop" || looked.run === run) ? [{ page, run }] : [],
	);
	const place =
		looked?.is === "hop" ? pages.find((page) => page)?.hops.find(({ id }) => id === looked.id)?.place : undefined;
	return (
		<>
			<Dialog
				open={looked !== null}
				onClose={() => onLook(null)}
				title={place === undefined ? "What it rests on" : `Hop ${place}: what it rests on`}
				wide
			>
				<div className={styles.columns}>
					{shown.map(({ page, run }) => (
						<section
							key={page.run}
							className={styles.column}
							tabIndex={0}
							aria-label={`Run ${String.fromCharCode(65 + run)}`}
						>
							<h3 className={styles.run}>
								<Letter letter={String.fromCharCode(97 + run)} /> <bdi>{labels[run]}</bdi>
							</h3>
							<Inspector
								page={page}
								legend={legend}
								selection={looked?.is === "own" ? looked.selection : { is: "hop", id: looked?.id ?? "" }}
								onSelect={(selection) => onLook({ is: "own", run, selection })}
								onPicture={(one, card) => setPicture({ run: page.run, picture: one, boxes: evidenceBoxes(card) })}
								onQuestionImage={(image) => {
									const one = page.images[image];
									if (one) setPicture({ run: page.run, picture: one, boxes: questionBoxes(page, image) });
								}}
								onMessages={() => onMessages(page)}
							/>
						</section>
					))}
				</div>
			</Dialog>
			<PictureDialog
				run={picture?.run ?? ""}
				picture={picture?.picture ?? null}
				boxes={picture?.boxes ?? []}
				onClose={() => setPicture(null)}
			/>
		</>
	);
}
