/** Values in attributes and exports, of which nothing is known beforehand. */

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
	value !== null && typeof value === "object" && !Array.isArray(value);

/** The field of that name that an object itself has. */
export const fieldOf = (value: unknown, name: string): unknown =>
	isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The first field of these names that an object has and that is not null. */
export function firstField(value: unknown, names: readonly string[]): unknown {
	for (const name of names) {
		const found = fieldOf(value, name);
		if (found !== undefined && found !== null) return found;
	}
	return undefined;
}

export const textIn = (value: unknown): string | undefined =>
	typeof value === "string" && value.trim() !== "" ? value : undefined;

/** A text, or a number or truth value as one. */
export const wordIn = (value: unknown): string | undefined =>
	typeof value === "number" || typeof value === "boolean" ? String(value) : textIn(value);

export const countIn = (value: unknown): number | undefined => {
	const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
	return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};

export const numberIn = (value: unknown): number | undefined =>
	typeof value === "number" && Number.isFinite(value) ? value : undefined;

const mostCharacters = 16_000_000;
const mostLevels = 60;

/** What a text says as JSON where it is an object or array; other values, and texts that say none, as they are. */
export function opened(value: unknown): unknown {
	if (typeof value !== "string" || value.length > mostCharacters || !/^\s*[[{]/.test(value)) return value;
	try {
		const json: unknown = JSON.parse(value);
		return isTooDeep(json, mostLevels) ? value : json;
	} catch {
		return value;
	}
}

/** Whether a value nests deeper than anything that is read needs to. */
export const isTooDeep = (value: unknown, levels = mostLevels): boolean =>
	value !== null &&
	typeof value === "object" &&
	(levels === 0 || Object.values(value).some((one) => isTooDeep(one, levels - 1)));

/** A JSON text of any value, for what has no better words. */
export const written = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/**
 * Attributes that stand flat, `retrieval.documents.0.document.id`, as the value that they spell under a prefix. Undefined
 * where there is none.
 */
export function unflattened(attributes: ReadonlyMap<string, unknown>, prefix: string): unknown {
	const root: Nested = new Map();
	for (const [name, value] of attributes) {
		if (!name.startsWith(`${prefix}.`)) continue;
		const path = name.slice(prefix.length + 1).split(".");
		if (path.length > mostLevels) continue;
		let at = root;
		for (const part of path.slice(0, -1)) {
			const next = at.get(part);
			const deeper: Nested = next instanceof Map ? next : new Map();
			if (next !== deeper) at.set(part, deeper);
			at = deeper;
		}
		at.set(path.at(-1) ?? "", value);
	}
	return root.size === 0 ? attributes.get(prefix) : plainOf(root);
}

type Nested = Map<string, unknown>;

/** Keys that count make a list, in their order; others an object. */
function plainOf(value: unknown): unknown {
	if (!(value instanceof Map)) return value;
	const entries = [...(value as Nested)];
	if (entries.every(([key]) => /^\d{1,6}$/.test(key)))
		return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, one]) => plainOf(one));
	return Object.fromEntries(entries.map(([key, one]) => [key, plainOf(one)]));
}
