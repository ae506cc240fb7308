/** A diagnosis for people at a terminal: where chains break first, then the counts, then cases in words. */
import {
	type BoundedShare,
	type DiagnosisSummary,
	errorViews,
	failureParts,
	type HopsAt,
	type ReaderReport,
	type Share,
} from "#diagnosis";
import type { FindingKind, HopVerdict } from "#domain";
import { plainLine } from "#domain";
import { showInline, showMeasured, showShare } from "../number-format.ts";
import { align, wrap } from "../terminal-table.ts";
import { plural } from "../wording.ts";
import { agreementRows } from "./diagnosis-agreement.ts";
import { caseText } from "./diagnosis-case.ts";
import type { DiagnosisReport } from "./diagnosis-report.ts";
import {
	boundedText,
	boundsNote,
	causeWords,
	coverageText,
	failuresNote,
	findingWords,
	partWords,
	primaryName,
	typeName,
	verdictWords,
} from "./diagnosis-words.ts";
import { readerNotes, readerRows } from "./second-reader.ts";

/** Ends without a newline. */
export function terminalDiagnosis(report: DiagnosisReport, options: { colour?: boolean } = {}): string {
	const { colour = false } = options;
	const bold = (text: string) => (colour ? `\u001b[1m${text}\u001b[22m` : text);
	const dim = (text: string) => (colour ? `\u001b[2m${text}\u001b[22m` : text);
	const { summary, worked } = report;
	const title = [report.agent, ...(report.model === null ? [] : [report.model]), `on ${report.benchmark}`];
	const { recorded, expected } = summary;
	const of = recorded < expected ? `${recorded} of ${plural(expected, "record")}` : plural(expected, "record");
	const rules = report.diagnosers.map((version) => `rules of version ${version}`);
	const table: Table = (head, rows, words) =>
		`${bold(head)}\n${align(rows, { dim, words: words ?? [true, false, false] })}`;
	const parts = [
		`${bold(plainLine(title.join(" ")))}  ${dim([of, `${summary.withChain} with a gold chain`, ...rules].join(", "))}`,
		...(report.intervention ? [wrap(aboutIntervention(report.intervention))] : []),
		wrap(headline(summary)),
		...(summary.hops.judged > 0
			? [
					table("How far chains got: hops by their place", hopRows(summary)),
					`${table("How hops were read, where it shows", readingRows(summary))}\n${dim(wrap(capital(coverageText(summary.hops.reading.seen))))}`,
					table("Which hop is first seen to break", firstBrokenRows(summary), [true, false, false, true]),
				]
			: []),
		...failureTables(summary, table),
		...(recorded > 0 ? [table("What is named first of a record", primaryRows(summary))] : []),
		...otherFindings(summary).map((rows) => table("Findings beside, in how many records", rows)),
		...typeTables(summary).map(({ head, rows }) => table(head, rows)),
		...agreementRows(report.agreement).map(({ head, rows }) => table(head, rows)),
		...(report.reader ? [readerText(report.reader, table)] : []),
		...(summary.misses.missed > 0 ? [missText(summary, table)] : []),
		...(summary.plan ? [planText(summary.plan)] : []),
		...(worked.length > 0
			? [
					`${bold("Worked failures, one of each of the commonest kinds")}\n\n${worked.map((one) => caseText(one, { short: true })).join("\n\n")}`,
				]
			: []),
		`${bold("What cannot be judged")}\n${notJudged(summary)
			.map((line) => wrap(line))
			.join("\n")}`,
		dim(
			wrap(
				`Shares are of what was judged; brackets hold 95 % intervals, with related tasks as one group. ${boundsNote}`,
			),
		),
		...(recorded > 0 && summary.withChain < summary.expected
			? [
					dim(
						wrap("Without a gold chain an error type is looked for in part only, which leaves its share open upwards."),
					),
				]
			: []),
	];
	return parts.join("\n\n");
}

const aboutIntervention = ({ what, of }: NonNullable<DiagnosisReport["intervention"]>) =>
	`An intervention, ${what}, in ${plainLine(of)}: it says nothing of the agent by itself. What the intervention wrote into results stands in no knowledge base, so a value taken from there is called unsupported.`;

const readerText = (reader: ReaderReport, table: Table) =>
	[
		...readerNotes(reader).map((note) => wrap(note)),
		...readerRows(reader).map(({ head, rows }) => table(head, rows)),
	].join("\n");

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** `words`: which columns hold words; without it the first alone. */
type Table = (head: string, rows: string[][], words?: boolean[]) => string;

