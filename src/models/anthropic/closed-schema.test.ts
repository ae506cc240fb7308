import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { closedSchema } from "./closed-schema.ts";

const leaf = fc.constantFrom<Record<string, unknown>>(
	{ type: "string", description: "words", minLength: 2 },
	{ type: "string", format: "date", title: "T" },
	{ type: "string", format: "emoji", pattern: "^a" },
	{ type: ["string", "null"] },
	{ type: "integer", minimum: 0, maximum: 9, description: "count" },
	{ type: "number", exclusiveMinimum: 0, description: "" },
	{ enum: ["a", 1, null], type: "string", default: "a" },
	{ enum: [{ a: 1 }], type: "object" },
	{ const: 3, type: "number" },
	{ $ref: "#/$defs/one", description: "x" },
	{ type: "array", minItems: 3, items: { type: "boolean" } },
	{ type: "array", minItems: 1, maxItems: 4 },
	{ type: "object", additionalProperties: { type: "string" }, propertyNames: { type: "string" } },
);
const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
	schema: fc.oneof(
		{ maxDepth: 4 },
		leaf,
		fc.record(
			{
				type: fc.constant("object"),
				properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema")),
				required: fc.constant(["a"]),
				description: fc.constant("d"),
				$schema: fc.constant("https://json-schema.org/draft/2020-12/schema"),
				$defs: fc.dictionary(fc.constant("one"), tie("schema")),
				minProperties: fc.constant(1),
			},
			{ requiredKeys: ["type"] },
		),
		...["anyOf", "oneOf", "allOf"].map((of) =>
			fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((all) => ({ [of]: all, title: "t", type: "object" })),
		),
	),
}));

test("schemas are closed as the provider's own client closes them, to the byte", () => {
	fc.assert(
		fc.property(schema, (one) => {
			expect(JSON.stringify(closedSchema(one))).toBe(JSON.stringify(transformJSONSchema(one)));
		}),
	);
	const zod = z.object({ a: z.string().min(1).describe("A"), b: z.array(z.union([z.int(), z.null()])).optional() });
	const given = z.toJSONSchema(zod) as Record<string, unknown>;
	expect(JSON.stringify(closedSchema(given))).toBe(JSON.stringify(transformJSONSchema(given)));
	expect(() => closedSchema({ description: "anything" })).toThrow(/without a type/);
});
