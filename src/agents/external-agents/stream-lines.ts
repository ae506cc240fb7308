import { parseJson } from "#domain";

/** Longest line of a program, in bytes, and all that it may say on one task. */
const longestLine = 4 * 1024 * 1024;
const mostBytes = 64 * 1024 * 1024;

/** A program said more than is read. */
export class TooMuch extends Error {
	override readonly name = "TooMuch";
}

/**
 * The lines of a stream of UTF-8, without their ends, as soon as each is whole; a last one without an end counts.
 * Throws `TooMuch` beyond the bounds.
 */
export async function* linesOf(
	stream: AsyncIterable<Uint8Array>,
	{ line = longestLine, all = mostBytes }: { line?: number; all?: number } = {},
): AsyncGenerator<string> {
	let pieces: Uint8Array[] = [];
	let held = 0;
	let total = 0;
	const whole = () => {
		const text = Buffer.concat(pieces).toString("utf8").replace(/\r$/, "");
		pieces = [];
		held = 0;
		return text;
	};
	const hold = (piece: Uint8Array) => {
		held += piece.byteLength;
		if (held > line) throw new TooMuch(`a line is longer than ${line} bytes`);
		pieces.push(piece);
	};
	for await (const chunk of stream) {
		total += chunk.byteLength;
		if (total > all) throw new TooMuch(`it said more than ${all} bytes`);
		let from = 0;
		for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
			hold(chunk.subarray(from, end));
			yield whole();
			from = end + 1;
		}
		if (from < chunk.byteLength) hold(chunk.subarray(from));
	}
	if (held > 0) yield whole();
}

/** The data of a body of server-sent events, each parsed as JSON; what is none, such as `[DONE]`, is left out. */
export function eventsOf(body: string): unknown[] {
	return body.split(/\r\n\r\n|\n\n|\r\r/).flatMap((event) => {
		const data = event
			.split(/\r\n|\n|\r/)
			.flatMap((line) => (line.startsWith("data:") ? [line.slice(5).replace(/^ /, "")] : []))
			.join("\n");
		const value = parseJson(data);
		return value === undefined ? [] : [value];
	});
}
