/** For those who write an agent or ask a model: what an agent is handed, and the agents and models that there are. */
export {
	type AgentContext,
	agents,
	createTools,
	type ExternalAgentOptions,
	externalAgent,
	type Observation,
	settingFor,
	type Tools,
	type Upstream,
} from "#agents";
export { Setting, type TaskView } from "#domain";
export {
	askForJson,
	type ChatModel,
	type ChatReply,
	type ChatRequest,
	createChatModel,
	createLimiter,
	openCachedReplies,
} from "#models";
