/** What cannot be compared is refused (exit 2) before anything is computed. */
import { didYouMean, usageError } from "#domain";
import { type Scorer, scorers, sliceNames } from "#scoring";
import type { ReportRun } from "../report-data.ts";
import { scoredBy } from "../scored-by.ts";
import type { Expected } from "../summaries.ts";

/** Runs up to which all pairs are compared: beyond them nobody reads a table of pairs. */
const mostRuns = 12;

type Scored = Pick<ReportRun, "manifest" | "rows">;

export function mustCompare(runs: readonly Scored[]): void {
	const refuse = (code: string, what: string, remedy: string) => usageError(code, what, remedy);
	if (runs.length < 2)
		throw refuse("one-run", "one run is no comparison", "Name two runs or more; --judges compares the judges of one.");
	if (runs.length > mostRuns)
		throw refuse("too-many-runs", `${runs.length} runs, more than ${mostRuns}`, "Compare fewer at a time.");
	const ids = runs.map(({ manifest }) => manifest.id);
	const twice = ids.find((id, place) => ids.indexOf(id) !== place);
	if (twice !== undefined) throw refuse("same-run", `${twice} is given twice`, "Name each run once.");
	const [first, ...others] = runs.map(({ manifest }) => manifest);
	for (const other of others) {
		if (!first || other.benchmark.hash === first.benchmark.hash) continue;
		const versions = other.benchmark.name === first.benchmark.name;
		throw refuse(
			"different-benchmarks",
			versions
				? `${first.id} and ${other.id} answer two versions of ${first.benchmark.name} (${first.benchmark.hash.slice(0, 12)}… and ${other.benchmark.hash.slice(0, 12)}…): their tasks or gold answers differ`
				: `${first.id} answers ${first.benchmark.name}, ${other.id} answers ${other.benchmark.name}`,
			"Compare runs of one benchmark; run the agent again on the version that the other answered.",
		);
	}
	const [one, another] = distinctBy(runs, (run) => scoredBy(run));
	if (one && another)
		throw refuse(
			"scored-differently",
			`the answers of ${one.manifest.id} are scored by ${scoredBy(one) ?? "an earlier scorer"}, those of ${another.manifest.id} by ${scoredBy(another) ?? "an earlier scorer"}`,
			"Score them alike: add --scoring MODE, or hopscope score RUN --scoring MODE.",
		);
}

/** The first run of each kind. */
const distinctBy = (runs: readonly Scored[], kind: (run: Scored) => unknown): Scored[] =>
	runs.filter((run, place) => runs.findIndex((other) => kind(other) === kind(run)) === place);

/** The scorers of these names, among the registered ones and those that were added. */
export function scorersCalled(names: readonly string[], added: readonly Scorer[]): Scorer[] {
	const known = new Map<string, Scorer>([...scorers, ...added].map((scorer) => [scorer.name, scorer]));
	const unknown = names.find((name) => !known.has(name));
	if (unknown !== undefined)
		throw usageError(
			"unknown-metric",
			`no score is called "${unknown}"`,
			`${didYouMean(unknown, known.keys())}Give one of: ${[...known.keys()].join(", ")}.`,
		);
	return names.flatMap((name) => known.get(name) ?? []);
}

/** A name that no task has would give one slice of everything, and say so nowhere. */
export function mustSlice(items: readonly Expected[], by: readonly string[]): void {
	const tags = new Set(items.flatMap(({ task }) => Object.keys(task.tags)));
	const known = (name: string) =>
		(sliceNames as readonly string[]).includes(name) || tags.has(name.startsWith("tag:") ? name.slice(4) : name);
	const unknown = by.find((name) => !known(name));
	if (unknown !== undefined)
		throw usageError(
			"unknown-slice",
			`no slice and no tag of these tasks is called "${unknown}"`,
			`${didYouMean(unknown, [...sliceNames, ...tags])}Give one of: ${[...sliceNames, ...[...tags].sort().slice(0, 50)].join(", ")}.`,
		);
}
