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
	/** What the model or its server cannot do, by what the server said, whatever its status: it never will. */
	readonly lacks: Lacking | undefined;

	/** Without a kind it is that of the status, and permanent without either. */
	constructor(message: string, options: { status?: number | undefined; kind?: FailureKind | undefined } = {}) {
		super(message);
		const { status, kind = status === undefined ? "permanent" : kindOfStatus(status) } = options;
		this.status = status;
		this.overflow = !rateWords.test(message) && overflowWords.test(message);
		this.lacks = lacking.find(([, words]) => words.test(message))?.[0];
		this.kind = this.overflow || this.lacks ? "request" : kind;
	}

	/** What to do about it, where the server said what is lacking. */
	get remedy(): string | undefined {
		return this.lacks && remedies[this.lacks];
	}

	/** Whether the same request may well succeed later. */
	get retryable(): boolean {
		return this.kind === "transient";
	}
}

export type Lacking = "pictures" | "tools" | "several calls";

/**
 * How servers say so, some of them with 500. Pictures: llama.cpp ("image input is not supported", "mmproj"), Ollama ("missing
 * data required for image input"), LM Studio ("does not support images"), vLLM ("At most 0 image(s)", "is not a multimodal
 * model"), OpenAI and Azure ("image_url is only supported by certain models"), OpenRouter ("No endpoints found that support
 * image input"), Bedrock ("doesn't support the image content block"), DeepSeek ("unknown variant `image_url`"). Tools: vLLM,
 * llama.cpp, Ollama, OpenRouter. Several calls: the template of Llama 3.
 */
const lacking: [Lacking, RegExp][] = [
	[
		"pictures",
		/images? (?:inputs? )?(?:is|are) not supported|\bmmproj\b|required for image input|(?:does not|doesn't) support (?:the )?(?:images?|vision|multi-?modal)\b|not a multi-?modal model|\bat most 0 image|image_url is only supported|support image input|unknown variant .?image_url|content part type: \S*image_url/i,
	],
	[
		"tools",
		/requires --enable-auto-tool-choice|tools param requires --jinja|(?:does not|doesn't) support (?:tools|tool use|function calling)|support tool use/i,
	],
	["several calls", /single tool-calls? at once/i],
];

const remedies: Record<Lacking, string> = {
	pictures: "the model takes no pictures: run it with --images captions, or another one",
	tools:
		"the server takes no calls in this form: start it with its options for them, or choose an agent that calls in text, such as hermes",
	"several calls":
		"the model's template takes one call a turn: run it with --request '{\"parallel_tool_calls\": false}'",
};

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
