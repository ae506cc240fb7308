/** For those who write an agent, a model client or an encoder: conformance kits and fakes, tied to no test framework. */
export { agentProblems } from "#agents";
export {
	fakeJointEncoder,
	fakePageEncoder,
	fakeTextEncoder,
	imageEncoderCases,
	pageEncoderCases,
	textEncoderCases,
} from "#encoders";
export { fakeKnowledge, knowledgeCases, knowledgeSample } from "#knowledge";
export {
	chatModelCases,
	type ReplyServer,
	recordedReplies,
	replyServer,
	type ScriptedReply,
	type ServedReply,
	type ServedRequest,
	scriptedModel,
} from "#models";
export { encyclopediaCases, encyclopediaSample } from "#recipes";
