import { InvalidArgumentError, Option } from "commander";
import { faultKinds } from "#agents";
import { confusionOf, diagnoseRecords, type InjectedRecord, injectedRecords } from "#diagnosis";
import { exitCodes, Fault, HopscopeError } from "#domain";
import { confusionViews, injectedBudgetViews, type View } from "#reports";
import { openWorkspace } from "#store";
import { type AddCommand, type CommonOptions, numberFrom, wholeNumber, withWorkspace } from "../context.ts";
import { writeFindings } from "../findings-file.ts";
import { budgetOf } from "../inject-budget.ts";
import { type InjectedRun, type InjectParts, runInjected } from "../inject-runs.ts";
import { openForRun } from "../open.ts";
import { type ViewFormat, viewFormats, writeViews } from "../write-views.ts";

interface InjectOptions extends CommonOptions {
	benchmark: string;
	knowledge?: string;
	faults: Fault[];
	share: number;
	seed: number;
	tasks?: number;
	k?: number;
	budget?: boolean;
	concurrency: number;
	format: ViewFormat;
	out?: string;
}

export const addInject: AddCommand = (command, context, exit) =>
	withWorkspace(command)
		.requiredOption("-b, --benchmark <name>", "benchmark with gold chains: a name in the workspace or a folder")
		.option("-n, --knowledge <name>", "knowledge base (default: the benchmark's own)")
		.addOption(
			new Option("--faults <names>", "only these, separated by commas")
				.argParser(faultsNamed)
				.default(Fault.options, "all"),
		)
		.option("--share <x>", "share of the tasks it can strike that each fault strikes", numberFrom(0, 1), 0.3)
		.option("--seed <n>", "another seed strikes other tasks", wholeNumber(0, 2 ** 31), 0)
		.option("--tasks <n>", "only so many tasks, evenly spread", wholeNumber(1, 1e7))
		.option("-k <n>", "results that a search shows", wholeNumber(1, 100))
		.option("--budget", "also check where the error budget puts the failures: interventions, some minutes more")
		.option("--concurrency <n>", "tasks at the same time", wholeNumber(1, 1024), 8)
		.addOption(new Option("-f, --format <format>", "how the tables are written").choices(viewFormats).default("text"))
		.option("-o, --out <file>", "where the tables go; a name without an ending is a folder")
		.addHelpText("after", help)
		.action(async (options: InjectOptions) => {
			const workspace = openWorkspace(options.workspace);
			const { benchmark, knowledge } = await openForRun(workspace, options.benchmark, options);
			try {
				if (!benchmark.tasks.some(({ chain }) => chain))
					throw new HopscopeError(
						"no-chains",
						`no task of ${benchmark.manifest.name} has a gold chain: there is nothing to inject faults into`,
						"Choose a benchmark with chains.",
						{ exitCode: exitCodes.usage },
					);
				const { share, seed, tasks: limit, k, concurrency } = options;
				const parts = { workspace, benchmark, knowledge, share, seed, limit, k, concurrency, context };
				const injected = await injectAll(options, parts);
				await writeViews(injected.views, {
					data: injected.data,
					name: `injected-${benchmark.manifest.name}`,
					...{ workspace, options, output: context.output },
				});
			} catch (error) {
				if (!context.signal.aborted) throw error;
				context.output.say("interrupted; the same command goes on where it stopped");
				exit(exitCodes.interrupted);
			} finally {
				knowledge.close();
			}
		});

