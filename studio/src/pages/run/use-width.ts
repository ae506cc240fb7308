import { type RefObject, useLayoutEffect, useState } from "react";

/** The width of an element, followed as it changes: drawings have texts that must not be scaled. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
	const [width, setWidth] = useState(0);
	useLayoutEffect(() => {
		const measured = element.current;
		if (!measured) return;
		setWidth(measured.clientWidth);
		const observer = new ResizeObserver(() => setWidth(measured.clientWidth));
		observer.observe(measured);
		return () => observer.disconnect();
	}, [element]);
	return width;
}
