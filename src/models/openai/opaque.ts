import { z } from "zod";

/**
 * Reasoning as a compatible server names it. Several want it back with a turn that made calls: DeepSeek, vLLM, SGLang and
 * llama.cpp as text for their templates, OpenRouter as signed or encrypted details, LiteLLM and gateways to Bedrock as
 * Anthropic's signed blocks. Without calls none wants it, and DeepSeek refuses it.
 */
export const Reasoning = z.object({
	reasoning_content: z.string().nullish(),
	reasoning: z.string().nullish(),
	reasoning_details: z.array(z.unknown()).nullish(),
	thinking_blocks: z.array(z.unknown()).nullish(),
});
export type Reasoning = z.infer<typeof Reasoning>;

const Opaque = z.object({ provider: z.literal("openai"), fields: Reasoning });

export function toHandBack(message: Reasoning): z.infer<typeof Opaque> | undefined {
	const { reasoning_content, reasoning, reasoning_details, thinking_blocks } = message;
	const fields = {
		...(reasoning_content && { reasoning_content }),
		...(reasoning && { reasoning }),
		...(reasoning_details?.length && { reasoning_details }),
		...(thinking_blocks?.length && { thinking_blocks }),
	};
	return Object.keys(fields).length > 0 ? { provider: "openai", fields } : undefined;
}

/** The fields of an assistant's message that another turn of this provider left; nothing for those of others. */
export function handedBack(opaque: unknown): Reasoning {
	if (opaque === undefined) return {};
	const parsed = Opaque.safeParse(opaque);
	return parsed.success ? parsed.data.fields : {};
}

const Told = z.object({
	text: z.string().optional().catch(undefined),
	summary: z.string().optional().catch(undefined),
	thinking: z.string().optional().catch(undefined),
});

/** What of its reasoning a server lets be read, whichever field holds it. */
export function thoughtOf({ reasoning_content, reasoning, reasoning_details, thinking_blocks }: Reasoning): string {
	if (reasoning_content || reasoning) return reasoning_content || reasoning || "";
	const parts = [...(reasoning_details ?? []), ...(thinking_blocks ?? [])].flatMap(
		(part) => Told.safeParse(part).data ?? [],
	);
	return parts.flatMap(({ text, summary, thinking }) => text || summary || thinking || []).join("\n");
}
