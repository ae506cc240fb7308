import { readInputOutput } from "./input-output.ts";
import { attributesOf, timeIn } from "./rows.ts";
import type { Attributes, Reading, Span, SpanKind } from "./span.ts";
import { fieldOf, firstField, isFields, opened, textIn } from "./values.ts";

const kinds: Record<string, SpanKind> = {
	...({ span: "chain", generation: "model", event: "unknown", agent: "agent", tool: "tool", chain: "chain" } as const),
	...({ retriever: "retrieval", embedding: "embedding", guardrail: "guardrail", evaluator: "evaluator" } as const),
};
const kindNamed = (type: unknown): SpanKind => {
	const name = typeof type === "string" ? type.toLowerCase() : "";
	return Object.hasOwn(kinds, name) ? (kinds[name] ?? "unknown") : "unknown";
};

/** Langfuse's own attributes: its clients export spans of OpenTelemetry with them. */
export function readLangfuseAttributes(attributes: Attributes, name: string): Reading | undefined {
	const type = attributes.get("langfuse.observation.type");
	if (type === undefined) return undefined;
	return readInputOutput({
		...{ kind: kindNamed(type), name, model: attributes.get("langfuse.observation.model.name") },
		...{ input: attributes.get("langfuse.observation.input"), output: attributes.get("langfuse.observation.output") },
		usage: attributes.get("langfuse.observation.usage_details"),
		session: attributes.get("session.id"),
	});
}

/** An observation as Langfuse's API and exports write it. */
export function langfuseSpan(row: unknown): Span | undefined {
	const id = textIn(fieldOf(row, "id"));
	const trace = textIn(firstField(row, ["traceId", "trace_id"]));
	if (id === undefined || trace === undefined || !isFields(row)) return undefined;
	const type = fieldOf(row, "type");
	const name = textIn(fieldOf(row, "name")) ?? textIn(type) ?? "observation";
	const level = fieldOf(row, "level");
	return {
		...{ trace, id, name, parent: textIn(firstField(row, ["parentObservationId", "parent_observation_id"])) },
		start: timeIn(firstField(row, ["startTime", "start_time"])),
		end: timeIn(firstField(row, ["endTime", "end_time"])),
		...(level === "ERROR" ? { error: textIn(firstField(row, ["statusMessage", "status_message"])) ?? "error" } : {}),
		attributes: attributesOf(row, ["id", "traceId", "startTime", "endTime", "parentObservationId"]),
		reading: readInputOutput({
			...{ kind: kindNamed(type), name, input: fieldOf(row, "input"), output: fieldOf(row, "output") },
			model: firstField(row, ["model", "providedModelName", "provided_model_name"]),
			usage: usageFields(row),
			session: firstField(row, ["sessionId", "session_id"]),
		}),
	};
}

const usageFields = (row: unknown): unknown => {
	const details = opened(firstField(row, ["usageDetails", "usage_details", "usage"]));
	return isFields(details) && Object.keys(details).length > 0 ? details : row;
};

/** A trace as Langfuse's API gives it, with its observations; the trace itself says what was asked and answered. */
export function langfuseTrace(row: unknown): { spans: (Span | undefined)[] } | undefined {
	const observations = opened(fieldOf(row, "observations"));
	const id = textIn(fieldOf(row, "id"));
	if (id === undefined || !isFields(row) || !Array.isArray(observations)) return undefined;
	// a list of ids, where the trace was listed and not read whole
	const inner = observations.filter(isFields).map((one) => langfuseSpan({ traceId: id, ...one }));
	const hasRoot = inner.some((span) => span?.parent === undefined && span?.reading.input !== undefined);
	if (hasRoot || (row.input ?? row.output) === undefined) return { spans: inner };
	const root = langfuseSpan({ ...row, type: "AGENT", traceId: id, startTime: row.timestamp, usageDetails: {} });
	return { spans: [...(root ? [root] : []), ...inner.map((span) => span && { ...span, parent: span.parent ?? id })] };
}
