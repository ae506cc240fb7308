/**
 * A value of a Parquet column as JSON has it. Columns are read without decoding bytes as text: those that cannot be text
 * stay bytes, for they may be an image. Integers beyond 2^53 become text. What is nested deeper than eight lists or
 * groups is left out. `nulls: "dropped"` gives undefined for null.
 */
export function columnValue(
	value: unknown,
	{ nulls = "kept" }: { nulls?: "kept" | "dropped" } = {},
	depth = 0,
): unknown {
	if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`;
	if (value instanceof Date) return value.toISOString();
	if (value === null) return nulls === "dropped" ? undefined : null;
	if (value instanceof Uint8Array) return isText(value) ? new TextDecoder().decode(value) : value;
	if (typeof value !== "object") return value;
	if (depth > mostDepth) return undefined;
	if (Array.isArray(value) || ArrayBuffer.isView(value))
		return Array.from(value as ArrayLike<unknown>, (item) => columnValue(item, { nulls }, depth + 1));
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [name, columnValue(inner, { nulls }, depth + 1)]),
	);
}

const mostDepth = 8;

function isText(bytes: Uint8Array): boolean {
	if (bytes.subarray(0, 1024).includes(0)) return false;
	try {
		new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		return true;
	} catch {
		return false;
	}
}
