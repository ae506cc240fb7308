import { z } from "zod";
import { defineMetric } from "../metric.ts";

/** A rectangle of an image, [x0, y0, x1, y1] in pixels, origin top left. */
export interface ImageRegion {
	image: string;
	box: readonly [number, number, number, number];
}

/** A rectangle that the agent looked at, with the number of the step it did so in. */
export interface Crop extends ImageRegion {
	step: number;
}

export interface Anchors {
	/** Share of the regions that were inspected; null without regions. */
	value: number | null;
	covered: number;
	/** Whether every region was inspected. */
	all: boolean;
	/** For each region, as given, how many crops inspected it; and their mean. */
	inspections: number[];
	meanInspections: number | null;
	/** Crops of an image that had been cropped before, with a retrieval in between. */
	revisits: number;
}

const enough = 0.5;

/**
 * Anchors, in [0, 1]: share of the gold image regions that the agent looked at closely.
 *
 * A crop inspects a region when it lies on the same image and covers at least half of the region's area; crops are not
 * added up, and a crop of the whole image inspects all its regions. A revisit is a crop of an image after a retrieval
 * (its step in `retrievals`) that came after an earlier crop of that image. No regions: null.
 * Source: VistaHop's visual anchors; the half is this project's.
 */
export function anchors(
	regions: readonly ImageRegion[],
	crops: readonly Crop[],
	options: { retrievals?: readonly number[] | undefined } = {},
): Anchors {
	const { retrievals = [] } = options;
	const byImage = new Map<string, Crop[]>();
	for (const crop of crops) {
		const ofImage = byImage.get(crop.image);
		if (ofImage) ofImage.push(crop);
		else byImage.set(crop.image, [crop]);
	}
	const inspections = regions.map(
		(region) => (byImage.get(region.image) ?? []).filter((crop) => coverage(region, crop) >= enough).length,
	);
	const covered = inspections.filter((count) => count > 0).length;
	const revisits = [...byImage.values()].reduce((sum, ofImage) => sum + revisitsOf(ofImage, retrievals), 0);
	const mean = (sum: number) => (regions.length === 0 ? null : sum / regions.length);
	return {
		value: mean(covered),
		covered,
		all: covered === regions.length,
		inspections,
		meanInspections: mean(inspections.reduce((sum, count) => sum + count, 0)),
		revisits,
	};
}

/** Share of the region's area that the other covers. */
function coverage({ box: [x0, y0, x1, y1] }: ImageRegion, { box }: ImageRegion): number {
	const width = Math.max(0, Math.min(x1, box[2]) - Math.max(x0, box[0]));
	const height = Math.max(0, Math.min(y1, box[3]) - Math.max(y0, box[1]));
	return (width * height) / ((x1 - x0) * (y1 - y0));
}

/** Crops of one image for which a retrieval lies strictly between the image's first crop and theirs. */
function revisitsOf(crops: readonly Crop[], retrievals: readonly number[]): number {
	const first = crops.reduce((least, { step }) => Math.min(least, step), Number.POSITIVE_INFINITY);
	const next = retrievals.reduce(
		(least, step) => (step > first ? Math.min(least, step) : least),
		Number.POSITIVE_INFINITY,
	);
	return crops.filter(({ step }) => step > next).length;
}

const step = z.int().min(0);
const place = z.number().min(-1e9).max(1e9);
const region = {
	image: z.string().max(512),
	box: z.tuple([place, place, place, place]).refine(([x0, y0, x1, y1]) => x1 > x0 && y1 > y0, {
		message: "a box is [x0, y0, x1, y1] with x1 > x0 and y1 > y0",
	}),
};

export const anchorsMetric = defineMetric({
	name: "anchors",
	group: "chains",
	describe: "Share of the gold image regions that a crop inspected.",
	formula: "|regions of whose area some crop of the image covers at least 0.5| / |regions|",
	range: "0 to 1",
	edges:
		"A crop of the whole image inspects all its regions. revisits counts crops of an image after a retrieval that followed an earlier crop of it. No regions: unscored.",
	source: "VistaHop, section 3; the half is this project's",
	example: {
		regions: [
			{ image: "i1", box: [0, 0, 100, 100] },
			{ image: "i1", box: [300, 0, 400, 100] },
		],
		crops: [
			{ image: "i1", box: [0, 0, 60, 100], step: 0 },
			{ image: "i1", box: [0, 0, 120, 120], step: 2 },
		],
		retrievals: [1],
	},
	input: z.strictObject({
		regions: z.array(z.strictObject(region)).max(1000),
		crops: z.array(z.strictObject({ ...region, step })).max(10_000),
		retrievals: z.array(step).max(10_000).optional(),
	}),
	compute: ({ regions, crops, retrievals }) => {
		const { value, ...beside } = anchors(regions, crops, { retrievals });
		return value === null ? { value, reason: "there are no gold regions", ...beside } : { value, ...beside };
	},
});
