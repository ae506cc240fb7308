/** For those who write an agent or a model client: conformance kits and fakes, tied to no test framework. */
export { agentProblems } from "#agents";
export { chatModelCases, type ReplyServer, replyServer, type ServedReply, scriptedModel } from "#models";
