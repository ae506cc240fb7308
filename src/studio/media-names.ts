/** Pictures by names that say what they belong to, and nothing of where they lie. */
import type { Evidence, ImageRef, Task } from "#domain";
import { clip } from "#domain";
import type { Media } from "./pages.ts";

/** What a name stands for. */
export type MediaOf = { is: "image"; task: string; image: string } | { is: "evidence"; id: string };

export const imageMedia = (
	{ id: task }: Pick<Task, "id">,
	{ id: image, width, height, alteration }: ImageRef,
	at = 0,
): Media => ({
	name: nameOfMedia({ is: "image", task, image }),
	width,
	height,
	alt: alteration ? `Question image ${at + 1}: ${clip(alteration, 200)}` : `Question image ${at + 1}`,
});

/** The picture of an image or of a page that is kept as one; null where there is none. */
export function evidenceMedia(evidence: Evidence): Media | null {
	if (evidence.kind === "passage" || (evidence.kind === "page" && !evidence.image)) return null;
	const size = evidence.kind === "image" ? [evidence.width, evidence.height] : (evidence.size ?? [null, null]);
	const alt = evidence.kind === "image" ? evidence.caption || evidence.title : evidence.title;
	return {
		name: nameOfMedia({ is: "evidence", id: evidence.id }),
		width: size[0] ?? null,
		height: size[1] ?? null,
		alt: clip(alt, 200) || evidence.kind,
	};
}

export const nameOfMedia = (of: MediaOf): string =>
	Buffer.from(of.is === "image" ? `i\0${of.task}\0${of.image}` : `e\0${of.id}`).toString("base64url");

/** What a name stands for; undefined where it is none of ours. */
export function mediaNamed(name: string): MediaOf | undefined {
	const [kind, first, second, ...more] = Buffer.from(name, "base64url").toString("utf8").split("\0");
	if (more.length > 0 || !first) return undefined;
	if (kind === "e" && second === undefined) return { is: "evidence", id: first };
	if (kind === "i" && second) return { is: "image", task: first, image: second };
	return undefined;
}

/** What `knowledge:NAME` and `benchmark:NAME` name, whose pictures are asked for as a run's are; no run is called so. */
export function sourceNamed(of: string): { is: "knowledge" | "benchmark"; name: string } | undefined {
	const [, is, name] = /^(knowledge|benchmark):(.+)$/.exec(of) ?? [];
	return is && name ? { is: is as "knowledge" | "benchmark", name } : undefined;
}