/** One run without a fault, one for each fault, one with all of them on disjoint tasks. */
async function injectAll(
	{ faults, budget }: InjectOptions,
	parts: InjectParts,
): Promise<{ views: View[]; data: object }> {
	const { output, signal } = parts.context;
	const sound = await runInjected([], parts);
	const { rows } = sound.run;
	const right = new Set(rows.flatMap(({ task, outcome }) => (outcome === "right" ? [task] : [])));
	const whole = new Set(sound.lines.flatMap(({ task, missed }) => (missed.length === 0 ? [task] : [])));
	const clean = new Set([...right].filter((task) => whole.has(task)));
	const recordsOf = async ({ run, dir, lines }: InjectedRun): Promise<InjectedRecord[]> => {
		const found = await diagnoseRecords(run, { signal, say: output.say });
		const diagnoses = found.map(({ diagnosis }) => diagnosis);
		await writeFindings(dir, diagnoses);
		return injectedRecords(lines, { tasks: run.tasks, diagnoses, clean });
	};
	// what no fault struck went as in the sound run: it counts once
	const all = await recordsOf(sound);
	const runs = [];
	const mixed = faults.length > 1 ? [faults] : [];
	for (const some of [...faults.map((fault) => [fault]), ...mixed]) {
		const injected = await runInjected(some, parts);
		const records = await recordsOf(injected);
		const struck = new Set(injected.lines.flatMap((line) => (line.injected.is === "struck" ? [line.task] : [])));
		if (some.length === 1) all.push(...records.filter(({ task }) => struck.has(task.id)));
		const counts = countsOf(injected);
		output.say(
			`${injected.run.manifest.agent.name}: ${Object.entries(counts)
				.map(([is, count]) => `${count} ${is.replaceAll("-", " ")}`)
				.join(", ")}`,
		);
		const cleanRecords = records.filter((record) => record.clean);
		const spent = budget ? await budgetOf(some, { run: injected.run, records: cleanRecords }, parts) : undefined;
		runs.push({
			id: injected.run.manifest.id,
			agent: injected.run.manifest.agent.name,
			faults: some,
			counts,
			budget: spent,
		});
	}
	const ofAll = confusionOf(all);
	const ofClean = confusionOf(all.filter((record) => record.clean));
	const budgets = runs.flatMap(({ agent, budget: spent }) =>
		spent && spent.failures > 0 ? [{ agent, budget: spent }] : [],
	);
	const solved = "tasks that the agent solves without a fault";
	return {
		views: [
			...confusionViews(ofClean, { name: "clean", scope: solved }),
			...confusionViews(ofAll, { name: "all", scope: "all tasks" }),
			...(budgets.length > 0 ? injectedBudgetViews(budgets, { name: "clean", scope: solved }) : []),
		],
		data: {
			benchmark: parts.benchmark.manifest.name,
			share: parts.share,
			seed: parts.seed,
			sound: { run: sound.run.manifest.id, tasks: rows.length, right: right.size, clean: clean.size },
			runs,
			clean: ofClean,
			all: ofAll,
		},
	};
}

/** Records by what became of the fault in them. */
function countsOf({ lines, run }: InjectedRun): Record<string, number> {
	const last = new Map(lines.map((line) => [line.task, line.injected.is]));
	const counts: Record<string, number> = {};
	for (const { task } of run.records) {
		const is = last.get(task) ?? "spared";
		counts[is] = (counts[is] ?? 0) + 1;
	}
	return counts;
}

function faultsNamed(text: string): Fault[] {
	const names = text.split(",").map((name) => name.trim());
	return [...new Set(names)].map((name) => {
		const fault = Fault.safeParse(name);
		if (fault.success) return fault.data;
		throw new InvalidArgumentError(`Give some of: ${Fault.options.join(", ")}.`);
	});
}

const help = `
How far can the diagnosis be trusted on this benchmark? An agent that knows the gold chain walks it with real searches;
each fault strikes a random share of its tasks, and the injector's log (injected.jsonl in the run's folder) is the truth:
${Object.entries(faultKinds)
	.map(([name, { does }]) => `  ${name}: ${does}`)
	.join("\n")}
No model is asked. Runs are named by what they depend on: the same command again goes on with them, or shows them.

Examples:
  $ hopscope inject -b atlas
  $ hopscope inject -b atlas --faults misread,broken-retriever --tasks 100
  $ hopscope inject -b atlas --budget --format md --out injected.md`;
