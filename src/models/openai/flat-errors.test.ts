import { afterEach, expect, test } from "vitest";
import { createChatModel, type ModelError, type ReplyServer, replyServer } from "#models";

let server: ReplyServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

async function failure(status: number, body: object): Promise<ModelError> {
	server = await replyServer([{ is: "body", status, body: JSON.stringify(body), contentType: "application/json" }]);
	const model = createChatModel(`openai:toy@${server.url}`);
	return model.complete({ messages: [{ role: "user", content: [{ type: "text", text: "?" }] }] }, {}).then(
		() => expect.unreachable(),
		(error) => error,
	);
}

const vllm =
	"This model's maximum context length is 32768 tokens. However, you requested 33000 tokens (32500 in the messages, 500 in the completion).";

test.each([
	["OpenAI", 400, { error: { message: "Request rejected.", code: "context_length_exceeded" } }, "Request rejected."],
	["vLLM", 400, { object: "error", message: vllm, type: "BadRequestError", param: null, code: 400 }, "32500 in the"],
	[
		"SGLang",
		400,
		{
			object: "error",
			message: "The input (40 tokens) is longer than the model's context length (32 tokens).",
			code: 400,
		},
		"longer than the model's context",
	],
	[
		"TGI",
		422,
		{
			error:
				"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 500 `max_new_tokens`",
			error_type: "validation",
		},
		"must be <= 4096",
	],
	[
		"FastAPI",
		400,
		{ detail: "Requested tokens exceed the model's context window: exceeds the context window" },
		"Requested",
	],
])("a full context in the words of %s is one, and is told", async (_name, status, body, said) => {
	const error = await failure(status, body);
	expect(error).toMatchObject({ overflow: true, retryable: false, status });
	expect(error.message).toContain(said);
	expect(server?.requests).toHaveLength(1);
});

test.each([
	["flat", 400, { object: "error", message: "bad image", type: "BadRequestError", code: 400 }, "HTTP 400: bad image"],
	["in a list of details", 422, { detail: [{ loc: ["body"], msg: "field required" }] }, "field required"],
	["without a sentence", 400, { oops: true }, "HTTP 400"],
])("another error %s is told too, and is none", async (_name, status, body, said) => {
	const error = await failure(status, body);
	expect(error).toMatchObject({ overflow: false, status });
	expect(error.message).toContain(said);
});
