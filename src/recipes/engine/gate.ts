import type { CheckRecord, Item } from "#domain";
import { type Check, checkStage } from "./check.ts";
import type { Engine } from "./engine.ts";
import { byItem, type Flow } from "./flow.ts";

export interface GateOptions {
	/** How many of the checks must pass; a skipped one is neither passed nor failed. `all` stops at the first failure. */
	policy?: "all" | "any" | { atLeast: number };
	/** `flag` lets the item go on with the failed verdict on it, for reviewers and cards. */
	onFail?: "drop" | "flag";
}

/** Lets through the items that pass the checks, with every verdict written on them. Cheap checks stand first. */
export function gate(checks: readonly Check[], options: GateOptions = {}): Flow<Item, Item> {
	const { policy = "all", onFail = "drop" } = options;
	return byItem(checks, async (item, engine) => {
		const seen = await recordsOf(checks, item, engine, policy === "all" && onFail === "drop");
		if (!seen) return [];
		const { records } = seen;
		const judged = { ...item, checks: [...item.checks, ...records] };
		const failed = records.filter(({ verdict }) => verdict === "fail");
		const passed = records.filter(({ verdict }) => verdict === "pass").length;
		// what was skipped lowers the bar only by itself: with every check skipped nothing can be demanded
		const ran = passed + failed.length;
		const needed = policy === "all" ? ran : Math.min(policy === "any" ? 1 : policy.atLeast, ran);
		const first = failed[0];
		if (passed >= needed || !first) return [judged];
		if (onFail === "flag") return [judged];
		engine.drop(first.check, item, { reason: first.reason ?? "other", detail: first.detail });
		return [];
	});
}

/** The checks' records in order; undefined where one could not be made, so that the item waits. */
async function recordsOf(
	checks: readonly Check[],
	item: Item,
	engine: Engine,
	stopAtFailure: boolean,
): Promise<{ records: CheckRecord[] } | undefined> {
	const records: CheckRecord[] = [];
	for (const check of checks) {
		if (check.concerns && !check.concerns(item)) continue;
		const [record] = await engine.perform(checkStage(check), item);
		if (!record) return undefined;
		records.push(record);
		if (stopAtFailure && record.verdict === "fail") break;
	}
	return { records };
}
