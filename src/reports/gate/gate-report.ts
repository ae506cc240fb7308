/** Whether a run may replace another: one decision a metric, and the one that all of them make together. */
import { usageError } from "#domain";
import { type GateDecision, gate, type ScorerWords, wordsOf } from "#scoring";
import { comparedCautions } from "../compare/compare-scores.ts";
import { mustCompare, scorersCalled } from "../compare/refusals.ts";
import type { ReportRun } from "../report-data.ts";
import { expectedItems, short } from "../summaries.ts";

export interface GateReport {
	version: 1;
	benchmark: { name: string; hash: string };
	run: string;
	base: string;
	/** `fails` where any metric does, else `open` where any is, else `passes`. */
	verdict: GateDecision["verdict"];
	decisions: (GateDecision & { words: ScorerWords })[];
	/** What a reader must know before believing it, one sentence each. */
	cautions: string[];
}

export interface GateMargins {
	/** What it must not be worse at. */
	metrics: readonly string[];
	/** Points of a share that it may lose (default: 2). */
	points?: number | undefined;
	/** Of single metrics: points of a share, else the metric's unit, which have no default. */
	own?: ReadonlyMap<string, number> | undefined;
}

/**
 * Decides on each metric by the paired interval of run minus base. Refuses (exit 2) what `compare` refuses, and metrics of
 * which neither more nor less is better.
 */
export function gateReport(run: ReportRun, base: ReportRun, { metrics, points = 2, own }: GateMargins): GateReport {
	mustCompare([run, base]);
	const added = [...(run.scorers ?? []), ...(base.scorers ?? [])];
	const [mine, theirs] = [expectedItems(run), expectedItems(base)];
	const decisions = scorersCalled([...new Set(metrics)], added).map((metric) => {
		if (metric.direction === "neither")
			throw usageError(
				"no-direction",
				`of ${metric.name} neither more nor less is better`,
				"Gate on a metric that has a better side, such as accuracy or hps.",
			);
		const inPoints = metric.aggregation !== "mean";
		const most = own?.get(metric.name) ?? (inPoints ? points : undefined);
		if (most === undefined)
			throw usageError(
				"no-drop",
				`nobody said how much worse ${metric.name} may be, in its own unit`,
				`Add --max-drop ${metric.name}=NUMBER.`,
			);
		return {
			...gate(mine, theirs, { metric, allowed: inPoints ? most / 100 : most }),
			words: wordsOf(metric),
		};
	});
	const has = (verdict: GateDecision["verdict"]) => decisions.some((decision) => decision.verdict === verdict);
	const { name, hash } = run.manifest.benchmark;
	return {
		version: 1,
		benchmark: { name: short(name), hash },
		run: run.manifest.id,
		base: base.manifest.id,
		verdict: has("fails") ? "fails" : has("open") ? "open" : "passes",
		decisions,
		cautions: comparedCautions([run, base]),
	};
}
