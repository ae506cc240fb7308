import { readInputOutput } from "./input-output.ts";
import { attributesOf, timeIn } from "./rows.ts";
import type { Span, SpanKind } from "./span.ts";
import { fieldOf, firstField, isFields, textIn } from "./values.ts";

const kinds: Record<string, SpanKind> = {
	...({ llm: "model", chain: "chain", tool: "tool", retriever: "retrieval", embedding: "embedding" } as const),
	...({ prompt: "prompt", parser: "unknown" } as const),
};

/** A run of LangSmith, as its client lists them and exports write them. */
export function langsmithSpan(row: unknown): Span | undefined {
	const id = textIn(fieldOf(row, "id"));
	const trace = textIn(fieldOf(row, "trace_id")) ?? textIn(fieldOf(row, "dotted_order"))?.split(/Z/)[1]?.split(".")[0];
	const type = textIn(fieldOf(row, "run_type"));
	if (id === undefined || trace === undefined || type === undefined || !isFields(row)) return undefined;
	const name = textIn(fieldOf(row, "name")) ?? type;
	const inputs = fieldOf(row, "inputs");
	const metadata = fieldOf(fieldOf(row, "extra"), "metadata");
	const kind = Object.hasOwn(kinds, type) ? (kinds[type] ?? "unknown") : "unknown";
	const told = firstField(row, ["prompt_tokens", "completion_tokens"]);
	return {
		...{ trace, id, name, parent: textIn(fieldOf(row, "parent_run_id")) },
		...{ start: timeIn(fieldOf(row, "start_time")), end: timeIn(fieldOf(row, "end_time")) },
		...(textIn(fieldOf(row, "error")) === undefined ? {} : { error: textIn(fieldOf(row, "error")) }),
		attributes: attributesOf(row, ["id", "trace_id", "dotted_order", "serialized", "start_time", "end_time"]),
		reading: readInputOutput({
			...{ kind, name, input: inputs, output: fieldOf(row, "outputs") },
			model:
				firstField(metadata, ["ls_model_name"]) ??
				fieldOf(fieldOf(fieldOf(row, "extra"), "invocation_params"), "model"),
			...(told === undefined ? { usage: firstField(metadata, ["usage_metadata"]) } : { usage: row }),
			session: firstField(metadata, ["session_id", "thread_id", "conversation_id"]),
		}),
	};
}
