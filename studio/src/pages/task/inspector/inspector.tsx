import type { EvidenceCard, Legend, Media, TaskPage } from "../../../../../src/studio/pages.ts";
import type { Selection } from "../selection.ts";
import { AboutAnswer } from "./about-answer.tsx";
import { AboutHop } from "./about-hop.tsx";
import { AboutStep } from "./about-step.tsx";
import styles from "./inspector.module.css";

/** What the pieces of the inspector are given. */
export interface Inspected {
	page: TaskPage;
	legend: Legend;
	onSelect: (selection: Selection) => void;
	onPicture: (picture: Media, card: EvidenceCard) => void;
	onQuestionImage: (image: number) => void;
	onMessages: () => void;
}

/** What a hop, a step or the answer rests on: evidence that was wanted, what came back, and what was thought of it. */
export function Inspector({ selection, ...inspected }: Inspected & { selection: Selection }) {
	const { page } = inspected;
	const hop = selection.is === "hop" ? page.hops.find(({ id }) => id === selection.id) : undefined;
	const step = selection.is === "step" ? page.steps.find(({ index }) => index === selection.index) : undefined;
	return (
		<div className={styles.inspector}>
			{hop && <AboutHop key={hop.id} hop={hop} {...inspected} />}
			{step && <AboutStep key={step.index} step={step} {...inspected} />}
			<AboutAnswer key={`${page.task} ${page.repeat}`} alone={!hop && !step} {...inspected} />
		</div>
	);
}
