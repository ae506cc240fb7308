import { gunzipSync } from "node:zlib";
import { readSpan } from "./dialects.ts";
import type { SpanEvent } from "./gen-ai.ts";
import { otlpFromProtobuf } from "./otlp-protobuf.ts";
import { phoenixSpan } from "./phoenix.ts";
import { rowsIn, timeIn } from "./rows.ts";
import type { Span } from "./span.ts";
import { fieldOf, firstField, isFields, isTooDeep, textIn } from "./values.ts";

/** Spans of a file, with those places of it that hold none that can be read. */
export interface SpansRead {
	spans: Span[];
	refused: { place: string; reason: string; spans: number }[];
}

const mostBytes = 1024 * 1024 * 1024;

/**
 * The spans of one file of OTLP: a request in JSON or protobuf, one JSON request a line (as the collector's file exporter and
 * `hopscope receive` write them), or protobuf requests each behind its length in four bytes; gzipped or not.
 */
export function otlpSpans(bytes: Buffer): SpansRead {
	const refused: SpansRead["refused"] = [];
	const refuse = (place: string, reason: string, spans = 0) => refused.push({ place, reason, spans });
	const spans: Span[] = [];
	for (const { place, request } of requestsIn(bytes, refuse)) {
		if (isTooDeep(request, 80)) {
			refuse(place, "it nests too deeply");
			continue;
		}
		const listed = spansIn(request);
		if (!listed) refuse(place, "no resourceSpans and no span");
		for (const one of listed ?? []) {
			const span = spanOf(one) ?? phoenixSpan(one);
			if (span) spans.push(span);
			else refuse(place, "a span without trace id or span id", 1);
		}
	}
	return { spans, refused };
}

/**
 * One request as it goes over the wire, in JSON's form, with the traces that it holds and how many spans. Throws where it is none.
 */
export function otlpRequest(bytes: Buffer, { protobuf }: { protobuf: boolean }) {
	const request: unknown = protobuf ? otlpFromProtobuf(bytes) : JSON.parse(bytes.toString("utf8"));
	if (isTooDeep(request, 80)) throw new Error("it nests too deeply");
	// a request without a span is one
	const listed = isFields(request) && Object.keys(request).length === 0 ? [] : spansIn(request);
	if (!listed) throw new Error("no resourceSpans");
	const traces = new Set(listed.flatMap((row) => hexOf(firstField(row, ["traceId", "trace_id"])) ?? []));
	return { request, traces: [...traces], spans: listed.length };
}

type Refuse = (place: string, reason: string) => void;

function requestsIn(given: Buffer, refuse: Refuse): { place: string; request: unknown }[] {
	let bytes = given;
	try {
		if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = gunzipSync(bytes, { maxOutputLength: mostBytes });
	} catch (error) {
		refuse("the file", `not gzip (${(error as Error).message})`);
		return [];
	}
	if (!isProtobuf(bytes)) {
		const read = rowsIn(bytes, []);
		if ("problem" in read) {
			refuse("the file", read.problem);
			return [];
		}
		for (const line of read.broken) refuse(`line ${line}`, "not JSON");
		return read.rows.map((request, at) => ({ place: `request ${at + 1}`, request }));
	}
	const found: { place: string; request: unknown }[] = [];
	for (const [at, part] of framesIn(bytes).entries()) {
		const place = `request ${at + 1}`;
		try {
			found.push({ place, request: otlpFromProtobuf(part) });
		} catch (error) {
			refuse(place, `not OTLP in protobuf (${(error as Error).message})`);
		}
	}
	return found;
}

