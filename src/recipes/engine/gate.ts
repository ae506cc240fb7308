import type { CheckRecord, Item } from "#domain";
import { type Check, checkStage } from "./check.ts";
import type { Engine } from "./engine.ts";
import { byItem, type Flow } from "./flow.ts";
import type { Stage } from "./stage.ts";

/**
 * Lets through the items that pass all checks, with every verdict written on them; a skipped check is neither passed nor
 * failed. Cheap checks stand first: `drop` stops at the first failure. `flag` lets the item go on with the failed verdict
 * on it, for reviewers and cards.
 */
export function gate(
	checks: readonly Check[],
	{ onFail = "drop" }: { onFail?: "drop" | "flag" } = {},
): Flow<Item, Item> {
	const stages = checks.map((check) => ({ check, stage: checkStage(check) }));
	const work = async (item: Item, engine: Engine): Promise<Item[]> => {
		const records = await recordsOf(stages, item, engine, onFail);
		if (!records) return [];
		const first = records.find(({ verdict }) => verdict === "fail");
		if (!first || onFail === "flag") return [{ ...item, checks: [...item.checks, ...records] }];
		engine.drop(first.check, item, { reason: first.reason ?? "other", detail: first.detail });
		return [];
	};
	return byItem(checks, work, async (incoming, planner) => {
		let passing = incoming;
		for (const check of checks) {
			const behind = planner.stage(check, onFail === "drop" ? passing : incoming);
			if (onFail === "drop") passing = behind;
		}
		return passing;
	});
}

/** The checks' records in order; undefined where one could not be made, so that the item waits. */
async function recordsOf(
	stages: readonly { check: Check; stage: Stage<Item, CheckRecord> }[],
	item: Item,
	engine: Engine,
	onFail: "drop" | "flag",
): Promise<CheckRecord[] | undefined> {
	const records: CheckRecord[] = [];
	for (const { check, stage } of stages) {
		if (check.concerns && !check.concerns(item)) {
			engine.aside(check);
			continue;
		}
		const [record] = await engine.perform(stage, item);
		if (!record) return undefined;
		records.push(record);
		if (onFail === "drop" && record.verdict === "fail") break;
	}
	return records;
}
