import { type Evidence, type Item, retrievalHops } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { type ImagePart, imagePart } from "#models";
import { MissingEvidence } from "../engine/stage.ts";

/** An evidence as a picture for a model: an image itself, a page where its picture was kept; else nothing. */
export async function pictureOf(
	knowledge: Pick<KnowledgeBase, "file">,
	evidence: Evidence,
): Promise<ImagePart | undefined> {
	const file = await knowledge.file(evidence, "picture");
	return file === undefined || (evidence.kind === "page" && !evidence.image) ? undefined : imagePart(file, evidence.id);
}

interface EvidenceSource {
	evidence(id: string): Promise<Evidence | undefined>;
}

/** The evidence of those ids that is held, in their order. */
export async function heldEvidence({ evidence }: EvidenceSource, ids: Iterable<string>): Promise<Evidence[]> {
	const found = await Promise.all([...ids].map((id) => evidence(id)));
	return found.flatMap((one) => one ?? []);
}

/** The evidence of those ids. What is missing is the build's trouble, not the item's. */
export async function neededEvidence({ evidence }: EvidenceSource, ids: readonly string[]): Promise<Evidence[]> {
	return Promise.all(
		ids.map(async (id) => {
			const found = await evidence(id);
			if (!found) throw new MissingEvidence(`the knowledge base does not hold ${id}`);
			return found;
		}),
	);
}

/** What an item lacks whose hops name no evidence. */
export const lacksEvidence = ({ chain }: Pick<Item, "chain">): string | undefined =>
	retrievalHops(chain).length === 0 ? "no hop names evidence" : undefined;

/** The words of an evidence that a model without eyes is shown. */
export const wordsShown = (evidence: Evidence): string =>
	evidence.kind === "image" ? evidence.caption : evidence.text;
