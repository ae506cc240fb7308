import type { Box } from "#domain";
import { nameKey } from "#graph";
import { imagePart, sentSize } from "#models";
import { asDrop, asPiece, defineStage, type Outcome, type Stage } from "../engine/stage.ts";
import { Anchor, type Picture } from "./chain.ts";
import type { PictureFiles } from "./pictures.ts";
import { seeRegionsPrompt } from "./prompts.ts";

/** How the model writes boxes: thousandths of the picture, shares of it, or pixels of the picture as it is sent. */
export const boxUnits = ["thousandths", "shares", "pixels"] as const;
export type BoxUnit = (typeof boxUnits)[number];

export interface RegionBounds {
	unit: BoxUnit;
	/** Things that a picture must show at least. */
	entities: number;
	confidence: number;
	/** Share of the picture that a region must cover at least. */
	area: number;
	/** Overlap (intersection over union) from which on two detections of one name are one. */
	overlap: number;
}

/** The named things in a picture, each with its place; a picture that shows too few, or badly, is dropped. */
export function seeRegions(files: PictureFiles, bounds: RegionBounds): Stage<Picture, Anchor> {
	return defineStage("extract", "see-regions", 1, {
		params: bounds,
		output: Anchor,
		yields: 8.64,
		calls: [{ role: "reader", each: 1, prompt: seeRegionsPrompt.hash }],
		async run(picture, context) {
			const image = await imagePart(files.of(picture.sha256), picture.id);
			const [width, height] = sentSize([picture.width, picture.height]);
			const values = { size: `${width} × ${height} pixels`, unit: unitWords[bounds.unit] };
			const { value } = await context.ask("reader", seeRegionsPrompt, values, { images: [image] });
			const bad = (detail: string): Outcome<Anchor>[] => [asDrop("image_bad", detail)];
			if (!value.clear) return bad("what it shows is not clear");
			if (value.context !== "scene") return bad(`it is a ${value.context}`);
			const drops: Outcome<Anchor>[] = [];
			const kept: (typeof value.regions)[number][] = [];
			for (const region of value.regions) {
				const drop = (reason: "low_confidence" | "image_bad" | "duplicate", detail: string) =>
					drops.push(asDrop(reason, detail, `${picture.id}: ${region.name}`));
				const box = boundedBox(region.box, bounds.unit, { ...picture, sent: [width, height] });
				if (region.confidence < bounds.confidence) drop("low_confidence", `${region.confidence}`);
				else if (!box || areaOf(box) < bounds.area * picture.width * picture.height)
					drop("image_bad", `its box [${region.box.join(", ")}] holds nothing that can be seen`);
				else if (
					kept.some((one) => nameKey(one.name) === nameKey(region.name) && overlapOf(one.box, box) > bounds.overlap)
				)
					drop("duplicate", "seen twice in one place");
				else kept.push({ ...region, box });
			}
			const names = new Set(kept.map(({ name }) => nameKey(name)));
			if (names.size < bounds.entities) return [...drops, ...bad(`${names.size} named things`)];
			const { category, scenario } = value;
			const anchors = kept.map(({ box, ...region }, at): Outcome<Anchor> => {
				const alike = kept.filter(({ type }) => type === region.type).length;
				return asPiece({ id: `${picture.id}#${at + 1}`, picture, ...region, box, alike, category, scenario });
			});
			return [...anchors, ...drops];
		},
	});
}

const unitWords: Record<BoxUnit, string> = {
	thousandths: "thousandths of the picture's width and height",
	shares: "shares of the picture's width and height between 0 and 1",
	pixels: "pixels",
};

/** The box in whole pixels of the picture, corners in order and inside; undefined where nothing is left of it. */
export function boundedBox(
	box: Box,
	unit: BoxUnit,
	{ width, height, sent }: { width: number; height: number; sent: [number, number] },
): Box | undefined {
	const [across, down] = unit === "thousandths" ? [1000, 1000] : unit === "shares" ? [1, 1] : sent;
	const place = (value: number, of: number, size: number) =>
		Math.min(size, Math.max(0, Math.round((value * size) / of)));
	const [x0, y0, x1, y1] = box;
	const xs = [place(x0, across, width), place(x1, across, width)].sort((a, b) => a - b);
	const ys = [place(y0, down, height), place(y1, down, height)].sort((a, b) => a - b);
	const [left = 0, right = 0] = xs;
	const [top = 0, bottom = 0] = ys;
	return right > left && bottom > top ? [left, top, right, bottom] : undefined;
}

const areaOf = ([x0, y0, x1, y1]: Box) => Math.max(0, x1 - x0) * Math.max(0, y1 - y0);

function overlapOf(a: Box, b: Box): number {
	const both = areaOf([Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]);
	return both / (areaOf(a) + areaOf(b) - both);
}
