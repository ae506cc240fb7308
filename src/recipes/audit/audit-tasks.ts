import { z } from "zod";
import { type CheckRecord, type Item, itemOf, type Reason, type Task } from "#domain";
import type { ChatModel } from "#models";
import { wilson } from "#scoring";
import { type Check, checkStage } from "../engine/check.ts";
import { byItem, source } from "../engine/flow.ts";
import type { Recipe, RecipeInputs } from "../engine/recipe.ts";
import { runBuild } from "../engine/run-recipe.ts";

/** Checks of one recipe, or of the index of rules. */
export interface AuditGroup {
	name: string;
	checks: readonly Check[];
}

/** What one check would have done to the items. */
export interface AuditRow {
	group: string;
	check: string;
	kind: string;
	/** Items that hold something for it to look at: `looked = passed + failed + skipped + faults`. */
	looked: number;
	passed: number;
	failed: number;
	/** It needs what there was not: a model, an image, evidence. */
	skipped: number;
	faults: number;
	/** Items that hold nothing for it to look at, whoever could be asked; the rest of all items. */
	notApplicable: number;
	/** Of passed and failed, with Wilson's 95 % interval that takes items as independent; null where none was judged. */
	share: { value: number; low: number; high: number } | null;
	reasons: Partial<Record<Reason, number>>;
	examples: { task: string; reason?: Reason; detail?: string }[];
	/** Why it was skipped, the first time. */
	lacking?: string;
	/** Why it was not applicable, the first time. */
	nothing?: string;
}

/** How many items would have come through every check of a group that could be made. */
export interface AuditSurvival {
	group: string;
	survived: number;
	/** With a fault in one of the checks: not judged. */
	open: number;
	share: AuditRow["share"];
}

export interface AuditReport {
	items: number;
	rows: AuditRow[];
	survival: AuditSurvival[];
}

const mostExamples = 3;
/** The tasks are all that an audit reads: what its checks search they hold themselves. */
const nothing = {} as RecipeInputs;

/**
 * Lets every check of every group look at every task, drops nothing, and counts. Tasks are read as a stream, and no more
 * than counts and a few examples are kept. Replies of models are kept in `dir` as a build's are.
 */
export async function auditTasks(
	tasks: Iterable<Task> | AsyncIterable<Task>,
	groups: readonly AuditGroup[],
	options: {
		models?: Readonly<Record<string, ChatModel>>;
		dir: string;
		signal?: AbortSignal | undefined;
		together?: number;
		onProgress?: (items: number) => void;
	},
): Promise<AuditReport> {
	const { models = {}, dir, signal, together } = options;
	const report: AuditReport = { items: 0, rows: [], survival: [] };
	const looks = groups.map(({ name, checks }) => {
		const rows = checks.map((check) => {
			const row = emptyRow(name, check);
			report.rows.push(row);
			return { row, stage: { ...checkStage(check, { missing: "skipped" }), name: `${name}: ${check.name}` } };
		});
		const survival = { group: name, survived: 0, open: 0, share: null };
		report.survival.push(survival);
		return { rows, survival };
	});
	const stages = looks.flatMap(({ rows }) => rows.map(({ stage }) => stage));
	const looking = byItem<Item, Item>(stages, async (item, engine) => {
		report.items += 1;
		for (const { rows, survival } of looks) {
			const failures = { failed: 0, faults: 0 };
			for (const { row, stage } of rows) {
				const [record] = await engine.perform(stage, item);
				count(row, item, record);
				if (!record) failures.faults += 1;
				else if (record.verdict === "fail") failures.failed += 1;
			}
			if (failures.failed > 0) continue;
			if (failures.faults > 0) survival.open += 1;
			else survival.survived += 1;
		}
		options.onProgress?.(report.items);
		return [];
	});
	async function* items(): AsyncGenerator<Item> {
		for await (const task of tasks) yield itemOf(task);
	}
	const auditing: Recipe = {
		name: "audit",
		version: "1",
		title: "Audit",
		description: "Checks of recipes over ready tasks.",
		paper: "",
		params: z.object({}),
		roles: Object.fromEntries(Object.keys(models).map((role) => [role, { does: "as in its recipe", optional: true }])),
		needs: [],
		build: () => source({ name: "tasks", version: 1 }, items).to(looking),
	};
	await runBuild(auditing, nothing, dir, { models, signal, ...(together === undefined ? {} : { together }) });
	for (const row of report.rows) row.share = shareOf(row.failed, row.passed + row.failed);
	for (const one of report.survival) one.share = shareOf(one.survived, report.items - one.open);
	return report;
}

function emptyRow(group: string, { name, kind }: Check): AuditRow {
	const counts = { looked: 0, passed: 0, failed: 0, skipped: 0, faults: 0, notApplicable: 0 };
	return { group, check: name, kind, ...counts, share: null, reasons: {}, examples: [] };
}

function count(row: AuditRow, item: Item, record: CheckRecord | undefined): void {
	if (record?.verdict === "not-applicable") {
		row.notApplicable += 1;
		row.nothing ??= record.detail ?? "";
		return;
	}
	row.looked += 1;
	if (!record) row.faults += 1;
	else if (record.verdict === "pass") row.passed += 1;
	else if (record.verdict === "skipped") {
		row.skipped += 1;
		row.lacking ??= record.detail ?? "";
	} else {
		row.failed += 1;
		const { reason = "other", detail } = record;
		row.reasons[reason] = (row.reasons[reason] ?? 0) + 1;
		if (row.examples.length < mostExamples)
			row.examples.push({ task: item.id, reason, ...(detail ? { detail: detail.slice(0, 300) } : {}) });
	}
}

function shareOf(count: number, of: number): AuditRow["share"] {
	return of > 0 ? { value: count / of, ...wilson(count / of, of) } : null;
}
