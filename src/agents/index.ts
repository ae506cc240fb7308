/** Tools, protocols and agents: what answers a task and leaves a trajectory. */
export type { Agent, AgentContext } from "./agent.ts";
export { agents } from "./registry.ts";
export { agentProblems } from "./testing.ts";
export { createTools, type Observation, type Tools } from "./tools.ts";
