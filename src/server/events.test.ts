import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { orAborted, sendEvents } from "./events.ts";
import type { ServerEvent } from "./route.ts";

async function received(events: AsyncIterable<ServerEvent>, signal = new AbortController().signal) {
	const failures: unknown[] = [];
	const server = createServer((_, response) => {
		response.writeHead(200, { "content-type": "text/event-stream" });
		sendEvents(response, events, signal).catch((error) => {
			failures.push(error);
			response.destroy();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const text = await fetch(`http://127.0.0.1:${port}`)
		.then((response) => response.text())
		.catch(() => "broken off");
	server.close();
	return { text, failures };
}

test("events as the standard writes them, also those of several lines", async () => {
	async function* events() {
		yield { event: "task_id", data: "a" };
		yield { data: "one\ntwo\r\nthree", id: "7" };
		yield { event: "end", data: "" };
	}
	expect((await received(events())).text).toBe(
		"event: task_id\ndata: a\n\nid: 7\ndata: one\ndata: two\ndata: three\n\nevent: end\ndata: \n\n",
	);
});

test("a source that fails, and a request that is over, break the stream off and close the source", async () => {
	let closed = 0;
	async function* events() {
		try {
			yield { data: "a" };
			throw new Error("gone");
		} finally {
			closed += 1;
		}
	}
	expect(await received(events())).toMatchObject({ text: "broken off", failures: [{ message: "gone" }] });
	const over = new AbortController();
	async function* endless() {
		yield { data: "a" };
		over.abort(new Error("over"));
		await new Promise(() => {});
	}
	expect(await received(endless(), over.signal)).toMatchObject({ failures: [{ message: "over" }] });
	expect(closed).toBe(1);
});

test("a promise unless the signal comes first", async () => {
	const { signal } = new AbortController();
	expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
	await expect(orAborted(Promise.reject(new Error("a")), signal)).rejects.toThrow("a");
	await expect(orAborted(Promise.reject(new Error("a")), AbortSignal.abort(new Error("b")))).rejects.toThrow("b");
});
