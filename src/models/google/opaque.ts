import { z } from "zod";
import { freeRecord } from "#domain";

/** The parts of a reply that are read and handed back; signatures of thoughts go back where they stood. */
export const Part = z.object({
	text: z.string().optional(),
	thought: z.boolean().optional().catch(undefined),
	thoughtSignature: z.string().optional().catch(undefined),
	functionCall: z
		.object({
			name: z.string().max(500),
			args: freeRecord(z.unknown()).nullish(),
			id: z.string().max(500).nullish(),
		})
		.optional(),
});
export type Part = z.infer<typeof Part>;

const Opaque = z.object({ provider: z.literal("google"), parts: z.array(Part) });

/** A turn without signatures needs nothing back; summaries of thoughts are the reader's. */
export function toHandBack(parts: Part[]): z.infer<typeof Opaque> | undefined {
	if (!parts.some((part) => part.thoughtSignature)) return undefined;
	return { provider: "google", parts: parts.filter((part) => part.thoughtSignature || !part.thought) };
}

export function handedBack(opaque: unknown): Part[] | undefined {
	if (opaque === undefined) return undefined;
	const parsed = Opaque.safeParse(opaque);
	return parsed.success ? parsed.data.parts : undefined;
}

/** Older models give calls no ids: theirs are made here and not sent. */
const madeId = /^local-\d+-/;

export const idOf = (call: { id?: string | null | undefined; name: string }, index: number) =>
	call.id || `local-${index}-${call.name}`;

export const sentId = (id: string): { id?: string } => (madeId.test(id) ? {} : { id });
