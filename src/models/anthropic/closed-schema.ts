import type { JsonSchema } from "../chat-model.ts";

/** Formats of strings that the API keeps to. */
const formats = new Set("date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "));

const isPrimitive = (value: unknown) => value === null || typeof value !== "object";

/**
 * A JSON Schema as the API takes it: closed objects, no bounds. What it does not take stands as text in the description.
 * The same as `transformJSONSchema` of @anthropic-ai/sdk 1.12.0 (MIT), against which it is tested.
 */
export const closedSchema = (schema: JsonSchema): JsonSchema => closed(JSON.parse(JSON.stringify(schema)));

function closed(schema: JsonSchema): JsonSchema {
	const rest = new Map(Object.entries(schema));
	const out: JsonSchema = {};
	const take = (name: string) => {
		const value = rest.get(name);
		rest.delete(name);
		return value;
	};
	/** Moves a field over where it fits; where not, it is told behind all others. */
	const move = (name: string, fits: (value: unknown) => boolean = (value) => value !== undefined) => {
		const value = take(name);
		if (fits(value)) out[name] = value;
		else if (value !== undefined) rest.set(name, value);
	};
	const definitions = take("$defs");
	if (definitions !== undefined) out.$defs = closedEach(definitions);
	if (rest.has("$ref")) return { ...out, $ref: take("$ref") };
	for (const [name, fits] of [
		["enum", (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isPrimitive)],
		["const", (value: unknown) => value !== undefined && isPrimitive(value)],
	] as const)
		if (fits(rest.get(name))) out[name] = take(name);
	const literal = "enum" in out || "const" in out;
	const declared = take("type");
	const type = literal ? undefined : declared;
	const [anyOf, oneOf, allOf] = ["anyOf", "oneOf", "allOf"].map(take);
	take("$schema");
	const either = Array.isArray(anyOf) ? anyOf : oneOf;
	if (Array.isArray(either)) out.anyOf = either.map(closed);
	else if (Array.isArray(allOf)) out.allOf = allOf.map(closed);
	else if (!literal && type === undefined) throw new Error("a JSON schema without a type, a choice or a literal");
	else if (!literal) out.type = type;
	move("description");
	move("title");
	if (type === "object") {
		out.properties = closedEach(take("properties") ?? {});
		take("additionalProperties");
		out.additionalProperties = false;
		move("required");
	} else if (type === "string") move("format", (format) => formats.has(format as string));
	else if (type === "array") {
		const items = take("items");
		if (items !== undefined) out.items = closed(items as JsonSchema);
		move("minItems", (least) => least === 0 || least === 1);
	}
	if (rest.size > 0) {
		const told = [...rest].map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ");
		out.description = `${out.description ? `${out.description}\n\n` : ""}{${told}}`;
	}
	return out;
}

const closedEach = (schemas: unknown): JsonSchema =>
	Object.fromEntries(Object.entries(schemas as Record<string, JsonSchema>).map(([name, one]) => [name, closed(one)]));
