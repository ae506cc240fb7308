import { type Score, scored, unscored } from "#domain";
import { defineScorer } from "../record-metric.ts";
import type { ScoredRecord } from "../scored-record.ts";
import type { ScorerWords } from "../scorer.ts";

/** What an agent did for a task, counted. All of these are numbers of which neither more nor less is better. */
const countScorer = (
	words: Pick<ScorerWords, "name" | "heading" | "meaning"> &
		Partial<Pick<ScorerWords, "source" | "tables">> & { formula: string; edges?: string; example: number },
	count: (record: ScoredRecord) => number | Score,
) =>
	defineScorer({
		group: "behaviour",
		source: "VistaHop, section 4",
		edges: "Of answers that came without their steps: unscored.",
		needs: ["steps"],
		direction: "neither",
		unit: "number",
		aggregation: "mean",
		tables: ["behaviour"],
		...words,
		score(record) {
			const found = count(record);
			return typeof found === "number" ? scored(found) : found;
		},
	});

export const stepsScorer = countScorer(
	{
		name: "steps",
		heading: "Steps",
		meaning: "Retrieval steps taken for a task.",
		formula: "|searches that were carried out|",
		source: "MC-Search, section 2.2",
		tables: ["terminal", "page"],
		example: 3,
	},
	(record) => record.searches().length,
);

export const searchRoundsScorer = countScorer(
	{
		name: "search-rounds",
		heading: "Search rounds",
		meaning: "Replies that searched; several searches of one reply are one round.",
		formula: "|replies with a search that was carried out|",
		source: "AgenticRAGTracer, which calls them steps",
		tables: [],
		example: 3,
	},
	(record) => record.rounds().length,
);

export const callsScorer = countScorer(
	{
		name: "calls",
		heading: "Calls",
		meaning: "Calls of any tool that were carried out for a task.",
		formula: "|calls carried out|",
		example: 3,
	},
	(record) => record.calls().executed,
);

export const callsWrittenScorer = countScorer(
	{
		name: "calls-written",
		heading: "Calls written",
		meaning: "Calls that the model wrote, carried out or not.",
		formula: "|calls carried out| + |calls rejected|",
		example: 4,
	},
	(record) => record.calls().written,
);

export const callsRejectedScorer = countScorer(
	{
		name: "calls-rejected",
		heading: "Calls rejected",
		meaning:
			"Of those written, the ones that were not carried out: faulty, or beyond what one reply or the task allows.",
		formula: "|calls rejected|",
		example: 1,
	},
	(record) => record.calls().rejected,
);

export const invalidCallsScorer = countScorer(
	{
		name: "invalid-calls",
		heading: "Invalid calls",
		meaning: "Calls that could not be carried out as written, and replies without a proper call.",
		formula: "|steps whose call is not valid|",
		example: 1,
	},
	({ trajectory }) => trajectory.steps.filter(({ call }) => call?.valid === false).length,
);

export const roundsScorer = countScorer(
	{
		name: "rounds",
		heading: "Rounds",
		meaning: "Replies of the model in the main conversation of a task.",
		formula: "|replies in the main conversation|",
		edges: "No conversation was recorded: unscored.",
		example: 5,
	},
	({ trajectory }) => {
		const replies = trajectory.messages.filter(({ role, conversation }) => role === "assistant" && !conversation);
		return replies.length > 0 ? replies.length : unscored("no conversation was recorded");
	},
);
