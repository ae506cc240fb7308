import { deriveBenchmark, openBenchmark } from "#benchmarks";
import { counted, exitCodes, HopscopeError } from "#domain";
import { type Failure, type FailureCause, failedTask, failureCauses, failuresOf } from "#recipes";
import { writeJsonl } from "#store";
import { opened } from "./report.ts";
import type { Bench } from "./work.ts";

export interface FromRunOptions {
	/** Name of the benchmark. */
	to: string;
	/** Take only tasks that failed so. */
	cause?: FailureCause[] | undefined;
	/** A judge whose verdicts on a passed answer have a lower mean is unsure. */
	sure?: number | undefined;
	/** A file for what went wrong with each task, as JSON lines. */
	failures?: string | undefined;
	force?: boolean | undefined;
}

/** Makes a benchmark of the tasks that a run failed on, tagged with how, for people to review. */
export async function benchmarkFromRun(
	name: string,
	{ to, cause: causes, sure = 0.8, failures: file, force = false }: FromRunOptions,
	bench: Bench,
) {
	return opened([name], {}, bench, async ([run]) => {
		if (!run) throw new Error("no run was opened");
		const from = await openBenchmark(run.benchmarkDir);
		const { tasks, records, rows, diagnoses = [], verdicts = [], evidence } = run;
		const failures = await failuresOf(
			{ tasks, records, rows, diagnoses, verdicts, evidence },
			{ sure, ...(causes ? { causes } : {}) },
		);
		const { id } = run.manifest;
		if (failures.length === 0)
			throw new HopscopeError(
				"no-failures",
				`${id} failed on no task${causes ? ` by ${causes.join(", ")}` : ""}`,
				"Nothing is to be reviewed; hopscope diagnose shows how it went.",
				{ exitCode: exitCodes.failed },
			);
		if (file !== undefined) await writeJsonl(file, failures.map(lineOf));
		await deriveBenchmark(from, bench.workspace.benchmark(to), {
			name: to,
			force,
			tasks: failures.map((failure) => failedTask(failure, id)),
			how: `the ${counted(failures.length, "task")} of ${tasks.length} that the run ${id} failed on or that nobody can be sure of.`,
		});
		const counts = Object.fromEntries(
			failureCauses.map((one) => [one, failures.filter((failure) => failure.causes.includes(one)).length]),
		);
		const stated = failures.filter(({ statedIn }) => statedIn.length > 0).length;
		return { run: id, failures, of: tasks.length, causes: counts, stated };
	});
}

const lineOf = ({ task, ...failure }: Failure) => ({ task: task.id, ...failure });
