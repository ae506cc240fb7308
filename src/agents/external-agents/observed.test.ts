import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Setting, Trajectory } from "#domain";
import { replyServer } from "#models";
import { isLong, longTest } from "../../../test/long.ts";
import { createProgramWorld } from "../../../test/support/agents/program-world.ts";
import type { AgentContext } from "../agent-context.ts";
import { agentProblems } from "../testing.ts";
import { externalAgent } from "./agent.ts";

const world = createProgramWorld();
afterAll(world.remove);
const modulePath = (name: string) => JSON.stringify(createRequire(import.meta.url).resolve(name));

const key = "sk-the-users-own-key-0123456789";
const upstreamAt = (baseUrl: string, headers = { authorization: `Bearer ${key}` }) => ({
	upstream: { model: "wise-1", baseUrl, headers: () => headers },
});
const observe = (
	name: string,
	source: string,
	more: Partial<AgentContext> & { id?: string; environment?: object } = {},
) => {
	const { id, environment, ...context } = more;
	const options = environment ? { environment: { ...process.env, ...environment } } : {};
	return externalAgent(`observe:${world.program(name, source)}`, options).answer(
		world.view(id),
		world.context(context),
	);
};

/** An agent as people write them, without a word about Hopscope but the address of its tools in the environment. */
const usual = `
const { OpenAI } = require(${modulePath("openai")});
const { Client } = require(${modulePath("@modelcontextprotocol/sdk/client/index.js")});
const { StreamableHTTPClientTransport } = require(${modulePath("@modelcontextprotocol/sdk/client/streamableHttp.js")});
(async () => {
	const mcp = new Client({ name: "usual", version: "1.0.0" });
	await mcp.connect(new StreamableHTTPClientTransport(new URL(process.env.HOPSCOPE_MCP_URL)));
	const { tools } = await mcp.listTools();
	await mcp.ping();
	const openai = new OpenAI();
	const messages = [{ role: "user", content: process.env.HOPSCOPE_QUESTION }];
	for (;;) {
		const reply = await openai.chat.completions.create({
			model: process.env.HOPSCOPE_MODEL,
			messages,
			tools: tools.map(({ name, description, inputSchema }) => ({
				type: "function",
				function: { name: "hopscope__" + name, description, parameters: inputSchema },
			})),
		});
		const { message } = reply.choices[0];
		messages.push(message);
		if (!message.tool_calls) {
			console.log("Some talk.\\n\\nFinal answer: " + message.content);
			break;
		}
		for (const call of message.tool_calls) {
			const { content } = await mcp.callTool({
				name: call.function.name.replace("hopscope__", ""),
				arguments: JSON.parse(call.function.arguments),
			});
			messages.push({ role: "tool", tool_call_id: call.id, content: content.map((part) => part.text ?? "").join("\\n") });
		}
	}
	await mcp.close();
})();
`;
const said = (message: object, usage: object = { prompt_tokens: 100, completion_tokens: 20 }) => ({
	is: "body" as const,
	body: JSON.stringify({
		model: "wise-1-2026",
		choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: null, ...message } }],
		usage,
	}),
});
const calls = (...made: [string, object][]) =>
	made.map(([name, args], n) => ({
		id: `call-${n}`,
		type: "function",
		function: { name: `hopscope__${name}`, arguments: JSON.stringify(args) },
	}));

/** A fault that is tried again takes seconds. */
const providerFaults: [string, number, boolean][] = [
	["refuses", 401, false],
	["fails", 500, true],
];

