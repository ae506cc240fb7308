import { createHash } from "node:crypto";
import { z } from "zod";
import type { Session } from "../driver/session.ts";
import type { McpCall, McpContent, McpTools } from "../mcp.ts";
import { harmless } from "../tools/harmless.ts";
import type { Outcome } from "../tools/outcome.ts";
import type { ToolName } from "../tools/tools.ts";
import type { Offer } from "./offer.ts";

/*
 * The tools as a model reads them: what each is for, its arguments, and its results. Images count from 1, as in all
 * that Hopscope says to models.
 */

const query = z.string().min(1).max(2000);
const k = z.number().int().min(1).max(100).optional().describe("how many results to return");
const image = z.number().int().min(1).describe("number of the image: those of the question count from 1, crops go on");
const box = z.array(z.number()).length(4).describe("left, top, right, bottom in pixels of the image");

export const toolTexts: Record<ToolName, { description: string; input: z.ZodObject }> = {
	text_search: {
		description: "Search the knowledge base for text passages that bear on a query.",
		input: z.object({ query: query.describe("what to look for, in words"), k }),
	},
	page_search: {
		description: "Search the knowledge base for document pages that bear on a query.",
		input: z.object({ query: query.describe("what to look for, in words"), k }),
	},
	image_search_by_text: {
		description: "Search the knowledge base for images that fit a description.",
		input: z.object({ query: query.describe("what the image shows"), k }),
	},
	image_search_by_image: {
		description: "Search the knowledge base for images that resemble one of the question's images or a crop of one.",
		input: z.object({ image, k }),
	},
	image_crop: {
		description: "Cut a piece out of an image, to see it or to search with it.",
		input: z.object({ image, box }),
	},
	web_search: {
		description: "Search the web.",
		input: z.object({ query: query.describe("what to look for, in words"), k }),
	},
	web_read: {
		description: "Read the part of a web page that bears on a question.",
		input: z.object({ address: z.string().max(2000), question: z.string().max(2000) }),
	},
	web_image_search: {
		description: "Search the web for pages that show one of the question's images or a crop of one.",
		input: z.object({ image, k }),
	},
};

/** The arguments of a model's call as the tools take them: there images count from 0. */
export function fromOne(args: unknown): unknown {
	const numbered = z.looseObject({ image: z.number() }).safeParse(args);
	return numbered.success ? { ...numbered.data, image: numbered.data.image - 1 } : args;
}

/** What a model reads of an outcome. */
export function outcomeText(outcome: Outcome): string {
	switch (outcome.is) {
		case "found":
			if (outcome.results.length === 0) return "Nothing was found.";
			return outcome.results
				.map(({ id, title, text, rank }) => `[${rank}] ${harmless(title)} (id: ${harmless(id)})\n${harmless(text)}`)
				.join("\n\n");
		case "cropped":
			return `Image ${outcome.index + 1}: the piece that was cut out.`;
		case "read":
			return `${harmless(outcome.title)} (${harmless(outcome.address)})\n\n${harmless(outcome.text)}`;
		case "refused":
			return `The call was not carried out: ${harmless(outcome.problem)}`;
	}
}

/** The tools of one task as the Model Context Protocol offers them. */
export const mcpTools = (offer: Offer, session: Session): McpTools => ({
	list: () => offer.names.map(declaration),
	call: (asked) => callTool(asked, offer, session),
});

export function declaration(name: ToolName) {
	const { description, input } = toolTexts[name];
	const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(input, { io: "input" });
	return {
		name,
		description,
		inputSchema,
		annotations: { readOnlyHint: true, openWorldHint: name.startsWith("web_") },
	};
}

/** Of all fixed words that a program's model reads. */
export const toolsHash = createHash("sha256")
	.update(JSON.stringify((Object.keys(toolTexts) as ToolName[]).map(declaration)))
	.digest("hex");

async function callTool(
	{ name, arguments: args }: McpCall,
	offer: Offer,
	session: Session,
): Promise<{ content: McpContent[]; isError?: true }> {
	const outcome = await offer.call(name, fromOne(args));
	const content: McpContent[] = [{ type: "text", text: outcomeText(outcome) }];
	const show = (image: { data: Buffer; mediaType: string }) =>
		content.push({ type: "image", data: image.data.toString("base64"), mimeType: image.mediaType });
	if (outcome.is === "cropped") show(outcome.image);
	if (outcome.is === "found" && name === "page_search" && session.context.setting.images !== "captions")
		for (const { id } of outcome.results) {
			const picture = await session.picture(id);
			if (picture) show(picture);
		}
	return { content, ...(outcome.is === "refused" ? { isError: true as const } : {}) };
}
