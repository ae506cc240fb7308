import { Item } from "#domain";
import type { Engine } from "./engine.ts";
import type { StageAbout } from "./stage.ts";

/** What stands between the last stage and the files: nothing is written that could not be opened again. */
export const emitting: StageAbout = { kind: "emit", name: "accepted", version: 1 };

/** Ids of evidence that are known to be held; forgotten when there are so many. */
const mostKnown = 200_000;

/**
 * Lets through each item once, and only where it has the shape of an item and all its evidence is held. Items are looked
 * at in their order, so that of two with one id it is always the same that goes.
 */
export function createEmitter(engine: Engine, missing: (ids: Iterable<string>) => Promise<string[]>) {
	const seen = new Set<string>();
	const held = new Set<string>();
	return async (given: Item): Promise<Item | undefined> => {
		const refuse = (reason: "duplicate" | "broken_graph", detail: string) => {
			engine.count(emitting, given, { reason, detail });
			return undefined;
		};
		if (seen.has(given.id)) return refuse("duplicate", `another item is ${given.id}`);
		const parsed = Item.safeParse(given);
		if (!parsed.success) {
			const issue = parsed.error.issues[0];
			return refuse("broken_graph", `${issue?.path.join(".")}: ${issue?.message}`);
		}
		const asked = given.chain.hops.flatMap(({ evidence }) => evidence).filter((id) => !held.has(id));
		const lacking = asked.length > 0 ? await missing(asked) : [];
		if (lacking.length > 0)
			return refuse("broken_graph", `the knowledge base does not hold ${lacking.slice(0, 3).join(", ")}`);
		if (held.size > mostKnown) held.clear();
		for (const id of asked) held.add(id);
		seen.add(given.id);
		engine.count(emitting, given);
		return parsed.data;
	};
}
