import { counted, type ScoringMode } from "#domain";
import type { KeptFile } from "#workbench";
import { type AddCommand, sayNext, withWorkspace } from "../context.ts";
import type { Output } from "../output.ts";
import { withScorers, withScoring } from "../run-options.ts";
import { pageOf, type ShowOptions, show, withFormat } from "../show.ts";
import { watch } from "../watch.ts";

interface ScoreOptions extends ShowOptions {
	benchmark?: string;
	agentName?: string;
	modelName?: string;
	ids?: string;
	documentsMap?: string;
	scoring?: ScoringMode;
	scorer?: string[];
	force?: boolean;
}

/** Rows told one by one; the rest are counted. */
const mostTold = 10;
/** Rows in the JSON line. */
const mostRefusals = 1000;

export const addScore: AddCommand = (command, context) =>
	withScorers(withScoring(withFormat(withWorkspace(command)), "as the run says, or its benchmark"))
		.argument("<what>", "a file of predictions or trajectories, or a run")
		.option("-b, --benchmark <name>", "the benchmark they answer (needed for a file)")
		.option("--agent-name <name>", "who answered (default: as the file says, else the file's name)")
		.option("--model-name <name>", "the model that was asked (default: as the file says, else none)")
		.option("--ids <file>", "a table from the ids of the index that was searched to those of the knowledge base")
		.option("--documents-map <file>", "a table from its names of documents to those of the knowledge base")
		.option("--force", "read the file anew, in place of the run that is kept of it")
		.addHelpText(
			"after",
			`
A file holds JSON lines, {"task": id, "prediction": text} or whole trajectories with steps, records of a run, transcripts
(r1-searcher, webdancer), or one JSON object from task id to answer. A row may name its task by "question" instead of an id.
Several rows of a task are its repeats. Rows that cannot be read are told with their line and reason; ids that the
benchmark does not hold are named; tasks without a row have no record, which is not a score of zero.

A result of a step is an id, or {"id", "text", "title", "address", "document", "page" (from 0), "score", "rank"}, as far as
they are known. It counts as the evidence of the knowledge base that the first of these finds: the table --ids (CSV, TSV,
JSON lines or a JSON object from their id to ours, or several); its own id, unless it says something else; its address; its
document and page; the same words; at least half of an evidence's five-word shingles in its text. What came back in other
words is kept with the run, and read as it came. The share that is matched to nothing stands beside HPS.

What is read is kept as a run, so that diagnose, compare, judge, report and export take it; the same file is kept once.
A run is scored again from its records, and its scores.jsonl written anew; no agent and no model is asked. With --scoring
it is scored so from then on, and every report of it says so.

Examples:
  $ hopscope score predictions.jsonl --benchmark atlas
  $ hopscope score trajectories.jsonl -b atlas --agent-name my-agent --model-name openai:gpt-5
  $ hopscope score trajectories.jsonl -b atlas --ids ids.csv
  $ hopscope score atlas-extractive-20261121-143012-ab12
  $ hopscope score atlas-extractive-20261121-143012-ab12 --scorer ./mine.mjs
  $ hopscope score atlas-extractive-20261121-143012-ab12 --scoring mmhops`,
		)
		.action(async (what: string, options: ScoreOptions) => {
			const { output } = context;
			const asked = { ...options, page: pageOf(options) };
			const { run, kept, ...shown } = await watch(context, options, (bench) => bench.score(what, asked));
			if (kept) tell(kept, { file: what, benchmark: options.benchmark ?? "", output });
			show(shown, {
				options,
				output,
				...(kept ? { json: (data, report) => ({ ...summaryOf(kept), ...data, ...(report ? { report } : {}) }) } : {}),
			});
			if (!kept || options.json) return;
			output.write(`run ${run}${kept.before ? ", which was there already" : ""}`);
			sayNext(context, `diagnose ${run}`, options);
		});

/** What was left out and what had to be assumed. */
function tell(
	{ refused, refusedIds, unknown, unanswered, noRecord, notes }: KeptFile,
	{ file, benchmark, output }: { file: string; benchmark: string; output: Output },
): void {
	const rows = [...refused.map(({ place, reason }) => ({ place: `${file}, ${place}`, reason })), ...refusedIds];
	for (const { place, reason } of rows.slice(0, mostTold)) output.say(`${place}: ${reason}`);
	if (rows.length > mostTold) output.say(`and ${rows.length - mostTold} more`);
	const some = (ids: readonly string[]) => `${ids.slice(0, 5).join(", ")}${ids.length > 5 ? " …" : ""}`;
	if (refused.length > 0) output.say(`${counted(refused.length, "row")} refused`);
	if (refusedIds.length > 0) output.say(`${counted(refusedIds.length, "row")} of the table of ids refused`);
	if (unknown.length > 0)
		output.say(`${counted(unknown.length, "id")} not in ${benchmark}, left out: ${some(unknown)}`);
	if (unanswered.length > 0) output.say(`${counted(unanswered.length, "row")} without an answer: ${some(unanswered)}`);
	if (noRecord > 0) output.say(`${counted(noRecord, "task")} of ${benchmark} without a record`);
	for (const note of notes) output.say(note);
}

function summaryOf({ manifest, before, refused, refusedIds, unknown, unanswered, noRecord, notes }: KeptFile) {
	return {
		...{ run: manifest.id, before, imported: manifest.imported, noRecord },
		...{ refusedIds: refusedIds.slice(0, mostRefusals) },
		...{ refusals: refused.slice(0, mostRefusals), unknown: unknown.slice(0, mostRefusals) },
		...{ unanswered: unanswered.slice(0, mostRefusals), notes },
	};
}
