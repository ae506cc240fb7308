/** Everything that is reported of some runs in tables: benchmark by benchmark, then every view that has data for them. */
import { clip, unknownHash } from "#domain";
import { agreementViews, readerNotes } from "../diagnosis/diagnosis-views.ts";
import { headline } from "../diagnosis/diagnosis-words.ts";
import type { BenchmarkReport, ReportData, ReportRun, RunReport } from "../report-data.ts";
import { type ReportSection, reportSections, runsOf } from "../report-views.ts";
import { buildViews } from "../views/build-views.ts";
import { viewBuilders } from "../views/registry.ts";
import type { View } from "../views/view.ts";
import { plural } from "../wording.ts";
import { glossary, type TermList } from "./glossary.ts";
import { type LeadPiece, leadSentence } from "./lead-sentence.ts";

export interface TablesSection {
	title: string;
	/** What holds for all of its tables. */
	notes: string[];
	views: View[];
}

/** Runs that are reported together: of one benchmark, scored alike, under one intervention or none. */
export interface TablesPart {
	heading: string;
	lead: LeadPiece[];
	/** Why its runs may not be comparable, one sentence each. */
	cautions: string[];
	sections: TablesSection[];
}

export interface TablesReport {
	title: string;
	facts: { name: string; value: string }[];
	parts: TablesPart[];
	/** Views of all runs, beside those that stand in the parts. */
	views: View[];
	glossary: TermList[];
}

/** Views of how agents searched, and of what they made of it: in the part of each benchmark. */
const ofSearch: ReadonlySet<string> = new Set(["delta-f1", "modality-coverage", "over-confidence"]);

/** From the report's data and the views that were built of the same runs. */
export async function tablesReport(
	runs: readonly ReportRun[],
	{ data, views }: { data: ReportData; views: readonly View[] },
): Promise<TablesReport> {
	const title = [...new Set(data.benchmarks.map(headingOf))].join(", ") || "No runs";
	const parts: TablesPart[] = [];
	for (const benchmark of data.benchmarks) parts.push(await partOf(benchmark, data, runs));
	return {
		title: clip(title, 80),
		facts: factsOf(data),
		parts,
		views: views.filter(({ name, rows }) => rows.length > 0 && !ofSearch.has(name)),
		glossary: glossary(data),
	};
}

async function partOf(benchmark: BenchmarkReport, data: ReportData, runs: readonly ReportRun[]): Promise<TablesPart> {
	const own = runs.filter(({ manifest }) => benchmark.ranking.includes(manifest.id));
	const builders = viewBuilders.filter(({ name }) => ofSearch.has(name));
	const search = (await buildViews(own, { builders })).filter(({ rows }) => rows.length > 0);
	const reported = reportSections(benchmark, data).map(({ name, ...section }) => ({
		...section,
		title: name === "ranking" && benchmark.intervention ? "Under the intervention" : titles[name],
	}));
	const sections = [
		...reported,
		{ title: "Where it breaks", notes: [], views: search },
		diagnosisSection(runsOf(benchmark, data)),
	];
	return {
		heading: headingOf(benchmark),
		lead: leadSentence(benchmark, data),
		cautions: benchmark.cautions,
		sections: sections.filter(({ notes, views }) => notes.length + views.length > 0),
	};
}

const titles: Record<ReportSection["name"], string> = {
	ranking: "Ranking",
	outcomes: "Outcomes",
	judges: "Judges",
	slices: "Slices",
};

/** Contenders before the agents that they are compared with. */
function diagnosisSection(runs: readonly RunReport[]): TablesSection {
	const ordered = [...runs].sort((a, b) => Number(a.agent.reference !== null) - Number(b.agent.reference !== null));
	const diagnosed = ordered.flatMap(({ label, diagnosis }) => (diagnosis ? [{ label, diagnosis }] : []));
	const named = (label: string, text: string) => (runs.length > 1 ? `${label}: ${text}` : text);
	return {
		title: "What the diagnosis says",
		notes: diagnosed.flatMap(({ label, diagnosis: { summary, reader } }) =>
			[headline(summary), ...(reader ? readerNotes(reader) : [])].map((note) => named(label, note)),
		),
		views: diagnosed.flatMap(({ label, diagnosis }) =>
			agreementViews(diagnosis).map((view) => ({ ...view, title: named(label, view.title) })),
		),
	};
}

/** What a part is called: interventions, and runs whose answers are scored otherwise, have parts of their own. */
const headingOf = ({ name, intervention, scoring }: BenchmarkReport): string =>
	[
		name,
		...(intervention ? [`intervention ${intervention.what}`] : []),
		...(scoring ? [`scored by ${scoring}`] : []),
	].join(", ");

function factsOf({ runs, benchmarks }: ReportData): TablesReport["facts"] {
	const distinct = (values: string[]) => [...new Set(values)].join(", ");
	const days = runs.map((run) => run.at.slice(0, 10)).sort();
	const hashed = (name: string, hash: string) => `${name} (${hash.slice(0, 12)})`;
	const bases = new Map(runs.map(({ knowledge }) => [knowledge.hash, knowledge]));
	const facts: [string, string][] = [
		...benchmarks.map(({ name, tasks, hash }): [string, string] => [
			"Benchmark",
			hashed(`${name}, ${plural(tasks, "task")}`, hash),
		]),
		...[...bases.values()].map(({ name, hash }): [string, string] => [
			"Knowledge base",
			hash === unknownHash ? "What was searched elsewhere is not known" : hashed(name, hash),
		]),
		...runs.flatMap(({ imported }): [string, string][] =>
			imported ? [["Made elsewhere", hashed(imported.file, imported.sha256)]] : [],
		),
		["Recorded", distinct([days[0] ?? "–", days.at(-1) ?? "–"]).replace(", ", " to ")],
		["Seeds", distinct(runs.map(({ seed }) => String(seed)))],
		[
			"Software",
			`Hopscope ${distinct(runs.map(({ software }) => software.hopscope))}, Node ${distinct(runs.map(({ software }) => software.node))}`,
		],
		["Answers scored by", distinct(runs.flatMap(({ scoring }) => scoring ?? [])) || "–"],
		["Scorer", distinct(runs.flatMap(({ scorers }) => scorers)) || "–"],
	];
	const seen = new Set<string>();
	return facts.flatMap(([name, value]) => {
		// parts of one benchmark name it once
		const key = JSON.stringify([name, value]);
		if (seen.has(key)) return [];
		seen.add(key);
		return [{ name, value }];
	});
}
