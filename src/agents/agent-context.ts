import type { Setting, Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ChatModel } from "#models";
import type { Tools } from "./tools/tools.ts";
import type { Upstream } from "./model-endpoint.ts";

/** What an agent has to work with on one task. */
export interface AgentContext {
	tools: Tools;
	knowledge: KnowledgeBase;
	model?: ChatModel;
	/** Where that model is, for agents that are programs and ask it themselves. */
	upstream?: Upstream;
	setting: Setting;
	signal: AbortSignal;
	/** 0-based; repeats of a task are independent samples. */
	repeat: number;
	/** Only for agents that declare `needs.gold`. */
	gold?: Task;
	/** Absolute path of a question image, from its path relative to the benchmark. */
	imagePath(file: string): string;
}
