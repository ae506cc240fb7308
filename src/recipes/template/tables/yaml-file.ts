import { readFile } from "node:fs/promises";
import { parseDocument } from "yaml";
import type { z } from "zod";
import { usageError } from "#domain";

/** Reads YAML (JSON is some) that a person mended; what does not fit is told with its place (exit 2). */
export async function readYamlFile<Value>(
	file: string,
	schema: z.ZodType<Value>,
	{ code, remedy }: { code: string; remedy: string },
): Promise<Value> {
	const refuse = (problem: string, cause: unknown) => usageError(code, `${file}: ${problem}`, remedy, { cause });
	const text = await readFile(file, "utf8").catch((cause: unknown) => {
		throw refuse("cannot be read", cause);
	});
	const document = parseDocument(text);
	const [error] = document.errors;
	if (error) throw refuse(error.message.split("\n")[0] ?? "is no YAML", error);
	const parsed = schema.safeParse(document.toJS({ maxAliasCount: 100 }) ?? {});
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw refuse(`at ${issue?.path.join(".") || "the top"}: ${issue?.message}`, parsed.error);
}
