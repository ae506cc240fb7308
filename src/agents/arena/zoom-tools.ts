/**
 * The tools of SenseNova-MARS and of Qwen's agents under the names and with the arguments that models were trained on:
 * images are counted from 0, boxes are `bbox_2d`. The one search for words and the one by image are those of the web, or
 * of pages, where only these are offered.
 */
import { checkedCall } from "../tools/tool-call.ts";
import type { ToolName } from "../tools/tools.ts";
import {
	boxParameter,
	cropCall,
	imageCall,
	type OfferedTool,
	objectOf,
	type ToolOptions,
} from "../tool-call-format/offered-tool.ts";

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
