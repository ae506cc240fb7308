import { z } from "zod";
import { HopId } from "./chain.ts";

/** A known fault that is injected into an agent, or below it, to see whether the diagnosis finds it. */
export const Fault = z.enum([
	"image-search-off",
	"stop-early",
	"misread",
	"broken-retriever",
	"over-search",
	"hallucinated-entity",
	"reversed-order",
]);
export type Fault = z.infer<typeof Fault>;

/** What was injected into one record: a line of `injected.jsonl`. The last line of a (task, repeat) counts. */
export const InjectedLine = z.object({
	version: z.literal(1),
	task: z.string(),
	repeat: z.number().int().min(0),
	/** Hops that were searched for in vain, whatever was injected. */
	missed: z.array(HopId),
	injected: z.discriminatedUnion("is", [
		/** `hop` is where it struck; null where it concerns no single hop. */
		z.object({ is: z.literal("struck"), fault: Fault, hop: HopId.nullable(), did: z.string() }),
		/** Drawn, and there was nothing to strike when it came to it. */
		z.object({ is: z.literal("missed-its-mark"), fault: Fault, because: z.string() }),
		/** Not drawn. */
		z.object({ is: z.literal("spared") }),
		/** No fault of those injected can strike a task of this shape. */
		z.object({ is: z.literal("cannot-strike") }),
	]),
});
export type InjectedLine = z.infer<typeof InjectedLine>;
