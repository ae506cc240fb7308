import { Fragment, type Ref } from "react";
import type { Legend, TaskPage } from "../../../../../src/studio/pages.ts";
import { plural, showCost, showCount, showTime } from "../../../parts/format.ts";
import { ChainGraph } from "./chain-graph.tsx";
import styles from "./verdict-band.module.css";

/** The page in one look: the chain, where it breaks, why, and what the answer took. */
export function VerdictBand({
	page,
	legend,
	onSelect,
	ref,
}: {
	page: TaskPage;
	legend: Legend;
	onSelect: (hop: string) => void;
	ref?: Ref<HTMLElement>;
}) {
	const { hops, tone, title, summary, before, error } = page;
	return (
		<section ref={ref} className={styles.band} data-tone={tone} aria-label="Verdict">
			{hops.length > 0 && <ChainGraph hops={hops} legend={legend} onSelect={onSelect} />}
			<div className={styles.words}>
				<h2 className={styles.title} dir="auto">
					{title}
				</h2>
				<p className={styles.summary} dir="auto">
					<Summary page={page} text={summary} />
					{before !== "" && <> {before.charAt(0).toUpperCase() + before.slice(1).replace(/\.?$/, ".")}</>}
				</p>
				{error !== null && (
					<p className={styles.error} dir="auto" title={error}>
						⚠ {error}
					</p>
				)}
			</div>
			<p className={styles.facts}>
				{factsOf(page).map((fact, at) => (at === 0 ? fact : <Fragment key={fact}> · {fact}</Fragment>))}
			</p>
		</section>
	);
}

function factsOf({ steps, ms, tokens, cost, currency }: TaskPage): string[] {
	return [
		plural(steps.length, "step"),
		...(ms > 0 ? [showTime(ms)] : []),
		...(tokens > 0 ? [`${showCount(tokens)} tokens`] : []),
		...(cost === null ? [] : [showCost(cost, currency)]),
	];
}

/** The sentence of the broken hop with its values told apart: gold as gold, taken in bold. */
function Summary({ page, text }: { page: TaskPage; text: string }) {
	const first = page.hops.find((hop) => hop.first);
	if (!first) return text;
	const values = [
		{ value: `“${first.gold}”`, className: styles.gold },
		...(first.took === null ? [] : [{ value: `“${first.took}”`, className: styles.taken }]),
	];
	let rest = text;
	const pieces = values.flatMap(({ value, className }) => {
		const at = rest.indexOf(value);
		if (at < 0) return [];
		const piece = [
			<Fragment key={`before ${value}`}>{rest.slice(0, at)}</Fragment>,
			<b key={value} className={className}>
				<bdi>{value.slice(1, -1)}</bdi>
			</b>,
		];
		rest = rest.slice(at + value.length);
		return piece;
	});
	return (
		<>
			{pieces}
			{rest}
		</>
	);
}
