import type { Item } from "#domain";
import { type Check, checkStage } from "./check.ts";
import { byItem, type Flow, source } from "./flow.ts";
import type { StageAbout } from "./stage.ts";

/** A ready item that goes through checks again. */
export interface Again {
	/** Its records are those that hold still. */
	item: Item;
	/** Names of checks that it failed and was accepted with: it may fail them again. */
	failed: ReadonlySet<string>;
	/** Whether it is to be looked at by this check. */
	asks(check: Check): boolean;
}

/** The checks among a recipe's stages, each once. */
export function checksOf({ stages }: { stages: readonly StageAbout[] }): Check[] {
	const isCheck = (stage: object): stage is Check => "look" in stage;
	return [...new Map(stages.filter(isCheck).map((check) => [check.name, check])).values()];
}

/** Ready items through the checks that each asks for; those that fail none of them come out, with the new records. */
export function recheck(name: string, ready: readonly Again[], checks: readonly Check[]): Flow<void, Item> {
	const looks = checks.map((check) => ({ check, stage: checkStage(check) }));
	const again = byItem<Again & { id: string }, Item>(checks, async ({ item, failed, asks }, engine) => {
		let checked = item;
		for (const { check, stage } of looks) {
			if (!asks(check) || (check.concerns && !check.concerns(item))) continue;
			const [record] = await engine.perform(stage, item);
			if (!record) return [];
			checked = { ...checked, checks: [...checked.checks, record] };
			if (record.verdict !== "fail" || failed.has(check.name)) continue;
			engine.drop(check.name, item, { reason: record.reason ?? "other", detail: record.detail });
			return [];
		}
		return [checked];
	});
	return source({ name, version: 1 }, () => ready.map((one) => ({ ...one, id: one.item.id }))).to(again);
}

/** Of several verdicts of one check the last: names of the checks that failed then. */
export function failedLast(records: Item["checks"]): Set<string> {
	const last = new Map(records.map(({ check, verdict }) => [check, verdict]));
	return new Set([...last].filter(([, verdict]) => verdict === "fail").map(([check]) => check));
}
