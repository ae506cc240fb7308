import { once } from "node:events";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import type { PolicyMove } from "#agents";
import { createPlaygrounds, type Playground } from "../../../test/support/server/environment.ts";

const playground = createPlaygrounds();
const task = "text-chain";
const says = (text: string): PolicyMove => ({ is: "says", text });
const calls = (name: string, given: unknown): PolicyMove => ({ is: "calls", calls: [{ name, arguments: given }] });

/** What a face paid, and by what the harness was told of each move that it was wrong. */
type Paid = object;

/** A move as a tool of the faces that know only tools. */
function toolOf(move: PolicyMove): { name: string; input: object } {
	if (move.is === "says") return { name: "say", input: { text: move.text } };
	if (move.is === "answers") return { name: "answer", input: { text: move.text } };
	const [call] = move.calls;
	return { name: call?.name ?? "", input: (call?.arguments ?? {}) as object };
}

async function byOwnRoutes({ open, act }: Playground, moves: PolicyMove[]): Promise<Paid> {
	const episode = await open(task);
	let last: { json: { reward?: object } } | undefined;
	for (const move of moves)
		last = await act(
			episode,
			move.is === "says" ? { say: move.text } : move.is === "answers" ? { answer: move.text } : { calls: move.calls },
		);
	return last?.json.reward ?? {};
}

async function byOpenReward({ ask }: Playground, moves: PolicyMove[]): Promise<Paid> {
	const headers = { "x-session-id": "ors" };
	await ask("POST", "/create", { task_spec: { id: task } }, headers);
	let text = "";
	for (const move of moves) ({ text } = await ask("POST", "/call", toolOf(move), headers));
	const data = [...text.matchAll(/event: (?:chunk|end)\ndata: (.*)/g)].map(([, piece]) => piece).join("");
	const { reward, metadata } = JSON.parse(data).output;
	return { value: reward, ...metadata.components };
}

async function byOpenEnv({ server }: Playground, moves: PolicyMove[]): Promise<Paid> {
	const socket = new WebSocket(`${server.url.replace("http", "ws")}/openenv/ws`);
	await once(socket, "open");
	const ask = async (type: string, data: object) => {
		const answered = once(socket, "message");
		socket.send(JSON.stringify({ type, data }));
		return JSON.parse(String((await answered)[0])).data;
	};
	await ask("reset", { task });
	let end = { reward: null, observation: { metadata: { components: {} } } };
	for (const move of moves) {
		const { name, input } = toolOf(move);
		const action =
			move.is === "says" ? { message: move.text } : { type: "call_tool", tool_name: name, arguments: input };
		end = await ask("step", action);
	}
	socket.terminate();
	return { value: end.reward, ...end.observation.metadata.components };
}

/** Tools over MCP, the last move and the reward by NeMo Gym: one episode, which the cookie and the path name. */
async function byMcpAndNemo({ ask }: Playground, moves: PolicyMove[]): Promise<Paid> {
	const cookie = (await ask("POST", "/seed_session", { task })).headers.get("set-cookie")?.split(";")[0] ?? "";
	const episode = cookie.split("=")[1];
	const output: object[] = [];
	for (const [at, move] of moves.entries()) {
		const { name, input } = toolOf(move);
		if (move.is === "says" && at === moves.length - 1)
			output.push({ type: "message", role: "assistant", content: [{ type: "output_text", text: move.text }] });
		else {
			const params = { name, arguments: input };
			await ask("POST", `/mcp/${episode}`, { jsonrpc: "2.0", id: at, method: "tools/call", params });
			output.push({ type: "function_call", name });
		}
	}
	const { json } = await ask("POST", "/verify", { response: { output } }, { cookie });
	return { value: json.reward, ...json.reward_components };
}

const faces = { byOpenReward, byOpenEnv, byMcpAndNemo };
const query = { query: "capital of Velmora" };

test.each([
	[
		"a right one in text",
		"tagged",
		[
			says("<think>a</think><text_search>capital of Velmora</text_search>"),
			says("<think>a</think><text_search>founder of Tessin Bay</text_search>"),
			says("<think>a</think><answer>Anna Rehn</answer>"),
		],
		{ value: 2.5, outcome: 1, format: 1, tool: 2 },
	],
	[
		"a malformed one in text",
		"tagged",
		[
			says("hm"),
			says("<think>a</think><text_search>founder of Tessin Bay</text_search> and more"),
			says("<think>a</think><answer>Anna Rehn</answer>"),
		],
		{ value: 1, outcome: 1, format: 0 },
	],
	[
		"words behind the answer",
		"tagged",
		[says("<think>a</think><answer>Anna Rehn</answer> or so")],
		{ outcome: 1, format: 0 },
	],
	[
		"a wrong one",
		"search-r1",
		[says("<think>a</think><search>capital of Velmora</search>"), says("<answer>Nobody</answer>")],
		{ outcome: 0 },
	],
	[
		"declared functions",
		"function-calling",
		[calls("text_search", query), says("Answer: Anna Rehn")],
		{ value: 2.25, outcome: 1, format: 1, validCalls: 1 },
	],
	[
		"declared functions, one that there is not and one with wrong arguments",
		"function-calling",
		[
			calls("no_such_tool", {}),
			calls("text_search", { query: 3 }),
			calls("__proto__", query),
			calls("text_search", query),
			{ is: "answers", text: "Anna Rehn" },
		],
		{ value: 1, outcome: 1, format: 0, validCalls: 1, invalidCalls: 3 },
	],
] as const)("equal moves are paid alike by every face: %s", async (_, agent, moves, paid) => {
	const at = await playground({ agent });
	const own = await byOwnRoutes(at, [...moves]);
	expect(own).toMatchObject(paid);
	for (const face of Object.values(faces)) expect(await face(at, [...moves])).toEqual(own);
});
