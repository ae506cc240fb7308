import type { ActorName, Step } from "./kills.ts";

/** Where a command is killed by name: what is half done then, in which command, at which step. */
export interface Point {
	what: string;
	actor: ActorName;
	step: Step;
}

const half = (path: string) => ({ path: `${path}\\.[^/]*part$`, at: 2, when: "torn" }) as const;
const before = (path: string, at = 1) => ({ path: `${path}$`, at, when: "before" }) as const;
const torn = (path: string, at: number) => ({ path: `${path}$`, at, when: "torn" }) as const;

export const points: readonly Point[] = [
	{ what: "its lock half written", actor: "run of one call", step: { ...half("lock\\.1"), at: 1 } },
	{
		what: "locked, run.json not begun",
		actor: "run of one call",
		step: { ...half("run\\.json"), at: 1, when: "before" },
	},
	{ what: "run.json half written", actor: "run of one call", step: half("run\\.json") },
	{ what: "run.json whole, not in its place", actor: "run of one call", step: before("run\\.json") },
	{ what: "between run.json and the first record", actor: "run of one call", step: torn("records\\.jsonl", 1) },
	{ what: "in mid-line of the first record", actor: "run of one call", step: torn("records\\.jsonl", 2) },
	{ what: "a record written, not flushed", actor: "run of one call", step: before("records\\.jsonl", 3) },
	{ what: "in mid-line of an event", actor: "run of one call", step: torn("events\\.jsonl", 2) },
	{ what: "every record there, no score", actor: "run of one call", step: { ...half("scores\\.jsonl"), at: 1 } },
	{ what: "scores half written", actor: "run of one call", step: half("scores\\.jsonl") },
	{ what: "scores whole, not in their place", actor: "run of one call", step: before("scores\\.jsonl") },
	{ what: "its counts half written", actor: "run of one call", step: half("run-counts/one\\.json") },
	{ what: "a response half cached", actor: "run of one call, cached", step: half("cache/replies/.*\\.json") },
	{
		what: "in mid-line of a record of a longer agent",
		actor: "run of several calls",
		step: torn("records\\.jsonl", 6),
	},
	{ what: "scores half written anew", actor: "score", step: half("scores\\.jsonl") },
	{ what: "findings half written", actor: "diagnose", step: half("findings\\.jsonl") },
	{ what: "a segment of the studio's index half written", actor: "report", step: half("[0-9a-f]\\.parquet") },
	{ what: "a page half written", actor: "report", step: torn("rows-0\\.js", 1) },
	{ what: "the pages whole, not in their place", actor: "report", step: before("reports/done") },
	{ what: "in mid-line of a verdict", actor: "judge", step: torn("verdicts\\.jsonl", 2) },
	{ what: "in mid-line of a model's verdict", actor: "judge by a model", step: torn("verdicts\\.jsonl", 4) },
	{ what: "a corpus half written", actor: "make", step: half("corpora/made/evidence\\.jsonl") },
	{ what: "a graph half written", actor: "make", step: half("triples\\.jsonl") },
	{ what: "in mid-line of a build's journal", actor: "make", step: torn("journal\\.jsonl", 2) },
	{ what: "a benchmark whole, not in its place", actor: "make", step: before("benchmarks/made") },
	{ what: "documents half read", actor: "index", step: half("sheaves/.*\\.jsonl") },
	{ what: "a corpus whole, not in its place", actor: "index", step: before("corpora/docs") },
	{ what: "a knowledge base whole, not in its place", actor: "index", step: before("knowledge/docs") },
];
