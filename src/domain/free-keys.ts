import { z } from "zod";

// Records whose names others choose: tags, arguments of tools, columns of a file. Of these names two kinds go wrong with
// plain objects: `record["__proto__"] = value` sets no field but what the record inherits, for which zod leaves that
// field out; and `record["constructor"]` finds what every object inherits, where the record has no such field.

/** The field of that name that the record itself has, if any. */
export function ownField<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
	return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Sets the field of that name, whatever the name. */
export function setField<Value>(record: Record<string, Value>, name: string, value: Value): void {
	Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
}

/** `z.record` that keeps every field. */
export function freeRecord<Value extends z.core.SomeType>(value: Value): z.ZodRecord<z.ZodString, Value>;
export function freeRecord<Key extends z.ZodString, Value extends z.core.SomeType>(
	key: Key,
	value: Value,
): z.ZodRecord<Key, Value>;
export function freeRecord(...types: z.core.SomeType[]) {
	const value = types.at(-1) as z.core.$ZodType;
	return new FreeRecord({
		type: "record",
		keyType: types.length > 1 ? (types[0] as z.ZodString) : z.string(),
		valueType: value,
	});
}

/** `z.object` that keeps every field: those that the shape does not name are of the type `rest`, anything by default. */
export function freeObject<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$loose>;
export function freeObject<Shape extends z.core.$ZodLooseShape, Rest extends z.core.SomeType>(
	shape: Shape,
	rest: Rest,
): z.ZodObject<Shape, z.core.$catchall<Rest>>;
export function freeObject(shape: z.core.$ZodLooseShape, rest: z.core.SomeType = z.unknown()) {
	return new FreeObject({ type: "object", shape, catchall: rest as z.core.$ZodType });
}

/** `z.json` that keeps every field. */
export const Json: z.ZodType<z.core.util.JSONType> = z.lazy(() =>
	z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(Json), freeRecord(Json)]),
);

const FreeRecord: z.core.$constructor<z.ZodRecord> = z.core.$constructor("FreeRecord", (schema, definition) => {
	z.ZodRecord.init(schema, definition);
	keepPrototypeField(schema, definition.valueType, definition.keyType);
});

const FreeObject: z.core.$constructor<z.ZodObject> = z.core.$constructor("FreeObject", (schema, definition) => {
	z.ZodObject.init(schema, definition);
	keepPrototypeField(schema, definition.catchall ?? z.unknown());
});

/** Parses the one field that zod leaves out, `__proto__`, and puts it in its place among the others. */
function keepPrototypeField(schema: z.core.$ZodType, type: z.core.$ZodType, key: z.core.$ZodType = z.string()): void {
	const name = "__proto__";
	const parse = schema._zod.parse;
	schema._zod.parse = (payload, context) => {
		const input = payload.value;
		const parsed = parse(payload, context);
		if (typeof input !== "object" || input === null || !Object.hasOwn(input, name)) return parsed;
		if (Array.isArray(input)) return parsed;
		const named = key._zod.run({ value: name, issues: [] }, context);
		const kept = type._zod.run({ value: (input as Record<string, unknown>)[name], issues: [] }, context);
		if (parsed instanceof Promise || named instanceof Promise || kept instanceof Promise)
			throw new z.core.$ZodAsyncError();
		parsed.issues.push(...z.core.util.prefixIssues(name, [...named.issues, ...kept.issues]));
		const others = parsed.value as Record<string, unknown>;
		parsed.value = Object.fromEntries(
			[...new Set([...Object.keys(input), ...Object.keys(others)])].flatMap((one) =>
				one === name ? [[name, kept.value]] : Object.hasOwn(others, one) ? [[one, others[one]]] : [],
			),
		);
		return parsed;
	};
}
