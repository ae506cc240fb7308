/** Tools, protocols and agents: what answers a task and leaves a trajectory. */
export type { Agent, AgentCard, AgentContext, Preset } from "./agent.ts";
export { type OutsideOptions, outsideAgent } from "./outside/agent.ts";
export { isSpec } from "./outside/spec.ts";
export { ProgramLine, TaskRequest } from "./outside/wire.ts";
export { createPool } from "./pool.ts";
export { agents } from "./registry.ts";
export { settingFor } from "./settings.ts";
export { agentProblems } from "./testing.ts";
export { createTools, type Observation, type Tools } from "./tools/tools.ts";
export { createWeb, WebConfiguration, type WebParts } from "./tools/web/create-web.ts";
export { RecordedPictureSearch } from "./tools/web/pictures/recorded.ts";
export type { Web } from "./tools/web/web.ts";
export { toyEvidence, toyTasks } from "./toy-world.ts";
export type { Upstream } from "./upstream.ts";
export { faultKinds } from "./walker/faults.ts";
export { type Planted, type Planting, plantFaults } from "./walker/plant-faults.ts";
export { inventedWorld } from "./walker/testing.ts";