describe("an existing agent, unchanged", () => {
	longTest("leaves a trajectory of its searches, thoughts, usage and messages", async () => {
		const provider = await replyServer([
			said({
				content: "First the capital.",
				tool_calls: calls(["text_search", { query: "capital of Velmora", k: 1 }]),
			}),
			said({
				content: "Now two more.",
				tool_calls: calls(["text_search", { query: "Tessin Bay founded" }], ["page_search", { query: "anthem", k: 1 }]),
			}),
			said(
				{ content: "Anna Rehn" },
				{ prompt_tokens: 300, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 200 } },
			),
		]);
		const trajectory = await observe("usual.cjs", usual, {
			...upstreamAt(provider.url),
			environment: { OPENAI_API_KEY: key, OPENAI_ORG_ID: "org", GEMINI_API_KEY: key },
		});
		await provider.close();
		expect(Trajectory.parse(trajectory)).toMatchObject({
			answer: "Anna Rehn",
			abstained: false,
			stop: "answered",
			served: { models: ["wise-1-2026"] },
			usage: { calls: 3, inputTokens: 500, outputTokens: 45, cachedTokens: 200 },
		});
		expect(trajectory.steps).toMatchObject([
			{
				thought: "First the capital.",
				call: { tool: "text_search", arguments: { query: "capital of Velmora", k: 1 }, valid: true },
				results: [{ rank: 1 }],
				usage: { calls: 1, inputTokens: 100 },
			},
			{ thought: "Now two more.", call: { tool: "text_search", arguments: { k: 3 } }, usage: { calls: 1 } },
			{ call: { tool: "page_search" }, results: [{ id: "sheet#0" }] },
			{ usage: { calls: 1, inputTokens: 300 }, results: [] },
		]);
		expect(trajectory.steps[2]?.usage).toBeUndefined();
		expect(trajectory.messages.map(({ role }) => role)).toEqual([
			"user",
			"assistant",
			"tool",
			"assistant",
			"tool",
			"tool",
			"assistant",
		]);
		expect(JSON.stringify(trajectory.messages)).toContain("[1] ");
		expect(JSON.stringify(trajectory)).not.toContain(key);
		for (const { headers } of provider.requests) expect(headers.authorization).toBe(`Bearer ${key}`);
	});
	longTest("costs what its model's price says", async () => {
		const provider = await replyServer([said({ content: "Anna Rehn" }), said({ content: "Anna Rehn" })]);
		const { upstream } = upstreamAt(provider.url);
		const cost = async (
			price: typeof upstream & { price?(asked: string | undefined): { input: number; output: number } | undefined },
		) => (await observe("usual.cjs", usual, { upstream: price })).usage.cost;
		const asked: (string | undefined)[] = [];
		const price = (name: string | undefined) => {
			asked.push(name);
			return { input: 1e4, output: 1e5 };
		};
		expect(await cost({ ...upstream, price })).toBeCloseTo(1 + 2);
		expect(asked).toEqual([expect.any(String)]);
		expect(await cost(upstream)).toBeUndefined();
		await provider.close();
	});
	test("what it asks reaches the provider byte for byte, and what comes back reaches it", async () => {
		const body =
			'{ "model":"wise-1",  "messages": [{"role":"user","content":"½ 日本語 \\u00e9"}], "unknown_option": [1.50] }';
		const answer =
			'{"model":"wise-1", "choices":[{"message":{"content":"½ 日本語 🗺"}}] , "usage":{"prompt_tokens":3,"completion_tokens":4}}';
		const { createServer } = await import("node:http");
		let received = "";
		const server = createServer(async (request, response) => {
			for await (const chunk of request) received += chunk;
			expect(request.url).toBe("/deep/v1/chat/completions");
			expect(request.headers["x-own"]).toBeUndefined();
			response
				.writeHead(200, { "content-type": "application/json", "x-request-id": "r-1", "set-cookie": "a=b" })
				.end(answer);
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const { port } = server.address() as { port: number };
		const source = `fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body: ${JSON.stringify(body)},
			headers: { authorization: "Bearer " + process.env.OPENAI_API_KEY, "x-own": "1" } })
			.then(async (response) => {
				const { writeFileSync } = require("node:fs");
				writeFileSync(process.env.HOPSCOPE_ANSWER_FILE, JSON.stringify([await response.text(), response.headers.get("x-request-id"), response.headers.get("set-cookie")]));
			});`;
		const trajectory = await observe("bytes.cjs", source, upstreamAt(`http://127.0.0.1:${port}/deep/v1`));
		server.close();
		expect(received).toBe(body);
		expect(JSON.parse(trajectory.answer ?? "")).toEqual([answer, "r-1", null]);
		expect(trajectory.messages[1]).toEqual({ role: "assistant", content: [{ type: "text", text: "½ 日本語 🗺" }] });
	});
	test("a stream passes as it comes", async () => {
		const piece = (delta: object) =>
			`data: ${JSON.stringify({ model: "wise-1-s", choices: [{ index: 0, delta }] })}\n\n`;
		const usage = `data: ${JSON.stringify({ model: "wise-1-s", choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } })}\n\n`;
		const provider = await replyServer([
			{
				is: "body",
				contentType: "text/event-stream",
				body: `${piece({ content: "Qu" })}${piece({ content: "ill" })}${usage}data: [DONE]\n\n`,
			},
		]);
		const source = `
			const { OpenAI } = require(${modulePath("openai")});
			(async () => {
				const stream = await new OpenAI().chat.completions.create({ model: "wise-1", stream: true, messages: [{ role: "user", content: "?" }] });
				let text = "";
				for await (const { choices } of stream) text += choices[0]?.delta?.content ?? "";
				console.log(text);
			})();`;
		const trajectory = await observe("stream.cjs", source, upstreamAt(provider.url));
		await provider.close();
		expect(trajectory).toMatchObject({ answer: "Quill", usage: { calls: 1, inputTokens: 7, outputTokens: 2 } });
		expect(trajectory.served).toEqual({ models: ["wise-1-s"], ignored: [] });
	});
	test("through Anthropic's client too", async () => {
		const body = {
			type: "message",
			role: "assistant",
			id: "m",
			model: "wise-a",
			content: [
				{ type: "thinking", thinking: "easy", signature: "s" },
				{ type: "text", text: "Quill" },
			],
			usage: { input_tokens: 5, output_tokens: 6, cache_read_input_tokens: 4 },
		};
		const provider = await replyServer([{ is: "body", body: JSON.stringify(body) }]);
		const source = `
			const { Anthropic } = require(${modulePath("@anthropic-ai/sdk")});
			new Anthropic().messages.create({ model: process.env.ANTHROPIC_MODEL, max_tokens: 9, system: "Be brief.", messages: [{ role: "user", content: "?" }] })
				.then((reply) => console.log(reply.content.at(-1).text));`;
		const trajectory = await observe("anthropic.cjs", source, upstreamAt(provider.url, { "x-api-key": key } as never));
		await provider.close();
		expect(trajectory).toMatchObject({
			answer: "Quill",
			usage: { calls: 1, inputTokens: 9, outputTokens: 6, cachedTokens: 4 },
			steps: [{ thought: "easy" }],
		});
		expect(trajectory.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
		expect(provider.requests[0]?.headers).toMatchObject({ "x-api-key": key, "anthropic-version": expect.any(String) });
	});
	test("finds the question and no key where it may look", async () => {
		const seen = join(world.folder, "environment.json");
		const source = `
			const { readFileSync, writeFileSync } = require("node:fs");
			writeFileSync(${JSON.stringify(seen)}, JSON.stringify({
				environment: process.env, stdin: readFileSync(0, "utf8"),
				request: readFileSync(process.env.HOPSCOPE_REQUEST, "utf8"), mcp: JSON.parse(readFileSync(process.env.HOPSCOPE_MCP_CONFIG, "utf8")),
			}));
			console.log("Unknown.");`;
		const trajectory = await observe("environment.cjs", source, {
			...upstreamAt("http://127.0.0.1:9/v1"),
			id: "image-chain",
			environment: { OPENAI_API_KEY: key, ANTHROPIC_AUTH_TOKEN: key, GOOGLE_API_KEY: key, MY_OWN: "kept" },
		});
		expect(trajectory).toMatchObject({ answer: null, abstained: true, stop: "answered" });
		const text = readFileSync(seen, "utf8");
		expect(text).not.toContain(key);
		const { environment, stdin, request, mcp } = JSON.parse(text);
		const { question } = world.view("image-chain");
		expect(environment).toMatchObject({ HOPSCOPE_QUESTION: question, MY_OWN: "kept", HOPSCOPE_MODEL: "wise-1" });
		expect(environment.HOPSCOPE_IMAGES).toMatch(/image-1\.png$/);
		expect(stdin).toBe(`${question}\n`);
		expect(JSON.parse(request)).toMatchObject({ task: { question }, model: { name: "wise-1" } });
		expect(mcp.mcpServers.hopscope).toMatchObject({ type: "http", url: expect.stringContaining("/mcp") });
	});
	test("without a model in the run, its environment is its own", async () => {
		const trajectory = await observe("own.cjs", "console.log(process.env.OPENAI_API_KEY)", {
			environment: { OPENAI_API_KEY: "mine" },
		});
		expect(trajectory.answer).toBe("mine");
	});
	longTest("beyond its budget the model is refused, and the task ends so", async () => {
		const provider = await replyServer((_, n) =>
			said({ content: null, tool_calls: calls(["text_search", { query: `q${n}` }]) }),
		);
		const trajectory = await observe("usual.cjs", usual, {
			...upstreamAt(provider.url),
			setting: Setting.parse({ name: "one", limit: 1 }),
		});
		await provider.close();
		expect(provider.requests).toHaveLength(4);
		expect(trajectory).toMatchObject({ answer: null, stop: "turn-limit", usage: { calls: 4 } });
		expect(trajectory.steps.map(({ call }) => call?.valid)).toEqual([true, false, false, false]);
	});
	test.each(isLong ? providerFaults : providerFaults.slice(0, 1))(
		"a provider that %s is the model's failure, and its echo of the key reaches nobody",
		{ tags: "longer" },
		async (_, status, retried) => {
			const provider = await replyServer(() => ({ is: "status", status, message: `bad key ${key}` }));
			const trajectory = await observe("usual.cjs", usual, upstreamAt(provider.url));
			await provider.close();
			expect(provider.requests.length > 1).toBe(retried);
			expect(trajectory).toMatchObject({
				stop: "error",
				error: { boundary: "model", message: expect.stringContaining(`status ${status}`) },
			});
			expect(JSON.stringify(trajectory)).not.toContain(key);
		},
	);
	test("nothing said, or a failure, is the agent's error", async () => {
		expect(await observe("mute.cjs", 'console.log("\\n \\n")')).toMatchObject({
			stop: "error",
			error: { boundary: "agent", message: "it ended without an answer" },
		});
		expect((await observe("fails.cjs", 'console.log("Quill"); throw new Error("late");')).error?.message).toMatch(
			/exit code 1.*late/s,
		);
	});
	longTest.skipIf(process.platform === "win32")("keeps to the interface", async () => {
		expect(await agentProblems(externalAgent("observe:cat >/dev/null; echo Quill"))).toEqual([]);
	});
});
