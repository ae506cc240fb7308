/** For those who write an agent, a model client or an encoder: conformance kits and fakes, tied to no test framework. */
export { agentProblems } from "#agents";
export { fakeKnowledge } from "#knowledge";
export {
	type ReplyServer,
	recordedReplies,
	replyServer,
	type ScriptedReply,
	type ServedReply,
	type ServedRequest,
	scriptedModel,
} from "#models";
export { encyclopediaCases, encyclopediaSample } from "#recipes";
