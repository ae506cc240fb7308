import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type Command, Option } from "commander";
import { counted, usageError } from "#domain";
import { isLoopback, startServer } from "#server";
import { formatForms } from "#training";
import type { Served, ServedOptions } from "#workbench";
import { type AddCommand, type CommonOptions, numberFrom, wholeNumber, withWorkspace } from "../context.ts";
import { withModels } from "../models.ts";
import { withSetting } from "../run-options.ts";
import { watch } from "../watch.ts";

interface ServeOptions extends CommonOptions, ServedOptions {
	port: number;
	host: string;
	token?: string;
	policyToken?: string;
	k: number;
	maxConcurrent?: number;
	queue: number;
	timeout: number;
	log?: string;
	allowHost?: string[];
	imageHost?: string[];
}

export const addServe: AddCommand = (command, context) =>
	withEnvironment(withWorkspace(command))
		.option(
			"-n, --knowledge <name>",
			"knowledge base: a name in the workspace or a folder (default: the benchmark's own, or the only one)",
		)
		.option("-p, --port <n>", "port; 0 takes any that is free", wholeNumber(0, 65_535), 8000)
		.option("--host <address>", "address to listen at; one that others reach needs a token", "127.0.0.1")
		.option("--token <token>", "what clients must send (default: HOPSCOPE_TOKEN; made where one is needed)")
		.option(
			"--policy-token <token>",
			"what policies may send, who open episodes and act, and are told no reward (default: HOPSCOPE_POLICY_TOKEN)",
		)
		.option(
			"-k, --k <n>",
			"results where a request names no number; given, of an episode's searches too",
			wholeNumber(1, 1000),
			3,
		)
		.option(
			"--max-concurrent <n>",
			"searches and moves at once (default: two a core; with a judge 64, since they wait for it)",
			wholeNumber(1, 1024),
		)
		.option("--queue <n>", "searches that may wait; beyond them requests get 503", wholeNumber(0, 1e6), 4096)
		.option("--timeout <seconds>", "until one request is given up", wholeNumber(1, 86_400), 120)
		.option("--log <file>", "append each request, with the ids and scores it was given, to a JSON-lines file")
		.option("--allow-host <name...>", "further names that clients call this server by")
		.option("--image-host <name...>", "hosts from which the images of queries may be fetched")
		.addHelpText(
			"after",
			`
Answers what clients of Search-R1, verl, AgenticRAGTracer (/retrieve), FlashRAG, ReSearch (/search, /batch_search) and
R1-Searcher (/queries) send, unchanged, and /v1/search for text, images and pages; docs/guides/serve-retrieval.md.

With --benchmark it also plays episodes of its tasks with a policy that is somewhere else, and scores their reward: at
/v1/episodes and /score, by the Open Reward Standard, OpenEnv, NeMo Gym and MCP; docs/guides/serve-an-environment.md.
With --judge a model decides whether an answer is right, in place of the typed metric: what it was asked is not asked
again, and an answer that it could not judge gets an error, never a reward of 0.

Examples:
  $ hopscope serve --knowledge atlas
  $ hopscope serve --benchmark atlas --agent search-r1 --limit 4
  $ hopscope serve --benchmark atlas --agent function-calling --reward-calls capped
  $ hopscope serve --benchmark atlas --judge openai:NAME@http://127.0.0.1:8001/v1 --max-calls 20000
  $ hopscope serve --benchmark atlas --token "$TRAINER" --policy-token "$POLICY"
  $ hopscope serve --port 8001 --log requests.jsonl
  $ HOPSCOPE_TOKEN=… hopscope serve --host 0.0.0.0`,
		)
		.action(async (options: ServeOptions, command: Command) => {
			const { output, signal } = context;
			if (options.benchmark === undefined) mustPlayNothing(command);
			if (options.judge === undefined) mustAskNobody(command);
			// -k is the server's default too: only what was said is the protocol's
			const k = command.getOptionValueSource("k") === "cli" ? options.k : undefined;
			const onProblem = (message: string) => output.say(message);
			const served = await watch(context, options, (bench) => bench.openServed({ ...options, k, onProblem }));
			const { knowledge, sessions, facts } = served;
			try {
				const given = options.token ?? process.env.HOPSCOPE_TOKEN;
				const policyToken = sessions && (options.policyToken ?? (process.env.HOPSCOPE_POLICY_TOKEN || undefined));
				const isNeeded = !isLoopback(options.host) || policyToken !== undefined;
				const made = !given && isNeeded ? randomBytes(24).toString("base64url") : undefined;
				const server = await startServer(knowledge, {
					...settingsOf(options),
					...(sessions ? { environment: { sessions } } : {}),
					token: given || made,
					policyToken,
					onProblem,
				});
				if (made) output.say(`token: ${made}`);
				const { url, routes } = server;
				if (options.json) output.write(JSON.stringify({ url, ...facts, routes, token: made }));
				else output.write(`serving ${summary(facts)} on ${url} – ${routes.join(", ")}`);
				if (!signal.aborted) await once(signal, "abort");
				await server.close();
			} finally {
				await knowledge.close();
			}
		});

