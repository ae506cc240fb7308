import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { ServerEvent } from "./route.ts";

/** Milliseconds between signs of life: clients give up after thirty seconds of silence. */
const heartbeat = 10_000;

/** Sends events as they come, until there are no more or the signal says that the request is over. */
export async function sendEvents(
	response: ServerResponse,
	events: AsyncIterable<ServerEvent>,
	signal: AbortSignal,
): Promise<void> {
	const beat = setInterval(() => response.write(":\n\n"), heartbeat);
	const iterator = events[Symbol.asyncIterator]();
	try {
		for (;;) {
			const { done, value } = await orAborted(iterator.next(), signal);
			if (done) break;
			if (!response.write(written(value))) await once(response, "drain", { signal });
		}
		response.end();
	} finally {
		clearInterval(beat);
		// what is not read to its end may hold something
		void iterator.return?.().catch(() => undefined);
	}
}

function written({ event, id, data }: ServerEvent): string {
	const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`);
	return [...(event === undefined ? [] : [`event: ${event}`]), ...(id === undefined ? [] : [`id: ${id}`]), ...lines]
		.concat("", "")
		.join("\n");
}

/** What a promise comes to, unless the signal aborts first. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	if (signal.aborted) promise.catch(() => undefined);
	signal.throwIfAborted();
	let abort = () => {};
	const aborted = new Promise<never>((_, reject) => {
		abort = () => reject(signal.reason);
		signal.addEventListener("abort", abort, { once: true });
	});
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener("abort", abort);
	}
}
