import { confusionOf, diagnoseRecords, type InjectedRecord, injectedRecords } from "#diagnosis";
import { type Fault, tally } from "#domain";
import { confusionViews, injectedBudgetViews, type View } from "#reports";
import { writeFindings } from "./findings-file.ts";
import { budgetOf } from "./inject-budget.ts";
import { type InjectedRun, type InjectParts, runInjected } from "./inject-runs.ts";

/**
 * The walker with faults, and what they cost by interventions: one run without a fault, one for each fault, one with all
 * of them on disjoint tasks.
 */
export async function injectWalkers(
	faults: readonly Fault[],
	parts: InjectParts,
): Promise<{ views: View[]; data: object }> {
	const { signal, say } = parts.bench;
	const sound = await runInjected([], parts);
	const { rows } = sound.run;
	const right = new Set(rows.flatMap(({ task, outcome }) => (outcome === "right" ? [task] : [])));
	const whole = new Set(sound.lines.flatMap(({ task, missed }) => (missed.length === 0 ? [task] : [])));
	const clean = new Set([...right].filter((task) => whole.has(task)));
	const recordsOf = async ({ run, dir, lines }: InjectedRun): Promise<InjectedRecord[]> => {
		const found = await diagnoseRecords(run, { signal, say });
		const diagnoses = found.map(({ diagnosis }) => diagnosis);
		await writeFindings(dir, diagnoses);
		return injectedRecords(lines, { tasks: run.tasks, diagnoses, clean });
	};
	// what no fault struck went as in the sound run: it counts once
	const all = await recordsOf(sound);
	const runs = [];
	const mixed = faults.length > 1 ? [[...faults]] : [];
	for (const some of [...faults.map((fault) => [fault]), ...mixed]) {
		const injected = await runInjected(some, parts);
		const records = await recordsOf(injected);
		const struck = new Set(injected.lines.flatMap((line) => (line.injected.is === "struck" ? [line.task] : [])));
		if (some.length === 1) all.push(...records.filter(({ task }) => struck.has(task.id)));
		const counts = countsOf(injected);
		say(
			`${injected.run.manifest.agent.name}: ${Object.entries(counts)
				.map(([is, count]) => `${count} ${is.replaceAll("-", " ")}`)
				.join(", ")}`,
		);
		const cleanRecords = records.filter((record) => record.clean);
		const spent = await budgetOf(some, { run: injected.run, records: cleanRecords }, parts);
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
	const budgets = runs.flatMap(({ agent, budget: spent }) => (spent.failures > 0 ? [{ agent, budget: spent }] : []));
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
	return tally(run.records.map(({ task }) => last.get(task) ?? "spared"));
}
