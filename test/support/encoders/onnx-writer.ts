/** Writes ONNX models for tests as their protocol buffers (onnx.proto, opset 17), without any library. */

type Dim = number | string;
export interface Value {
	name: string;
	type: "float" | "int64";
	dims: Dim[];
}
export interface Node {
	op: string;
	inputs: string[];
	outputs: string[];
	attributes?: Record<string, number | number[]>;
}
export interface Constant {
	name: string;
	dims: number[];
	floats?: ArrayLike<number>;
	integers?: number[];
}

export const elementTypes = { float: 1, int64: 7 } as const;

/** The bytes of a model. */
export function onnxModel(graph: { nodes: Node[]; constants: Constant[]; inputs: Value[]; outputs: Value[] }): Buffer {
	const graphBytes = message(
		...graph.nodes.map((node) => field(1, nodeBytes(node))),
		field(2, Buffer.from("toy")),
		...graph.constants.map((constant) => field(5, tensorBytes(constant))),
		...graph.inputs.map((value) => field(11, valueBytes(value))),
		...graph.outputs.map((value) => field(12, valueBytes(value))),
	);
	const opset = message(field(1, Buffer.alloc(0)), number(2, 17));
	return message(number(1, 8), field(7, graphBytes), field(8, opset));
}

const message = (...fields: Buffer[]) => Buffer.concat(fields);
const field = (id: number, bytes: Buffer) => Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes]);
const number = (id: number, value: number) => Buffer.concat([varint(id << 3), varint(value)]);

function varint(value: number): Buffer {
	const bytes: number[] = [];
	// Negative numbers are 64-bit two's complement.
	for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
		const low = Number(rest & 127n);
		bytes.push(rest > 127n ? low | 128 : low);
		if (rest <= 127n) return Buffer.from(bytes);
	}
}

function nodeBytes({ op, inputs, outputs, attributes = {} }: Node): Buffer {
	return message(
		...inputs.map((name) => field(1, Buffer.from(name))),
		...outputs.map((name) => field(2, Buffer.from(name))),
		field(4, Buffer.from(op)),
		...Object.entries(attributes).map(([name, value]) =>
			field(
				5,
				Array.isArray(value)
					? message(field(1, Buffer.from(name)), ...value.map((one) => number(8, one)), number(20, 7))
					: message(field(1, Buffer.from(name)), number(3, value), number(20, 2)),
			),
		),
	);
}

function tensorBytes({ name, dims, floats, integers = [] }: Constant): Buffer {
	const raw = floats
		? Buffer.from(new Uint8Array(Float32Array.from(floats).buffer))
		: Buffer.from(new Uint8Array(BigInt64Array.from(integers, BigInt).buffer));
	const type = floats ? elementTypes.float : elementTypes.int64;
	return message(...dims.map((dim) => number(1, dim)), number(2, type), field(8, Buffer.from(name)), field(9, raw));
}

function valueBytes({ name, type, dims }: Value): Buffer {
	const shape = message(
		...dims.map((dim) => field(1, typeof dim === "number" ? number(1, dim) : field(2, Buffer.from(dim)))),
	);
	const tensor = message(number(1, elementTypes[type]), field(2, shape));
	return message(field(1, Buffer.from(name)), field(2, field(1, tensor)));
}
