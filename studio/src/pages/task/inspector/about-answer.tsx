import type { ReactNode } from "react";
import { Clipped } from "../../../parts/clipped.tsx";
import { plural } from "../../../parts/format.ts";
import { KeyCap } from "../../../parts/key-cap.tsx";
import styles from "./about-answer.module.css";
import { Finding } from "./finding.tsx";
import shared from "./inspector.module.css";
import type { Inspected } from "./inspector.tsx";

/** What concerns no single hop: findings, judges, scores, what cannot be said, and the record itself. */
export function AboutAnswer({ page, legend, alone, onSelect, onMessages }: Inspected & { alone: boolean }) {
	const { findings, answerFrom, judged, scores, notJudged, others, plan, error, messages } = page;
	const also = findings.filter((finding) => finding.also);
	const shown = { page, legend, onSelect };
	return (
		<section className={alone ? undefined : styles.below} aria-label={`The answer of ${page.run} as a whole`}>
			<h2 className={alone ? shared.title : styles.title}>The answer as a whole</h2>
			{alone && <p className={shared.why}>{page.title}</p>}
			{answerFrom !== null && (
				<p className={shared.why} dir="auto">
					{page.outcome === "ungraded" ? (
						"Nobody has said what the right answer is. "
					) : (
						<>
							Its answer “<bdi>{page.answer}</bdi>” is not the gold one.{" "}
						</>
					)}
					{answerFrom}
				</p>
			)}
			<button type="button" className={shared.button} onClick={onMessages} disabled={messages === 0}>
				{messages === 0 ? "No messages were recorded" : plural(messages, "message")}{" "}
				{messages > 0 && <KeyCap>m</KeyCap>}
			</button>
			<Part name="Error" open={alone} count={error === null ? 0 : 1}>
				<div className={shared.bad}>
					<Clipped text={error ?? ""} lines={8} />
				</div>
			</Part>
			<Part name="Findings" open={alone} count={findings.length}>
				<ul className={styles.list}>
					{findings
						.filter(({ also }) => !also)
						.map((finding, at) => (
							<Finding key={`${finding.kind} ${finding.says}`} finding={finding} {...shown}>
								{at === 0 && also.length > 0 && (
									<section className={styles.also} aria-label="Also">
										<h3>Also</h3>
										<ul className={styles.list}>
											{also.map((one) => (
												<Finding key={`${one.kind} ${one.says}`} finding={one} {...shown} />
											))}
										</ul>
									</section>
								)}
							</Finding>
						))}
				</ul>
			</Part>
			<Part name="Judges" open={alone} count={judged.length}>
				<ul className={styles.list}>
					{judged.map(({ judge, rubric, said, reason }, at) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: one judge may say the same twice, and verdicts never change places
						<li key={at}>
							<b>
								<bdi>{said}</bdi>
							</b>{" "}
							<small>
								<bdi>{judge}</bdi> by <bdi>{rubric}</bdi>
							</small>
							<Clipped text={reason} />
						</li>
					))}
				</ul>
			</Part>
			<Part name="Plan" open={alone} count={plan === null ? 0 : 1}>
				<Clipped text={plan ?? ""} lines={8} />
			</Part>
			<Part name="Scores" open={alone} count={scores.length}>
				<table className={styles.scores}>
					<tbody>
						{scores.map(({ name, heading, value, reason }) => (
							<tr key={name}>
								<th scope="row">{heading}</th>
								<td>{value === null ? <span title={reason}>not scored</span> : figure(value)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</Part>
			<Part name="What cannot be said" open={alone} count={notJudged.length}>
				<ul className={styles.list}>
					{notJudged.map((one) => (
						<li key={one} dir="auto">
							{one}
						</li>
					))}
				</ul>
			</Part>
			<Part name="Also in the trace" open={false} count={others.length}>
				<ul className={styles.list}>
					{others.map((one, at) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: a trace may hold the same twice, and it never changes
						<li key={at} dir="auto">
							{one}
						</li>
					))}
				</ul>
			</Part>
			<p className={shared.note}>
				{[
					`Attempt ${page.attempt + 1}`,
					...(page.repeats > 1 ? [`repeat ${page.repeat + 1} of ${page.repeats}`] : []),
					(Object.hasOwn(legend.stops, page.stop) && legend.stops[page.stop]?.plainly) || page.stop,
					...(page.calls > 0 ? [plural(page.calls, "model call")] : []),
				].join(" · ")}
			</p>
		</section>
	);
}

const figure = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(3));

function Part({ name, count, open, children }: { name: string; count: number; open: boolean; children: ReactNode }) {
	if (count === 0) return null;
	return (
		<details className={styles.part} open={open && name !== "Scores"}>
			<summary>
				{name} {count > 1 && <small>{count}</small>}
			</summary>
			{children}
		</details>
	);
}
