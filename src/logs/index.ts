/** A run in the forms of other tools' logs: OTLP traces, sent or as a file, and Inspect logs. */
export { type InspectWritten, writeInspectLog } from "./inspect/write-inspect.ts";
export type { LoggedAnswer, LoggedRun } from "./logged-run.ts";
export { batchesOf } from "./otlp/batches.ts";
export { headersFrom, type OtlpProtocol, sendTraces, tracesAddress } from "./otlp/send-traces.ts";
