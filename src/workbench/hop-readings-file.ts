import { join } from "node:path";
import type { ReaderOptions } from "./ask-reader.ts";

/** Which judge is asked about the pseudo-hops of a run, and what it may cost. */
export type HopJudgeOptions = Pick<
	ReaderOptions,
	"reader" | "maxCalls" | "maxCost" | "concurrency" | "allowSameModel" | "cache"
>;

/** Where what judges said of a run's pseudo-hops stands. */
export const hopReadingsFile = (runDir: string): string => join(runDir, "gold-free-readings.jsonl");
