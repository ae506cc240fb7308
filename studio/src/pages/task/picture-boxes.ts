/** What is pointed at in the pictures of an answer. */
import type { EvidenceCard, TaskPage } from "../../../../src/studio/pages.ts";
import type { PictureBox } from "../../parts/picture-dialog.tsx";

/** Where gold evidence stands on a page. */
export const evidenceBoxes = ({ boxes = [] }: EvidenceCard): PictureBox[] =>
	boxes.map(({ corners, says }) => ({ corners, label: says, is: "gold" }));

/** What was looked at in a question image: by the hops of the gold chain, and by the agent's own crops. */
export function questionBoxes({ hops, steps, images }: TaskPage, image: number): PictureBox[] {
	const { width = null, height = null } = images[image] ?? {};
	if (width === null || height === null) return [];
	const shares = ([left, top, right, bottom]: readonly [number, number, number, number]) =>
		[left / width, top / height, right / width, bottom / height] as const;
	const regions = hops.flatMap(({ region, place }) =>
		region?.image === image ? [{ corners: shares(region.box), label: `Hop ${place}`, is: "gold" as const }] : [],
	);
	const crops = steps.flatMap(({ crop, index }) =>
		crop?.image === image ? [{ corners: shares(crop.box), label: `Step ${index + 1}`, is: "step" as const }] : [],
	);
	return [...regions, ...crops];
}
