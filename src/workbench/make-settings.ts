import { z } from "zod";
import { freeRecord, usageError } from "#domain";
import type { Recipe } from "#recipes";

/** A setting as `--settings` and the reference show it. */
export interface SettingShown {
	name: string;
	/** As JSON; absent where it must be given or has none. */
	default: string | undefined;
	/** Type and bounds. */
	takes: string;
	meaning: string;
}

const Shape = z.looseObject({
	type: z.union([z.string(), z.array(z.string())]).optional(),
	description: z.string().optional(),
	default: z.unknown().optional(),
	enum: z.array(z.unknown()).optional(),
	minimum: z.number().optional(),
	maximum: z.number().optional(),
	exclusiveMinimum: z.number().optional(),
});

/** The settings of a recipe, read off the schema of its parameters. */
export function settingsOf({ params }: Pick<Recipe, "params">): SettingShown[] {
	const schema = z.toJSONSchema(params, { io: "input", unrepresentable: "any" });
	const properties = freeRecord(Shape).safeParse(schema.properties ?? {});
	if (!properties.success) return [];
	return Object.entries(properties.data).map(([name, shape]) => ({
		name,
		default: shape.default === undefined ? undefined : JSON.stringify(shape.default),
		takes: takesOf(shape),
		meaning: shape.description ?? "",
	}));
}

function takesOf({ type, enum: values, minimum, maximum }: z.infer<typeof Shape>): string {
	if (values) return values.map((value) => JSON.stringify(value)).join(" or ");
	const kind = [type ?? "value"].flat().join(" or ");
	const isBound = (value: number | undefined) => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
	if (isBound(minimum) && isBound(maximum)) return `${kind}, ${minimum} to ${maximum}`;
	if (isBound(minimum)) return `${kind}, from ${minimum}`;
	return isBound(maximum) ? `${kind}, up to ${maximum}` : kind;
}

/** `--set NAME=VALUE`, the value as JSON or, where it is none, as text; `a.b=1` sets a part. */
export function settingsFrom(given: readonly string[]): Record<string, unknown> {
	const settings: Record<string, unknown> = {};
	for (const text of given) {
		const at = text.indexOf("=");
		if (at < 1) throw usageError("bad-setting", `--set takes NAME=VALUE, not "${text}"`, "For example: --set depth=3.");
		const path = text.slice(0, at).split(".");
		if (path.some((part) => ["__proto__", "constructor", "prototype", ""].includes(part)))
			throw usageError("bad-setting", `"${text.slice(0, at)}" names no setting`, "--settings lists them.");
		put(settings, path, valueIn(text.slice(at + 1)));
	}
	return settings;
}

function put(into: Record<string, unknown>, [first = "", ...rest]: string[], value: unknown): void {
	if (rest.length === 0) {
		into[first] = value;
		return;
	}
	const inner = into[first];
	const part: Record<string, unknown> =
		typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : {};
	into[first] = part;
	put(part, rest, value);
}

function valueIn(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
