import { type RefObject, useLayoutEffect, useState } from "react";

export interface Rect {
	left: number;
	top: number;
	width: number;
	height: number;
}

/** Where things stand within a container, by the name in their `data-measured`; and how large the whole of it is. */
export interface Measured {
	rects: ReadonlyMap<string, Rect>;
	width: number;
	height: number;
}

const nothing: Measured = { rects: new Map(), width: 0, height: 0 };

/**
 * Measures the named things in a container, and again when it or one of them changes its size: lines between them are
 * drawn from that. `content` is whatever they are made of; another one is measured anew.
 */
export function useMeasured(container: RefObject<HTMLElement | null>, content: unknown): Measured {
	const [measured, setMeasured] = useState(nothing);
	// biome-ignore lint/correctness/useExhaustiveDependencies: other content means other things to measure
	useLayoutEffect(() => {
		const whole = container.current;
		if (!whole) return;
		const things = [...whole.querySelectorAll<HTMLElement>("[data-measured]")];
		function measure() {
			if (!whole) return;
			const origin = whole.getBoundingClientRect();
			const [left, top] = [origin.left - whole.scrollLeft, origin.top - whole.scrollTop];
			const rects = things.map((thing): [string, Rect] => {
				const { left: x, top: y, width, height } = thing.getBoundingClientRect();
				return [thing.dataset.measured ?? "", { left: x - left, top: y - top, width, height }];
			});
			setMeasured({ rects: new Map(rects), width: whole.scrollWidth, height: whole.scrollHeight });
		}
		measure();
		const observer = new ResizeObserver(measure);
		for (const one of [whole, ...things]) observer.observe(one);
		return () => observer.disconnect();
	}, [container, content]);
	return measured;
}
