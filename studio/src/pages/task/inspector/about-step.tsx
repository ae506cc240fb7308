import { useId } from "react";
import type { TaskStep } from "../../../../../src/studio/pages.ts";
import { Clipped } from "../../../parts/clipped.tsx";
import { showCount, showTime } from "../../../parts/format.ts";
import { Picture } from "../../../parts/picture.tsx";
import { Spans } from "../../../parts/spans.tsx";
import { readWords, stepTags } from "../step-words.ts";
import styles from "./inspector.module.css";
import type { Inspected } from "./inspector.tsx";
import { OwnWords } from "./own-words.tsx";
import { Results } from "./results.tsx";
import { SearchShows } from "./without-gold.tsx";

/** One step in full: what was thought, asked, brought back and read, and which hops it had to do with. */
export function AboutStep({ step, page, onSelect, onPicture, onQuestionImage }: Inspected & { step: TaskStep }) {
	const named = useId();
	const { index, tool, role, round, query, subQuestion, read, error, call, crop } = step;
	const said = read && readWords(read);
	const image = crop && page.images[crop.image];
	const search = page.withoutGold.find(({ steps }) => steps.includes(index));
	return (
		<section aria-labelledby={named}>
			<h2 id={named} className={styles.title}>
				Step {index + 1} <span data-tone="dim">{tool ?? "no call"}</span>
			</h2>
			<p className={styles.note}>
				{[
					...(role === null ? [] : [role]),
					...(round === null ? [] : [`reply ${round + 1}`]),
					...(step.ms > 0 ? [showTime(step.ms)] : []),
					...(step.tokens === null ? [] : [`${showCount(step.tokens)} tokens`]),
					...(step.repeated ? [`${stepTags.repeated.name}: ${stepTags.repeated.meaning}`] : []),
					...(step.stray ? [`${stepTags.stray.name}: ${stepTags.stray.meaning}`] : []),
				].join(" · ")}
			</p>
			<p className={styles.note}>
				<HopLinks says="Aimed at" ids={step.aimed} page={page} onSelect={onSelect} />
				<HopLinks says="Brought evidence of" ids={step.brought} page={page} onSelect={onSelect} />
			</p>
			<OwnWords step={step} lines={8} />
			<dl className={styles.values}>
				{subQuestion !== null && (
					<>
						<dt>Asked itself</dt>
						<dd>
							<Clipped text={subQuestion} />
						</dd>
					</>
				)}
				{query.length > 0 && (
					<>
						<dt>Query</dt>
						<dd>
							<Spans spans={query} />
						</dd>
					</>
				)}
				{read !== null && said && (
					<>
						<dt>{said.verb === "used" ? "Used" : "Read"}</dt>
						<dd className={read.is === "gold" ? styles.ok : said.mark === "✕" ? styles.bad : undefined}>
							{read.text.trim() === "" ? <i>nothing</i> : <Clipped text={read.text} />}
							{read.is === "other-hop" && <small className={styles.note}>◇ the value of hop {read.hop}</small>}
						</dd>
					</>
				)}
				{error !== null && (
					<>
						<dt>Error</dt>
						<dd className={styles.bad}>
							<Clipped text={error} />
						</dd>
					</>
				)}
			</dl>
			{image && crop && (
				<>
					<h3 className={styles.section}>Cut out of question image {crop.image + 1}</h3>
					<Picture run={page.run} picture={image} height={120} onOpen={() => onQuestionImage(crop.image)} />
				</>
			)}
			{search && (
				<>
					<h3 className={styles.section}>What it shows without gold</h3>
					<SearchShows shows={search.shows} />
				</>
			)}
			{tool !== null && (
				<>
					<h3 className={styles.section}>Came back</h3>
					<Results step={step} page={page} most={10} onPicture={onPicture} />
				</>
			)}
			{call !== null && (
				<details>
					<summary className={styles.section}>The call as it was made</summary>
					<pre className={styles.call}>{call}</pre>
				</details>
			)}
		</section>
	);
}

function HopLinks({
	says,
	ids,
	page,
	onSelect,
}: { says: string; ids: readonly string[] } & Pick<Inspected, "page" | "onSelect">) {
	const hops = page.hops.filter(({ id }) => ids.includes(id));
	if (hops.length === 0) return null;
	return (
		<>
			{says}{" "}
			{hops.map(({ id, place }, at) => (
				<span key={id}>
					{at > 0 && ", "}
					<button type="button" className={styles.link} onClick={() => onSelect({ is: "hop", id })}>
						hop {place}
					</button>
				</span>
			))}
			.{" "}
		</>
	);
}