/** The hop at which most chains break first, in a line, with the places that its interval does not tell from it. */
export function headline({ firstBroken, unbroken, withChain, recorded }: DiagnosisSummary): string {
	if (recorded === 0) return "The run has no record yet.";
	if (withChain === 0) return "No task has a gold chain, so no hop can be called solved or broken.";
	const [most, ...others] = [...firstBroken].sort((a, b) => b.share.count - a.share.count);
	if (!most || most.share.count === 0)
		return unbroken.of === 0 ? "No hop could be judged." : `No chain of ${unbroken.of} is seen to be broken.`;
	const [verdict] = Object.entries(most.verdicts).sort(([, a], [, b]) => b - a)[0] ?? [];
	const why =
		verdict === undefined ? "" : `, most often with the verdict “${verdictWords[verdict as HopVerdict].name}”`;
	const alike = others.filter(({ share }) => share.count > 0 && (share.value ?? 0) >= (most.share.low ?? 1));
	const beside =
		alike.length === 0
			? ""
			: `; not told apart from it: ${alike.map(({ place, share }) => `hop ${place} (${share.count})`).join(", ")}`;
	return `Chains are first seen to break at hop ${most.place}: ${most.share.count} of ${most.share.of} (${shown(most.share)} %)${why}${beside}; ${unbroken.count} have no hop that is seen to be broken.`;
}

const shown = (share: Share) => showInline(share, "percent");

/** Places of hops side by side at most; hops further on are in the last column of all. */
const mostPlaces = 6;

/** Verdicts down, places of hops across: counts with shares, and below each the interval. */
function hopRows({ hops, byPlace }: DiagnosisSummary): string[][] {
	const shownPlaces = byPlace.slice(0, mostPlaces);
	const columns = [...shownPlaces.map((at) => ({ name: `hop ${at.place}`, at })), { name: "all", at: hops }];
	const occurring = (Object.keys(verdictWords) as HopVerdict[]).filter((verdict) => hops.verdicts[verdict].most > 0);
	const across = (cell: (at: HopsAt) => string) => columns.map(({ at }) => cell(at));
	return [
		["verdict", ...columns.map(({ name }) => name)],
		["judged", ...across((at) => `${at.judged}/${at.expected}`)],
		...occurring.flatMap((verdict) => [
			[`${verdictWords[verdict].name} · %`, ...across((at) => countAndShare(at.verdicts[verdict]))],
			["", ...across((at) => intervalOf(at.verdicts[verdict]))],
		]),
	];
}

const countAndShare = (share: BoundedShare) =>
	share.value === null ? "–" : share.count === 0 ? "0" : `${share.count} · ${showShare(share.count, share.of)}`;
const intervalOf = (share: BoundedShare) => (share.most === 0 ? "" : showMeasured(share, "percent").interval);

/** Coverage, and of the hops whose reading was seen how it went, by place. */
function readingRows({ hops, byPlace }: DiagnosisSummary): string[][] {
	const columns = [
		...byPlace.slice(0, mostPlaces).map((at) => ({ name: `hop ${at.place}`, at })),
		{ name: "all", at: hops },
	];
	const rows = [
		{ name: "seen", of: (at: HopsAt) => at.reading.seen },
		{ name: "read rightly", of: (at: HopsAt) => at.reading.right },
		{ name: verdictWords.misread.name, of: (at: HopsAt) => at.reading.misread },
		{ name: verdictWords.unsupported.name, of: (at: HopsAt) => at.reading.unsupported },
	];
	return [
		["reading", ...columns.map(({ name }) => name)],
		["came back", ...columns.map(({ at }) => String(at.reading.seen.of))],
		...rows.flatMap(({ name, of }) => [
			[`${name} · %`, ...columns.map(({ at }) => readingCell(of(at)))],
			["", ...columns.map(({ at }) => showMeasured(of(at), "percent").interval)],
		]),
	];
}

const readingCell = ({ count, of }: Share) => (of === 0 ? "–" : `${count} · ${showShare(count, of)}`);

/** What wrong answers cost, by part and by cause, as far as the record shows it. */
function failureTables({ failures }: DiagnosisSummary, table: Table): string[] {
	const { parts, causes, certain, orBefore, unnamed, left, failures: all } = failures;
	if (all === 0) return [];
	const of = plural(all, "wrong answer");
	const shownParts = failureParts.filter((part) => parts[part].most > 0);
	const open = certain.count < all;
	const notes = [
		...(open
			? [
					`${certain.count} of ${all} have one cause that nothing overrules; ${orBefore} are named, but a hop that was not observed may have broken before; ${unnamed} have no name. So shares are intervals.`,
				]
			: []),
		...failuresNote(left),
	];
	return [
		table(`What failures cost, by the record alone (${of})`, [
			["part", "named", "%"],
			...shownParts.map((part) => [partWords[part].name, String(parts[part].count), boundedText(parts[part])]),
		]),
		table(`Causes of failures (${of})`, [
			["finding", "named", "up to", "%"],
			...(Object.entries(causes) as [FindingKind | "nothing", BoundedShare][]).map(([kind, share]) => [
				primaryName(kind),
				String(share.count),
				String(share.most),
				boundedText(share),
			]),
		]),
		...(notes.length > 0 ? [wrap(notes.join(" "))] : []),
	];
}

