import { llamaFactory } from "./llamafactory/llamafactory.ts";
import { swift } from "./swift/swift.ts";
import { trl } from "./trl/trl.ts";
import type { TrainingWriter } from "./writer.ts";

export type Trainer = "llamafactory" | "swift" | "trl";

/** Fine-tuning files by trainer. */
export const trainingWriters: Record<Trainer, TrainingWriter> = { llamafactory: llamaFactory, swift, trl };
