import { expect, test } from "vitest";
import { z } from "zod";
import { ProgramLine, TaskRequest } from "./program-messages.ts";

test("the forms have JSON Schemas for programs in other languages", () => {
	const schema = (type: z.ZodType) => JSON.stringify(z.toJSONSchema(type, { io: "input", unrepresentable: "any" }));
	expect(schema(TaskRequest)).toContain('"question"');
	for (const kind of ["step", "final", "error"]) expect(schema(ProgramLine)).toContain(`"required":["${kind}"]`);
});
