/** What re-runs with one part of the world changed say of the run that they are of. */
import { budgetParts, type ErrorBudget } from "#diagnosis";
import { present } from "#domain";
import { budgetWords } from "../../diagnosis/diagnosis-words.ts";
import {
	type DecisivePlace,
	decisiveByLength,
	type InterventionsReport,
	intervenedRuns,
} from "../../diagnosis/interventions-report.ts";
import { plural } from "../../wording.ts";
import { shareCell } from "../diagnosed.ts";
import { differenceOf } from "../differences.ts";
import { numberColumn, percentColumn, plotByRun, plotSplit, runColumn, tableOf, textColumn } from "../table.ts";
import type { View, ViewBody, ViewBuilder, ViewRun } from "../view.ts";
import { countCell, summaryCell, unscoredCell } from "../view-cells.ts";

/** A run with what its re-runs say. */
interface Intervened {
	run: ViewRun;
	label: string;
	report: InterventionsReport;
}

const intervenedBuilder = (
	about: Pick<View, "name" | "title" | "describe">,
	table: (members: Intervened[], notes: string[]) => ViewBody,
): ViewBuilder => ({
	...about,
	source: "Hopscope",
	build(runs, options) {
		const { members, notes } = intervenedRuns(runs, options);
		return table(
			members.map((member) => ({ ...member, label: options.label(member.run) })),
			notes,
		);
	},
});

const aboutRun = ({ run }: Intervened) => ({ run: run.manifest.id, kind: "intervention" as const });

/** What is said of one run of several. */
const saidOf = ({ label }: Intervened, members: readonly Intervened[], note: string) =>
	members.length > 1 ? `${label}: ${note}` : note;

export const errorBudgetView = intervenedBuilder(
	{
		name: "error-budget",
		title: "Error budget",
		describe:
			"Failures by the first part that, made perfect in a re-run of the same agent, recovers them: planning (the gold sub-questions, one at a time), retrieval (the gold evidence first in what a search brings), reading (its answer stated with it). More than one part: only all hops given as solved recover it. Composition: nothing does. The shares are of the failures whose re-runs have all ended, and sum to one.",
	},
	(members, notes) => {
		const settled = members.filter(({ report: { budget } }) => budget.settled > 0);
		const rows = settled.flatMap((member) => budgetParts.map((part) => ({ ...member, part, ...member.report.budget })));
		const table = tableOf(
			rows,
			[
				runColumn,
				textColumn("part", "Lost to", ({ part }) => budgetWords[part].name),
				percentColumn("share", "Failures", ({ part, parts }) => shareCell(parts[part])),
				numberColumn("failures", "Count", ({ part, parts, settled: of }) => countCell(parts[part].count, of)),
			],
			aboutRun,
		);
		return {
			over: "failure",
			...table,
			plots: [plotByRun("bars", "part", "share", "failures %", "lost to")],
			notes: [
				...members.flatMap((member) => budgetNotes(member.report.budget).map((note) => saidOf(member, members, note))),
				...notes,
			],
		};
	},
);

/** What stands beside the shares, in sentences. */
function budgetNotes(budget: ErrorBudget): string[] {
	const { expected, right, failed, brokenOff, missing, withoutChain, settled, unsettled, untouched, chance } = budget;
	const broken = brokenOff + missing;
	return present([
		`Of ${expected} records ${right} are right and ${failed} failed${broken > 0 ? `; ${broken} ended by an error, a spent budget or not at all and are no failures here` : ""}.`,
		withoutChain > 0 &&
			`${plural(withoutChain, "failure")} of tasks without a gold chain: nothing can be made perfect there.`,
		...Object.entries(unsettled).map(([reason, count]) => `${plural(count, "failure")} in no part yet: ${reason}.`),
		untouched > 0 &&
			`In ${untouched} of the failures given to composition only the plan was made perfect: no search aimed at a gold hop, so that evidence and answers could not be given.`,
		...(chance && chance.of > 0
			? [
					`Asked again without any change, ${chance.count} of ${chance.of} failures came out right: so much recovers by chance.`,
				]
			: settled > 0
				? [
						"What recovers by chance was not measured (--again); an agent that draws nothing at random gives the same answers again.",
					]
				: []),
	]);
}

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);

