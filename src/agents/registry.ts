import type { Agent } from "./agent.ts";
import { closedBook } from "./closed-book.ts";
import { extractive } from "./extractive/agent.ts";
import { goldReplay } from "./gold-replay.ts";
import { oracle } from "./oracle.ts";
import { searchR1, tagged } from "./tagged/agent.ts";

/** Every agent by its name. */
export const agents = {
	"gold-replay": goldReplay,
	"closed-book": closedBook,
	oracle,
	extractive,
	tagged,
	"search-r1": searchR1,
} satisfies Record<string, Agent>;
