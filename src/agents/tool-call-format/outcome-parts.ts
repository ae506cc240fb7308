import type { ChatPart } from "#models";
import type { Session } from "../driver/session.ts";
import { harmless } from "../tools/harmless.ts";
import type { Outcome } from "../tools/outcome.ts";

/** Pictures of one result list that a model is shown. */
const mostPictures = 5;

/** What became of a call as the model is told it: text, and the pictures of images, pages and crops. */
export async function outcomeParts(outcome: Outcome, session: Session): Promise<ChatPart[]> {
	switch (outcome.is) {
		case "refused":
			return [text(`Error: ${harmless(outcome.problem)}.`)];
		case "cropped":
			return [text(`Image ${outcome.index + 1}, the part you asked for:`), outcome.image];
		case "read":
			return [text(`${harmless(outcome.title)} (${harmless(outcome.address)})\n${harmless(outcome.text)}`)];
		case "found": {
			if (outcome.results.length === 0) return [text("Nothing was found.")];
			const parts: ChatPart[] = [];
			let pictures = 0;
			for (const [index, { id, kind, title, text: told }] of outcome.results.entries()) {
				const address = /^https?:/.test(id) ? ` (${harmless(id)})` : "";
				parts.push(text(`${index + 1}. ${harmless(title)}${address}: ${harmless(told)}`));
				if (kind === "passage" || pictures === mostPictures) continue;
				const picture = await pictureOf(id, session);
				if (picture) parts.push(picture);
				if (picture) pictures += 1;
			}
			return parts;
		}
	}
}

/** An evidence as a picture, unless the model has no eyes. */
export async function pictureOf(id: string, session: Session): Promise<ChatPart | undefined> {
	return session.context.setting.images === "captions" ? undefined : session.picture(id);
}

export const text = (words: string): ChatPart => ({ type: "text", text: words });
