/** Calls to language models: providers, cached replies, retries, limits, cost; the scripted model and servers for tests. */
export { askForJson, type JsonReply } from "./ask-for-json.ts";
export { boundedFetch, ReplyTooLong } from "./bounded-fetch.ts";
export { openCachedReplies } from "./cached-replies.ts";
export type {
	ChatMessage,
	ChatModel,
	ChatPart,
	ChatReply,
	ChatRequest,
	JsonSchema,
	ToolDeclaration,
	ToolRequest,
} from "./chat-model.ts";
export { createChatModel } from "./create-chat-model.ts";
export { declaredEndpoint } from "./endpoint/declared.ts";
export { probeEndpoint, trialCost } from "./endpoint/probe.ts";
export { type ImagePart, imagePart, sentSize, uprightSize } from "./image-part.ts";
export { type AdaptiveLimiter, createLimiter, type LimiterState, type Limits } from "./limiter.ts";
export { modelAccess } from "./model-access.ts";
export { ModelError } from "./model-error.ts";
export { parseModelName } from "./model-name.ts";
export { completionMessages } from "./openai/request.ts";
export { takesGrammars } from "./openai/server.ts";
export { jsonPoster } from "./post-json.ts";
export { costOf, Prices, priceOf } from "./prices.ts";
export type { CachedReplies, Limiter, Price, Sent } from "./provider.ts";
export { recordedReplies } from "./recorded-replies.ts";
export { type ReplyServer, replyServer, type ServedRequest } from "./reply-server.ts";
export { noGrammars } from "./request-check.ts";
export { type Failure, retryAfter, withRetries } from "./retry.ts";
export { type ScriptedReply, scriptedModel } from "./scripted.ts";
export type { ServedReply } from "./served-reply.ts";
export { estimatedUsage, tokenCount } from "./usage.ts";
export { withinContext } from "./within-context.ts";
