import { benchmarkChecks, type CheckReport, checkBenchmark } from "#benchmarks";
import { unknownName } from "#domain";
import { writeJsonl } from "#store";
import { openSubject } from "./check-subject.ts";
import { withoutAbsent } from "./run-options.ts";
import type { Bench } from "./work.ts";

export interface CheckOptions {
	/** The knowledge base of its evidence; the one it names where nothing is said. */
	knowledge?: string | undefined;
	/** A run over it: right answers that took fewer searches than the chain has hops. */
	run?: string | undefined;
	/** Benchmarks, or files of questions, that a model may have seen. */
	against?: string[] | undefined;
	/** Make these checks alone. */
	only?: string[] | undefined;
	/** A file for every finding, as JSON lines. */
	findings?: string | undefined;
	/** Word pairs in common from which questions are near duplicates. */
	near?: number | undefined;
	/** Results within which a question should find its document. */
	within?: number | undefined;
	/** Questions searched for, evenly drawn. */
	locate?: number | undefined;
	/** Tasks scored against near answers, drawn by their ids. */
	exact?: number | undefined;
}

/** Everything that can be said against a benchmark without a model. */
export async function checkOneBenchmark(name: string, options: CheckOptions, bench: Bench): Promise<CheckReport> {
	const names = benchmarkChecks.map((check) => check.name);
	const unknown = options.only?.find((one) => !names.includes(one));
	if (unknown !== undefined)
		throw unknownName("unknown-check", `there is no check "${unknown}"`, { name: unknown, names, lead: "There is" });
	const { knowledge, run, against, near, within, locate, exact, only } = options;
	const { workspace, signal, say } = bench;
	const opened = await openSubject(workspace, name, { knowledge, run, against, signal, say });
	const progress = bench.progress("checks");
	try {
		const limits = withoutAbsent({ nearQuestion: near, locateWithin: within, locateMost: locate, exactMost: exact });
		const report = await checkBenchmark(
			{ ...opened.subject, limits },
			{ only, onRead: (done) => progress.update(done, opened.subject.manifest.tasks, "tasks") },
		);
		if (options.findings !== undefined) await writeJsonl(options.findings, report.findings);
		return report;
	} finally {
		progress.end();
		await opened.close();
	}
}
