import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** What stands in a field of a message: how it is read, and whether there are many. */
interface Field {
	name: string;
	is: "text" | "hex" | "bytes" | "bool" | "double" | "fixed64" | "int64" | "uint32" | Fields;
	many?: true;
}
type Fields = ReadonlyMap<number, Field>;

const fields = (...listed: [number, string, Field["is"], true?][]): Fields =>
	new Map(listed.map(([number, name, is, many]) => [number, { name, is, ...(many ? { many } : {}) }]));

const anyValue = new Map<number, Field>();
const keyValue = fields([1, "key", "text"], [2, "value", anyValue]);
for (const [number, field] of fields(
	[1, "stringValue", "text"],
	[2, "boolValue", "bool"],
	[3, "intValue", "int64"],
	[4, "doubleValue", "double"],
	[5, "arrayValue", fields([1, "values", anyValue, true])],
	[6, "kvlistValue", fields([1, "values", keyValue, true])],
	[7, "bytesValue", "bytes"],
))
	anyValue.set(number, field);
const attributes = [keyValue, true] as const;
const event = fields([1, "timeUnixNano", "fixed64"], [2, "name", "text"], [3, "attributes", ...attributes]);
const span = fields(
	[1, "traceId", "hex"],
	[2, "spanId", "hex"],
	[4, "parentSpanId", "hex"],
	[5, "name", "text"],
	[6, "kind", "uint32"],
	[7, "startTimeUnixNano", "fixed64"],
	[8, "endTimeUnixNano", "fixed64"],
	[9, "attributes", ...attributes],
	[11, "events", event, true],
	[15, "status", fields([2, "message", "text"], [3, "code", "uint32"])],
);
const scopeSpans = fields([1, "scope", fields([1, "name", "text"], [2, "version", "text"])], [2, "spans", span, true]);
const resourceSpans = fields(
	[1, "resource", fields([1, "attributes", ...attributes])],
	[2, "scopeSpans", scopeSpans, true],
);
/** `ExportTraceServiceRequest`, which `TracesData` is like, byte for byte. */
const request = fields([1, "resourceSpans", resourceSpans, true]);

const mostLevels = 60;

/**
 * A body of OTLP in protobuf as OTLP's JSON has it (opentelemetry-proto 1.x, `trace.proto`); fields that nothing here
 * reads are left out. Throws where it is none, or nests deeper than values need to.
 */
export function otlpFromProtobuf(bytes: Uint8Array): Record<string, unknown> {
	const reader = new BinaryReader(bytes);
	return messageOf(reader, { end: bytes.length, known: request, levels: mostLevels });
}

function messageOf(
	reader: BinaryReader,
	{ end, known, levels }: { end: number; known: Fields; levels: number },
): Record<string, unknown> {
	if (levels === 0) throw new Error("it nests too deeply");
	const message: Record<string, unknown> = {};
	while (reader.pos < end) {
		const [number, type] = reader.tag();
		const field = known.get(number);
		if (!field || type !== wireTypeOf(field)) {
			reader.skip(type, number);
			continue;
		}
		const value = readField(reader, field.is, levels);
		if (field.many) {
			const before = message[field.name];
			if (Array.isArray(before)) before.push(value);
			else message[field.name] = [value];
		} else message[field.name] = value;
	}
	if (reader.pos !== end) throw new Error("a message ends within another");
	return message;
}

function wireTypeOf({ is }: Field): WireType {
	if (is === "bool" || is === "int64" || is === "uint32") return WireType.Varint;
	return is === "double" || is === "fixed64" ? WireType.Bit64 : WireType.LengthDelimited;
}

function readField(reader: BinaryReader, is: Field["is"], levels: number): unknown {
	switch (is) {
		case "text":
			return reader.string();
		case "hex":
			return Buffer.from(reader.bytes()).toString("hex");
		case "bytes":
			return Buffer.from(reader.bytes()).toString("base64");
		case "bool":
			return reader.bool();
		case "double":
			return reader.double();
		case "uint32":
			return reader.uint32();
		case "fixed64":
			return String(reader.fixed64());
		case "int64":
			return String(reader.int64());
		default: {
			const length = reader.uint32();
			const end = reader.pos + length;
			if (end > reader.len) throw new Error("it ends within a message");
			return messageOf(reader, { end, known: is, levels: levels - 1 });
		}
	}
}
