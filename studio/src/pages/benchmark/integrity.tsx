import { Link } from "@tanstack/react-router";
import type { BenchmarkCheck } from "../../../../src/studio/sources-pages.ts";
import type { useCheck } from "../../data/sources.ts";
import { plural, showCount } from "../../parts/format.ts";
import { Trouble } from "../../parts/trouble.tsx";
import { severityMarks } from "./benchmark-row.tsx";
import styles from "./integrity.module.css";

/** Everything that can be said against a benchmark without a model: what checks found, what they counted, what they left out. */
export function Integrity({
	name,
	check,
	onWhere,
}: {
	name: string;
	check: ReturnType<typeof useCheck>;
	/** Shows the tasks of a filter. */
	onWhere: (where: string) => void;
}) {
	const { data, isError, error, refetch } = check;
	if (isError) return <Trouble what="The checks could not be made" error={error} onRetry={() => void refetch()} />;
	if (data?.is !== "made")
		return (
			<div className={styles.making} role="status">
				<p>Looking at every task …</p>
				<progress aria-label="Checks made" {...(data?.total ? { value: data.done, max: data.total } : {})} />
				<p className={styles.dim}>
					{data?.work.replaceAll("-", " ")}
					{data?.total ? ` · ${data.done} of ${data.total} checks` : ""}
				</p>
			</div>
		);
	const { counts, checks } = data.page;
	const graver = (one: BenchmarkCheck["checks"][number]) =>
		one.skipped !== null
			? 9
			: Math.min(8, ...one.codes.map(({ severity }) => ["error", "warning", "note"].indexOf(severity)));
	return (
		<div className={styles.integrity}>
			<h2 className={styles.title}>
				{(["error", "warning", "note"] as const).map((severity) => (
					<span key={severity} data-severity={counts[severity] > 0 ? severity : undefined}>
						<i aria-hidden="true">{severityMarks[severity]}</i> {plural(counts[severity], severity)}
					</span>
				))}
			</h2>
			<p className={styles.dim}>
				No model was asked. Error: the item is wrong or gives itself away; warning: to be looked at; note: to be known.
				The same as <code>hopscope benchmark check {name}</code>.
			</p>
			{[...checks]
				.sort((a, b) => graver(a) - graver(b))
				.map((one) => (
					<Checked key={one.name} name={name} check={one} onWhere={onWhere} />
				))}
		</div>
	);
}

function Checked({
	name,
	check: { name: check, about, skipped, looked, codes, figures, notes, findings },
	onWhere,
}: {
	name: string;
	check: BenchmarkCheck["checks"][number];
	onWhere: (where: string) => void;
}) {
	const all = codes.reduce((sum, { count }) => sum + count, 0);
	return (
		<section className={styles.check} aria-labelledby={`check-${check}`} data-skipped={skipped !== null || undefined}>
			<header>
				<h3 id={`check-${check}`}>{check.replaceAll("-", " ")}</h3>
				<p className={styles.dim}>{about}</p>
				<span className={styles.looked}>
					{skipped === null
						? all === 0
							? `nothing found in ${showCount(looked)}`
							: `${showCount(looked)} looked at`
						: "skipped"}
				</span>
			</header>
			{skipped !== null && <p className={styles.dim}>{skipped}</p>}
			{codes.length > 0 && (
				<ul className={styles.codes}>
					{codes.map(({ code, severity, count, where }) => (
						<li key={`${code} ${severity}`} data-severity={severity}>
							<i aria-hidden="true">{severityMarks[severity]}</i> {severity}: {code.replaceAll("-", " ")} ×{" "}
							{showCount(count)}
							{where !== "" && (
								<button type="button" onClick={() => onWhere(where)}>
									show the tasks
								</button>
							)}
						</li>
					))}
				</ul>
			)}
			{figures.length > 0 && (
				<dl className={styles.figures}>
					{figures.map((figure) => (
						<div key={figure.name}>
							<dt>{figure.name}</dt>
							<dd>{figure.value}</dd>
						</div>
					))}
				</dl>
			)}
			{notes.map((note) => (
				<p key={note} className={styles.dim}>
					{note}
				</p>
			))}
			{findings.length > 0 && (
				<details>
					<summary>
						{findings.length < all ? `the first ${findings.length} of ${showCount(all)}` : `all ${showCount(all)}`}
					</summary>
					<ul className={styles.findings}>
						{findings.map(({ code, task, hop, message }, place) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: findings stand in their order and have no name
							<li key={place}>
								{task !== "" && (
									<Link to="/benchmarks/$name/tasks/$task" params={{ name, task }} title={code}>
										<bdi>{task}</bdi>
									</Link>
								)}
								{hop !== "" && <span> hop {hop}</span>} <span dir="auto">{message}</span>
							</li>
						))}
					</ul>
				</details>
			)}
		</section>
	);
}
