import { grouped, ownField } from "#domain";
/** Our rows of a published table: which runs stand in a row, and which of their tasks in a cell. */
import { type JudgeSeen, judgedRows, judgesIn, slices } from "#scoring";
import type { Cell, ViewRow, ViewRun } from "../views/view.ts";
import { textCell, unscoredCell } from "../views/view-cells.ts";
import { type Member, viewItems } from "../views/view-items.ts";
import { measure } from "./measures.ts";
import { type Block, keyOf } from "./published-rows.ts";
import type { LabelColumn, PublishedTable, ValueColumn } from "./published-table.ts";

/** What rows of ours are made with. */
export interface OwnOptions {
	table: PublishedTable;
	/** All runs with their tasks, those that others are read against among them. */
	members: readonly OwnMember[];
	/** Names of benchmarks in the order they were given: tables with two read the first and the second. */
	benchmarks: readonly string[];
	/** Names of runs as they are shown. */
	label(run: ViewRun): string;
}

/** A run with its tasks, as the judge has them whose verdicts are by the table's rubric. */
export interface OwnMember extends Member {
	judge: JudgeSeen | undefined;
}

/** Of several judges by the rubric the one that was asked for, else the first. */
export function memberOf(
	run: ViewRun,
	{ rubric }: PublishedTable,
	{ judge }: { judge?: string | undefined },
): OwnMember {
	const seen = judgesIn(run.verdicts ?? []).filter((one) => one.rubric.name === rubric);
	const chosen = seen.find((one) => one.judge === judge) ?? seen[0];
	const judged = chosen ? { ...run, rows: judgedRows(run.rows, run.verdicts ?? [], chosen) } : run;
	return { run, items: viewItems(judged), judge: chosen };
}

/** A row of ours: one run, or several that stand in different columns of it. */
export type Line = readonly OwnMember[];

export function linesOf(members: readonly OwnMember[], { values }: PublishedTable): Line[] {
	const byK = values.some(({ when }) => when?.k !== undefined);
	const byBenchmark = values.some(({ when }) => when?.benchmark !== undefined);
	if (!byK && !byBenchmark) return members.map((member) => [member]);
	const columnOf = ({ run: { manifest } }: Member) => JSON.stringify([manifest.setting.k, manifest.benchmark.name]);
	const lines = grouped(members, ({ run: { manifest } }) => {
		const { agent, model, benchmark, setting } = manifest;
		const { k, name, ...others } = setting;
		// presets that differ in k only, and a setting that was changed in k, are the same one here
		const shared = byK ? others : { k, name, ...others };
		return JSON.stringify([agent.name, model, shared, byBenchmark ? "" : benchmark.name]);
	});
	// of several runs for one column the last stands in it
	return [...lines.values()].map((line) => [...new Map(line.map((member) => [columnOf(member), member])).values()]);
}

/** The row of some tasks, which the labels name. */
export function ownRow(line: Line, labels: Block["labels"], options: OwnOptions): ViewRow {
	const { table } = options;
	const [first] = line;
	const several = line.length > 1;
	const cells = table.values.map((column): [string, Cell] => [
		column.key,
		ownCell(line, labels, { ...options, column }),
	]);
	const names = table.labels.map((label): [string, Cell] => [
		keyOf(label, table),
		textCell(first ? nameOf(label, { run: first.run, labels, several, options }) : ""),
	]);
	const isIntervention = line.some(({ run }) => run.manifest.intervention !== undefined);
	return {
		...(first && !several ? { run: first.run.manifest.id } : {}),
		...(isIntervention ? { kind: "intervention" } : {}),
		cells: Object.fromEntries([...names, ...cells]),
	};
}

