/** Runs against one another as their page shows them. Every difference is of the reports' own comparison. */
import { interventionName, type RunManifest, type Task } from "#domain";
import {
	comparedCautions,
	compareScores,
	labelsOf,
	type MetricComparison,
	metricComparison,
	mustCompare,
} from "#reports";
import { isShownIn, type Scorer, type ScorerWords, scorerOf, scorers, summarise } from "#scoring";
import { answersIn, comparedColumns, headlineOf } from "./compared-words.ts";
import { type JoinedTable, letterAt } from "./join-runs.ts";
import type { ComparedPair, ComparedRun, ComparePage, DifferenceLine } from "./pages.ts";
import { notJudged } from "./run-index.ts";
import { columnTitle, measured } from "./run-page.ts";
import type { RunTable } from "./run-table.ts";
import { type Item, scoredItems } from "./scored-items.ts";
import { hopColumn, valueAt } from "./table.ts";

export interface RunCompared {
	manifest: RunManifest;
	table: RunTable;
	/** Tasks of the benchmark by id. */
	tasks: ReadonlyMap<string, Task>;
}

/** What answers took. The index holds these as it holds scores. */
const taken: readonly Scorer[] = [
	...(scorerOf("steps") ? [scorerOf("steps") as Scorer] : []),
	effort("tokens", "Tokens", "Tokens of an answer, read and written."),
	effort("seconds", "Time, s", "Seconds that an answer took."),
	effort("cost", "Cost", "What the calls of an answer cost, at the prices that the run wrote down."),
];

function effort(name: string, heading: string, meaning: string): Scorer {
	const words: ScorerWords = {
		name,
		heading,
		meaning,
		source: "records.jsonl",
		direction: "lower",
		unit: "number",
		aggregation: "mean",
	};
	return { ...words, needs: [] };
}

/** Refuses runs that cannot be compared: of other benchmarks, scored differently, or one with itself. */
export const mustBeComparable = (manifests: readonly RunManifest[]): void =>
	mustCompare(manifests.map((manifest) => ({ manifest, rows: [] })));

export function comparePage(
	runs: readonly RunCompared[],
	table: JoinedTable,
	{ added = [] }: { added?: readonly Scorer[] } = {},
): ComparePage {
	const chosen = [...scorers, ...added].filter((scorer) => isShownIn(scorer, "compare"));
	const wanted = [...chosen, ...taken].map(({ name }) => name);
	const sides = runs.map((run, place) => ({
		...{ id: run.manifest.id, manifest: run.manifest, letter: letterAt(place) },
		...{ items: scoredItems(run.manifest, run, wanted), answers: answersIn(run.table) },
	}));
	const { couples, tests } = compareScores(sides, chosen);
	const label = labelsOf(runs);
	const headline = scorerOf(headlineOf(runs.map((run) => run.table)));
	return {
		benchmark: runs[0]?.manifest.benchmark.name ?? "",
		scoring: runs[0]?.manifest.scoring ?? null,
		by: headline?.heading ?? "",
		runs: runs.map((run, place) =>
			runLine(run, { label: label(run), letter: letterAt(place), items: sides[place]?.items ?? [] }),
		),
		pairs: couples.map(({ a, b, metrics, onlyIn }) => ({
			...{ a: a.letter, b: b.letter, onlyIn },
			differences: metrics.map((found) =>
				differenceLine(
					found,
					chosen.find(({ name }) => name === found.metric),
				),
			),
			effort: effortLines(a, b),
			...flipsBetween(a.letter, b.letter, table),
		})),
		cautions: comparedCautions(runs),
		tests,
		columns: comparedColumns(table, columnTitle),
	};
}

function runLine(
	{ manifest }: RunCompared,
	{ label, letter, items }: { label: string; letter: string; items: readonly Item[] },
): ComparedRun {
	const { id, at, repeats, tasks, price, intervention } = manifest;
	return {
		...{ letter, id, label, at, repeats, tasks: tasks.length },
		accuracy: measured(summarise(items, { metric: "accuracy" })),
		currency: price?.currency ?? null,
		intervention: intervention ? interventionName(intervention.what) : null,
	};
}

function differenceLine(found: MetricComparison, words: ScorerWords | undefined): DifferenceLine {
	const { metric, means, difference, n, reason, adjusted, better, wins, ties, losses, expected } = found;
	return {
		name: metric,
		heading: words?.heading ?? metric,
		meaning: words?.meaning ?? "",
		direction: words?.direction ?? "neither",
		unit: words?.unit ?? "number",
		means,
		difference: { ...difference, n, ...(reason === undefined ? {} : { reason }) },
		p: adjusted,
		more: better,
		...{ wins, ties, losses },
		unpaired: expected - n,
	};
}

