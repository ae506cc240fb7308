import { InvalidArgumentError, Option } from "commander";
import { faultKinds, injectedCells, injectedFaults } from "#agents";
import { exitCodes, Fault, HopscopeError, InjectedFault, Observability, QueryStyle } from "#domain";
import type { View } from "#reports";
import { openWorkspace } from "#store";
import {
	type AddCommand,
	type CommonOptions,
	type Context,
	numberFrom,
	wholeNumber,
	withWorkspace,
} from "../context.ts";
import { attributeInjected } from "../inject-attribution.ts";
import { exportInjected, scorePredictions } from "../inject-export.ts";
import { keptInjected } from "../inject-records.ts";
import { injectWalkers } from "../inject-walkers.ts";
import { openForRun } from "../open.ts";
import { type ViewFormat, viewFormats, writeViews } from "../write-views.ts";

interface InjectOptions extends CommonOptions {
	benchmark?: string;
	knowledge?: string;
	faults?: string[];
	shown: Observability[];
	queries: QueryStyle[];
	records: number;
	seed: number;
	export?: string;
	score?: string;
	truth?: string;
	budget?: boolean;
	share: number;
	tasks?: number;
	k?: number;
	concurrency: number;
	format: ViewFormat;
	out?: string;
}

interface Tables {
	name: string;
	views: View[];
	data: object;
}

export const addInject: AddCommand = (command, context, exit) =>
	withWorkspace(command)
		.option("-b, --benchmark <name>", "benchmark with gold chains: a name in the workspace or a folder")
		.option("-n, --knowledge <name>", "knowledge base (default: the benchmark's own)")
		.option("--faults <names>", "only these, separated by commas (default: all)", listed)
		.addOption(several("--shown <names>", "only agents that show so much of their work", Observability.options))
		.addOption(several("--queries <names>", "only agents that word their searches so", QueryStyle.options))
		.option("--records <n>", "records of each fault, showing and wording", wholeNumber(1, 1e5), 40)
		.option("--seed <n>", "another seed strikes other tasks", wholeNumber(0, 2 ** 31), 1)
		.option("--export <dir>", "write tasks, records and truth there: a benchmark of failure attribution (Atlas only)")
		.option("--score <file>", "score these predictions (JSON lines: task, repeat, hop, kind, unobserved) instead")
		.option("--truth <dir>", "where the exported truth is that --score goes by")
		.option("--budget", "the walker and its faults instead: where an error budget puts its failures, by interventions")
		.option("--share <x>", "with --budget: share of the tasks that each fault strikes", numberFrom(0, 1), 0.3)
		.option("--tasks <n>", "with --budget: only so many tasks, evenly spread", wholeNumber(1, 1e7))
		.option("-k <n>", "with --budget: results that a search shows", wholeNumber(1, 100))
		.option("--concurrency <n>", "with --budget: tasks at the same time", wholeNumber(1, 1024), 8)
		.addOption(new Option("-f, --format <format>", "how the tables are written").choices(viewFormats).default("text"))
		.option("-o, --out <file>", "where the tables go; a name without an ending is a folder")
		.addHelpText("after", help)
		.action(async (options: InjectOptions) => {
			const workspace = openWorkspace(options.workspace);
			try {
				const { name, views, data } = await tablesFor(options, context);
				await writeViews(views, { data, name, ...{ workspace, options, output: context.output } });
			} catch (error) {
				if (!context.signal.aborted) throw error;
				context.output.say("interrupted; the same command goes on where it stopped, or begins again");
				exit(exitCodes.interrupted);
			}
		});

const lacking = (what: string, remedy: string) =>
	new HopscopeError("missing-option", what, remedy, { exitCode: exitCodes.usage });

