/** Tools, protocols and agents: what answers a task and leaves a trajectory. */
export type { Agent } from "./agent.ts";
export type { AgentContext, Upstream } from "./agent-context.ts";
export { beginningOf, type Episode, type EpisodeTurn, openEpisode, playsEpisodes } from "./driver/episode.ts";
export { mostRepliesOf } from "./driver/protocol.ts";
export { ToolFailure } from "./driver/recorder.ts";
export { type PolicyMove, type Speech, unknownAnswer } from "./driver/speech.ts";
export { type ExternalAgentOptions, externalAgent } from "./external-agents/agent.ts";
export { ProgramLine, TaskRequest } from "./external-agents/program-messages.ts";
export { isSpec } from "./external-agents/spec.ts";
export { injectedFaults } from "./injected/faults.ts";
export {
	type Cell,
	drawnTasks,
	type Injected,
	type Injecting,
	inject,
	injectedCells,
	injectedVersion,
} from "./injected/inject.ts";
export { answerMcp, type McpCall, type McpContent, type McpTools, speaks } from "./mcp.ts";
export { createPool } from "./pool.ts";
export { writtenOut } from "./reading/written-out.ts";
export { agents } from "./registry.ts";
export { settingFor } from "./settings.ts";
export { agentProblems } from "./testing.ts";
export { sentencesOf } from "./text-protocols/passages.ts";
export { toolsSection, writeCall } from "./tool-call-format/hermes.ts";
export { smartResize } from "./tools/boxes.ts";
export { createTools, type Observation, type Tools } from "./tools/tools.ts";
export { createWeb, WebConfiguration } from "./tools/web/create-web.ts";
export { RecordedPictureSearch } from "./tools/web/picture-search.ts";
export type { Web } from "./tools/web/web.ts";
export { toyEvidence, toyTasks } from "./toy-world.ts";
export { faultKinds } from "./walker/faults.ts";
export { type FaultyWalker, faultyWalker } from "./walker/faulty-walker.ts";
