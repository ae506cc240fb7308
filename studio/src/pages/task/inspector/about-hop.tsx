import { useId, useState } from "react";
import type { TaskHop, TaskStep } from "../../../../../src/studio/pages.ts";
import { markOf } from "../../../data/legend.ts";
import { Clipped } from "../../../parts/clipped.tsx";
import { EvidenceCard } from "../../../parts/evidence-card.tsx";
import { plural } from "../../../parts/format.ts";
import { Picture } from "../../../parts/picture.tsx";
import styles from "./inspector.module.css";
import type { Inspected } from "./inspector.tsx";
import { OwnWords } from "./own-words.tsx";
import { Proof } from "./proof.tsx";
import { cardOf, excerptOf, Results } from "./results.tsx";

const mostSteps = 6;

/** A gold hop: why it has its verdict, the evidence that it wants, and what came back for it, step by step. */
export function AboutHop({ hop, page, legend, onSelect, onPicture, onQuestionImage }: Inspected & { hop: TaskHop }) {
	const named = useId();
	const mark = markOf(legend.verdicts, hop.verdict);
	const indexes = new Set([...hop.aimed, ...hop.brought]);
	const steps = page.steps.filter(({ index }) => indexes.has(index));
	const [all, setAll] = useState(false);
	const image = hop.region === null ? undefined : page.images[hop.region.image];
	const region = hop.region;
	return (
		<section aria-labelledby={named}>
			<h2 id={named} className={styles.title}>
				Hop {hop.place}{" "}
				<span data-tone={mark.tone}>
					<span aria-hidden>{mark.mark}</span> {mark.plainly}
				</span>
			</h2>
			<p className={styles.why} dir="auto">
				{hop.question}
			</p>
			<dl className={styles.values}>
				<dt>Gold</dt>
				<dd className={styles.gold}>
					<bdi>{hop.gold}</bdi>
				</dd>
				{hop.read !== null && (
					<>
						<dt>{hop.verdict === "unsupported" ? "Used" : "Read"}</dt>
						<dd className={mark.tone === "ok" ? styles.ok : hop.took === null ? undefined : styles.bad}>
							<Clipped text={hop.read} lines={3} />
						</dd>
					</>
				)}
				{hop.took !== null && hop.took !== hop.read && (
					<>
						<dt>{hop.carried === null ? "Took" : "Later searches used"}</dt>
						<dd className={styles.bad}>
							<Clipped text={hop.took} lines={3} />
						</dd>
					</>
				)}
			</dl>
			{hop.why !== "" && (
				<p className={styles.why} dir="auto">
					{hop.why}
				</p>
			)}
			{hop.notes.map((note) => (
				<p key={note} className={styles.note} dir="auto">
					{note.charAt(0).toUpperCase() + note.slice(1)}.
				</p>
			))}
			{hop.possible && (
				<p className={styles.note}>
					◌ The chain may have broken at this hop already: its evidence came back, and nothing that the agent wrote
					afterwards shows which value it took from it.
				</p>
			)}
			<Proof quotes={hop.proof} page={page} onSelect={onSelect} />
			{image && region && (
				<div>
					<h3 className={styles.section}>Looks at</h3>
					<Picture run={page.run} picture={image} height={120} onOpen={() => onQuestionImage(region.image)} />
				</div>
			)}
			<Wanted hop={hop} page={page} onPicture={onPicture} />
			{steps.length > 0 && <h3 className={styles.section}>Came back</h3>}
			{(all ? steps : steps.slice(0, mostSteps)).map((step) => (
				<div key={step.index}>
					<h4 className={styles.came}>
						<button type="button" onClick={() => onSelect({ is: "step", index: step.index })}>
							Step {step.index + 1} · {step.tool ?? "no call"}
						</button>
						{!hop.aimed.includes(step.index) && <small> · made for another hop</small>}
					</h4>
					<OwnWords step={step} lines={3} />
					<Results step={step} page={page} hop={hop} shownBefore={firstShown(steps)} onPicture={onPicture} />
				</div>
			))}
			{steps.length > mostSteps && (
				<button type="button" className={styles.button} aria-expanded={all} onClick={() => setAll(!all)}>
					{all ? "Show fewer steps" : `Show ${plural(steps.length - mostSteps, "more step")}`}
				</button>
			)}
		</section>
	);
}

/** By evidence, the first of the steps that brought it. */
function firstShown(steps: readonly TaskStep[]): Map<string, number> {
	const shown = new Map<string, number>();
	for (const { index, results } of steps) for (const { id } of results) if (!shown.has(id)) shown.set(id, index);
	return shown;
}

const mostWanted = 2;

function Wanted({
	hop: { wanted, more, excerpts },
	page,
	onPicture,
}: Pick<Inspected, "page" | "onPicture"> & { hop: TaskHop }) {
	const [all, setAll] = useState(false);
	if (wanted.length === 0) return null;
	return (
		<>
			<h3 className={styles.section}>Wanted {wanted.length + more > 1 && <small>any of these</small>}</h3>
			{(all ? wanted : wanted.slice(0, mostWanted)).map(({ id, came }) => (
				<EvidenceCard
					key={id}
					run={page.run}
					card={cardOf(page, id)}
					is="wanted"
					note={came ? "came back" : "did not come back"}
					excerpt={excerptOf({ excerpts }, id)}
					onPicture={onPicture}
				/>
			))}
			{wanted.length > mostWanted && (
				<button type="button" className={styles.link} aria-expanded={all} onClick={() => setAll(!all)}>
					{all ? "show fewer" : `show ${wanted.length - mostWanted} more`}
				</button>
			)}
			{more > 0 && (all || wanted.length <= mostWanted) && (
				<p className={styles.note}>and {more} more that are not listed</p>
			)}
		</>
	);
}
