import { z } from "zod";

/**
 * Where a value stands in a row, as files for `--mapping` say it: names of fields with dots between them, `a.b.c`; `[2]`
 * takes one of a list, `[*]` all of them, and what follows is then taken of each. `@` is the value itself.
 */
export const FieldPath = z
	.string()
	.min(1)
	.max(200)
	.regex(/^[^[\]]+(?:\[(?:\*|\d{1,6})\][^[\]]*)*$|^\[(?:\*|\d{1,6})\][^[\]]*(?:\[(?:\*|\d{1,6})\][^[\]]*)*$/, {
		message: "must be names with dots between them, and [N] or [*] behind a list, e.g. output.steps[*].text",
	});

const mostValues = 100_000;

/** The value at a path; undefined where there is none. Of a path with `[*]` the list of those that there are. */
export function valueAt(row: unknown, path: string): unknown {
	if (path === "@") return row;
	const parts = path.split(/\.|(?=\[)/).filter((part) => part !== "");
	let values: unknown[] = [row];
	for (const part of parts) {
		const place = /^\[(\*|\d+)\]$/.exec(part)?.[1];
		values = values.flatMap((value) => {
			if (place === "*") return Array.isArray(value) ? value.slice(0, mostValues) : [];
			const own = fieldOf(value, place ?? part);
			return own === undefined ? [] : [own];
		});
		if (values.length > mostValues) values.length = mostValues;
	}
	return path.includes("[*]") ? values : values[0];
}

function fieldOf(value: unknown, name: string): unknown {
	if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
	return (value as Record<string, unknown>)[name];
}
