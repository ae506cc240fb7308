import { z } from "zod";
import { freeRecord } from "#domain";
import { mostSaid } from "#training";

const about = { metadata: freeRecord(z.unknown()).optional().describe("Left to the client; not read.") };

const CallToolAction = z.strictObject({
	type: z.literal("call_tool"),
	tool_name: z.string().min(1).max(200),
	arguments: freeRecord(z.unknown()).default({}),
	...about,
});
export type CallToolAction = z.infer<typeof CallToolAction>;

/**
 * What a client may do in a step: say a whole reply in the protocol's words, call a tool, or ask which tools there are,
 * which is no move and needs no task.
 */
export const Action = z.union([
	z.strictObject({ message: z.string().max(mostSaid).describe("A whole reply, in the protocol's words."), ...about }),
	CallToolAction,
	z.strictObject({ type: z.literal("list_tools"), ...about }),
]);
export type Action = z.infer<typeof Action>;

/**
 * Which task to begin: by its id, by its place in a split, by a seed (its remainder by the number of tasks is the place),
 * or, where nothing is said, the connection's next. Keys of other environments are left unheeded, as the standard has it.
 */
export const Reset = z
	.looseObject({
		seed: z.int().min(0).nullish(),
		episode_id: z.string().max(255).nullish().describe("The client's own name for the episode; state gives it back."),
		task: z.string().min(1).max(1000).nullish(),
		split: z.string().min(1).max(200).nullish().describe('Default "train", else the first.'),
		index: z.int().min(0).nullish(),
	})
	.describe("Parameters of reset");
export type Reset = z.infer<typeof Reset>;
