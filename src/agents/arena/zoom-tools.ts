/**
 * The tools of SenseNova-MARS and of Qwen's agents under the names and with the arguments that models were trained on:
 * images are counted from 0, boxes are `bbox_2d`. The one search for words and the one by image are those of the web, or
 * of pages, where only these are offered.
 */

import type { ChatPart } from "#models";
import type { Session } from "../driver/session.ts";
import {
	boxParameter,
	cropCall,
	imageCall,
	type OfferedTool,
	objectOf,
	type ToolOptions,
} from "../tool-call-format/offered-tools.ts";
import { outcomeParts, pictureOf, text } from "../tool-call-format/outcome-parts.ts";
import { harmless } from "../tools/harmless.ts";
import type { Outcome } from "../tools/outcome.ts";
import { checkedCall } from "../tools/tool-call.ts";
import type { ToolName } from "../tools/tools.ts";

export interface ZoomNames {
	text: string;
	image: string;
	/** Whether a search by image says which. */
	choosesImage: boolean;
}

export const zoomName = "image_zoom_in_tool";

export function zoomTools(offered: ToolName[], options: ToolOptions & { names: ZoomNames }): OfferedTool[] {
	const { names } = options;
	const first = (...wanted: ToolName[]) => wanted.find((name) => offered.includes(name));
	const text = first("text_search", "web_search", "page_search");
	const image = first("image_search_by_image", "web_image_search");
	return [
		...(offered.includes("image_crop") ? [zoomTool(options)] : []),
		...(text ? [textTool(text, { ...options, name: names.text })] : []),
		...(image ? [imageTool(image, { ...options, name: names.image, chooses: names.choosesImage })] : []),
		...(offered.includes("web_read") ? [readTool()] : []),
	];
}

const imageIndex = { type: "number", description: "Index of the image: 0 for the first." };

function zoomTool(options: ToolOptions): OfferedTool {
	return {
		tool: "image_crop",
		declaration: {
			name: zoomName,
			description: "Cuts a part out of an image and shows it enlarged.",
			parameters: objectOf({
				bbox_2d: boxParameter(options.boxes),
				label: { type: "string", description: "What is to be seen there." },
				img_idx: imageIndex,
			}),
		},
		read: (args, origin) => cropCall(args.bbox_2d, { ...options, ...origin, image: indexOf(args.img_idx) }),
	};
}

function textTool(tool: ToolName, { k, name }: ToolOptions & { name: string }): OfferedTool {
	return {
		tool,
		declaration: {
			name,
			description: "Searches text for facts and brings back the best passages.",
			parameters: objectOf({ query: { type: "string", description: "What to look for." } }),
		},
		read: (args, origin) => checkedCall(tool, { query: args.query, k: k.text }, origin),
		write: ({ query }) => ({ query }),
	};
}

function imageTool(tool: ToolName, { k, gallery, name, chooses }: ToolOptions & { name: string }): OfferedTool {
	return {
		tool,
		declaration: {
			name,
			description: "Looks for images like the one asked about, with their titles, which tell what it shows.",
			parameters: objectOf(chooses ? { img_idx: imageIndex } : {}),
		},
		read: (args, origin) =>
			imageCall(tool, { ...origin, image: chooses ? indexOf(args.img_idx) : 0, k: k.image, gallery }),
		write: ({ image = 0 }) => (chooses ? { img_idx: image } : image === 0 ? {} : undefined),
	};
}

function readTool(): OfferedTool {
	return {
		tool: "web_read",
		declaration: {
			name: "visit",
			description: "Reads a page of the web and brings back what in it bears on a goal.",
			parameters: objectOf({
				url: { type: "string", description: "Address of the page." },
				goal: { type: "string", description: "What you want to know from it." },
			}),
		},
		read: (args, origin) => checkedCall("web_read", { address: args.url, question: args.goal ?? "" }, origin),
	};
}

/** The image is named in most calls; the first is meant where it is not. */
function indexOf(value: unknown): number {
	const number = typeof value === "string" && value.trim() !== "" ? Number(value) : (value ?? 0);
	return typeof number === "number" && Number.isInteger(number) ? number : Number.NaN;
}

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
