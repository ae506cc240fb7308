import { basename } from "node:path";
import type { Command } from "commander";
import { counted, exitCodes } from "#domain";
import { callsLine, type ExtractGraphOptions } from "#workbench";
import { type CommonOptions, type Context, sayNext, wholeNumber } from "../context.ts";
import { watch } from "../watch.ts";
import { withKnowledge } from "./graph-options.ts";

/** `hopscope graph extract`: a graph by reading every passage with a model. */
export function addGraphExtract(graph: Command, context: Context, exit: (code: number) => void): void {
	withKnowledge(graph.command("extract"))
		.description("Read every passage with a model and keep the relations that it quotes word by word")
		.requiredOption(
			"-m, --model <model>",
			"openai:NAME, anthropic:NAME or google:NAME; openai:NAME@http://host:port/v1 for any compatible server",
		)
		.option("--concurrency <n>", "calls at the same time", wholeNumber(1, 1024), 4)
		.option("--max-calls <n>", "stop cleanly after so many calls of this process", wholeNumber(0, 1e9))
		.option("--images", "read the captions of images too")
		.option("--confirm-merges", "ask the model about names that may be one thing (one call a pair, at most 200)")
		.option("--retry-unreadable", "ask again about passages whose reply could not be read")
		.option("--timeout <seconds>", "until one attempt of a call is given up", wholeNumber(1, 86_400), 180)
		.addHelpText(
			"after",
			`
One call a passage. Responses are cached in the workspace (cache/graph), so an interrupted extraction, a changed passage or
a knowledge base made anew asks only for what is new: give the same command again. Keys are read from OPENAI_API_KEY,
ANTHROPIC_API_KEY and GEMINI_API_KEY.

Examples:
  $ hopscope graph extract --knowledge wiki --model openai:gpt-5-mini --max-calls 100
  $ hopscope graph extract -n wiki -m openai:qwen3@http://127.0.0.1:8000/v1 --concurrency 32
  $ hopscope search "Where was the director of Solaris born?" --knowledge wiki --mode graph`,
		)
		.action(async (options: ExtractGraphOptions & CommonOptions) => {
			const { output } = context;
			const made = await watch(context, options, (bench) => bench.extractGraph(options));
			if (made.is === "interrupted") {
				output.say(`interrupted; ${callsLine(made.usage)}; resume with the same command`);
				exit(exitCodes.interrupted);
				return;
			}
			const { graph, hash, counts, reason, usage, usageOfAll, failed, error } = made;
			if (reason === "failing") exit(exitCodes.failed);
			else if (failed > 0) exit(exitCodes.someFailed);
			if (options.json) return output.write(JSON.stringify({ graph, hash, counts, reason, usage }));
			output.write(
				`${counted(counts.triples, "triple")} between ${counts.entities} entities, from ${counts.evidence} of ${counted(counts.passages, "passage")}; ${counts.rejected} refused, ${counted(counts.unextracted, "passage")} not extracted (each with its reason in ${basename(graph)}/rejected.jsonl)`,
			);
			output.write(`${callsLine(usage)} now; ${callsLine(usageOfAll)} for the whole graph`);
			if (reason === "budget") output.say("the budget is spent; resume with the same command");
			if (failed > 0)
				output.say(`${counted(failed, "call")} failed, the last with: ${error}; the same command tries again`);
			sayNext(context, `graph show --knowledge ${options.knowledge}`, options);
		});
}
