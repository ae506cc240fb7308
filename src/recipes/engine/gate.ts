import type { CheckRecord, Item } from "#domain";
import { type Check, checkStage } from "./check.ts";
import type { Engine } from "./engine.ts";
import { byItem, type Flow } from "./flow.ts";
import type { Stage } from "./stage.ts";

export interface GateOptions {
	/** How many of the checks must pass; a skipped one is neither passed nor failed. `all` stops at the first failure. */
	policy?: "all" | "any" | { atLeast: number };
	/** `flag` lets the item go on with the failed verdict on it, for reviewers and cards. */
	onFail?: "drop" | "flag";
}

/** Lets through the items that pass the checks, with every verdict written on them. Cheap checks stand first. */
export function gate(checks: readonly Check[], options: GateOptions = {}): Flow<Item, Item> {
	const { policy = "all", onFail = "drop" } = options;
	const stages = checks.map((check) => ({ check, stage: checkStage(check) }));
	const stopsAtFailure = policy === "all" && onFail === "drop";
	const work = async (item: Item, engine: Engine): Promise<Item[]> => {
		const seen = await recordsOf(stages, item, engine, stopsAtFailure);
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
	};
	return byItem(checks, work, async (incoming, planner) => {
		let passing = incoming;
		for (const check of checks) {
			const behind = planner.stage(check, stopsAtFailure ? passing : incoming);
			if (onFail === "drop") passing = { expected: Math.min(passing.expected, behind.expected), most: incoming.most };
		}
		return passing;
	});
}

/** The checks' records in order; undefined where one could not be made, so that the item waits. */
async function recordsOf(
	stages: readonly { check: Check; stage: Stage<Item, CheckRecord> }[],
	item: Item,
	engine: Engine,
	stopsAtFailure: boolean,
): Promise<{ records: CheckRecord[] } | undefined> {
	const records: CheckRecord[] = [];
	for (const { check, stage } of stages) {
		if (check.concerns && !check.concerns(item)) continue;
		const [record] = await engine.perform(stage, item);
		if (!record) return undefined;
		records.push(record);
		if (stopsAtFailure && record.verdict === "fail") break;
	}
	return { records };
}