async function tablesFor(options: InjectOptions, context: Context): Promise<Tables> {
	const workspace = openWorkspace(options.workspace);
	if (options.score !== undefined) {
		if (options.truth === undefined) throw lacking("--score needs --truth DIR", "Name the folder that --export wrote.");
		return { name: "attribution", ...(await scorePredictions(options.score, options.truth)) };
	}
	if (options.benchmark === undefined) throw lacking("no benchmark is named", "Name one with --benchmark.");
	const { benchmark, knowledge } = await openForRun(workspace, options.benchmark, options);
	try {
		if (!benchmark.tasks.some(({ chain }) => chain))
			throw new HopscopeError(
				"no-chains",
				`no task of ${benchmark.manifest.name} has a gold chain: there is nothing to inject faults into`,
				"Choose a benchmark with chains.",
				{ exitCode: exitCodes.usage },
			);
		const name = `injected-${benchmark.manifest.name}`;
		const { seed } = options;
		if (options.budget) {
			const faults = namedAs(options.faults, Fault.options);
			const { share, tasks: limit, k, concurrency } = options;
			const parts = { workspace, benchmark, knowledge, share, seed, limit, k, concurrency, context };
			return { name, ...(await injectWalkers(faults, parts)) };
		}
		const faults = new Set<string>(namedAs(options.faults, InjectedFault.options));
		const cells = injectedCells.filter(
			({ fault, observability, style }) =>
				faults.has(fault) && options.shown.includes(observability) && options.queries.includes(style),
		);
		const wanted = { cells, count: options.records, seed };
		const made = await keptInjected(wanted, { workspace, benchmark, knowledge, context });
		if (options.export !== undefined) await exportInjected(options.export, { made, wanted, benchmark });
		const { views, data } = await attributeInjected(made, { tasks: benchmark.tasks, knowledge, context });
		return { name, views, data: { benchmark: benchmark.manifest.name, seed, ...data } };
	} finally {
		knowledge.close();
	}
}

const listed = (text: string) => [...new Set(text.split(",").map((name) => name.trim()))];

function namedAs<Name extends string>(names: readonly string[] | undefined, known: readonly Name[]): readonly Name[] {
	if (names === undefined) return known;
	const found = names.flatMap((name) => known.find((one) => one === name) ?? []);
	if (found.length === names.length) return found;
	throw new HopscopeError(
		"unknown-fault",
		`${names.filter((name) => !known.some((one) => one === name)).join(", ")}: there is no such fault here`,
		`Give some of: ${known.join(", ")}.`,
		{ exitCode: exitCodes.usage },
	);
}

function several<Name extends string>(flags: string, about: string, known: readonly Name[]): Option {
	return new Option(flags, `${about}: some of ${known.join(", ")}`)
		.argParser((text: string) => {
			const names = listed(text);
			const found = names.flatMap((name) => known.find((one) => one === name) ?? []);
			if (found.length < names.length) throw new InvalidArgumentError(`Give some of: ${known.join(", ")}.`);
			return found;
		})
		.default([...known], "all");
}

const described = (kinds: Record<string, { does: string }>) =>
	Object.entries(kinds)
		.map(([name, { does }]) => `  ${name}: ${does}`)
		.join("\n");

const help = `
How far can the diagnosis be trusted on this benchmark? An agent that knows the gold chain walks it with real searches in
its own words, and shows much or little of its work; one fault is injected into each walk, and what really happened in the
record is the truth that the diagnosis is held against:
${described(injectedFaults)}
With --budget the competent walker is struck instead, in a random share of its tasks, and an error budget is made:
${described(faultKinds)}
No model is asked. Records depend on the seed, the fault, the wording, what is shown, and the task alone, and are kept in the
workspace: the same command again shows the same.

Examples:
  $ hopscope inject -b atlas
  $ hopscope inject -b atlas --faults misread,none --shown bare --records 20
  $ hopscope inject -b atlas --export attribution
  $ hopscope inject --score predictions.jsonl --truth attribution
  $ hopscope inject -b atlas --budget --format md --out budget.md`;
