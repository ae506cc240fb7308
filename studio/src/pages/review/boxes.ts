import type { Media } from "../../../../src/studio/evidence-card.ts";
import type { PointedBox } from "../../../../src/studio/review-pages.ts";
import type { Corners } from "./boxed-picture.tsx";

/** Boxes of an item by the pictures that they are drawn on. */
export const boxesOf = (boxes: readonly PointedBox[], { name }: Media): Corners[] =>
	boxes.flatMap(({ picture, box }) => (picture === name ? [box] : []));

export const withBox = (
	boxes: readonly PointedBox[],
	{ name }: Media,
	[left, top, right, bottom]: Corners,
	hop: string | undefined,
): PointedBox[] => [
	...boxes,
	{ picture: name, ...(hop === undefined ? {} : { hop }), box: [left, top, right, bottom] },
];

export function withoutLast(boxes: readonly PointedBox[], { name }: Media): PointedBox[] {
	const last = boxes.findLastIndex(({ picture }) => picture === name);
	return boxes.filter((_, at) => at !== last);
}
