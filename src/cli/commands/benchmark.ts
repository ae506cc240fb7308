import type { AddCommand } from "../context.ts";
import { addBenchmarkAttach } from "./benchmark-attach.ts";
import { addBenchmarkAudit } from "./benchmark-audit.ts";
import { addBenchmarkCheck } from "./benchmark-check.ts";
import { addBenchmarkCounterparts } from "./benchmark-counterparts.ts";
import { addBenchmarkDiff } from "./benchmark-diff.ts";
import { addBenchmarkDistractors } from "./benchmark-distractors.ts";
import { addBenchmarkFromRun } from "./benchmark-from-run.ts";
import { addBenchmarkRecheck } from "./benchmark-recheck.ts";
import { addBenchmarkSplit } from "./benchmark-split.ts";
import { addBenchmarkStats } from "./benchmark-stats.ts";
import { addBenchmarkSubset } from "./benchmark-subset.ts";
import { addBenchmarkSubstitute } from "./benchmark-substitute.ts";

export const addBenchmark: AddCommand = (benchmark, context, exit) => {
	addBenchmarkAttach(benchmark, context, exit);
	addBenchmarkCheck(benchmark, context, exit);
	addBenchmarkStats(benchmark, context);
	addBenchmarkSplit(benchmark, context);
	addBenchmarkSubset(benchmark, context);
	addBenchmarkDiff(benchmark, context);
	addBenchmarkAudit(benchmark, context, exit);
	addBenchmarkSubstitute(benchmark, context);
	addBenchmarkCounterparts(benchmark, context);
	addBenchmarkDistractors(benchmark, context, exit);
	addBenchmarkRecheck(benchmark, context, exit);
	addBenchmarkFromRun(benchmark, context);
	return benchmark;
};
