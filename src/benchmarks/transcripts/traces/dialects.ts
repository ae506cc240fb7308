import { readGenAi, type SpanEvent } from "./gen-ai.ts";
import { readLangfuseAttributes } from "./langfuse.ts";
import { readOpenInference } from "./open-inference.ts";
import type { Attributes, Reading } from "./span.ts";

/** What a span of OpenTelemetry says, in the first dialect whose marks it bears. */
export function readSpan(attributes: Attributes, name: string, events: readonly SpanEvent[] = []): Reading {
	return (
		readOpenInference(attributes, name) ??
		readLangfuseAttributes(attributes, name) ??
		readGenAi(attributes, name, events) ?? { kind: "unknown" }
	);
}
