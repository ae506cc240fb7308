import type { Setting, Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ChatModel, Price } from "#models";
import type { Tools } from "./tools/tools.ts";

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

/** Where the run's model is asked, for programs that ask it themselves: their requests are passed on as they are. */
export interface Upstream {
	/** As the provider knows it, e.g. `gpt-5`. */
	model: string;
	/** With its version: `https://api.openai.com/v1`, `https://api.anthropic.com/v1`, `http://127.0.0.1:8000/v1`. */
	baseUrl: string;
	/** What authorises a request, e.g. `authorization`. The program never sees it, and nothing records it. */
	headers(): Record<string, string>;
	/** What the tokens of the model that the program asked for cost, where that is written down. */
	price?(asked: string | undefined): Price | undefined;
}
