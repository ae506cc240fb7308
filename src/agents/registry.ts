import type { Agent } from "./agent.ts";
import { arena, arenaMars, arenaQwen } from "./arena/arena.ts";
import { m3docrag } from "./documents/m3docrag.ts";
import { mdocagent } from "./documents/mdocagent.ts";
import { pageGen } from "./documents/page-gen.ts";
import { vidorag } from "./documents/vidorag/agent.ts";
import { extractive } from "./extractive/agent.ts";
import { functionCalling, hermes } from "./function-calling/function-calling.ts";
import { closedBook } from "./pipelines/closed-book.ts";
import { echosight } from "./pipelines/echosight.ts";
import { singleStep, twoStep } from "./pipelines/fixed-steps.ts";
import { goldReplay } from "./pipelines/gold-replay.ts";
import { oracle } from "./pipelines/oracle.ts";
import { retrieve } from "./pipelines/retrieve.ts";
import { vanillaMrag } from "./pipelines/vanilla-mrag.ts";
import { planner } from "./planner/planner.ts";
import { omnisearch, stepwise } from "./stepwise/stepwise.ts";
import { mmsearchR1, r1Searcher, research, rSearch, searchR1, tagged } from "./tagged/index.ts";
import { ircot, react, selfAsk } from "./text-protocols/index.ts";
import { walker } from "./walker/agent.ts";

/** Every agent by its name; a test sees to it that each has settings, a card and, where it asks a model, a hash of its prompts. */
export const agents = {
	"gold-replay": goldReplay,
	walker,
	"closed-book": closedBook,
	oracle,
	extractive,
	retrieve,
	"single-step": singleStep,
	"two-step": twoStep,
	"vanilla-mrag": vanillaMrag,
	echosight,
	tagged,
	"search-r1": searchR1,
	research,
	"r-search": rSearch,
	"r1-searcher": r1Searcher,
	"mmsearch-r1": mmsearchR1,
	arena,
	"arena-mars": arenaMars,
	"arena-qwen": arenaQwen,
	stepwise,
	omnisearch,
	planner,
	"function-calling": functionCalling,
	hermes,
	react,
	"self-ask": selfAsk,
	ircot,
	"page-gen": pageGen,
	m3docrag,
	mdocagent,
	vidorag,
} satisfies Record<string, Agent>;