/** JSON begins with a bracket, behind a mark or white space; a request in protobuf with its first field, or with a length. */
export const isProtobuf = (bytes: Uint8Array): boolean =>
	(bytes[0] === 0x0a && !/^\s*[[{]/.test(Buffer.from(bytes.subarray(0, 64)).toString("latin1"))) || bytes[0] === 0;

function framesIn(bytes: Buffer): Buffer[] {
	if (bytes[0] !== 0) return [bytes];
	const frames: Buffer[] = [];
	for (let at = 0; at + 4 <= bytes.length; ) {
		const length = bytes.readUInt32BE(at);
		frames.push(bytes.subarray(at + 4, at + 4 + length));
		at += 4 + length;
	}
	return frames;
}

/** The spans of a request; of one that is a span itself, that. Undefined where it has no such shape. */
function spansIn(request: unknown): unknown[] | undefined {
	const resources = firstField(request, ["resourceSpans", "resource_spans"]);
	if (!Array.isArray(resources)) return isFields(request) && looksLikeSpan(request) ? [request] : undefined;
	return resources.flatMap((resource) => {
		const scopes = firstField(resource, ["scopeSpans", "scope_spans", "instrumentationLibrarySpans"]);
		return (Array.isArray(scopes) ? scopes : []).flatMap((scope) => {
			const spans = fieldOf(scope, "spans");
			return Array.isArray(spans) ? spans : [];
		});
	});
}

const looksLikeSpan = (row: unknown) =>
	firstField(row, ["traceId", "trace_id", "context", "context.trace_id"]) !== undefined;

function spanOf(row: unknown): Span | undefined {
	const trace = hexOf(firstField(row, ["traceId", "trace_id"]));
	const id = hexOf(firstField(row, ["spanId", "span_id"]));
	if (trace === undefined || id === undefined) return undefined;
	const name = textIn(fieldOf(row, "name")) ?? "span";
	const attributes = attributesIn(fieldOf(row, "attributes"));
	const listed = fieldOf(row, "events");
	const events = (Array.isArray(listed) ? listed : []).map(
		(event): SpanEvent => ({
			name: textIn(fieldOf(event, "name")) ?? textIn(fieldOf(event, "eventName")) ?? "",
			attributes: attributesIn(fieldOf(event, "attributes")),
		}),
	);
	const error = errorOf(fieldOf(row, "status"), events);
	return {
		...{ trace, id, name, parent: hexOf(firstField(row, ["parentSpanId", "parent_span_id"])) },
		start: nanosecondsIn(firstField(row, ["startTimeUnixNano", "start_time_unix_nano"])),
		end: nanosecondsIn(firstField(row, ["endTimeUnixNano", "end_time_unix_nano"])),
		...(error === undefined ? {} : { error }),
		...{ attributes, reading: readSpan(attributes, name, events) },
	};
}

function nanosecondsIn(value: unknown): number {
	if (typeof value === "number") return value > 0 ? value / 1e6 : Number.NaN;
	if (typeof value !== "string" || !/^\d{7,20}$/.test(value)) return timeIn(value);
	// as one number it would lose its last digits before it is divided
	return Number(value.slice(0, -6)) + Number(value.slice(-6)) / 1e6;
}

/** Ids are hex in OTLP's JSON; what turned protobuf into JSON by itself wrote base64. Zeros are none. */
function hexOf(value: unknown): string | undefined {
	const text = textIn(value)?.trim();
	if (text === undefined || text.length > 100) return undefined;
	const isHex = /^(?:0x)?[0-9a-f]+$/i.test(text);
	const hex = isHex ? text.toLowerCase().replace(/^0x/, "") : Buffer.from(text, "base64").toString("hex");
	return /^0*$/.test(hex) ? undefined : hex;
}

/** Status 2 is an error; what it says, or else the exception that was recorded. One that was recorded and caught is none. */
function errorOf(status: unknown, events: readonly SpanEvent[]): string | undefined {
	const code = fieldOf(status, "code");
	if (code !== 2 && code !== "STATUS_CODE_ERROR" && code !== "2") return undefined;
	const thrown = events.find(({ name }) => name === "exception")?.attributes;
	return (
		textIn(fieldOf(status, "message")) ??
		textIn(thrown?.get("exception.message")) ??
		textIn(thrown?.get("exception.type")) ??
		"error"
	);
}

/** `[{key, value: {stringValue}}]`, or an object where an exporter wrote one. */
function attributesIn(value: unknown): Map<string, unknown> {
	if (isFields(value)) return new Map(Object.entries(value));
	const attributes = new Map<string, unknown>();
	for (const one of Array.isArray(value) ? value : []) {
		const key = fieldOf(one, "key");
		if (typeof key === "string") attributes.set(key, anyValueOf(fieldOf(one, "value")));
	}
	return attributes;
}

function anyValueOf(value: unknown): unknown {
	if (!isFields(value)) return value ?? null;
	const [name = "", inner] = Object.entries(value)[0] ?? [];
	switch (name.replace(/_v/, "V")) {
		case "intValue":
			return Number.isSafeInteger(Number(inner)) ? Number(inner) : String(inner);
		case "arrayValue": {
			const values = fieldOf(inner, "values");
			return (Array.isArray(values) ? values : []).map(anyValueOf);
		}
		case "kvlistValue":
			return Object.fromEntries(attributesIn(fieldOf(inner, "values") ?? []));
		default:
			return inner ?? null;
	}
}
