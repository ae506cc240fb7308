import { software } from "#domain";
import type { Span, Value } from "./spans.ts";

/** OTLP's JSON form of a request: ids hexadecimal, numbers of 64 bits as strings. */
export interface OtlpRequest {
	resourceSpans: object[];
}

/** Spans of one run as a request; `resource` says whose they are. */
export function requestOf(spans: readonly Span[], resource: Record<string, Value>): OtlpRequest {
	const { hopscope: version } = software();
	const scopeSpans = [{ scope: { name: "hopscope", version }, spans: spans.map(spanJson) }];
	return { resourceSpans: [{ resource: { attributes: attributesJson(resource) }, scopeSpans }] };
}

function spanJson({ traceId, spanId, parentSpanId, name, kind, start, end, attributes, events = [], error }: Span) {
	return {
		...{ traceId, spanId, ...(parentSpanId === undefined ? {} : { parentSpanId }) },
		...{ name, kind, startTimeUnixNano: nanoseconds(start), endTimeUnixNano: nanoseconds(end) },
		attributes: attributesJson(attributes),
		...(events.length > 0
			? {
					events: events.map((event) => ({
						...{ timeUnixNano: nanoseconds(end), name: event.name },
						attributes: attributesJson(event.attributes),
					})),
				}
			: {}),
		...(error === undefined ? {} : { status: { message: error, code: 2 } }),
	};
}

const attributesJson = (attributes: Readonly<Record<string, Value | undefined>>) =>
	Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: valueJson(value) }]));

function valueJson(value: Value): object {
	if (typeof value === "string") return { stringValue: value };
	if (typeof value === "boolean") return { boolValue: value };
	if (typeof value === "number") return { intValue: String(value) };
	if ("double" in value) return { doubleValue: value.double };
	return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
}

/** From milliseconds, which hold less than a thousandth of one. */
const nanoseconds = (milliseconds: number): string => String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
