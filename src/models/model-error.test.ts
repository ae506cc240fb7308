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
