import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { boundedFetch, ReplyTooLong } from "#models";

const said = '{"text":"½ 日本, a-secret-of-many-letters"}';
let close: (() => void) | undefined;
afterEach(() => close?.());

async function serve(body: Buffer, headers: Record<string, string> = {}): Promise<string> {
	const server = createServer((_request, response) => {
		response.writeHead(200, { "content-type": "application/json", ...headers });
		response.end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	close = () => void server.close();
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("the response is whole in every way of reading it, and more than once", async () => {
	const response = await boundedFetch({ maxBytes: 1000 })(await serve(Buffer.from(said)));
	expect(response.ok).toBe(true);
	expect(response.headers.get("content-type")).toBe("application/json");
	expect(await response.text()).toBe(said);
	expect(await response.json()).toEqual(JSON.parse(said));
	expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(said);
});

test("the bound holds after decompression", async () => {
	const bomb = await serve(gzipSync(Buffer.alloc(2_000_000)), { "content-encoding": "gzip" });
	await expect(boundedFetch({ maxBytes: 1_000_000 })(bomb)).rejects.toThrow(ReplyTooLong);
});

test("a secret that comes back is cut out; an ordinary word is not", async () => {
	const url = await serve(Buffer.from(said));
	const read = async (secret: string) => (await boundedFetch({ maxBytes: 1000, secret })(url)).text();
	expect(await read("a-secret-of-many-letters")).toBe('{"text":"½ 日本, [key]"}');
	expect(await read("letters")).toBe(said);
});
