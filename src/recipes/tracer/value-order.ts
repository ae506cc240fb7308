import type { Answer, Reason } from "#domain";

/** How two values stand to one another, or why that cannot be said. */
type Order = { order: -1 | 0 | 1 } | { reason: Reason; detail: string };

const unlike = (detail: string): Order => ({ reason: "forced_pairing", detail });

/**
 * The order of two answers, computed. Times are compared as far as both are stated: a year against a day of that year cannot
 * be decided. Numbers must have the same unit, and ranges must not overlap. Names have no order.
 */
export function orderOf(a: Answer, b: Answer): Order {
	if (a.type === "time" && b.type === "time") return timesInOrder(a.time.iso, b.time.iso);
	if (a.type !== "number" || b.type !== "number") return unlike(`${a.type} against ${b.type}`);
	const [one, two] = [a.number, b.number];
	const unitOf = (unit = "") => unit.toLowerCase().replace(/s$/, "");
	if (unitOf(one.unit) !== unitOf(two.unit))
		return { reason: "unit_mismatch", detail: `${one.unit ?? "no unit"} against ${two.unit ?? "no unit"}` };
	const [low, high] = [(n: typeof one) => n.range?.[0] ?? n.value, (n: typeof one) => n.range?.[1] ?? n.value];
	if (high(one) < low(two)) return { order: -1 };
	if (low(one) > high(two)) return { order: 1 };
	if (one.range || two.range) return { reason: "lacking_evidence", detail: "the ranges overlap" };
	return { order: 0 };
}

function timesInOrder(a: string, b: string): Order {
	const [one, two] = [partsOf(a), partsOf(b)];
	for (let at = 0; at < Math.min(one.length, two.length); at += 1) {
		const [x = 0, y = 0] = [one[at], two[at]];
		if (x !== y) return { order: x < y ? -1 : 1 };
	}
	if (one.length === two.length) return { order: 0 };
	return { reason: "lacking_evidence", detail: `${a} against ${b} cannot be decided` };
}

/** Year, month and day as numbers. */
function partsOf(iso: string): number[] {
	const [year = "", ...rest] = iso.replace(/^-/, "").split("-");
	return [Number(year) * (iso.startsWith("-") ? -1 : 1), ...rest.map(Number)];
}
