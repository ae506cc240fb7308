/** Test only: what a client of the Open Reward Standard does, as the Python one reads. */
import { request } from "node:http";

/** One event of a stream, its data as the Python client has it. */
export interface ReadEvent {
	event: string;
	data: string;
}

/** Whatever Python's `str.lstrip` takes away. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Python takes the separators for whitespace too
const leading = /^[\s\x1c-\x1f\x85]+/;

/** Reads a stream line by line as the openreward package does, which drops whitespace before every line of data. */
export function readEvents(text: string): ReadEvent[] {
	const events: ReadEvent[] = [];
	let event = "";
	let data: string[] = [];
	for (const line of text.split("\n")) {
		if (line === "") {
			if (event !== "") events.push({ event, data: data.join("\n") });
			event = "";
			data = [];
		} else if (!line.startsWith(":")) {
			const colon = line.indexOf(":");
			const value = line.slice(colon + 1).replace(leading, "");
			if (line.slice(0, colon) === "event") event = value;
			else data.push(value);
		}
	}
	return events;
}

/** The result that the events of a call make, or the error that they tell. */
export function resultOf(events: ReadEvent[]) {
	const failure = events.find(({ event }) => event === "error");
	if (failure) return { error: failure.data };
	const pieces = events.filter(({ event }) => event === "chunk" || event === "end").map(({ data }) => data);
	return JSON.parse(pieces.join(""));
}

/** Sends a call and goes away as soon as the stream has begun; the task that it can be asked for again by. */
export function callAndGoAway(url: string, session: string, call: object): Promise<string> {
	return new Promise((resolve, reject) => {
		const headers = { "content-type": "application/json", "x-session-id": session };
		const sent = request(`${url}/call`, { method: "POST", headers }, (response) => {
			response.once("data", (bytes: Buffer) => {
				resolve(readEvents(String(bytes))[0]?.data ?? "");
				response.destroy();
			});
		});
		sent.once("error", reject);
		sent.end(JSON.stringify(call));
	});
}
