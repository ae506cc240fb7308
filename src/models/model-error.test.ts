import { expect, test } from "vitest";
import { ModelError } from "#models";

/** Words of servers, as their own documentation and sources have them. */
test.each([
	"This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
	"HTTP 400: context_length_exceeded",
	"The decoder prompt (length 40000) is longer than the maximum model length of 32768.",
	"prompt is too long: 210000 tokens > 200000 maximum",
	"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
	"the request exceeds the available context size, try increasing it",
	"The input (9000 tokens) is longer than the model's context length (8192 tokens).",
])("%s is an overflow, and not tried again", (message) => {
	expect(new ModelError(message, { status: 400, kind: "transient" })).toMatchObject({
		overflow: true,
		kind: "request",
	});
});

test.each([
	"HTTP 503: overloaded",
	"Rate limit reached: 30000 tokens per minute exceeds the context window of your plan",
	"the model said nothing of its context",
])("%s is none", (message) => {
	expect(new ModelError(message, { kind: "transient" })).toMatchObject({ overflow: false, retryable: true });
});

/** Words of servers, as issues of their users and their sources quote them. */
test.each([
	["pictures", 500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"],
	["pictures", 500, "image input is not supported by this server"],
	["pictures", 500, 'Failed to parse messages: Unsupported content part type: "image_url"; messages = ['],
	["pictures", 500, "this model is missing data required for image input"],
	["pictures", 400, "Model does not support images. Please use a model that does."],
	["pictures", 400, "At most 0 image(s) may be provided in one prompt."],
	["pictures", 400, "toy is not a multimodal model"],
	["pictures", 404, "No endpoints found that support image input"],
	["pictures", 400, "Invalid content type. image_url is only supported by certain models."],
	["pictures", 400, "This model doesn't support the image content block that you provided."],
	["pictures", 400, "messages[1]: unknown variant `image_url`, expected `text` at line 1 column 746109"],
	["tools", 400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
	["tools", 500, "tools param requires --jinja flag"],
	["tools", 400, "registry.ollama.ai/library/toy does not support tools"],
	["tools", 404, "No endpoints found that support tool use"],
	["several calls", 500, "This model only supports single tool-calls at once!"],
])("%s, with %i: %s is not tried again, and says what to do", (lacks, status, message) => {
	const error = new ModelError(`HTTP ${status}: ${message}`, { status });
	expect(error).toMatchObject({ lacks, kind: "request", retryable: false, remedy: expect.stringMatching(/./) });
});

test.each([
	"HTTP 500: At most 4 image(s) may be provided in one prompt.",
	"HTTP 503: the image of the container is being loaded",
	"HTTP 500: the model supports images of at most 20 MB",
])("%s lacks nothing", (message) => {
	expect(new ModelError(message, { status: 503 })).toMatchObject({ lacks: undefined, retryable: true });
});
