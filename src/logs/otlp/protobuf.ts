/**
 * Binary protobuf of OTLP's requests for traces, from their JSON form: field numbers by
 * opentelemetry-proto 1.x (`trace.proto`, `common.proto`, `resource.proto`). Numbers of 64 bits are decimal strings in
 * that form, ids hexadecimal.
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
		kind: [6, "varint"],
		startTimeUnixNano: [7, "fixed64"],
		endTimeUnixNano: [8, "fixed64"],
		attributes: [9, "KeyValue"],
		events: [11, "Event"],
		status: [15, "Status"],
	},
	Event: { timeUnixNano: [1, "fixed64"], name: [2, "string"], attributes: [3, "KeyValue"] },
	Status: { message: [2, "string"], code: [3, "varint"] },
	KeyValue: { key: [1, "string"], value: [2, "AnyValue"] },
	AnyValue: {
		stringValue: [1, "string"],
		boolValue: [2, "varint"],
		intValue: [3, "varint"],
		doubleValue: [4, "double"],
		arrayValue: [5, "ArrayValue"],
	},
	ArrayValue: { values: [1, "AnyValue"] },
} as const satisfies Record<string, Record<string, readonly [number, string]>>;

type MessageName = keyof typeof messages;

/** A request in OTLP's JSON form as protobuf. */
export const protobufOf = (request: object): Buffer => encoded(request, "Request");

function encoded(message: object, name: MessageName): Buffer {
	const fields: Record<string, readonly [number, string]> = messages[name];
	const parts = Object.entries(message).flatMap(([key, value]) => {
		const field = fields[key];
		if (field === undefined || value === undefined) return [];
		return [value].flat().flatMap((one: unknown) => fieldOf(one, field));
	});
	return Buffer.concat(parts);
}

/** Wire types: 0 a number of variable length, 1 eight bytes, 2 bytes behind their length. */
function fieldOf(value: unknown, [number, type]: readonly [number, string]): Buffer[] {
	const tagged = (wire: number, content: Buffer) => [varint(BigInt((number << 3) | wire)), content];
	const sized = (content: Buffer) => [...tagged(2, varint(BigInt(content.length))), content];
	switch (type) {
		case "string":
			return sized(Buffer.from(String(value)));
		case "hex":
			return sized(Buffer.from(String(value), "hex"));
		case "varint":
			return tagged(0, varint(BigInt.asUintN(64, BigInt(value as string | number | boolean))));
		case "fixed64": {
			const bytes = Buffer.alloc(8);
			bytes.writeBigUInt64LE(BigInt(value as string));
			return tagged(1, bytes);
		}
		case "double": {
			const bytes = Buffer.alloc(8);
			bytes.writeDoubleLE(value as number);
			return tagged(1, bytes);
		}
		default:
			return sized(encoded(value as object, type as MessageName));
	}
}

function varint(value: bigint): Buffer {
	const bytes: number[] = [];
	let rest = value;
	while (rest > 127n) {
		bytes.push(Number(rest & 127n) | 128);
		rest >>= 7n;
	}
	return Buffer.from([...bytes, Number(rest)]);
}

/** What the answer to a request says that was not taken: `ExportTraceServiceResponse.partial_success`. */
export interface PartialSuccess {
	rejected: number;
	message: string;
}

/** Reads `partial_success` (field 1) with `rejected_spans` (1) and `error_message` (2); undefined where there is none. */
export function partialSuccessIn(response: Buffer): PartialSuccess | undefined {
	const partial = fieldsIn(response).find(({ number }) => number === 1)?.content;
	if (!Buffer.isBuffer(partial)) return undefined;
	const fields = fieldsIn(partial);
	const rejected = fields.find(({ number }) => number === 1)?.content;
	const message = fields.find(({ number }) => number === 2)?.content;
	return {
		rejected: typeof rejected === "bigint" ? Number(rejected) : 0,
		message: Buffer.isBuffer(message) ? message.toString("utf8").slice(0, 1000) : "",
	};
}

/** Fields of the two wire types that such an answer has; reading ends at what is another or is cut off. */
function fieldsIn(bytes: Buffer): { number: number; content: bigint | Buffer }[] {
	const fields: { number: number; content: bigint | Buffer }[] = [];
	let at = 0;
	const read = () => {
		let value = 0n;
		for (let shift = 0n; shift < 64n && at < bytes.length; shift += 7n) {
			const byte = bytes[at] ?? 0;
			at += 1;
			value |= BigInt(byte & 127) << shift;
			if (byte < 128) break;
		}
		return value;
	};
	while (at < bytes.length) {
		const tag = Number(read());
		const value = read();
		if ((tag & 7) === 0) fields.push({ number: tag >> 3, content: value });
		else if ((tag & 7) === 2 && at + Number(value) <= bytes.length) {
			fields.push({ number: tag >> 3, content: bytes.subarray(at, at + Number(value)) });
			at += Number(value);
		} else break;
	}
	return fields;
}
