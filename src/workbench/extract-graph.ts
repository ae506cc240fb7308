import { join } from "node:path";
import type { Corpus } from "#corpus";
import { counted, HopscopeError, type Usage } from "#domain";
import {
	type AskEnd,
	type AskOptions,
	buildGraph,
	confirmMerges,
	createGraph,
	type Extracted,
	extract,
	extractedClaims,
	type GraphManifest,
	graphFolder,
	type Merge,
	proposeMerges,
	writeGraph,
} from "#graph";
import { createChatModel, modelAccess } from "#models";
import { corpusBehind } from "./knowledge-of.ts";
import { locate } from "./locate.ts";
import { callsLine } from "./usage-line.ts";
import type { Bench, Progress } from "./work.ts";

export interface ExtractGraphOptions {
	/** The knowledge base that is read, and that gets the graph. */
	knowledge: string;
	/** Reads the passages. */
	model: string;
	/** Calls at the same time; 4 where nothing is said. */
	concurrency?: number | undefined;
	/** Stop cleanly after so many calls. */
	maxCalls?: number | undefined;
	/** Read the captions of images too. */
	images?: boolean | undefined;
	/** Ask the model about names that may be one thing. */
	confirmMerges?: boolean | undefined;
	/** Ask again about passages whose reply could not be read. */
	retryUnreadable?: boolean | undefined;
	/** Seconds until one attempt of a call is given up; 180 where nothing is said. */
	timeout?: number | undefined;
}

/** What an extraction came to. `interrupted`: no graph yet; the responses are cached, and the next one resumes from them. */
export type ExtractedGraph =
	| { is: "interrupted"; usage: Usage }
	| {
			is: "made";
			/** The graph's folder. */
			graph: string;
			hash: string;
			counts: GraphManifest["counts"];
			/** How the asking ended. */
			reason: AskEnd["reason"];
			/** Of this extraction, and of all that made the graph. */
			usage: Usage;
			usageOfAll: Usage;
			/** Calls that failed, with the last error. */
			failed: number;
			error: string | undefined;
	  };

/** Reads every passage of a knowledge base with a model, and keeps the relations that it quotes word by word. */
export async function extractGraph(options: ExtractGraphOptions, bench: Bench): Promise<ExtractedGraph> {
	const dir = await locate(bench.workspace, "knowledge", options.knowledge);
	const corpus = await corpusBehind(dir);
	const asking = askingFrom(options, corpus, bench);
	const total = asking.kinds.reduce((sum, kind) => sum + corpus.manifest.counts[kind], 0);
	const end = await withProgress("extracting", total, bench, (onProgress) =>
		extract(corpus.evidence(), { ...asking, onProgress }),
	);
	const { reason, usage, failed, error } = end;
	if (end.damaged > 0) bench.say(`${counted(end.damaged, "unreadable line")} of the cache passed over`);
	if (reason === "interrupted") return { is: "interrupted", usage };
	const found = await extractedClaims(corpus.evidence(), asking);
	if (failed > 0 && found.usage.calls === 0)
		throw new HopscopeError(
			"model-failing",
			`${asking.model.id} failed ${counted(failed, "time")} and never replied: ${error}`,
			"Check the model's name, server and key, then give the command again.",
			{ facts: { failed } },
		);
	const merges = options.confirmMerges ? await mergesOf(found, asking, bench) : [];
	const built = buildGraph({ ...found, merges });
	const graph = join(dir, graphFolder);
	const { counts, hash } = await writeGraph(
		graph,
		{ ...built, rejected: [...found.rejected, ...built.rejected] },
		{ ...found, name: corpus.manifest.name, corpus: corpus.manifest, origins: [found.origin] },
	);
	return { is: "made", graph, hash, counts, reason, usage, usageOfAll: found.usage, failed, error };
}

function askingFrom(
	{ model, concurrency = 4, maxCalls, images, retryUnreadable = false, timeout = 180 }: ExtractGraphOptions,
	corpus: Corpus,
	{ workspace, environment, signal }: Bench,
) {
	const kinds: ("passage" | "image")[] = images ? ["passage", "image"] : ["passage"];
	return {
		model: createChatModel(model, { ...modelAccess(model, environment), timeoutMs: timeout * 1000 }),
		// beside the knowledge bases, which are replaced when they are made anew
		cache: join(workspace.dir, "cache", "graph", `${encodeURIComponent(corpus.manifest.name).slice(0, 100)}.jsonl`),
		kinds,
		concurrency,
		signal,
		retryUnreadable,
		...(maxCalls === undefined ? {} : { maxCalls }),
	};
}

async function mergesOf(found: Extracted, asking: AskOptions, bench: Bench): Promise<Merge[]> {
	const graph = createGraph(buildGraph(found));
	const pairs = await proposeMerges(graph);
	const { merges, unclear, end } = await withProgress("comparing names", pairs.length, bench, (onProgress) =>
		confirmMerges(graph, pairs, { ...asking, onProgress }),
	);
	bench.say(
		`${merges.length} of ${counted(pairs.length, "pair")} of names taken for one thing, ${unclear} not told; ${callsLine(end.usage)}`,
	);
	return merges;
}

/** Progress with what it costs; what an earlier extraction did is no part of the rate. */
async function withProgress<Result>(
	work: string,
	total: number,
	bench: Bench,
	ask: (onProgress: NonNullable<AskOptions["onProgress"]>) => Promise<Result>,
): Promise<Result> {
	let progress: Progress | undefined;
	try {
		return await ask(({ done, reused, failed, usage }) => {
			if (done === reused && done < total) return;
			progress ??= bench.progress(work, { already: reused });
			const spent = failed > 0 ? `${callsLine(usage)}, ${failed} failed` : callsLine(usage);
			progress.update(done, Math.max(done, total), spent);
		});
	} finally {
		progress?.end();
	}
}
