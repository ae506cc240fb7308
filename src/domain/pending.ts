import { z } from "zod";
import type { Chain } from "./chain.ts";
import { EvidenceId, pageNamed } from "./evidence.ts";
import { counted } from "./plain-text.ts";

/** A question image that is not attached yet. */
export const PendingImage = z.object({
	id: z.string().min(1),
	/** Its path or address, as the source names it. */
	sourceName: z.string().min(1).max(4000),
	/** Its place among the question's images, from 0. */
	place: z.number().int().min(0),
	hides: z.array(z.string()).optional(),
});
export type PendingImage = z.infer<typeof PendingImage>;

/** What a task points at and its benchmark came without: `hopscope benchmark attach` brings it. */
export const Pending = z.object({
	images: z.array(PendingImage).min(1).optional(),
	/** Ids, among those that the task names, of evidence that is a picture. */
	pictures: z.array(EvidenceId).min(1).optional(),
	/** Ids of other evidence, as the source states them: pages of documents, passages. */
	evidence: z.array(EvidenceId).min(1).optional(),
});
export type Pending = z.infer<typeof Pending>;

/** Why a question cannot be asked yet, and a hop not be scored yet: each names its cure. */
export const notAttached = {
	image: "a question image is not attached yet: hopscope benchmark attach NAME --images DIR",
	pictures: "its gold images are not attached yet: hopscope benchmark attach NAME --images DIR",
	evidence: "its gold evidence is not attached yet: hopscope benchmark attach NAME --documents DIR",
} as const;

/** Why a task's hops cannot be held against what was searched: gold evidence of theirs waits to be attached. */
export function hopsWaiting({ chain, pending }: { chain?: Chain | undefined; pending?: Pending | undefined }) {
	if (!pending) return undefined;
	const cited = new Set(chain?.hops.flatMap(({ evidence }) => evidence));
	const waits = (ids: readonly string[] = []) => ids.some((id) => cited.has(id));
	if (waits(pending.evidence)) return notAttached.evidence;
	return waits(pending.pictures) ? notAttached.pictures : undefined;
}

/** What tasks wait for, each counted once. */
export interface Waiting {
	tasks: number;
	/** Question images, and evidence that is a picture. */
	images: number;
	pages: number;
	/** Those that the pages stand in. */
	documents: number;
	/** Other evidence, cited by names of its own. */
	passages: number;
}

export function waitingIn(tasks: Iterable<{ pending?: Partial<Pending> | undefined }>): Waiting {
	const images = new Set<string>();
	const evidence = new Set<string>();
	let count = 0;
	for (const { pending } of tasks) {
		if (!pending) continue;
		count += 1;
		for (const { sourceName } of pending.images ?? []) images.add(`named ${sourceName}`);
		for (const id of pending.pictures ?? []) images.add(id);
		for (const id of pending.evidence ?? []) evidence.add(id);
	}
	const pages = [...evidence].filter((id) => pageNamed(id)?.rest === "");
	return {
		...{ tasks: count, images: images.size, pages: pages.length },
		...{ documents: new Set(pages.map(documentNamed)).size, passages: evidence.size - pages.length },
	};
}

/** The document that an evidence id names: what stands before its last `#`. */
export const documentNamed = (id: string): string => (id.lastIndexOf("#") > 0 ? id.slice(0, id.lastIndexOf("#")) : id);

/** `37 images and for 41 pages in 3 documents`. */
export function waitingWords({ images, pages, documents, passages }: Waiting): string {
	return [
		...(images > 0 ? [counted(images, "image")] : []),
		...(pages > 0 ? [`${counted(pages, "page")} in ${counted(documents, "document")}`] : []),
		...(passages > 0 ? [counted(passages, "passage")] : []),
	].join(" and for ");
}

/** The command that brings what tasks wait for. */
export const attachCommand = (name: string, { images, pages, passages }: Waiting): string =>
	`benchmark attach ${name}${images > 0 ? " --images DIR" : ""}${pages + passages > 0 ? " --documents DIR" : ""}`;
