import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createChatModel, parseModelName, takesGrammars } from "#models";

let server: Server | undefined;
afterEach(() => {
	server?.closeAllConnections();
	server?.close();
});

/** A server that answers these paths with this JSON, completions with "fine", and keeps what was posted. */
async function serving(paths: Record<string, unknown>): Promise<{ name: string; posted: Record<string, unknown>[] }> {
	const posted: Record<string, unknown>[] = [];
	server = createServer((request, response) => {
		let text = "";
		request.on("data", (part) => (text += part));
		request.on("end", () => {
			const path = request.url ?? "";
			const isChat = path === "/v1/chat/completions";
			if (isChat) posted.push(JSON.parse(text));
			const answer = isChat
				? { choices: [{ message: { role: "assistant", content: "fine" }, finish_reason: "stop" }], usage: {} }
				: paths[path];
			response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
			response.end(JSON.stringify(answer ?? { error: "no such path" }));
		});
	});
	await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
	return { name: `openai:toy@http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, posted };
}

const messages = [{ role: "user" as const, content: [{ type: "text" as const, text: "Who?" }] }];
const grammar = 'root ::= "yes"';

test.each([
	["llama.cpp", { "/props": { default_generation_settings: { n_ctx: 4096 } } }, { grammar }],
	["vLLM", { "/version": { version: "0.12.1" } }, { structured_outputs: { grammar } }],
	["vLLM, earlier", { "/version": { version: "0.8.5" } }, { guided_grammar: grammar }],
	["SGLang", { "/get_model_info": { model_path: "toy" } }, { ebnf: grammar }],
])("%s is told a grammar in its own field", async (_, paths, fields) => {
	const { name, posted } = await serving(paths);
	expect(await takesGrammars(parseModelName(name), {})).toBe(true);
	await createChatModel(name).complete({ messages, grammar }, {});
	expect(posted[0]).toMatchObject(fields);
	expect(Object.keys(posted[0] ?? {}).sort()).toEqual(["messages", "model", ...Object.keys(fields)].sort());
});

test("a server of which that is not known is sent none, and nothing at all", async () => {
	const { name, posted } = await serving({ "/api/version": { version: "0.5.0" } });
	expect(await takesGrammars(parseModelName(name), {})).toBe(false);
	await expect(createChatModel(name).complete({ messages, grammar }, {})).rejects.toMatchObject({ code: "no-grammar" });
	expect(posted).toEqual([]);
	const elsewhere = createChatModel(name.replace("openai:", "anthropic:"), { apiKey: "k" });
	await expect(elsewhere.complete({ messages, grammar }, {})).rejects.toMatchObject({ code: "no-grammar" });
});

test("further fields go with the request as they are", async () => {
	const { name, posted } = await serving({});
	const extra = { chat_template_kwargs: { enable_thinking: false }, min_p: 0.1 };
	await createChatModel(name).complete({ messages, extra }, {});
	expect(posted[0]).toMatchObject(extra);
});
