import { maxRecordCharacters } from "../answer-task.ts";
import type { Broker } from "./broker.ts";
import { subjects } from "./messages.ts";

/** The longest value that is put together again; a character of a record takes four bytes at most. */
const mostBytes = 4 * maxRecordCharacters;

interface Place {
	run: string;
	job: string;
	nonce: string;
}

/** Stores in pieces what is longer than a message may be; in how many, none where it fits into one as it is. */
export async function storeParts(broker: Broker, value: unknown, place: Place): Promise<number | undefined> {
	const { run, job, nonce } = place;
	// what stands around it in a message has its room
	const most = (broker.connection.info?.max_payload ?? 1_048_576) - 16_384;
	const bytes = Buffer.from(JSON.stringify(value) ?? "null");
	if (bytes.length <= most) return undefined;
	const parts = Math.ceil(bytes.length / most);
	for (let index = 0; index < parts; index += 1)
		await broker.store(subjects.part(run, job, nonce, index), bytes.subarray(index * most, (index + 1) * most));
	return parts;
}

/** What was stored in so many pieces, or why it is not there. */
export async function readParts(
	broker: Broker,
	parts: number,
	{ run, job, nonce }: Place,
): Promise<{ value: unknown } | { problem: string }> {
	const read: Uint8Array[] = [];
	let bytes = 0;
	for (let index = 0; index < parts; index += 1) {
		const part = await broker.last("marks", subjects.part(run, job, nonce, index));
		if (!part) return { problem: `part ${index} of ${parts} is missing` };
		bytes += part.data.length;
		if (bytes > mostBytes) return { problem: "it is too long" };
		read.push(part.data);
	}
	try {
		return { value: JSON.parse(Buffer.concat(read).toString()) };
	} catch {
		return { problem: "it is no JSON" };
	}
}
