import { join } from "node:path";
import type { Command } from "commander";
import type { Corpus } from "#corpus";
import { counted, exitCodes, HopscopeError, type Usage } from "#domain";
import {
	type AskEnd,
	type AskOptions,
	buildGraph,
	confirmMerges,
	createGraph,
	type Extracted,
	extract,
	extractedClaims,
	graphFolder,
	type Merge,
	proposeMerges,
	writeGraph,
} from "#graph";
import { type ChatModel, createChatModel, modelAccess } from "#models";
import { openWorkspace, type Workspace } from "#store";
import { type Context, wholeNumber } from "../context.ts";
import { createProgress, type Progress } from "../progress.ts";
import { type GraphOptions, openForGraph, withKnowledge } from "./graph-options.ts";

interface ExtractOptions extends GraphOptions {
	model: string;
	concurrency: number;
	maxCalls?: number;
	images?: boolean;
	confirmMerges?: boolean;
	retryUnreadable?: boolean;
	timeout: number;
}

/** `hopscope graph extract`: a graph by reading every passage with a model. */
export function addGraphExtract(graph: Command, context: Context, exit: (code: number) => void): void {
	const { output, signal } = context;
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
One call a passage. Replies are kept in the workspace (cache/graph), so an interrupted extraction, a changed passage or
a knowledge base made anew asks only for what is new: give the same command again. Keys are read from OPENAI_API_KEY,
ANTHROPIC_API_KEY and GEMINI_API_KEY.

Examples:
  $ hopscope graph extract --knowledge wiki --model openai:gpt-5-mini --max-calls 100
  $ hopscope graph extract -n wiki -m openai:qwen3@http://127.0.0.1:8000/v1 --concurrency 32
  $ hopscope search "Where was the director of Solaris born?" --knowledge wiki --mode graph`,
		)
		.action(async (options: ExtractOptions) => {
			const workspace = openWorkspace(options.workspace);
			const { dir, corpus } = await openForGraph(workspace, options.knowledge);
			const asking = askingFrom(options, { workspace, corpus, signal });
			const drawn = drawing(context, "extracting");
			const total = asking.kinds.reduce((sum, kind) => sum + corpus.manifest.counts[kind], 0);
			const end = await extract(corpus.evidence(), { ...asking, onProgress: drawn.towards(total) });
			drawn.end();
			if (end.damaged > 0) output.say(`${counted(end.damaged, "unreadable line")} of the cache passed over`);
			if (end.reason === "interrupted") {
				output.say(`interrupted; ${spent(end.usage)}; go on with the same command`);
				exit(exitCodes.interrupted);
				return;
			}
			const found = await extractedClaims(corpus.evidence(), asking);
			if (end.failed > 0 && found.usage.calls === 0) throw failing(asking.model, end);
			const merges = options.confirmMerges ? await mergesOf(found, asking, context) : [];
			const built = buildGraph({ ...found, merges });
			const { counts, hash } = await writeGraph(
				join(dir, graphFolder),
				{ ...built, rejected: [...found.rejected, ...built.rejected] },
				{ ...found, name: corpus.manifest.name, corpus: corpus.manifest, origins: [found.origin] },
			);
			if (end.reason === "failing") exit(exitCodes.failed);
			const { reason, usage } = end;
			if (options.json) {
				output.write(JSON.stringify({ graph: join(dir, graphFolder), hash, counts, reason, usage }));
				return;
			}
			output.write(
				`${counted(counts.triples, "triple")} between ${counts.entities} entities, from ${counts.evidence} of ${counted(counts.passages, "passage")}; ${counts.rejected} refused, ${counted(counts.unextracted, "passage")} not extracted (each with its reason in ${graphFolder}/rejected.jsonl)`,
			);
			output.write(`${spent(usage)} now; ${spent(found.usage)} for the whole graph`);
			if (reason === "budget") output.say("the budget is spent; go on with the same command");
			if (end.failed > 0)
				output.say(`${counted(end.failed, "call")} failed, the last with: ${end.error}; the same command tries again`);
		});
}

function askingFrom(
	options: ExtractOptions,
	{ workspace, corpus, signal }: { workspace: Workspace; corpus: Corpus; signal: AbortSignal },
) {
	const { concurrency, maxCalls, timeout } = options;
	const kinds: ("passage" | "image")[] = options.images ? ["passage", "image"] : ["passage"];
	return {
		model: createChatModel(options.model, { ...modelAccess(options.model, process.env), timeoutMs: timeout * 1000 }),
		// beside the knowledge bases, which are replaced when they are made anew
		cache: join(workspace.dir, "cache", "graph", `${encodeURIComponent(corpus.manifest.name).slice(0, 100)}.jsonl`),
		kinds,
		concurrency,
		signal,
		retryUnreadable: options.retryUnreadable === true,
		...(maxCalls === undefined ? {} : { maxCalls }),
	};
}

async function mergesOf(found: Extracted, asking: AskOptions, context: Context): Promise<Merge[]> {
	const graph = createGraph(buildGraph(found));
	const pairs = await proposeMerges(graph);
	const drawn = drawing(context, "comparing names");
	const asked = await confirmMerges(graph, pairs, { ...asking, onProgress: drawn.towards(pairs.length) });
	drawn.end();
	const { merges, unclear, end } = asked;
	context.output.say(
		`${merges.length} of ${counted(pairs.length, "pair")} of names taken for one thing, ${unclear} not told; ${spent(end.usage)}`,
	);
	return merges;
}

/** Progress with what it costs; what an earlier process did is no part of the rate. */
function drawing({ output }: Context, label: string) {
	let progress: Progress | undefined;
	const towards =
		(total: number): NonNullable<AskOptions["onProgress"]> =>
		({ done, reused, failed, usage }) => {
			if (done === reused && done < total) return;
			progress ??= createProgress(output, label, { already: reused });
			progress.update(done, Math.max(done, total), failed > 0 ? `${spent(usage)}, ${failed} failed` : spent(usage));
		};
	return { towards, end: () => progress?.end() };
}

const failing = (model: ChatModel, { failed, error }: AskEnd) =>
	new HopscopeError(
		"model-failing",
		`${model.id} failed ${counted(failed, "time")} and never replied: ${error}`,
		"Check the model's name, server and key, then give the command again.",
		{ facts: { failed } },
	);

const spent = ({ calls, inputTokens, outputTokens }: Usage) =>
	`${counted(calls, "call")}, ${inputTokens} tokens in, ${outputTokens} out`;
