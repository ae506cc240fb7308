import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { parseLine } from "#store";
import type { ServedRequest } from "./reply-server.ts";
import { wireKey } from "./request-key.ts";
import type { ServedReply } from "./served-reply.ts";

/** What is read of a cached reply: the answer, the request that it answers as it goes over the wire, and which sample. */
const Recorded = z.object({
	sent: z.object({ raw: z.unknown() }),
	about: z.object({ wire: z.string(), sample: z.number().catch(0) }),
});

/**
 * Replies that runs kept in a folder, for `replyServer`: whoever asks the same again over HTTP, from any program, is
 * answered as the provider answered. Several samples of one request are played in turn. Another request gets a 404 that
 * says so.
 */
export async function recordedReplies(dir: string): Promise<(request: ServedRequest) => ServedReply> {
	const samples = new Map<string, { sample: number; raw: unknown }[]>();
	const names = await readdir(dir, { recursive: true });
	for (const name of names.filter((one) => one.endsWith(".json")).sort()) {
		const parsed = parseLine(await readFile(join(dir, name), "utf8"), Recorded);
		if (!("value" in parsed)) continue;
		const { sent, about } = parsed.value;
		const known = samples.get(about.wire) ?? [];
		samples.set(
			about.wire,
			[...known, { sample: about.sample, raw: sent.raw }].sort((a, b) => a.sample - b.sample),
		);
	}
	const played = new Map<string, number>();
	return ({ body: { messages, ...rest }, model }) => {
		const key = wireKey(messages.length > 0 ? { ...rest, messages } : rest, model);
		const known = samples.get(key);
		if (!known) return { is: "status", status: 404, message: `no reply is recorded for this request (${key})` };
		const n = played.get(key) ?? 0;
		played.set(key, n + 1);
		return { is: "body", body: JSON.stringify(known[n % known.length]?.raw) };
	};
}
