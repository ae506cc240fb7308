import { type Score, scored, unscored } from "#domain";
import { defineScorer } from "../record-metric.ts";
import type { ScoredRecord } from "../scored-record.ts";
import type { ScorerWords } from "../scorer.ts";

/** What an agent did for a task, counted. All of them are numbers of which neither more nor less is better. */
const countOf = (
	words: Pick<ScorerWords, "name" | "heading" | "meaning" | "source" | "tables"> & { formula: string; edges: string },
	example: number,
	score: (record: ScoredRecord) => number | Score,
) =>
	defineScorer({
		...words,
		group: "behaviour",
		needs: ["steps"],
		direction: "neither",
		unit: "number",
		aggregation: "mean",
		example,
		score(record) {
			const found = score(record);
			return typeof found === "number" ? scored(found) : found;
		},
	});

const onlyAnswer = "Of answers that came without their steps: unscored.";
const vistahop = "VistaHop, section 4";

export const stepsScorer = countOf(
	{
		name: "steps",
		heading: "Steps",
		meaning: "Retrieval steps taken for a task.",
		formula: "|searches that were carried out|",
		edges: onlyAnswer,
		source: "MC-Search, section 2.2",
		tables: ["terminal", "page"],
	},
	3,
	(record) => record.searches().length,
);

export const searchRoundsScorer = countOf(
	{
		name: "search-rounds",
		heading: "Search rounds",
		meaning: "Replies that searched; several searches of one reply are one round.",
		formula: "|replies with a search that was carried out|",
		edges: onlyAnswer,
		source: "AgenticRAGTracer, which calls them steps",
		tables: [],
	},
	3,
	(record) => record.rounds().length,
);

export const callsScorer = countOf(
	{
		name: "calls",
		heading: "Calls",
		meaning: "Calls of any tool that were carried out for a task.",
		formula: "|calls carried out|",
		edges: onlyAnswer,
		source: vistahop,
		tables: ["behaviour"],
	},
	3,
	(record) => record.calls().executed,
);

export const callsWrittenScorer = countOf(
	{
		name: "calls-written",
		heading: "Calls written",
		meaning: "Calls that the model wrote, carried out or not.",
		formula: "|calls carried out| + |calls rejected|",
		edges: onlyAnswer,
		source: vistahop,
		tables: ["behaviour"],
	},
	4,
	(record) => record.calls().written,
);

export const callsRejectedScorer = countOf(
	{
		name: "calls-rejected",
		heading: "Calls rejected",
		meaning:
			"Of those written, the ones that were not carried out: faulty, or beyond what one reply or the task allows.",
		formula: "|calls rejected|",
		edges: onlyAnswer,
		source: vistahop,
		tables: ["behaviour"],
	},
	1,
	(record) => record.calls().rejected,
);

export const invalidCallsScorer = countOf(
	{
		name: "invalid-calls",
		heading: "Invalid calls",
		meaning: "Calls that could not be carried out as written, and replies without a proper call.",
		formula: "|steps whose call is not valid|",
		edges: onlyAnswer,
		source: vistahop,
		tables: ["behaviour"],
	},
	1,
	({ trajectory }) => trajectory.steps.filter(({ call }) => call?.valid === false).length,
);

export const roundsScorer = countOf(
	{
		name: "rounds",
		heading: "Rounds",
		meaning: "Replies of the model in the main conversation of a task.",
		formula: "|replies in the main conversation|",
		edges: "No conversation was recorded: unscored.",
		source: vistahop,
		tables: ["behaviour"],
	},
	5,
	({ trajectory }) => {
		const replies = trajectory.messages.filter(({ role, conversation }) => role === "assistant" && !conversation);
		return replies.length > 0 ? replies.length : unscored("no conversation was recorded");
	},
);
