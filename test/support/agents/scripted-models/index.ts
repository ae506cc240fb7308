import { arenaPlayers } from "./arena.ts";
import { documentPlayers } from "./documents.ts";
import { functionCallingPlayers } from "./function-calling.ts";
import { pipelinePlayers } from "./pipelines.ts";
import { plannerPlayers } from "./planner.ts";
import type { Player } from "./scripted-model.ts";
import { stepwisePlayers } from "./stepwise.ts";
import { taggedPlayers } from "./tagged.ts";
import { textPlayers } from "./text.ts";

/** Who plays the model of every agent that asks one. */
export const players: Record<string, Player> = {
	...taggedPlayers,
	...arenaPlayers,
	...functionCallingPlayers,
	...stepwisePlayers,
	...plannerPlayers,
	...textPlayers,
	...pipelinePlayers,
	...documentPlayers,
};
