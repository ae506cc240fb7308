/** What a second reader made of hops whose reading nothing shows, and whether it can be believed. */
import { leastAgreement, type ReaderReport } from "#diagnosis";
import { clip, plainLine } from "#domain";
import { showInline } from "../number-format.ts";
import { html, type Markup } from "../template.ts";
import { plural } from "../wording.ts";
import { pageTables } from "./diagnosis-agreement.ts";
import { verdictWords } from "./diagnosis-words.ts";

/** Sentences: who read what, and whether that counts. */
export function readerNotes({ reader, agreement, unobserved, sameModel }: ReaderReport): string[] {
	const { doubt } = agreement;
	const { hops, asked, solved, misread, unsupported, cannotTell, unparsed, failed } = unobserved;
	const made = [
		`${solved} ${verdictWords.solved.name}`,
		`${misread} ${verdictWords.misread.name}`,
		`${unsupported} ${verdictWords.unsupported.name}`,
		`${cannotTell} left open`,
		...(unparsed > 0 ? [`${unparsed} unusable`] : []),
		...(failed > 0 ? [`${failed} not answered`] : []),
	];
	return [
		`The second reader ${plainLine(clip(reader, 60))} read ${asked} of ${plural(hops, "hop")} whose reading nothing shows: ${made.join(", ")}.`,
		doubt === undefined
			? `These verdicts count, since where the rules speak too it agrees with them (κ of at least ${leastAgreement.kappa} over ${leastAgreement.hops} hops or more).`
			: `None of these verdicts counts: ${doubt}. The hops stay unobserved.`,
		...(sameModel ? ["It is the model that it reads: this is no independent measure."] : []),
	];
}

/** A table of the agreement on hops of which the rules speak: its heading, and rows of which the first is the head. */
export function readerRows({ agreement }: ReaderReport): { head: string; rows: string[][] }[] {
	const { asked, read, cannotTell, unparsed, failed, same, kappa, verdicts } = agreement;
	if (asked === 0) return [];
	const others = [
		[cannotTell, "left open"],
		[unparsed, "unusable"],
		[failed, "not answered"],
	].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
	const head = `Rules and second reader on ${plural(read, "hop")} that both judge, ${same} alike (asked about ${[asked, ...others].join(", ")})`;
	return [
		{
			head,
			rows: [
				["verdict", "by rules", "by reader", "both", "kappa"],
				...verdicts.map(({ verdict, rules, reader, both, kappa }) => [
					verdictWords[verdict].name,
					...[rules, reader, both].map(String),
					showInline(kappa, "plain"),
				]),
				["all", "", "", String(same), showInline(kappa, "plain")],
			],
		},
	];
}

/** Both on the page. */
export const readerSection = (report: ReaderReport): Markup =>
	html`${readerNotes(report).map((note) => html`<p class="note">${note}</p>`)}${pageTables(readerRows(report))}`;