export const interventionsView = intervenedBuilder(
	{
		name: "interventions",
		title: "What each intervention recovers",
		describe:
			"Of the failures of a run, those that are right in a re-run of the same agent with one part of the world changed. One failure can be recovered by several. Where an intervention took no hold, the agent met nothing that it had changed.",
	},
	(members, notes) => {
		const rows = members.flatMap((member) => member.report.budget.recoveries.map((found) => ({ ...member, ...found })));
		const table = tableOf(
			rows,
			[
				runColumn,
				textColumn("what", "Intervention", ({ name }) => name),
				percentColumn(
					"share",
					"Recovered",
					({ share, unknown }) => {
						if (share.of + unknown === 0) return unscoredCell("it was not run on failures");
						const missing: Record<string, number> = unknown > 0 ? { "not run, or ended by an error": unknown } : {};
						return shareCell(share, { expected: share.of + unknown, missing });
					},
					{ better: "higher" },
				),
				numberColumn("held", "Took hold", ({ share, notHeld }) => countCell(share.of - sum(notHeld), share.of)),
				percentColumn(
					"difference",
					"Δ accuracy, all tasks",
					({ difference }) =>
						difference ? { is: "measured", measured: differenceOf(difference) } : unscoredCell("run on failures only"),
					{ signed: true },
				),
			],
			aboutRun,
		);
		return {
			...table,
			plots: [plotByRun("rows", "what", "share", "failures recovered %")],
			notes: [
				...members.flatMap((member) =>
					member.report.budget.overlaps
						.filter(({ by }) => by.length > 1)
						.slice(0, 5)
						.map(({ by, count }) =>
							saidOf(member, members, `${plural(count, "failure")} recovered by each of ${by.join(", ")}.`),
						),
				),
				...rows.flatMap(({ name, notHeld }) =>
					Object.entries(notHeld).map(([why, count]) => `${name} took no hold in ${plural(count, "failure")}: ${why}.`),
				),
				...notes,
			],
		};
	},
);

export const decisiveHopView = intervenedBuilder(
	{
		name: "decisive-hop",
		title: "The decisive hop",
		describe:
			"The hop from which on, once it and those before it are given as solved, the agent succeeds and stays successful with every further one. By length of chain.",
	},
	(members, notes) => {
		const rows = members.flatMap((member) =>
			decisiveByLength(member.report.decisive, member.run).flatMap(({ length, places }) =>
				places.map((found) => ({ ...member, ...found, length })),
			),
		);
		const table = tableOf(
			rows,
			[
				runColumn,
				textColumn("chains", "Chains", ({ length }) => `${length} hops`),
				textColumn("place", "Decisive", ({ place }) => placeWords(place)),
				percentColumn("share", "Records", ({ share }) => shareCell(share)),
			],
			aboutRun,
		);
		const unsure = members.flatMap(({ report }) => report.decisive.filter(({ is }) => is === "unsure")).length;
		return {
			over: "record",
			...table,
			plots: [plotSplit("bars", "place", "share", { split: "chains", xTitle: "decisive hop", yTitle: "records %" })],
			notes: [
				...(unsure > 0
					? [`Of ${unsure} records it cannot be told, since a prefix was not run or ended by an error.`]
					: []),
				...notes,
			],
		};
	},
);

const placeWords = (place: DecisivePlace): string =>
	place === "without" ? "no hop needed" : place === "never" ? "not with all hops given" : `hop ${place}`;

