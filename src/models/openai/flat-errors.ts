import { z } from "zod";

const Flat = z.looseObject({
	message: z.string().optional(),
	detail: z.unknown().optional(),
	error: z.undefined().optional(),
});

/**
 * Puts an error that stands flat in its body where the client looks for one: vLLM and SGLang send
 * `{"object":"error","message":…}`, servers made with FastAPI `{"detail":…}`, OpenAI `{"error":{"message":…}}`.
 */
export function framingErrors(send: typeof fetch): typeof fetch {
	return async (input, init) => {
		const response = await send(input, init);
		if (response.ok) return response;
		const text = await response.text();
		const { status, headers } = response;
		return new Response(framed(text) ?? text, { status, headers });
	};
}

function framed(text: string): string | undefined {
	try {
		const read = Flat.safeParse(JSON.parse(text));
		if (!read.success) return undefined;
		const { message, detail, ...rest } = read.data;
		const said = message ?? (typeof detail === "string" ? detail : detail && JSON.stringify(detail));
		return said === undefined ? undefined : JSON.stringify({ error: { ...rest, message: said } });
	} catch {
		// a page or a sentence is told as it stands
		return undefined;
	}
}
