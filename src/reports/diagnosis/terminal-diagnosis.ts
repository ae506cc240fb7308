/** A diagnosis for people at a terminal: where chains break first, then the tables, then cases in words. */
import type { DiagnosisSummary } from "#diagnosis";
import { plainLine, present } from "#domain";
import { stylesOf, type TerminalOptions } from "../terminal-table.ts";
import { renderBriefly } from "../views/render/render-terminal.ts";
import { plural } from "../wording.ts";
import { caseText } from "./case-text.ts";
import type { DiagnosisReport } from "./diagnosis-report.ts";
import { diagnosisViews, readerNotes } from "./diagnosis-views.ts";
import { boundsNote, coverageText, findingWords, headline } from "./diagnosis-words.ts";

/** Ends without a newline. */
export function terminalDiagnosis(report: DiagnosisReport, options: TerminalOptions = {}): string {
	const { bold, dim, wrap } = stylesOf(options);
	const { summary, worked, reader, intervention } = report;
	const title = [report.agent, ...(report.model === null ? [] : [report.model]), `on ${report.benchmark}`];
	const { recorded, expected, withChain, hops, misses, plan } = summary;
	const of = recorded < expected ? `${recorded} of ${plural(expected, "record")}` : plural(expected, "record");
	const rules = report.diagnosers.map((version) => `rules of version ${version}`);
	const views = diagnosisViews(report).filter(({ rows }) => rows.length > 0);
	const parts = present([
		`${bold(plainLine(title.join(" ")))}  ${dim([of, `${withChain} with a gold chain`, ...rules].join(", "))}`,
		intervention && wrap(aboutIntervention(intervention)),
		wrap(headline(summary)),
		hops.judged > 0 && wrap(`${capital(coverageText(hops.reading.seen))}.`),
		...views.map((view) => renderBriefly(view, options)),
		reader &&
			readerNotes(reader)
				.map((note) => wrap(note))
				.join("\n"),
		misses.missed > 0 &&
			misses.lookedInto === 0 &&
			wrap(`Why evidence did not come back was not looked into (${plural(misses.missed, "missed hop")}).`),
		plan && wrap(planText(plan)),
		worked.length > 0 &&
			`${bold("Worked failures, one of each of the commonest kinds")}\n\n${worked.map((one) => caseText(one, { ...options, short: true })).join("\n\n")}`,
		`${bold("What cannot be judged")}\n${notJudged(summary)
			.map((line) => wrap(line))
			.join("\n")}`,
		dim(wrap(`Shares are of what was judged; beside or below them stand cluster-robust 95 % intervals. ${boundsNote}`)),
		recorded > 0 &&
			withChain > 0 &&
			withChain < expected &&
			dim(wrap("Without a gold chain an error type is looked for in part only, which leaves its share open upwards.")),
	]);
	return parts.join("\n\n");
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const aboutIntervention = ({ what, of }: NonNullable<DiagnosisReport["intervention"]>) =>
	`An intervention, ${what}, in ${plainLine(of)}: it says nothing of the agent by itself. What the intervention wrote into results stands in no knowledge base, so a value taken from there is called unsupported.`;

function planText({ stated, coverage, spurious, adherence, revised }: NonNullable<DiagnosisSummary["plan"]>): string {
	const percent = (value: number | null) => (value === null ? "unknown" : `${(value * 100).toFixed(0)} %`);
	return `Plans: ${stated} stated. They cover ${percent(coverage.value)} of the gold hops and hold ${spurious.value?.toFixed(1) ?? "unknown"} items that no hop asks for; ${percent(adherence.value)} of their items were carried out; after ${percent(revised.value)} of the misses the agent searched otherwise (n ${revised.n}).`;
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
