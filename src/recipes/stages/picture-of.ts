import type { Evidence } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { type ImagePart, imagePart } from "#models";

/** An evidence as a picture for a model: an image itself, a page where its picture was kept; else nothing. */
export async function pictureOf(
	knowledge: Pick<KnowledgeBase, "file">,
	evidence: Evidence,
): Promise<ImagePart | undefined> {
	const file = knowledge.file(evidence, "picture");
	return file === undefined || (evidence.kind === "page" && !evidence.image) ? undefined : imagePart(file, evidence.id);
}

/** The words of an evidence that a model without eyes is shown. */
export const wordsShown = (evidence: Evidence): string =>
	evidence.kind === "image" ? evidence.caption : evidence.text;
