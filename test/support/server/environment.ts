/** Test only: the toy world's episodes on a real server. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll } from "vitest";
import { agents, settingFor, toyEvidence, toyTasks } from "#agents";
import { fakeKnowledge, type KnowledgeBase } from "#knowledge";
import { type RunningServer, type ServerOptions, startServer } from "#server";
import { createEnvironment, createSessions, type RewardOptions, type SessionLimits, type Sessions } from "#training";

export interface Playground {
	server: RunningServer;
	sessions: Sessions;
	problems: string[];
	/** Asks and reads the answer; `text` is the body as it came. */
	ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
	/** Opens an episode and gives back its id. */
	open(task: string, more?: object): Promise<string>;
	act(episode: string, move: object): Promise<Reply>;
}

export interface Reply {
	status: number;
	text: string;
	headers: Headers;
	// biome-ignore lint/suspicious/noExplicitAny: answers are looked at in many shapes
	json: any;
}

interface PlaygroundOptions {
	agent?: keyof typeof agents;
	knowledge?: KnowledgeBase;
	reward?: RewardOptions;
	limits?: SessionLimits;
	server?: ServerOptions;
}

/** Makes playgrounds for the tests of a file, and takes them down after it. */
export function createPlaygrounds(): (options?: PlaygroundOptions) => Promise<Playground> {
	let dir = "";
	const servers: RunningServer[] = [];
	beforeAll(async () => {
		dir = await mkdtemp(join(tmpdir(), "hopscope-environment-"));
		const halves = { width: 32, height: 48, channels: 3 as const };
		const right = await sharp({ create: { ...halves, background: "navy" } })
			.png()
			.toBuffer();
		const left = sharp({ create: { ...halves, width: 64, background: "crimson" } });
		await left.composite([{ input: right, left: 32, top: 0 }]).toFile(join(dir, "question.png"));
	});
	afterAll(async () => {
		await Promise.all(servers.map((server) => server.close({ grace: 0 })));
		await rm(dir, { recursive: true, force: true });
	});
	return async ({ agent = "tagged", knowledge, reward = {}, limits = {}, server: more = {} } = {}) => {
		const files = Object.fromEntries(toyEvidence.map(({ id }) => [id, join(dir, "question.png")]));
		const searched = knowledge ?? fakeKnowledge(toyEvidence, { name: "toy", files });
		const environment = createEnvironment({
			benchmark: { dir, manifest: { name: "toy" }, tasks: toyTasks } as unknown as Parameters<
				typeof createEnvironment
			>[0]["benchmark"],
			knowledge: searched,
			agent: agents[agent],
			setting: settingFor(agents[agent]),
			reward,
		});
		const sessions = createSessions(environment, limits);
		const problems: string[] = [];
		const onProblem = (message: string) => void problems.push(message);
		const server = await startServer(searched, { port: 0, environment: { sessions }, onProblem, ...more });
		servers.push(server);
		async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
			const response = await fetch(`${server.url}${path}`, {
				method,
				headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
				...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
			});
			const text = await response.text();
			const isJson = response.headers.get("content-type") === "application/json";
			return { status: response.status, text, headers: response.headers, json: isJson ? JSON.parse(text) : undefined };
		}
		return {
			server,
			sessions,
			problems,
			ask,
			open: async (task, about = {}) => (await ask("POST", "/v1/episodes", { task, ...about })).json.episode,
			act: (episode, move) => ask("POST", `/v1/episodes/${episode}/act`, move),
		};
	};
}

export const search = (query: string) => ({ say: `<think>look</think><text_search>${query}</text_search>` });
export const answer = (text: string) => ({ say: `<think>known</think><answer>${text}</answer>` });
