/** What the numbers of a report mean, and where runs were diagnosed what is said of their hops and records. */
import { FindingKind, HopVerdict } from "#domain";
import { boundsNote, findingWords, verdictWords } from "../diagnosis/diagnosis-words.ts";
import type { ReportData } from "../report-data.ts";
import { metricsIn, modalityName, wordsOf } from "../wording.ts";

export interface Term {
	name: string;
	meaning: string;
	/** Of a verdict or finding: what data calls it. */
	id?: string;
}

export interface TermList {
	title: string;
	note: string;
	terms: Term[];
}

const always: Term[] = [
	{
		name: "Interval",
		meaning:
			"Where the true value would lie in 95 of 100 such benchmarks; tasks that share an image, a document or a nested question series share their luck.",
	},
	{
		name: "Outcome",
		meaning:
			"How an answer ended. Abstentions count 0 in accuracy; errors and missing answers are unscored, and shown.",
	},
	{
		name: "Hop",
		meaning: `One sub-question of the gold chain. ${modalityName("compute")} hops need no retrieval and are not counted.`,
	},
];

const unseen: Term[] = [
	{
		name: "Reading seen",
		meaning:
			"Of the hops whose evidence came back, and that did not break before they could be read, those that show how they were read. Rates of reading are of these alone; runs that show it at different shares of hops are not ranked by them.",
	},
	{
		name: "Shares of failures",
		meaning: `${boundsNote} Where nothing is named and nothing ruled out they are not observable, which is not 0 %.`,
	},
	{ name: "Or before", meaning: "An earlier hop that was not observed may be the one that broke first." },
];

export function glossary({ runs }: ReportData): TermList[] {
	const shown = [...metricsIn("page", runs), ...metricsIn("behaviour", runs), "modality-coverage"];
	const words = new Map(shown.flatMap((name) => wordsOf(name, runs) ?? []).map((one) => [one.name, one]));
	const numbers = [...words.values()].map(({ heading, meaning }): Term => ({ name: heading, meaning }));
	const lists = [{ title: "What the numbers mean", note: "", terms: [...numbers, ...always] }];
	if (runs.every(({ diagnosis }) => diagnosis === null)) return lists;
	const ofRecords = FindingKind.options.filter((kind) => !Object.hasOwn(verdictWords, kind));
	return [
		...lists,
		{
			title: "What the diagnosis says of a hop",
			note: "One verdict a hop: the first that fits, cause before effect, in the order of this list.",
			terms: HopVerdict.options.map((id) => ({ id, ...verdictWords[id] })),
		},
		{
			title: "What it says of a record",
			note: "",
			terms: ofRecords.map((id) => ({ id, ...findingWords[id] })),
		},
		{ title: "What cannot be seen", note: "", terms: unseen },
	];
}
