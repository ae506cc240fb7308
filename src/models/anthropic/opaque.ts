import { z } from "zod";
import { freeRecord } from "#domain";

/** The blocks of a reply that are read and handed back; signed thoughts go back as they came. */
export const Block = z.discriminatedUnion("type", [
	z.object({ type: z.literal("text"), text: z.string() }),
	z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string().optional() }),
	z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
	z.object({
		type: z.literal("tool_use"),
		id: z.string().min(1).max(500),
		name: z.string().max(500),
		input: freeRecord(z.unknown()).catch({}),
	}),
]);
export type Block = z.infer<typeof Block>;

const Opaque = z.object({ provider: z.literal("anthropic"), blocks: z.array(Block) });

/** A turn without thoughts needs nothing back. */
export function toHandBack(blocks: Block[]): z.infer<typeof Opaque> | undefined {
	if (!blocks.some((block) => block.type === "thinking" || block.type === "redacted_thinking")) return undefined;
	return { provider: "anthropic", blocks: blocks.filter((block) => block.type !== "text" || block.text !== "") };
}

export function handedBack(opaque: unknown): Block[] | undefined {
	if (opaque === undefined) return undefined;
	const parsed = Opaque.safeParse(opaque);
	return parsed.success ? parsed.data.blocks : undefined;
}
