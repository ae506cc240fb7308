import type { Span } from "./span.ts";

/** The spans of one trace, in the order in which they began, and how they stand in one another. */
export interface Tree {
	spans: readonly Span[];
	roots: readonly Span[];
	parentOf(span: Span): Span | undefined;
	/** How deep the deepest stands; roots at 0. */
	depth: number;
}

/** A parent that is not there makes a root; so does the first of spans that stand in one another in a circle. */
export function treeOf(given: readonly Span[]): Tree {
	const byId = new Map(given.map((span) => [span.id, span]));
	const parents = new Map<Span, Span>();
	const depths = new Map<Span, number>();
	for (const span of given) {
		// climbs until something whose depth is known, a root, or itself
		const path: Span[] = [];
		const passed = new Set<Span>();
		let at: Span | undefined = span;
		while (at && !depths.has(at) && !passed.has(at)) {
			passed.add(at);
			path.push(at);
			at = at.parent === undefined ? undefined : byId.get(at.parent);
		}
		let above: Span | undefined = at && depths.has(at) ? at : undefined;
		for (const one of path.reverse()) {
			if (above) parents.set(one, above);
			depths.set(one, above ? (depths.get(above) ?? 0) + 1 : 0);
			above = one;
		}
	}
	const startOf = ({ start, end }: Span) => (Number.isNaN(start) ? (Number.isNaN(end) ? 0 : end) : start);
	const spans = [...given].sort((a, b) => startOf(a) - startOf(b) || (depths.get(a) ?? 0) - (depths.get(b) ?? 0));
	return {
		spans,
		roots: spans.filter((span) => !parents.has(span)),
		parentOf: (span) => parents.get(span),
		depth: [...depths.values()].reduce((most, depth) => Math.max(most, depth), 0),
	};
}

/** The spans around one, from the innermost. */
export function* around(tree: Tree, span: Span): Generator<Span> {
	for (let at = tree.parentOf(span); at; at = tree.parentOf(at)) yield at;
}
