import { type FailureKind, kindOfStatus } from "./failure-kind.ts";

/** A provider or its server failed: not a wrong answer. The record keeps it as an error, and a resumed run tries again. */
export class ModelError extends Error {
	override readonly name = "ModelError";
	readonly boundary = "model";
	/** HTTP status, where the server answered with one. */
	readonly status: number | undefined;
	/** Whether to ask again, to change something at the provider, or to change the request. */
	readonly kind: FailureKind;
	/** The request did not fit the model's context, by what the server said: sent again it would not fit either. */
	readonly overflow: boolean;

	/** Without a kind it is that of the status, and permanent without either. */
	constructor(message: string, options: { status?: number | undefined; kind?: FailureKind | undefined } = {}) {
		super(message);
		const { status, kind = status === undefined ? "permanent" : kindOfStatus(status) } = options;
		this.status = status;
		this.overflow = !rateWords.test(message) && overflowWords.test(message);
		this.kind = this.overflow ? "request" : kind;
	}

	/** Whether the same request may well succeed later. */
	get retryable(): boolean {
		return this.kind === "transient";
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
