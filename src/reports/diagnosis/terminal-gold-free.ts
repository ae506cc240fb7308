/** What records show without a gold chain, for people at a terminal. */
import { type FlagShare, type GoldAgreement, leastCorrelation } from "#diagnosis";
import { plainLine } from "#domain";
import { showInline } from "../number-format.ts";
import { align, wrap } from "../terminal-table.ts";
import { plural } from "../wording.ts";

export interface GoldFreeReport {
	run: string;
	records: number;
	pseudoHops: number;
	/** Actions of the agent, and those of them that could be read and carried out. */
	format: { actions: number; readable: number };
	flags: FlagShare[];
	/** Null where no record has a judged gold hop. */
	agreement: GoldAgreement[] | null;
}

const words = (name: string) => name.replaceAll("-", " ");

/** Ends without a newline. */
export function terminalGoldFree(report: GoldFreeReport, { colour = false }: { colour?: boolean } = {}): string {
	const dim = (text: string) => (colour ? `\u001b[2m${text}\u001b[22m` : text);
	const { run, records, pseudoHops, format, flags, agreement } = report;
	const labelled = flags.flatMap(({ flag, hops, calibrated }) => (calibrated ? [{ flag, hops, calibrated }] : []));
	return [
		wrap(
			`${plainLine(run)} without gold: ${plural(records, "record")}, ${plural(pseudoHops, "pseudo-hop")} (searches, those of one wording or sub-question together); ${format.readable} of ${format.actions} actions could be read and carried out.`,
		),
		align(
			[
				["flag", "pseudo-hops", "%", "not told", "records %"],
				...flags.map(({ flag, hops, unobserved, records: share }) => [
					words(flag),
					`${hops.count}/${hops.of}`,
					showInline(hops, "percent"),
					String(unobserved),
					showInline(share, "percent"),
				]),
			],
			{ dim, words: [true, false, false, false, false] },
		),
		dim(
			wrap(
				"A flag says what the record shows, not that anything is wrong: a name can be right without having been found. Of names and numbers the final answers are counted among the pseudo-hops.",
			),
		),
		...(labelled.length === 0
			? []
			: [
					`With labels\n${align(
						[
							["flag", "labelled", "flagged %", "holds %", "labels alone %", "correlation"],
							...labelled.map(({ flag, hops, calibrated }) => [
								words(flag),
								String(calibrated.labelled),
								showInline(hops, "percent"),
								showInline(calibrated.share, "percent"),
								showInline(calibrated.labelsAlone, "percent"),
								showInline(calibrated.correlation, "plain"),
							]),
						],
						{ dim, words: [true, false, false, false, false, false] },
					)}`,
					...labelled
						.filter(({ calibrated }) => calibrated.labelsServe)
						.map(({ flag }) =>
							wrap(
								`${words(flag)}: the correlation with the labels is below ${leastCorrelation}; the labels alone serve as well.`,
							),
						),
				]),
		...(agreement ? [goldText(agreement, dim)] : []),
	].join("\n\n");
}

const overWords = { search: "search", carried: "the searches and answers after it", record: "record" } as const;

function goldText(agreement: readonly GoldAgreement[], dim: (text: string) => string): string {
	const occurring = agreement.filter(({ table }) => table.both + table.flagOnly + table.verdictOnly > 0);
	const weak = occurring.filter(({ correlation }) => (correlation.value ?? 0) < leastCorrelation);
	return [
		"Beside the verdicts by the gold chains",
		...occurring.map(({ flag, verdicts, over }, at) =>
			wrap(`${at + 1} ${words(flag)} with ${verdicts.map(words).join(" or ")}, by ${overWords[over]}`),
		),
		align(
			[
				["", "n", "both", "flag only", "verdict only", "neither", "found %", "false %", "correlation"],
				...occurring.map(({ table, n, sensitivity, falseFlags, correlation }, at) => [
					String(at + 1),
					...[n, table.both, table.flagOnly, table.verdictOnly, table.neither].map(String),
					showInline(sensitivity, "percent"),
					showInline(falseFlags, "percent"),
					showInline(correlation, "plain"),
				]),
			],
			{ dim, words: Array(9).fill(false) },
		),
		dim(
			wrap(
				`found: of those with the verdict, those flagged; false: of those without it. Where the correlation is below ${leastCorrelation} (${weak.length} of ${occurring.length} rows), labels alone serve as well as labels and flag.`,
			),
		),
	].join("\n");
}