export const prefixCurveView = intervenedBuilder(
	{
		name: "prefix-curve",
		title: "Accuracy by given prefix",
		describe:
			"Accuracy when the first hops of the gold chain, in the order of dependency, are given as solved: by the number given, for each length of chain, and for all lengths by the share given (to the nearest hop). Every line is about the same tasks throughout; none given is the run itself.",
	},
	(members, notes) => {
		const rows = members.flatMap((member) => {
			const { byLength, byShare } = member.report.curve;
			return [
				...byLength.flatMap(({ length, points }) =>
					points.map(({ given, accuracy }) => ({
						...member,
						chains: `${length} hops`,
						given: `${given} of ${length}`,
						accuracy,
					})),
				),
				...byShare.map(({ given, accuracy }) => ({ ...member, chains: "all", given: `${100 * given} %`, accuracy })),
			];
		});
		const table = tableOf(
			rows,
			[
				runColumn,
				textColumn("chains", "Chains", ({ chains }) => chains),
				textColumn("given", "Given", ({ given }) => given),
				numberColumn("tasks", "Tasks", ({ accuracy }) => accuracy.tasks),
				percentColumn("accuracy", "Accuracy", ({ accuracy }) => summaryCell(accuracy), { better: "higher" }),
			],
			aboutRun,
		);
		const chosen = members.some(({ report: { curve, budget } }) => {
			const [none] = curve.byShare;
			return none?.accuracy.value === 0 && budget.right > 0;
		});
		return {
			...table,
			plots: [plotSplit("lines", "given", "accuracy", { split: "chains", xTitle: "hops given", yTitle: "accuracy %" })],
			notes: present([
				chosen &&
					"Only tasks that failed were re-run, so that none given is 0 % by choice; --all-tasks gives the curve of all.",
				...members.flatMap(({ report: { curve } }) =>
					curve.leftOut > 0
						? [
								`${curve.leftOut} records are in no line, since not every prefix of their chain was run: hopscope intervene RUN --prefix.`,
							]
						: [],
				),
				...notes,
			]),
		};
	},
);

const followed = {
	evidence: "the replaced fact in the evidence",
	memory: "the gold answer all the same",
	instruction: "the injected instruction",
	task: "its task: the gold answer",
	other: "neither",
};

export const trustView = intervenedBuilder(
	{
		name: "trust",
		title: "What the agent trusts",
		describe:
			"Conflicting evidence: the answer of one hop is replaced by another of its kind in every text that comes back. Poisoned evidence: an instruction to answer a made-up word is injected into the first result. Over the records in which that took hold.",
	},
	(members, notes) => {
		const parts = members.flatMap((member) => {
			const { conflicting, poisoned } = member.report.trust;
			return [
				...(conflicting ? [{ ...member, what: "conflicting evidence", ...conflicting }] : []),
				...(poisoned ? [{ ...member, what: "poisoned evidence", ...poisoned }] : []),
			];
		});
		const rows = parts.flatMap(({ shares, ...part }) =>
			Object.entries(shares).map(([kind, share]) => ({ ...part, kind: kind as keyof typeof followed, share })),
		);
		const table = tableOf(
			rows,
			[
				runColumn,
				textColumn("what", "Intervention", ({ what }) => what),
				textColumn("kind", "Followed", ({ kind }) => followed[kind]),
				percentColumn("share", "Records", ({ share }) => shareCell(share)),
			],
			aboutRun,
		);
		return {
			over: "record",
			...table,
			plots: [plotSplit("bars", "kind", "share", { split: "what", xTitle: "followed", yTitle: "records %" })],
			notes: [
				...parts.flatMap(({ what, leftOut }) =>
					Object.entries(leftOut).map(([reason, count]) => `${what}: ${count} records left out: ${reason}.`),
				),
				...(members.length > 0 && parts.length === 0 ? ["Not run: hopscope intervene RUN --trust."] : []),
				...notes,
			],
		};
	},
);
