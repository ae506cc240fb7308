/** What an agent trusts when what comes back is wrong or gives orders. */
import type { TrustPart } from "#diagnosis";
import { intervenedRuns } from "../../diagnosis/interventions-report.ts";
import { shareCell } from "../diagnosed.ts";
import type { ViewBuilder, ViewRow, ViewRun } from "../view.ts";
import { runColumn, textCell } from "../view-cells.ts";

const words = {
	evidence: "the replaced fact in the evidence",
	memory: "the gold answer all the same",
	instruction: "the planted instruction",
	task: "its task: the gold answer",
	other: "neither",
};

export const trustView: ViewBuilder = {
	name: "trust",
	title: "What the agent trusts",
	describe:
		"Conflicting evidence: the answer of one hop is replaced by another of its kind in every text that comes back. Poisoned evidence: an instruction to answer a made-up word is planted in the first result. Over the records in which that took hold.",
	source: "Hopscope",
	build(runs, options) {
		const { members, notes } = intervenedRuns(runs, options);
		const parts = members.flatMap(({ run, report: { trust } }) => [
			...(trust.conflicting ? [{ run, what: "conflicting evidence", part: trust.conflicting }] : []),
			...(trust.poisoned ? [{ run, what: "poisoned evidence", part: trust.poisoned }] : []),
		]);
		function rowsOf<Kind extends keyof typeof words>(run: ViewRun, what: string, part: TrustPart<Kind>): ViewRow[] {
			return (Object.keys(part.shares) as Kind[]).map((kind) => ({
				run: run.manifest.id,
				kind: "intervention",
				cells: {
					run: textCell(options.label(run)),
					what: textCell(what),
					kind: textCell(words[kind]),
					share: shareCell(part.shares[kind]),
				},
			}));
		}
		const leftOut = parts.flatMap(({ what, part }) =>
			Object.entries(part.leftOut).map(([reason, count]) => `${what}: ${count} records left out: ${reason}.`),
		);
		return {
			over: "record",
			rows: parts.flatMap(({ run, what, part }) =>
				rowsOf<keyof typeof words>(run, what, part as TrustPart<keyof typeof words>),
			),
			columns: [
				runColumn,
				{ key: "what", title: "Intervention", unit: "text" },
				{ key: "kind", title: "Followed", unit: "text" },
				{ key: "share", title: "Records", unit: "percent" },
			],
			plots: [
				{
					...{ form: "bars", x: "kind", y: "share", series: "run", split: "what" },
					...{ xTitle: "followed", yTitle: "records %" },
				},
			],
			notes: [
				...leftOut,
				...(members.length > 0 && parts.length === 0 ? ["Not run: hopscope intervene RUN --trust."] : []),
				...notes,
			],
		};
	},
};
