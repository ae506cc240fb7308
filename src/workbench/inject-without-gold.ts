import { injectedCells } from "#agents";
import { agreementWithGold, diagnoseRecords, flagShares, goldFreeLine, isSound } from "#diagnosis";
import { Observability, recordKey, remembering, type Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { agreementByGroup, falseFlagsByGroup, type View } from "#reports";
import { rowsOf } from "./inject-attribution.ts";
import type { MadeRecords } from "./inject-records.ts";
import type { Bench } from "./work.ts";

/**
 * Injected records read as if they had no gold chains, held against the verdicts that the chains give them, by how much of its
 * work the agent shows; and the flags on those in which nothing is broken.
 */
export async function injectedWithoutGold(
	made: MadeRecords,
	{ tasks, knowledge, bench }: { tasks: readonly Task[]; knowledge: Pick<KnowledgeBase, "evidence">; bench: Bench },
): Promise<{ views: View[]; data: object }> {
	const evidence = remembering((id: string) => knowledge.evidence(id));
	const sound = new Set(made.truths.filter(isSound).map(recordKey));
	const progress = bench.progress("reading without gold");
	let done = 0;
	const groups = [];
	for (const observability of Observability.options) {
		const records = made.records.filter(({ repeat }) => injectedCells[repeat]?.observability === observability);
		if (records.length === 0) continue;
		const found = await diagnoseRecords(
			{ tasks: [...tasks], records, rows: rowsOf(records, tasks), evidence },
			{ signal: bench.signal, say: bench.say },
		);
		const both = [];
		for (const { task, record, diagnosis } of found) {
			bench.signal.throwIfAborted();
			const line = await goldFreeLine({ task, record }, evidence);
			both.push({ task, reading: line, diagnosis, line });
			done += 1;
			progress.update(done, made.records.length);
		}
		groups.push({
			group: observability,
			agreement: agreementWithGold(both),
			flags: flagShares(both.filter(({ line }) => sound.has(recordKey(line)))),
		});
	}
	progress.end();
	return {
		views: [agreementByGroup(groups), falseFlagsByGroup(groups)],
		data: { records: made.records.length, groups },
	};
}