function ownCell(
	line: Line,
	labels: Block["labels"],
	{ column, ...options }: OwnOptions & { column: ValueColumn },
): Cell {
	const { table, members } = options;
	const own = line.find((member) => isMeant(member, column, options));
	if (!own) return unscoredCell(noRun(column, options));
	if (column.measure === undefined) return unscoredCell("shown by a view");
	const categories = table.labels.flatMap((label) =>
		label.is === "category" ? [ownField(label.groups, ownField(labels, label.key) ?? "") ?? []] : [],
	);
	const within = (member: Member) => narrow(member, labels, { table, column });
	return measure(column.measure, {
		...{ member: within(own), whole: own, members: members.map(within), categories, column, table },
		judged: own.judge !== undefined,
	});
}

function isMeant(
	{ run: { manifest } }: Member,
	{ when }: ValueColumn,
	{ benchmarks }: Pick<OwnOptions, "benchmarks">,
): boolean {
	if (when?.k !== undefined && manifest.setting.k !== when.k) return false;
	return when?.benchmark === undefined || benchmarks[when.benchmark - 1] === manifest.benchmark.name;
}

function noRun({ when }: ValueColumn, { benchmarks }: Pick<OwnOptions, "benchmarks">): string {
	if (when?.k !== undefined) return `no run with k = ${when.k}`;
	return when?.benchmark !== undefined && benchmarks[when.benchmark - 1] === undefined
		? "no second benchmark: --benchmark OWN OTHER"
		: "no run over that benchmark";
}

/** Cells of several rows and columns are over the same tasks. */
const narrowed = new WeakMap<Member, Map<string, Member>>();

/** The member with the tasks of a row and a column only. */
export function narrow(
	member: Member,
	labels: Block["labels"],
	{ table, column }: { table: PublishedTable; column: ValueColumn },
): Member {
	const wanted = [
		...table.labels.flatMap((label) =>
			label.is === "slice"
				? [{ by: label.by, values: ownField(label.groups, ownField(labels, label.key) ?? "") ?? [] }]
				: [],
		),
		...Object.entries(column.where ?? {}).map(([by, values]) => ({ by, values })),
	];
	const known = narrowed.get(member) ?? new Map<string, Member>();
	narrowed.set(member, known);
	const key = JSON.stringify(wanted);
	const found = known.get(key) ?? { run: member.run, items: wanted.reduce(keep, member.items) };
	known.set(key, found);
	return found;
}

const keep = (items: Member["items"], { by, values }: { by: string; values: readonly string[] }): Member["items"] =>
	// a task may be in several groups, and stands in a cell once
	[
		...new Set(
			slices(items, by).flatMap((slice) => (values.some((value) => fits(slice.name, value)) ? slice.items : [])),
		),
	];

/** `2+` and `5-9` are ranges of numbers; anything else is a name. */
export function fits(name: string, wanted: string): boolean {
	const [, from, open, to] = /^(\d+)(?:(\+)|-(\d+))$/.exec(wanted) ?? [];
	if (from === undefined) return name === wanted;
	return /^\d+$/.test(name) && Number(name) >= Number(from) && (open !== undefined || Number(name) <= Number(to));
}

function nameOf(
	label: LabelColumn,
	{
		run,
		labels,
		several,
		options,
	}: { run: ViewRun; labels: Block["labels"]; several: boolean; options: Pick<OwnOptions, "label"> },
): string {
	const { agent, model, setting, knowledge } = run.manifest;
	const contender = [agent.name, ...(model === null ? [] : [model])].join(" · ");
	switch (label.is) {
		case "slice":
		case "category":
			return ownField(labels, label.key) ?? "";
		case "kind":
			return "run here";
		case "run":
			return several ? contender : options.label(run);
		case "contender":
			return contender;
		case "agent":
			return agent.name;
		case "model":
			return model ?? `no model (${agent.name})`;
		case "setting":
			return setting.name;
		case "limit":
			return setting.limit === undefined ? "no limit" : `${label.prefix ?? ""}${setting.limit}`;
		case "benchmark":
			return run.manifest.benchmark.name;
		case "knowledge":
			return `${knowledge.name} · ${setting.name}`;
	}
}
