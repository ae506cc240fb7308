/** What the studio has of `hopscope report` and `hopscope intervene`: made when it is asked for, and kept until a run changes. */
import { basename } from "node:path";
import type { ReportData } from "#reports";
import type { Scorer } from "#scoring";
import { type BudgetPage, exportFiles, type Made, type MadeTables, type TableFormat, type TablesPage } from "#studio";
import { rerunManifests } from "../locate.ts";
import type { OpenedRun } from "../open.ts";
import type { Bench } from "../work.ts";
import { makeBudget } from "./budget.ts";
import { type Asked, createMaker, type Tell } from "./making.ts";
import { stampOf, tabledFiles } from "./shown-run.ts";
import { makeTables, mustBeFew, type OpenTabled, tabledOpener } from "./tables.ts";
import { makeTablesApart } from "./tables-apart.ts";

export interface ReportedOptions {
	/** A command as it is typed in this workspace. */
	command(text: string): string;
	scorers: readonly Scorer[];
	/** Whether tables are made in a process of their own; scorers beside the registered ones do not go there. */
	apart: boolean;
	/** The folder of the run of a name. */
	dirOf(name: string): Promise<string>;
}

export function openReported({ command, scorers, apart, dirOf }: ReportedOptions, bench: Bench) {
	const { workspace } = bench;
	const maker = createMaker(bench);
	const isApart = apart && scorers.length === 0;
	const stampsOf = async (dirs: readonly string[]) =>
		(await Promise.all(dirs.map((dir) => stampOf(dir, tabledFiles)))).join(" ");

	const openAnew = tabledOpener(scorers, bench);
	const opened = new Map<string, { stamp: string; run: Promise<OpenedRun> }>();
	const closeRun = (run: Promise<OpenedRun>) => run.then(({ close }) => close()).catch(() => undefined);
	/** In an export, tables and budgets share what was read of a run; as many stay open as stand in one table. */
	const openShared: OpenTabled = async (dir, ...given) => {
		const stamp = await stampsOf([dir]);
		const before = opened.get(dir);
		if (before && before.stamp !== stamp) await closeRun(before.run);
		const entry = before?.stamp === stamp ? before : { stamp, run: openAnew(dir, ...given) };
		opened.delete(dir);
		opened.set(dir, entry);
		for (const [oldest, { run }] of opened) {
			if (opened.size <= exportFiles.mostTabled) break;
			opened.delete(oldest);
			await closeRun(run);
		}
		return { ...(await entry.run), close: async () => {} };
	};
	const open = apart ? openAnew : openShared;

	/** What makes the tables of some runs, under what name they are kept, and what changes when they would. */
	async function tabled(names: readonly string[], data?: ReportData) {
		mustBeFew(names);
		const dirs = [...new Set(await Promise.all(names.map(dirOf)))];
		const make = (tell: Tell, signal: AbortSignal): Promise<MadeTables<TablesPage>> =>
			isApart
				? makeTablesApart({ workspace: workspace.dir, tables: dirs }, { tell, signal }, bench)
				: makeTables(dirs, { tell, signal, open, data });
		return [`tables ${JSON.stringify(dirs)}`, await stampsOf(dirs), make] as const;
	}

	async function budgeted(name: string) {
		const dir = await dirOf(name);
		const id = basename(dir);
		const reruns = (await rerunManifests(workspace, id)).map((rerun) => workspace.run(rerun.id));
		const make = async (tell: Tell, signal: AbortSignal): Promise<MadeTables<BudgetPage>> => {
			const { page, texts } = isApart
				? await makeTablesApart<BudgetPage>({ workspace: workspace.dir, budget: dir }, { tell, signal }, bench)
				: await makeBudget(dir, { tell, signal, open }, bench);
			const commands = page.commands.map((one) => ({ ...one, command: command(one.command) }));
			return { page: { ...page, commands }, texts };
		};
		return [`budget ${id}`, await stampsOf([dir, ...reruns]), make] as const;
	}

	const wholeTables = async (names: readonly string[], data?: ReportData): Promise<MadeTables<TablesPage>> =>
		maker.whole(...(await tabled(names, data)));
	const wholeBudget = async (name: string): Promise<MadeTables<BudgetPage>> => maker.whole(...(await budgeted(name)));
	return {
		verbs: {
			/** Tables of some runs, or how far making them is. */
			tables: async (names: readonly string[]): Promise<Made<TablesPage>> =>
				madeOf(await maker.ask(...(await tabled(names)))),
			/** One of their tables as text; undefined where none is called so. */
			tableText: async (names: readonly string[], table: string, format: TableFormat): Promise<string | undefined> =>
				textIn(await wholeTables(names), table, format),
			/** What interventions in a run recovered, or how far working that out is. */
			budget: async (name: string): Promise<Made<BudgetPage>> => madeOf(await maker.ask(...(await budgeted(name)))),
			budgetText: async (name: string, table: string, format: TableFormat): Promise<string | undefined> =>
				textIn(await wholeBudget(name), table, format),
			/** For an export, when they are made. */
			wholeTables,
			wholeBudget,
		},
		async close(): Promise<void> {
			await maker.close();
			for (const { run } of opened.values()) await closeRun(run);
		},
	};
}

const textIn = ({ texts }: MadeTables<unknown>, table: string, format: TableFormat): string | undefined =>
	Object.hasOwn(texts, table) ? texts[table]?.[format] : undefined;

const madeOf = <Page>(asked: Asked<MadeTables<Page>>): Made<Page> =>
	asked.is === "made" ? { is: "made", page: asked.page.page } : asked;
