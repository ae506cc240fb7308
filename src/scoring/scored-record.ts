import {
	type CallCounts,
	callCounts,
	isWebSearch,
	type Outcome,
	retrievalHops,
	retrievalSteps,
	roundsOf,
	type Score,
	type ScoringMode,
	type Step,
	scored,
	type Task,
	type Trajectory,
} from "#domain";

export interface ScoringOptions {
	/** Calls that the run's setting allows. */
	limit?: number | undefined;
	/** Tools that it offers. */
	tools?: readonly string[] | undefined;
	/** How answers are scored, `hopscope` by default. */
	mode?: ScoringMode | undefined;
}

/** A task and what an agent left behind on it, as scorers read them; what several of them need is worked out once. */
export interface ScoredRecord {
	task: Task;
	trajectory: Trajectory;
	limit: number | undefined;
	mode: ScoringMode;
	/** What ended the attempt from outside: nothing of it is scored. */
	broken: { outcome: Outcome; reason: string } | undefined;
	/** The searches that were carried out, and the ids that each brought back, best first. */
	searches(): readonly Step[];
	found(): readonly string[][];
	/** Acceptable evidence ids of each hop that needs retrieval. */
	gold(): readonly string[][];
	/** Whether what was searched can be gold evidence at all. */
	canMatch(): boolean;
	/** Searches by the reply that they were made in. */
	rounds(): readonly Step[][];
	/** Calls written, carried out and rejected. */
	calls(): CallCounts;
	/**
	 * The place, from 0, by which every hop has acceptable evidence in a list that the agent was given; infinite where one
	 * has none. Searches whose rankings were put into one count as that one.
	 */
	worstPlace(): number;
}

export function scoredRecord(
	task: Task,
	trajectory: Trajectory,
	{ limit, tools = [], mode = "hopscope" }: ScoringOptions = {},
): ScoredRecord {
	const searches = once(() => retrievalSteps(trajectory));
	const gold = once(() => (task.chain ? retrievalHops(task.chain).map(({ evidence }) => evidence) : []));
	return {
		task,
		trajectory,
		limit,
		mode,
		broken: brokenOff(trajectory),
		searches,
		gold,
		found: once(() => searches().map(idsByRank)),
		canMatch: once(() => {
			const used = [...tools, ...searches().flatMap(({ call }) => call?.tool ?? [])];
			return !used.some(isWebSearch) || gold().some((ids) => ids.some((id) => /^https?:\/\//i.test(id)));
		}),
		rounds: once(() => roundsOf(searches())),
		calls: once(() => callCounts(trajectory)),
		worstPlace: once(() => worstPlace(gold(), rankingsGiven(trajectory, searches()).map(idsByRank))),
	};
}

function once<Value>(make: () => Value): () => Value {
	let made: { value: Value } | undefined;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}

function brokenOff({ stop, error }: Trajectory): ScoredRecord["broken"] {
	if (stop === "budget") return { outcome: "budget", reason: "the run's budget was used up" };
	if (stop !== "error") return undefined;
	if (error?.boundary === "benchmark") return { outcome: "error", reason: error.message };
	const reason = error ? `${error.boundary} error: ${error.message}` : "an error ended the attempt";
	return { outcome: "error", reason };
}

/** What the agent was given, ranked: of searches that were put into one ranking that one, of others each its own. */
function rankingsGiven({ steps }: Trajectory, searches: readonly Step[]): Step[] {
	const merging = steps.filter(({ merges }) => merges !== undefined);
	const merged = new Set(merging.flatMap(({ merges = [] }) => merges));
	return [...searches.filter(({ index }) => !merged.has(index)), ...merging];
}

function idsByRank({ results }: Step): string[] {
	const ranked = results.every(({ rank }, index) => index === 0 || (results[index - 1]?.rank ?? 0) <= rank);
	return (ranked ? results : [...results].sort((a, b) => a.rank - b.rank)).map(({ id }) => id);
}

/** Where every list is cut to k, each hop is hit if this is below k: one walk answers for every k. */
function worstPlace(gold: readonly (readonly string[])[], lists: readonly (readonly string[])[]): number {
	const places = new Map<string, number>();
	for (const list of lists)
		for (const [place, id] of list.entries()) places.set(id, Math.min(place, places.get(id) ?? place));
	const best = (ids: readonly string[]) =>
		ids.reduce((least, id) => Math.min(least, places.get(id) ?? Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY);
	return gold.reduce((worst, ids) => Math.max(worst, best(ids)), 0);
}

/**
 * The score of an answer that was given; of one that was not it is 0, or 1 for abstaining where the gold answer is that
 * there is none. Running out of turns is no abstention. Details name the mode.
 */
export function scoreAnswer(
	{ task, trajectory: { abstained, answer }, mode }: ScoredRecord,
	score: (answer: string) => Score,
): Score {
	if (!abstained && answer !== null) return score(answer);
	const value = abstained && task.answer.type === "none" ? 1 : 0;
	return scored(value, { mode, answer: abstained ? "abstained" : "none given" });
}