/** The options that are about episodes. */
function withEnvironment(plain: Command): Command {
	const command = withModels(plain)
		.option("-b, --benchmark <name>", "play and score episodes of its tasks too: a name in the workspace or a folder")
		.option("-a, --agent <name>", "protocol that the policies of its episodes speak", "tagged");
	return withSetting(command, { only: "protocol" })
		.addOption(
			new Option("--reward-calls <which>", "calls that earn reward").choices(["all", "capped", "new"]).default("all"),
		)
		.addOption(
			new Option(
				"--reward-format <form>",
				"what earns the format's part: the published form, or what could be carried out",
			)
				.choices(formatForms)
				.default("strict"),
		)
		.option(
			"--judge <model>",
			'who decides whether an answer is right: a model, or "rule" (default: the typed metric, without a judge)',
		)
		.option("--rubric <name>", "what the judge decides by: tracer, vistahop or double-bench", "tracer")
		.option("--max-calls <n>", "ask the judge's model no more after so many calls", wholeNumber(1, 1e9))
		.option("--max-cost <money>", "ask the judge's model no more after so much money", numberFrom(0, 1e9))
		.option("--alpha <x>", "weight of the outcome", numberFrom(0, 1e6), 1)
		.option("--beta <x>", "weight of the format", numberFrom(0, 1e6), 1)
		.option("--gamma <x>", "weight of the action", numberFrom(0, 1e6), 0.25)
		.option("--sessions <n>", "episodes held at once", wholeNumber(1, 1e6), 4096)
		.option("--idle <seconds>", "until an episode that nobody asks about is ended", wholeNumber(1, 86_400), 900);
}

/** Options that say something of a judge only. */
const ofJudges = ["rubric", "maxCalls", "maxCost", "cache", "replay", "retryFor"];
/** Options that say something of episodes only. */
const ofEpisodes = ["agent", "setting", "limit", "images", "boxes", "form", "fidelity", "lastAnswer"];
const ofRewards = ["rewardCalls", "rewardFormat", "alpha", "beta", "gamma", "sessions", "idle", "judge", "policyToken"];

/** Refuses options that nothing would heed without a benchmark. */
function mustPlayNothing(command: Command): void {
	const flag = flagSaid(command, [...ofEpisodes, ...ofRewards]);
	if (flag === undefined) return;
	throw usageError("usage", `${flag} is about episodes, and no benchmark is named`, "Add --benchmark NAME.");
}

/** Refuses options that nothing would heed without a judge. */
function mustAskNobody(command: Command): void {
	const flag = flagSaid(command, ofJudges);
	if (flag === undefined) return;
	throw usageError("usage", `${flag} is about a judge, and none is named`, "Add --judge MODEL.");
}

function flagSaid(command: Command, names: readonly string[]): string | undefined {
	const said = names.find((name) => command.getOptionValueSource(name) === "cli");
	// of two flags for one thing, as --cache and --no-cache, the one that there is
	return command.options.find((option) => option.attributeName() === said)?.long;
}

/** Moves that wait for a judge at once. */
const mostJudged = 64;

function settingsOf(options: ServeOptions) {
	const { port, host, k, queue, timeout, log, allowHost, imageHost, judge } = options;
	const { maxConcurrent = judge === undefined ? undefined : mostJudged } = options;
	return {
		port,
		host,
		k,
		queue,
		timeout: timeout * 1000,
		log,
		...(maxConcurrent === undefined ? {} : { concurrency: maxConcurrent }),
		...(allowHost ? { names: allowHost } : {}),
		...(imageHost ? { imageHosts: imageHost } : {}),
	};
}

function summary({ knowledge, counts, benchmark, agent, setting, judge }: Served["facts"]): string {
	const { passage, image, page } = counts;
	const searched = `${knowledge} (${passage === undefined ? "passages" : counted(passage, "passage")}, ${counted(image, "image")}, ${counted(page, "page")})`;
	if (benchmark === undefined) return searched;
	const decided = judge ? `, judged by ${judge.id} (${judge.rubric})` : "";
	return `${searched} and episodes of ${benchmark} (${agent}, ${setting})${decided}`;
}
