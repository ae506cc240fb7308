import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { createChatModel } from "#models";

const reply = (text: string) => JSON.stringify({ choices: [{ message: { content: text }, finish_reason: "stop" }] });

let server: Server | undefined;
afterEach(() => {
	server?.closeAllConnections();
	server?.close();
});

async function serve(answer: RequestListener) {
	const started = createServer(answer);
	server = started;
	await new Promise<void>((listening) => started.listen(0, "127.0.0.1", listening));
	const model = createChatModel(`openai:toy@http://127.0.0.1:${(started.address() as AddressInfo).port}/v1`, {
		retryFor: 0,
	});
	return () => model.complete({ messages: [{ role: "user", content: [{ type: "text", text: "?" }] }] }, {});
}

describe("a response", () => {
	test.each([
		["gzip", gzipSync],
		["deflate", deflateSync],
		["br", brotliCompressSync],
	])("in %s is read, its bound counted after decompression", async (encoding, compress) => {
		let text = reply("ü");
		const ask = await serve((request, response) => {
			expect(request.headers["accept-encoding"]).toContain(encoding);
			response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
			response.end(compress(text));
		});
		expect((await ask()).text).toBe("ü");
		text = reply(" ".repeat(5_000_000));
		await expect(ask()).rejects.toThrow(/longer than 4194304 bytes/);
	});

	test("whose compression breaks off is a failure that passes", async () => {
		const whole = gzipSync(reply("fine"));
		const ask = await serve((_, response) => {
			response.writeHead(200, { "content-encoding": "gzip" });
			response.end(whole.subarray(0, whole.length - 12));
		});
		await expect(ask()).rejects.toMatchObject({
			kind: "transient",
			message: expect.stringMatching(/connection failed/),
		});
	});
});

test("one connection serves calls that follow one another", async () => {
	let connections = 0;
	const ask = await serve((_, response) => response.end(reply("fine")));
	server?.on("connection", () => {
		connections += 1;
	});
	for (let call = 0; call < 5; call += 1) expect((await ask()).text).toBe("fine");
	expect(connections).toBe(1);
});
