import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "vitest";
import { createPlaygrounds, type Playground } from "../../../test/support/server/environment.ts";

const playground = createPlaygrounds();

async function connected({ server }: Playground, path: string, headers: Record<string, string> = {}): Promise<Client> {
	const client = new Client({ name: "test", version: "1" });
	const url = new URL(`${server.url}${path}`);
	await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
	return client;
}

test("the official client plays an episode by its tools", async () => {
	const at = await playground({ agent: "function-calling" });
	const id = await at.open("image-chain");
	const client = await connected(at, `/mcp/${id}`);
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name)).toEqual([
		"text_search",
		"image_search_by_text",
		"image_search_by_image",
		"page_search",
		"image_crop",
		"answer",
	]);
	const found = await client.callTool({ name: "text_search", arguments: { query: "capital of Velmora" } });
	expect(found.content).toMatchObject({ 0: { type: "text", text: expect.stringContaining("Tessin Bay") } });
	expect(found._meta).toEqual({ "hopscope/over": false, "hopscope/last": false, "hopscope/valid": true });
	const cropped = await client.callTool({ name: "image_crop", arguments: { image: 1, box: [0, 0, 500, 500] } });
	expect(cropped.content).toMatchObject([{ type: "text" }, { type: "image", mimeType: "image/jpeg" }]);
	expect(await client.callTool({ name: "no_such_tool", arguments: {} })).toMatchObject({ isError: true });
	const again = { name: "page_search", arguments: { query: "anthem" }, _meta: { "hopscope/request": "a" } };
	expect(await client.callTool(again)).toEqual(await client.callTool(again));
	const end = await client.callTool({ name: "answer", arguments: { text: "Song of the Bay" } });
	expect(end).toMatchObject({ content: [{ text: "The task is over." }], _meta: { "hopscope/over": true } });
	expect(JSON.stringify(end)).not.toContain("reward");
	expect(await client.callTool({ name: "answer", arguments: { text: "again" } })).toMatchObject({ isError: true });
	const { json } = await at.ask("GET", `/v1/episodes/${id}`);
	expect(json.step.reward).toMatchObject({ outcome: 1, format: 0, validCalls: 3, invalidCalls: 1 });
	await client.close();
});

test("a protocol of text is spoken by one tool; the episode may stand in a header", async () => {
	const at = await playground();
	const id = await at.open("text-chain");
	const client = await connected(at, "/mcp", { "x-session-id": id });
	expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["say"]);
	const text = "<think>a</think><text_search>Tessin Bay</text_search>";
	const found = await client.callTool({ name: "say", arguments: { text } });
	expect(found.content).toMatchObject([{ text: expect.stringContaining("Anna Rehn") }]);
	expect(await client.callTool({ name: "say", arguments: {} })).toMatchObject({ isError: true });
	await client.close();
});

test("no episode, an unknown one, another revision", async () => {
	const { ask, open } = await playground();
	const id = await open("text-chain");
	const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
	expect((await ask("POST", "/mcp", ping)).status).toBe(400);
	expect((await ask("POST", "/mcp/none", ping)).status).toBe(404);
	expect((await ask("POST", `/mcp/${id}`, ping)).json).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
	expect((await ask("POST", `/mcp/${id}`, ping, { "mcp-protocol-version": "1999-01-01" })).status).toBe(400);
	expect((await ask("POST", `/mcp/${id}`, { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
	expect((await ask("GET", `/mcp/${id}`)).status).toBe(405);
});
