import type { ChatPart } from "#models";
import type { Session } from "../driver/session.ts";
import { harmless } from "../tools/harmless.ts";
import type { Outcome } from "../tools/outcome.ts";
import { outcomeParts, pictureOf, text } from "../tool-call-format/outcome-parts.ts";
import { zoomName } from "./zoom-tools.ts";

/** The short texts that SenseNova-MARS was trained to read, in place of the usual ones. */
export async function marsParts(outcome: Outcome, session: Session): Promise<ChatPart[]> {
	const tool = outcome.call.tool;
	switch (outcome.is) {
		case "refused":
			return [text(`Error: ${refusal(outcome)}`)];
		case "cropped":
			return [text("Here is the zoomed image:"), outcome.image];
		case "read":
			return outcomeParts(outcome, session);
		case "found": {
			if (tool !== "image_search_by_image" && tool !== "web_image_search") return outcomeParts(outcome, session);
			if (outcome.results.length === 0) return [text("No matching images were found.")];
			const parts: ChatPart[] = [text("Reverse Image Search Results:")];
			for (const [index, { id, title, text: told }] of outcome.results.entries()) {
				const about = told.trim() === "" || told === title ? "" : ` (${harmless(told)})`;
				parts.push(text(`\n\nTitle ${index + 1}: ${harmless(title)}${about}\nThumbnail ${index + 1}: `));
				const picture = await pictureOf(id, session);
				if (picture) parts.push(picture);
			}
			return parts;
		}
	}
}

/** The usual words, but for the index by which a crop is named from then on. */
export async function qwenParts(outcome: Outcome, session: Session): Promise<ChatPart[]> {
	if (outcome.is !== "cropped") return outcomeParts(outcome, session);
	return [text(`The part you asked for, from now on the image with img_idx ${outcome.index}:`), outcome.image];
}

function refusal({ call }: Outcome): string {
	if (call.is === "call") return call.tool === "image_crop" ? "Invalid bbox format." : "Search not available.";
	switch (call.code) {
		case "unknown-tool":
			return `Unknown tool '${harmless(call.tool)}'.`;
		case "two-actions":
			return "Only one tool call per turn.";
		case "bad-json":
		case "truncated":
			return "Invalid tool call format.";
		default:
			return call.tool === "image_crop" || call.tool === zoomName ? "Invalid bbox format." : "Search not available.";
	}
}
