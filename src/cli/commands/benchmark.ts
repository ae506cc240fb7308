import type { AddCommand } from "../context.ts";
import { addBenchmarkAudit } from "./benchmark-audit.ts";
import { addBenchmarkCheck } from "./benchmark-check.ts";
import { addBenchmarkDiff } from "./benchmark-diff.ts";
import { addBenchmarkSplit } from "./benchmark-split.ts";
import { addBenchmarkStats } from "./benchmark-stats.ts";

export const addBenchmark: AddCommand = (benchmark, context, exit) => {
	addBenchmarkCheck(benchmark, context, exit);
	addBenchmarkStats(benchmark, context);
	addBenchmarkSplit(benchmark, context);
	addBenchmarkDiff(benchmark, context);
	addBenchmarkAudit(benchmark, context, exit);
	return benchmark;
};
