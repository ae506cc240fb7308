import { ownField } from "#domain";

/*
 * Foreign JSON by paths such as `hits.hits` or `result[0].document.id`, and requests by templates in which `"{query}"` and
 * `"{k}"` stand for what is asked.
 */

/** What stands at a path; undefined where nothing does. `""` is the whole. */
export function at(value: unknown, path: string): unknown {
	let found = value;
	for (const part of path.split(/[.[\]]+/).filter((part) => part !== "")) {
		if (typeof found !== "object" || found === null) return undefined;
		found = ownField(found as Record<string, unknown>, part);
	}
	return found;
}

/** The first of the paths at which there is something, as a text: a number or a truth value is written out. */
export function textAt(value: unknown, paths: string | readonly string[] | undefined): string | undefined {
	for (const path of [paths ?? []].flat()) {
		const found = at(value, path);
		if (typeof found === "string") return found;
		if (typeof found === "number" || typeof found === "boolean") return String(found);
		// some engines keep every field as a list
		if (Array.isArray(found) && found.every((one) => typeof one === "string") && found.length > 0)
			return found.join("\n");
	}
	return undefined;
}

export function numberAt(value: unknown, paths: string | readonly string[] | undefined): number | undefined {
	for (const path of [paths ?? []].flat()) {
		const found = at(value, path);
		const number = typeof found === "string" && found.trim() !== "" ? Number(found) : found;
		if (typeof number === "number" && Number.isFinite(number)) return number;
	}
	return undefined;
}

/** A template with values put in: a string that is only `{name}` becomes the value itself, in others its text stands. */
export function filled<Template>(template: Template, values: Readonly<Record<string, unknown>>): Template {
	const fill = (value: unknown): unknown => {
		if (typeof value === "string") {
			const [, whole] = /^\{(\w+)\}$/.exec(value) ?? [];
			if (whole !== undefined && Object.hasOwn(values, whole)) return values[whole];
			return value.replace(/\{(\w+)\}/g, (all, name: string) =>
				Object.hasOwn(values, name) ? String(values[name]) : all,
			);
		}
		if (Array.isArray(value)) return value.map(fill);
		if (typeof value !== "object" || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner)]));
	};
	return fill(template) as Template;
}
