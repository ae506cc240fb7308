import { z } from "zod";
import { Topology } from "#domain";

/** How many tasks of a shape and a number of hops a benchmark should have, nested question series aside. */
export const Wanted = z.object({
	topology: Topology,
	hops: z.number().int().min(2).max(8),
	count: z.number().int().min(0).max(100_000),
});
export type Wanted = z.infer<typeof Wanted>;

/**
 * The default mix: about 300 single tasks beside the nested question series. Forks and text-initiated chains get more than their
 * share of MC-Search (Table 7), where they are few, so that slices by topology can be read.
 */
export const defaultPlan: Wanted[] = [
	{ topology: "image-initiated-chain", hops: 2, count: 8 },
	{ topology: "image-initiated-chain", hops: 3, count: 8 },
	{ topology: "image-initiated-chain", hops: 5, count: 14 },
	{ topology: "text-initiated-chain", hops: 2, count: 14 },
	{ topology: "text-initiated-chain", hops: 3, count: 14 },
	{ topology: "text-initiated-chain", hops: 4, count: 14 },
	{ topology: "text-initiated-chain", hops: 5, count: 8 },
	{ topology: "text-only-chain", hops: 5, count: 14 },
	{ topology: "image-text-fork", hops: 3, count: 16 },
	{ topology: "image-text-fork", hops: 4, count: 22 },
	{ topology: "image-text-fork", hops: 5, count: 26 },
	{ topology: "multi-image-fork", hops: 3, count: 16 },
	{ topology: "multi-image-fork", hops: 4, count: 16 },
	{ topology: "multi-image-fork", hops: 5, count: 32 },
	{ topology: "text-fork", hops: 3, count: 24 },
	{ topology: "text-fork", hops: 4, count: 24 },
	{ topology: "text-fork", hops: 5, count: 24 },
];

/** The mix for a graph without images: 2 hops and more, chains and forks alike. */
export const textPlan: Wanted[] = [
	...[2, 3, 4, 5].map((hops): Wanted => ({ topology: "text-only-chain", hops, count: 36 })),
	...[3, 4, 5].map((hops): Wanted => ({ topology: "text-fork", hops, count: 46 })),
];
