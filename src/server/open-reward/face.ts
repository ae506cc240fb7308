import { randomUUID } from "node:crypto";
import { z } from "zod";
import { freeRecord, software } from "#domain";
import { actionTools, type EpisodeSession, type Sessions, sayTool } from "#training";
import type { Face } from "../environment/face.ts";
import {
	type Answer,
	type Answering,
	type Exchange,
	forPolicies,
	get as getRoute,
	post as postRoute,
	type Route,
	type ServerEvent,
} from "../route.ts";
import { jsonPieces } from "./pieces.ts";
import { promptBlocks, promptMessages } from "./prompt.ts";
import { Refusal, refusing, shaped } from "./refusal.ts";
import { segmentOf, splitsOf, tasksOf } from "./tasks.ts";
import { hasTerminalTool, runTool } from "./tool-call.ts";

const Name = z.string().min(1).max(1000);
const AskedSplit = z.strictObject({ split: Name });
const AskedTask = z.strictObject({ split: Name, index: z.int() });
const AskedRange = z.strictObject({ split: Name, start: z.int().nullish(), stop: z.int().nullish() });
const AskedCall = z.strictObject({
	name: z.string().min(1).max(200),
	input: freeRecord(z.unknown()),
	task_id: z.string().min(1).max(200).nullish(),
});
const Creation = z.strictObject({
	env_name: Name.nullish(),
	task_spec: z.looseObject({ id: Name, seed: z.int().min(0).nullish() }).nullish(),
	split: Name.nullish(),
	index: z.int().nullish(),
	toolset_name: z.string().nullish(),
});

/**
 * Episodes by the Open Reward Standard: plain HTTP, tool calls answered as server-sent events. It knows no seed, so one
 * may stand in the task that a client hands back.
 * Source: the server and client of the openreward package, 0.1.167.
 */