function firstBrokenRows({ firstBroken, unbroken }: DiagnosisSummary): string[][] {
	const verdicts = (found: Partial<Record<HopVerdict, number>>) =>
		Object.entries(found)
			.sort(([, a], [, b]) => b - a)
			.map(([verdict, count]) => `${count} ${verdictWords[verdict as HopVerdict].name}`)
			.join(", ");
	return [
		["hops", "records", "%", "finding"],
		...firstBroken.map(({ place, share, verdicts: found }) => [
			`hop ${place}`,
			String(share.count),
			shown(share),
			verdicts(found),
		]),
		["none", String(unbroken.count), shown(unbroken), ""],
	];
}

function primaryRows({ primary }: DiagnosisSummary): string[][] {
	return [
		["finding", "records", "%"],
		...(Object.entries(primary) as [FindingKind | "nothing", Share][]).map(([kind, share]) => [
			primaryName(kind),
			String(share.count),
			shown(share),
		]),
	];
}

/** Findings that are in more records than they are named first of. */
function otherFindings({ findings, primary }: DiagnosisSummary): string[][][] {
	const more = (Object.entries(findings) as [FindingKind, Share][]).filter(
		([kind, share]) => share.count > (primary[kind]?.count ?? 0),
	);
	if (more.length === 0) return [];
	return [
		[
			["finding", "records", "%"],
			...more.map(([kind, share]) => [findingWords[kind].name, String(share.count), shown(share)]),
		],
	];
}

function typeTables({ types }: DiagnosisSummary): { head: string; rows: string[][] }[] {
	return (Object.keys(errorViews) as (keyof typeof errorViews)[]).flatMap((view) => {
		const { title, source, gives } = errorViews[view];
		const shares = Object.entries(types[view]);
		if (shares.every(([, share]) => share.of === 0)) return [];
		const of = gives === "all" ? "a record may have several" : "one for each answer that is not right";
		return [
			{
				head: `${title} (${source}; ${of})`,
				rows: [
					["finding", "records", "%"],
					...shares.map(([type, share]) => [
						typeName(type),
						share.of === 0 ? "–" : String(share.count),
						boundedText(share),
					]),
				],
			},
		];
	});
}

function missText({ misses: { missed, lookedInto, causes } }: DiagnosisSummary, table: Table): string {
	const left = missed - lookedInto;
	if (lookedInto === 0)
		return wrap(`Why evidence did not come back was not looked into (${plural(missed, "missed hop")}).`);
	const rows = Object.entries(causes).map(([cause, share]) => [
		causeWords[cause as keyof typeof causeWords].name,
		String(share.count),
		shown(share),
	]);
	const note = left > 0 ? `; ${left} more not looked into` : "";
	return table(`Why evidence did not come back (${plural(lookedInto, "missed hop")}${note})`, [
		["finding", "hops", "%"],
		...rows,
	]);
}

function planText({ stated, coverage, spurious, adherence, revised }: NonNullable<DiagnosisSummary["plan"]>): string {
	const percent = (value: number | null) => (value === null ? "unknown" : `${(value * 100).toFixed(0)} %`);
	return wrap(
		`Plans: ${stated} stated. They cover ${percent(coverage.value)} of the gold hops and hold ${spurious.value?.toFixed(1) ?? "unknown"} items that no hop asks for; ${percent(adherence.value)} of their items were carried out; after ${percent(revised.value)} of the misses the agent searched otherwise (n ${revised.n}).`,
	);
}

function notJudged({ hops, expected, recorded, withChain, notJudged: reasons }: DiagnosisSummary): string[] {
	const lines = [
		...(expected > recorded ? [`${plural(expected - recorded, "expected record")} missing.`] : []),
		...(expected > withChain
			? [`${plural(expected - withChain, "record")} of tasks without a gold chain: no hop verdicts.`]
			: []),
		...Object.entries(hops.notJudged).map(([reason, count]) => `${plural(count, "hop")}: ${plainLine(reason, 200)}.`),
		...reasons.slice(0, 12).map(({ what, reason, records }) => {
			const names = what.map((kind) => findingWords[kind].name);
			const named =
				names.length > 6 ? `${names.slice(0, 6).join(", ")} and ${names.length - 6} more` : names.join(", ");
			return `${plural(records, "record")}: ${named}, since ${plainLine(reason, 200)}.`;
		}),
	];
	return lines.length > 0 ? lines : ["Nothing: every expected hop and record was judged."];
}
