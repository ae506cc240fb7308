import { readSpan } from "./dialects.ts";
import { flattened, timeIn } from "./rows.ts";
import type { Span } from "./span.ts";
import { fieldOf, isFields, opened, textIn } from "./values.ts";

/** A span as Phoenix' API and client give it, or as a row of its data frame: attributes flat or nested. */
export function phoenixSpan(row: unknown): Span | undefined {
	if (!isFields(row)) return undefined;
	const flat = flattened(row);
	const at = (name: string) => textIn(flat.get(name));
	const trace = at("context.trace_id") ?? at("trace_id");
	const id = at("context.span_id") ?? at("span_id");
	if (trace === undefined || id === undefined) return undefined;
	const name = at("name") ?? "span";
	const attributes = new Map<string, unknown>();
	for (const [key, value] of flat)
		if (key.startsWith("attributes.")) attributes.set(key.slice("attributes.".length), value);
	const kind = at("span_kind");
	if (kind !== undefined && !attributes.has("openinference.span.kind")) attributes.set("openinference.span.kind", kind);
	const listed = opened(fieldOf(row, "events"));
	const events = (Array.isArray(listed) ? listed : []).filter(isFields).map((event) => ({
		name: textIn(fieldOf(event, "name")) ?? "",
		attributes: flattened(fieldOf(event, "attributes")),
	}));
	const failed = at("status_code") === "ERROR";
	const thrown = events.find((event) => event.name === "exception")?.attributes.get("exception.message");
	return {
		...{
			trace,
			id,
			name,
			parent: at("parent_id"),
			start: timeIn(fieldOf(row, "start_time")),
			end: timeIn(fieldOf(row, "end_time")),
		},
		...(failed ? { error: at("status_message") ?? textIn(thrown) ?? "error" } : {}),
		attributes,
		reading: readSpan(attributes, name, events),
	};
}
