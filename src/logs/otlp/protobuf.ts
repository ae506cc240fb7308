import { BinaryReader, BinaryWriter, type WireType } from "@bufbuild/protobuf/wire";

/**
 * Binary protobuf of OTLP's requests for traces, from their JSON form: field numbers by opentelemetry-proto 1.x
 * (`trace.proto`, `common.proto`, `resource.proto`). Numbers of 64 bits are decimal strings in that form, ids hexadecimal.
 */
const messages = {
	Request: { resourceSpans: [1, "ResourceSpans"] },
	ResourceSpans: { resource: [1, "Resource"], scopeSpans: [2, "ScopeSpans"] },
	Resource: { attributes: [1, "KeyValue"] },
	ScopeSpans: { scope: [1, "Scope"], spans: [2, "Span"] },
	Scope: { name: [1, "string"], version: [2, "string"] },
	Span: {
		traceId: [1, "hex"],
		spanId: [2, "hex"],
		parentSpanId: [4, "hex"],
		name: [5, "string"],
		kind: [6, "int32"],
		startTimeUnixNano: [7, "fixed64"],
		endTimeUnixNano: [8, "fixed64"],
		attributes: [9, "KeyValue"],
		events: [11, "Event"],
		status: [15, "Status"],
	},
	Event: { timeUnixNano: [1, "fixed64"], name: [2, "string"], attributes: [3, "KeyValue"] },
	Status: { message: [2, "string"], code: [3, "int32"] },
	KeyValue: { key: [1, "string"], value: [2, "AnyValue"] },
	AnyValue: {
		stringValue: [1, "string"],
		boolValue: [2, "bool"],
		intValue: [3, "int64"],
		doubleValue: [4, "double"],
		arrayValue: [5, "ArrayValue"],
	},
	ArrayValue: { values: [1, "AnyValue"] },
} as const satisfies Record<string, Record<string, readonly [number, string]>>;

type MessageName = keyof typeof messages;

/** A request in OTLP's JSON form as protobuf. */
export const protobufOf = (request: object): Uint8Array => written(new BinaryWriter(), request, "Request").finish();

function written(writer: BinaryWriter, message: object, name: MessageName): BinaryWriter {
	const fields: Record<string, readonly [number, string]> = messages[name];
	for (const [key, value] of Object.entries(message)) {
		const field = fields[key];
		if (field !== undefined && value !== undefined)
			for (const one of [value].flat()) writeField(writer, one as Scalar | object, field);
	}
	return writer;
}

type Scalar = string | number | boolean;

/** Wire types: 0 a number of variable length, 1 eight bytes, 2 bytes behind their length. */
function writeField(writer: BinaryWriter, value: Scalar | object, [number, type]: readonly [number, string]): void {
	const as = (wire: WireType) => writer.tag(number, wire);
	if (typeof value === "object") return void written(as(2).fork(), value, type as MessageName).join();
	if (type === "string") as(2).string(String(value));
	else if (type === "hex") as(2).bytes(Buffer.from(String(value), "hex"));
	else if (type === "fixed64") as(1).fixed64(String(value));
	else if (type === "double") as(1).double(Number(value));
	else if (type === "int64") as(0).int64(String(value));
	else if (type === "bool") as(0).bool(value === true);
	else as(0).int32(Number(value));
}

/** What the answer to a request says that was not taken: `ExportTraceServiceResponse.partial_success`. */
export interface PartialSuccess {
	rejected: number;
	message: string;
}

/** Reads `partial_success` (field 1) with `rejected_spans` (1) and `error_message` (2); undefined where there is none. */
export function partialSuccessIn(response: Uint8Array): PartialSuccess | undefined {
	try {
		const partial = fieldsOf(response).get(1);
		if (!(partial instanceof Uint8Array)) return undefined;
		const fields = fieldsOf(partial);
		const message = fields.get(2);
		return {
			rejected: Number(fields.get(1) ?? 0),
			message: message instanceof Uint8Array ? Buffer.from(message).toString("utf8").slice(0, 1000) : "",
		};
	} catch {
		// what a receiver answers that is no such message says nothing
		return undefined;
	}
}

function fieldsOf(bytes: Uint8Array): Map<number, Uint8Array | string | bigint> {
	const reader = new BinaryReader(bytes);
	const fields = new Map<number, Uint8Array | string | bigint>();
	while (reader.pos < reader.len) {
		const [number, wire] = reader.tag();
		if (wire === 2) fields.set(number, reader.bytes());
		else if (wire === 0) fields.set(number, reader.int64());
		else reader.skip(wire);
	}
	return fields;
}
