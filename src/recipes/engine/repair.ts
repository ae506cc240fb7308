import type { CheckRecord, Item } from "#domain";
import { type Check, checkStage } from "./check.ts";
import type { Engine } from "./engine.ts";
import { byItem, type Flow } from "./flow.ts";
import { addLoads, atMost, noLoad } from "./plan-load.ts";
import type { Stage } from "./stage.ts";

/** An item with the verdict that asks for its rewriting. */
export interface Failed {
	item: Item;
	verdict: CheckRecord;
	/** 1 for the first rewriting. */
	round: number;
}

/**
 * Check, rewrite, check again, at most `rounds` rewritings. Every verdict stays on the item. What still fails is
 * dropped.
 */
export function repair(options: { check: Check; rewrite: Stage<Failed, Item>; rounds: number }): Flow<Item, Item> {
	const { check, rewrite, rounds } = options;
	const looking = checkStage(check);
	const work = async (input: Item, engine: Engine): Promise<Item[]> => {
		let item = input;
		if (check.concerns && !check.concerns(item)) {
			engine.aside(check);
			return [item];
		}
		for (let round = 0; ; round += 1) {
			const [verdict] = await engine.perform(looking, item);
			if (!verdict) return [];
			item = { ...item, checks: [...item.checks, verdict] };
			if (verdict.verdict !== "fail") return [item];
			if (round >= rounds) {
				engine.drop(check.name, item, { reason: verdict.reason ?? "other", detail: verdict.detail });
				return [];
			}
			const [rewritten] = await engine.perform(rewrite, { item, verdict, round: round + 1 });
			if (!rewritten) return [];
			item = rewritten;
		}
	};
	return byItem([check, rewrite], work, async (incoming, planner) => {
		let looked = incoming;
		let passed = noLoad;
		for (let round = 0; ; round += 1) {
			const behind = planner.stage(check, looked);
			passed = addLoads(passed, behind);
			if (round >= rounds) break;
			looked = planner.stage(rewrite, { ...looked, expected: Math.max(0, looked.expected - behind.expected) });
		}
		return atMost(passed, 1, incoming);
	});
}
