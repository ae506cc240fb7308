import type { Span } from "./span.ts";

/** The spans of one trace, in the order in which they began, and how they stand in one another. */
export interface Tree {
	spans: readonly Span[];
	roots: readonly Span[];
	parentOf(span: Span): Span | undefined;
	childrenOf(span: Span): readonly Span[];
	/** Those within a span, however deep, in their order. */
	within(span: Span): Span[];
	/** How deep it stands; roots at 0. */
	depthOf(span: Span): number;
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
	const children = new Map<Span, Span[]>();
	for (const span of spans) {
		const parent = parents.get(span);
		if (parent) children.set(parent, [...(children.get(parent) ?? []), span]);
	}
	const childrenOf = (span: Span) => children.get(span) ?? [];
	return {
		spans,
		roots: spans.filter((span) => !parents.has(span)),
		parentOf: (span) => parents.get(span),
		childrenOf,
		depthOf: (span) => depths.get(span) ?? 0,
		within(span) {
			const found = new Set<Span>();
			const waiting = [...childrenOf(span)];
			for (let next = waiting.pop(); next; next = waiting.pop()) {
				found.add(next);
				waiting.push(...childrenOf(next));
			}
			return spans.filter((one) => found.has(one));
		},
	};
}