export function openRewardFace({ sessions }: { sessions: Sessions }): Face {
	const { environment } = sessions;
	const own = segmentOf(environment);

	const tools = (episode: Pick<EpisodeSession, "tools">) => ({
		tools: actionTools(episode.tools).map(({ name, description, parameters }) => ({
			name,
			description,
			input_schema: parameters,
		})),
		// hidden from the model: for trainers that hand in its last words, which the protocol then reads
		terminal_tool: hasTerminalTool(episode)
			? { name: sayTool.name, arg: "text", description: sayTool.description }
			: null,
		supports_score_group: false,
		message_block_types: ["text", "image"],
	});

	function listed(split: string) {
		const tasks = tasksOf(environment, split);
		if (!tasks) throw new Refusal(400, "Invalid split");
		return tasks;
	}

	function taskAt(split: string, index: number) {
		const task = listed(split).at(index);
		if (!task) throw new Refusal(400, "Invalid index");
		return task;
	}

	function mustBeOwn(name: string | null | undefined) {
		if (name && name.toLowerCase() !== own) throw new Refusal(404, `unknown environment ${JSON.stringify(name)}`);
	}

	async function create({ headers, body, work, note }: Exchange) {
		const id = sessionName(headers);
		const { env_name, task_spec, split, index, toolset_name } = shaped(Creation, body);
		mustBeOwn(env_name);
		if (toolset_name) throw new Refusal(400, `unknown toolset ${JSON.stringify(toolset_name)}: there are none`);
		const indexed = split != null && index != null;
		if ((split == null) !== (index == null)) throw new Refusal(422, "split and index belong together");
		if ((task_spec != null) === indexed) throw new Refusal(422, "Give either task_spec, or split and index");
		const task = task_spec ? task_spec.id : taskAt(split ?? "", index ?? 0).id;
		const seed = task_spec?.seed ?? 0;
		note({ episode: id, task, seed });
		// asked once more since the answer was lost it is the same session; a used one is somebody else's
		const session = await work(() => sessions.open(id, { task, seed }));
		if (session.last) throw new Refusal(400, "Session already exists");
		return { json: { sid: id } };
	}

	async function call({ headers, body, work, note, failed, trusted }: Exchange): Promise<Answer> {
		const { name, input, task_id } = shaped(AskedCall, body);
		const session = await sessions.get(sessionName(headers));
		const task = task_id ?? randomUUID();
		note({ episode: session.id, request: task, call: { name, input } });
		const output = work(() => runTool(session, { name, input, task, trusted }));
		// a server that is full says so by its status, which clients try again; within the stream it would end the episode
		await Promise.race([output, new Promise((resolve) => setImmediate(resolve))]).catch((error: unknown) => {
			if (!(error instanceof Error && "status" in error)) return;
			throw error;
		});
		return { events: streamed(task, output, failed) };
	}

	function remove({ headers, body }: Exchange) {
		const id = headers["x-session-id"] ? sessionName(headers) : shaped(z.looseObject({ sid: Name }), body).sid;
		sessions.close(id);
		return { json: { sid: id } };
	}

	const session = ({ headers }: Exchange) => sessions.get(sessionName(headers));

	/** Routes of the environment: under its name, and without one, as clients ask that know no name. */
	const under: Route[] = [
		get("/tools", async () => ({ json: tools({ tools: await environment.tools() }) })),
		get("/splits", () => ({ json: splitsOf(environment) })),
		post("/tasks", ({ body }) => ({ json: { tasks: listed(shaped(AskedSplit, body).split), env_name: own } })),
		post("/num_tasks", ({ body }) => ({ json: { num_tasks: listed(shaped(AskedSplit, body).split).length } })),
		post("/task", ({ body }) => {
			const { split, index } = shaped(AskedTask, body);
			return { json: { task: taskAt(split, index), env_name: own } };
		}),
		post("/task_range", ({ body }) => {
			const { split, start, stop } = shaped(AskedRange, body);
			return { json: { tasks: listed(split).slice(start ?? 0, stop ?? undefined), env_name: own } };
		}),
		get("/prompt", async (exchange) => ({ json: promptBlocks(await session(exchange)) })),
		get("/messages", async (exchange) => ({ json: promptMessages(await session(exchange)) })),
		get("/task_tools", async (exchange) => ({ json: tools(await session(exchange)) })),
		post("/call", call),
	];

	return {
		routes: forPolicies([
			get("/list_environments", () => ({ json: [own] })),
			get("/version", () => ({ json: { version: software().hopscope, build_sha: null } })),
			post("/create_session", () => ({ events: named(randomUUID()) })),
			post("/create", create),
			post("/ping", async (exchange) => {
				await session(exchange);
				return { json: { status: "ok" } };
			}),
			post("/delete", remove),
			post("/delete_session", remove),
			...under,
			...under.map((route) => ({
				...route,
				path: `/*${route.path}`,
				answer(exchange: Exchange) {
					return refusing(() => {
						mustBeOwn(exchange.segments[0]);
						return route.answer(exchange);
					});
				},
			})),
		]),
	};
}

const get = (path: string, answer: Answering) => getRoute(path, (exchange) => refusing(() => answer(exchange)));

const post = (path: string, answer: Answering) =>
	postRoute(path, (exchange) => refusing(() => answer(exchange)), { bodyOptional: true });

function sessionName(headers: Exchange["headers"]): string {
	const given = headers["x-session-id"];
	const name = typeof given === "string" ? given.trim() : "";
	if (name === "") throw new Refusal(400, "X-Session-ID header is required");
	if (name.length > 200) throw new Refusal(400, "X-Session-ID is longer than 200 characters");
	return name;
}

async function* named(id: string): AsyncGenerator<ServerEvent> {
	yield { event: "task_id", data: id };
	yield { event: "end", data: "" };
}

async function* streamed(
	task: string,
	output: Promise<unknown>,
	failed: Exchange["failed"],
): AsyncGenerator<ServerEvent> {
	yield { event: "task_id", data: task };
	try {
		const pieces = jsonPieces(await output);
		for (const [at, data] of pieces.entries()) yield { event: at < pieces.length - 1 ? "chunk" : "end", data };
	} catch (error) {
		yield { event: "error", data: failed(error).message };
	}
}
