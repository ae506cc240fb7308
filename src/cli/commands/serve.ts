import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Command } from "commander";
import { counted } from "#domain";
import { type KnowledgeBase, openKnowledge } from "#knowledge";
import { isLoopback, startServer } from "#server";
import { openWorkspace, type Workspace } from "#store";
import type { Sessions } from "#training";
import { locate, theOnlyKnowledge } from "#workbench";
import { type AddCommand, type CommonOptions, wholeNumber, withWorkspace } from "../context.ts";
import {
	type EnvironmentCommandOptions,
	mustPlayNothing,
	openEnvironment,
	withEnvironment,
} from "../serve-environment.ts";

interface ServeOptions extends CommonOptions, EnvironmentCommandOptions {
	port: number;
	host: string;
	token?: string;
	k: number;
	maxConcurrent?: number;
	queue: number;
	timeout: number;
	log?: string;
	allowHost?: string[];
	imageHost?: string[];
}

export const addServe: AddCommand = (command, { output, signal }) =>
	withEnvironment(withWorkspace(command))
		.option(
			"-n, --knowledge <name>",
			"knowledge base: a name in the workspace or a folder (default: the benchmark's own, or the only one)",
		)
		.option("-p, --port <n>", "port; 0 takes any that is free", wholeNumber(0, 65_535), 8000)
		.option("--host <address>", "address to listen at; one that others reach needs a token", "127.0.0.1")
		.option("--token <token>", "what clients must send (default: HOPSCOPE_TOKEN; made where one is needed)")
		.option(
			"-k, --k <n>",
			"results where a request names no number; given, of an episode's searches too",
			wholeNumber(1, 1000),
			3,
		)
		.option("--max-concurrent <n>", "searches at once (default: two a core)", wholeNumber(1, 1024))
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

With --benchmark it also plays episodes of its tasks with a policy that is somewhere else, and pays them: at /v1/episodes
and /score, by the Open Reward Standard, OpenEnv, NeMo Gym and MCP; docs/guides/serve-an-environment.md.

Examples:
  $ hopscope serve --knowledge atlas
  $ hopscope serve --benchmark atlas --agent search-r1 --limit 4
  $ hopscope serve --benchmark atlas --agent function-calling --reward-calls capped
  $ hopscope serve --port 8001 --log requests.jsonl
  $ HOPSCOPE_TOKEN=… hopscope serve --host 0.0.0.0`,
		)
		.action(async (options: ServeOptions, command: Command) => {
			const { knowledge, sessions } = await opened(openWorkspace(options.workspace), options, command);
			try {
				const given = options.token ?? process.env.HOPSCOPE_TOKEN;
				const made = !given && !isLoopback(options.host) ? randomBytes(24).toString("base64url") : undefined;
				const server = await startServer(knowledge, {
					...settingsOf(options),
					...(sessions ? { environment: { sessions } } : {}),
					token: given || made,
					onProblem: (message) => output.say(message),
				});
				if (made) output.say(`token: ${made}`);
				const { counts, hash } = knowledge.manifest;
				const { url, routes } = server;
				const ready = { url, knowledge: knowledge.manifest.name, hash, counts, ...about(sessions), routes };
				if (options.json) output.write(JSON.stringify(made ? { ...ready, token: made } : ready));
				else output.write(`serving ${summary(knowledge)}${played(sessions)} on ${url} – ${routes.join(", ")}`);
				if (!signal.aborted) await once(signal, "abort");
				await server.close();
			} finally {
				knowledge.close();
			}
		});

interface Opened {
	knowledge: KnowledgeBase;
	sessions?: Sessions;
}

async function opened(workspace: Workspace, options: ServeOptions, command: Command): Promise<Opened> {
	const { benchmark } = options;
	if (benchmark !== undefined) return openEnvironment(workspace, { ...options, benchmark }, command);
	mustPlayNothing(command);
	const name = options.knowledge ?? (await theOnlyKnowledge(workspace));
	return { knowledge: await openKnowledge(await locate(workspace, "knowledge", name)) };
}

function about(sessions: Sessions | undefined) {
	if (!sessions) return {};
	const { name, agent, setting } = sessions.environment;
	return { benchmark: name, agent: agent.name, setting: setting.name };
}

function played(sessions: Sessions | undefined): string {
	if (!sessions) return "";
	const { name, agent, setting } = sessions.environment;
	return ` and episodes of ${name} (${agent.name}, ${setting.name})`;
}

function settingsOf(options: ServeOptions) {
	const { port, host, k, queue, timeout, maxConcurrent, log, allowHost, imageHost } = options;
	return {
		...{ port, host, k, queue, timeout: timeout * 1000, log },
		...(maxConcurrent === undefined ? {} : { concurrency: maxConcurrent }),
		...(allowHost ? { names: allowHost } : {}),
		...(imageHost ? { imageHosts: imageHost } : {}),
	};
}

function summary({ manifest: { name, counts } }: KnowledgeBase): string {
	return `${name} (${counted(counts.passage, "passage")}, ${counted(counts.image, "image")}, ${counted(counts.page, "page")})`;
}
