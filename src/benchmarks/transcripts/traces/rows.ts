import type { Attributes } from "./span.ts";
import { isFields } from "./values.ts";

/** Milliseconds since 1970 of a time as exports write it: ISO 8601, taken as UTC where it names no zone, or a number. */
export function timeIn(value: unknown): number {
	if (typeof value === "number") return millisecondsOf(value);
	if (typeof value !== "string") return Number.NaN;
	if (/^\d{10,20}$/.test(value)) return millisecondsOf(Number(value));
	const text = value.trim().replace(" ", "T");
	// which would be cut off
	const finer = /[.,]\d{3}(\d{1,6})/.exec(text)?.[1] ?? "0";
	return Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`) + Number(`0.${finer}`);
}

/** Seconds, milliseconds, micro- or nanoseconds, by how large it is. */
function millisecondsOf(number: number): number {
	if (number > 1e17) return number / 1e6;
	if (number > 1e14) return number / 1e3;
	return number > 1e11 ? number : number * 1000;
}

/** The fields of a row, those left out whose place is elsewhere. */
export const attributesOf = (row: Record<string, unknown>, without: readonly string[]): Attributes =>
	new Map(
		Object.entries(row).filter(([name, value]) => !without.includes(name) && value !== null && value !== undefined),
	);

const mostLeaves = 100_000;

/** The leaves of a value by their paths, joined by points. */
export function flattened(value: unknown): Map<string, unknown> {
	const leaves = new Map<string, unknown>();
	walk(value, "", 0);
	return leaves;

	function walk(one: unknown, path: string, level: number): void {
		if (leaves.size >= mostLeaves || level > 60) return;
		if (Array.isArray(one) && one.length > 0)
			for (const [at, part] of one.entries()) walk(part, path === "" ? String(at) : `${path}.${at}`, level + 1);
		else if (isFields(one) && Object.keys(one).length > 0)
			for (const [name, part] of Object.entries(one)) walk(part, path === "" ? name : `${path}.${name}`, level + 1);
		else if (path !== "" && one !== undefined && one !== null) leaves.set(path, one);
	}
}

/** The rows of an export: an array, an object that holds one under `data` or its like, or one a line. */
export function rowsIn(
	bytes: Buffer,
	names: readonly string[],
): { rows: unknown[]; broken: number[] } | { problem: string } {
	const text = textOf(bytes);
	if (text === undefined) return { problem: "longer than a text may be: split the file" };
	const json = wholeJson(text);
	if (json !== undefined) return { rows: listIn(json, names), broken: [] };
	const rows: unknown[] = [];
	const broken: number[] = [];
	for (const [at, line] of text.split("\n").entries()) {
		if (line.trim() === "") continue;
		const row = wholeJson(line);
		if (row === undefined) broken.push(at + 1);
		else rows.push(...listIn(row, names));
	}
	return { rows, broken };
}

function listIn(json: unknown, names: readonly string[]): unknown[] {
	if (Array.isArray(json)) return json;
	for (const name of names) {
		const inner = isFields(json) && Object.hasOwn(json, name) ? json[name] : undefined;
		if (Array.isArray(inner)) return inner;
	}
	return [json];
}

function wholeJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A byte order mark is no part of it. */
function textOf(bytes: Buffer): string | undefined {
	try {
		return bytes.toString("utf8").replace(/^\uFEFF/, "");
	} catch {
		return undefined;
	}
}