type Side = Pick<RunCompared, "manifest"> & { id: string; items: readonly Item[] };

/** What the answers of one run took beyond those of the other; money only where it is of one currency. */
function effortLines(a: Side, b: Side): DifferenceLine[] {
	const [mine, theirs] = [a, b].map(({ manifest }) => manifest.price?.currency);
	return (
		taken
			.filter(({ name }) => name !== "cost" || mine === theirs)
			.map((scorer) => ({ ...differenceLine(metricComparison(a, b, { metric: scorer }), scorer), p: null }))
			// what neither run took or wrote down says nothing
			.filter(({ difference, means }) => difference.n > 0 && means?.some((mean) => mean !== 0))
	);
}

/** Which tasks flipped between two runs, both ways, and where the one that went wrong broke. */
function flipsBetween(
	a: string,
	b: string,
	table: JoinedTable,
): Pick<ComparedPair, "won" | "lost" | "alike" | "uncompared"> {
	const [mine, theirs] = [a, b].map((letter) => standingsIn(table, letter));
	const rows = Array.from({ length: table.rows }, (_, row) => ({
		row,
		mine: mine?.(row) ?? "",
		theirs: theirs?.(row) ?? "",
	}));
	const ahead = (one: string, other: string) =>
		(one === "right" && other === "wrong") ||
		(one === "ahead" && other !== "ahead" && other !== "missing" && other !== "unscored");
	const whereOf = (one: string, other: string) =>
		table.letters.length === 2
			? `flip:${(a === table.letters[0] ? [one, other] : [other, one]).join("-")}`
			: `${a}:${one} ${b}:${other}`;
	const scored = new Set(["right", "wrong", "ahead", "behind", "even"]);
	const alike = new Map<string, number>();
	for (const { mine: one, theirs: other } of rows)
		if (one === other && scored.has(one)) alike.set(one, (alike.get(one) ?? 0) + 1);
	const isBinary = !rows.some(({ mine: one }) => one === "ahead" || one === "behind");
	const [good, poor] = isBinary ? ["right", "wrong"] : ["ahead", "behind"];
	const flips = (chosen: typeof rows, loser: string, where: string) => ({
		count: chosen.length,
		where,
		breaks: breaksOf(
			chosen.map(({ row }) => row),
			loser,
			{ table, where },
		),
	});
	return {
		won: flips(
			rows.filter((one) => ahead(one.mine, one.theirs)),
			b,
			whereOf(good, poor),
		),
		lost: flips(
			rows.filter((one) => ahead(one.theirs, one.mine)),
			a,
			whereOf(poor, good),
		),
		alike: [...alike]
			.sort(([, x], [, y]) => y - x)
			.map(([standing, count]) => ({ standing, count, where: whereOf(standing, standing) })),
		uncompared: rows.filter((one) => !scored.has(one.mine) || !scored.has(one.theirs)).length,
	};
}

const standingsIn = ({ categories }: JoinedTable, letter: string) => {
	const column = categories.get(letter);
	return (row: number) => (column ? valueAt(column, row) : null);
};

function breaksOf(
	rows: readonly number[],
	letter: string,
	{ table: { categories }, where }: { table: JoinedTable; where: string },
): ComparedPair["won"]["breaks"] {
	const at = (name: string, row: number) => {
		const column = categories.get(`${letter}.${name}`);
		return column ? valueAt(column, row) : null;
	};
	const found = new Map<string, ComparedPair["won"]["breaks"][number]>();
	for (const row of rows) {
		const broken = at("broken", row);
		const place = Number(broken) || 0;
		const verdict = place === 0 ? "" : (at(hopColumn(place), row) ?? "");
		const key = `${place} ${verdict}`;
		const term =
			place === 0
				? `${letter}.broken:none,${notJudged}`
				: `${letter}.broken:${place}${verdict === "" ? "" : ` ${letter}.${hopColumn(place)}:${verdict}`}`;
		const known = found.get(key) ?? { place, verdict, count: 0, where: `${where} ${term}` };
		found.set(key, { ...known, count: known.count + 1 });
	}
	return [...found.values()].sort((x, y) => y.count - x.count || x.place - y.place);
}
