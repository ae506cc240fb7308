/** A provider or its server failed: not a wrong answer. The record keeps it as an error, and a resumed run tries again. */
export class ModelError extends Error {
	override readonly name = "ModelError";
	readonly boundary = "model";
	/** HTTP status, where the server answered with one. */
	readonly status: number | undefined;
	/** Whether the same request may well succeed later (connection faults, timeouts, 408, 409, 429, 5xx). */
	readonly retryable: boolean;
	/** The request did not fit the model's context, by what the server said: sent again it would not fit either. */
	readonly overflow: boolean;

	constructor(message: string, options: { status?: number | undefined; retryable?: boolean } = {}) {
		super(message);
		this.status = options.status;
		this.overflow = !rateWords.test(message) && overflowWords.test(message);
		this.retryable = !this.overflow && (options.retryable ?? false);
	}
}

/**
 * How servers say so: OpenAI and vLLM (`context_length_exceeded`, "maximum context length", "maximum model length"),
 * Anthropic ("prompt is too long"), Google ("input token count … exceeds the maximum"), llama.cpp ("exceeds the available
 * context size"), SGLang ("longer than the model's context length"), TGI ("`inputs` tokens + `max_new_tokens` must be"), and
 * others alike.
 */
const overflowWords =
	/context_length_exceeded|exceed_context_size|(?:maximum|model(?:'s)?|available) (?:context|model|sequence) (?:length|size|window)|prompt is too long|input token count\b.{0,40}\bexceeds|exceeds? (?:the |this )?(?:model'?s? )?context (?:window|length|size|limit)|(?:longer|larger|more) than the (?:model'?s? )?(?:maximum )?context|`?inputs`? (?:tokens \+ `?max_new_tokens`? must be|must have less than \d+ tokens)/i;

/** Limits of tokens a minute read much alike and pass with time. */
const rateWords = /rate.?limit|per (?:minute|day)|\bTPM\b/i;
