import { injectedCells } from "#agents";
import { Fault, InjectedFault, Observability, QueryStyle, unknownName, usageError } from "#domain";
import type { View } from "#reports";
import { attributeInjected } from "./inject-attribution.ts";
import { exportInjected, scorePredictions } from "./inject-export.ts";
import { keptInjected } from "./inject-records.ts";
import { injectWalkers } from "./inject-walkers.ts";
import { injectedWithoutGold } from "./inject-without-gold.ts";
import { openForRun } from "./open.ts";
import type { Bench } from "./work.ts";

export interface Injecting {
	/** With gold chains. */
	benchmark: string;
	knowledge?: string | undefined;
	/** Only these faults. */
	faults?: string[] | undefined;
	seed?: number | undefined;
}

export interface InjectOptions extends Injecting {
	/** Only agents that show so much of their work. */
	shown?: readonly Observability[] | undefined;
	/** Only agents that word their searches so. */
	queries?: readonly QueryStyle[] | undefined;
	/** Records of each fault, showing and wording; 40 where nothing is said. */
	records?: number | undefined;
	/** A folder to write tasks, records and truth to: a benchmark of failure attribution (Atlas only). */
	export?: string | undefined;
	/** Holds what the records show without gold against the verdicts by their chains, in place of the attribution. */
	withoutGold?: boolean | undefined;
}

export interface InjectBudgetOptions extends Injecting {
	/** Share of the tasks that each fault strikes. */
	share?: number | undefined;
	tasks?: number | undefined;
	k?: number | undefined;
	concurrency?: number | undefined;
}

/** Tables of what was found, by name, and what they were made of. */
export interface InjectedTables {
	name: string;
	views: View[];
	data: object;
}

/** Injects known faults into agents and holds the diagnosis against them. */
export async function injectFaults(options: InjectOptions, bench: Bench): Promise<InjectedTables> {
	const { seed = 1, records: count = 40, shown = Observability.options, queries = QueryStyle.options } = options;
	return overChains(options, bench, async ({ name, benchmark, knowledge }) => {
		const faults = new Set<string>(namedAs(options.faults, InjectedFault.options));
		const cells = injectedCells.filter(
			({ fault, observability, style }) =>
				faults.has(fault) && shown.includes(observability) && queries.includes(style),
		);
		const wanted = { cells, count, seed };
		const { workspace } = bench;
		const made = await keptInjected(wanted, { workspace, benchmark, knowledge, bench });
		if (options.export !== undefined) await exportInjected(options.export, { made, wanted, benchmark });
		const held = options.withoutGold ? injectedWithoutGold : attributeInjected;
		const { views, data } = await held(made, { tasks: benchmark.tasks, knowledge, bench });
		return { name, views, data: { benchmark: benchmark.manifest.name, seed, ...data } };
	});
}

/** Injects faults into the competent walker, and says where an error budget puts its failures, by interventions. */
export async function injectBudget(options: InjectBudgetOptions, bench: Bench): Promise<InjectedTables> {
	const { seed = 1, share = 0.3, tasks: limit, k, concurrency = 8 } = options;
	return overChains(options, bench, async ({ name, benchmark, knowledge }) => {
		const faults = namedAs(options.faults, Fault.options);
		const { workspace } = bench;
		const parts = { workspace, benchmark, knowledge, share, seed, limit, k, concurrency, bench };
		return { name, ...(await injectWalkers(faults, parts)) };
	});
}

/** Somebody's predictions of what broke, against the truth that was exported. */
export async function scoreInjected(predictions: string, truth: string, _: Bench): Promise<InjectedTables> {
	return { name: "attribution", ...(await scorePredictions(predictions, truth)) };
}

async function overChains<Result>(
	{ benchmark: named, knowledge: base }: Injecting,
	{ workspace }: Bench,
	use: (opened: Awaited<ReturnType<typeof openForRun>> & { name: string }) => Promise<Result>,
): Promise<Result> {
	const { benchmark, knowledge } = await openForRun(workspace, named, { knowledge: base });
	try {
		if (!benchmark.tasks.some(({ chain }) => chain))
			throw usageError(
				"no-chains",
				`no task of ${benchmark.manifest.name} has a gold chain: there is nothing to inject faults into`,
				"Choose a benchmark with chains.",
			);
		return await use({ name: `injected-${benchmark.manifest.name}`, benchmark, knowledge });
	} finally {
		await knowledge.close();
	}
}

function namedAs<Name extends string>(names: readonly string[] | undefined, known: readonly Name[]): readonly Name[] {
	if (names === undefined) return known;
	const found = names.flatMap((name) => known.find((one) => one === name) ?? []);
	if (found.length === names.length) return found;
	const unknown = names.filter((name) => !known.some((one) => one === name));
	const said = { name: unknown[0] ?? "", names: known, lead: "Give some of" };
	throw unknownName("unknown-fault", `${unknown.join(", ")}: there is no such fault here`, said);
}
