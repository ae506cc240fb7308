import { useRef, useState } from "react";
import type { EvidenceCard, Legend, Media, TaskPage } from "../../../../src/studio/pages.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { narrow as narrowWindow, useMedia } from "../../parts/media.ts";
import { type PictureBox, PictureDialog } from "../../parts/picture-dialog.tsx";
import styles from "./answer.module.css";
import { Board } from "./board/board.tsx";
import { Stack } from "./board/stack.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import { MessagesDialog } from "./messages/messages-dialog.tsx";
import { evidenceBoxes, questionBoxes } from "./picture-boxes.ts";
import { Question } from "./question.tsx";
import { type Selection, selected } from "./selection.ts";
import { BandInBrief } from "./verdict/band-in-brief.tsx";
import { VerdictBand } from "./verdict/verdict-band.tsx";

/** What lies over the page: one thing at a time. */
export type Overlay = "help" | "messages" | "inspector" | null;

/** Everything of one answer below the bar, beside each other where there is room and above each other where there is not. */
export function Answer({
	page,
	legend,
	at,
	waiting,
	overlay,
	onOverlay,
	onSelect,
}: {
	page: TaskPage;
	legend: Legend;
	at: string | undefined;
	/** Another answer is being fetched, and this one only stands in for it. */
	waiting: boolean;
	overlay: Overlay;
	onOverlay: (overlay: Overlay) => void;
	onSelect: (selection: Selection) => void;
}) {
	const narrow = useMedia(narrowWindow);
	const band = useRef<HTMLElement>(null);
	const [picture, setPicture] = useState<{ picture: Media; boxes: PictureBox[] } | null>(null);
	const selection = selected(page, at);
	function select(chosen: Selection) {
		onSelect(chosen);
		if (narrow) onOverlay("inspector");
	}
	const openQuestionImage = (image: number) => {
		const shown = page.images[image];
		if (shown) setPicture({ picture: shown, boxes: questionBoxes(page, image) });
	};
	const openEvidence = (shown: Media, card: EvidenceCard) => setPicture({ picture: shown, boxes: evidenceBoxes(card) });
	const inspector = (
		<Inspector
			page={page}
			legend={legend}
			selection={selection}
			onSelect={select}
			onPicture={openEvidence}
			onQuestionImage={openQuestionImage}
			onMessages={() => onOverlay("messages")}
		/>
	);
	const board = { page, legend, selection, onSelect: select };
	return (
		<main className={styles.answer} aria-busy={waiting}>
			<Question page={page} legend={legend} onPicture={openQuestionImage} />
			<VerdictBand ref={band} page={page} legend={legend} onSelect={(id) => select({ is: "hop", id })} />
			{narrow ? (
				<>
					<BandInBrief page={page} legend={legend} band={band} />
					<Stack {...board} />
					<div className={styles.whole}>
						<button type="button" onClick={() => select({ is: "answer" })}>
							The answer as a whole
						</button>
						<button type="button" onClick={() => onOverlay("help")}>
							What the marks mean
						</button>
					</div>
					<Dialog open={overlay === "inspector"} onClose={() => onOverlay(null)} title="What it rests on" sheet>
						{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
						<section className={styles.sheet} tabIndex={0} aria-label="Inspector">
							{inspector}
						</section>
					</Dialog>
				</>
			) : (
				<div className={styles.columns}>
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
					<section className={styles.board} tabIndex={0} aria-label="Chain and steps">
						{page.hops.length > 0 ? <Board {...board} /> : <Stack {...board} />}
					</section>
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
					<aside className={styles.inspector} tabIndex={0} aria-label="Inspector">
						{inspector}
					</aside>
				</div>
			)}
			<MessagesDialog
				page={page}
				open={overlay === "messages"}
				onClose={() => onOverlay(null)}
				onPicture={(shown) => setPicture({ picture: shown, boxes: [] })}
			/>
			<PictureDialog
				run={page.run}
				picture={picture?.picture ?? null}
				boxes={picture?.boxes ?? []}
				onClose={() => setPicture(null)}
			/>
		</main>
	);
}
