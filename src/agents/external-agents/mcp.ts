import { createHash } from "node:crypto";
import { z } from "zod";
import type { Session } from "../driver/session.ts";
import type { McpCall, McpContent, McpTools } from "../mcp.ts";
import type { ToolName } from "../tools/tools.ts";
import type { Offer } from "./offer.ts";
import { fromOne, outcomeText, toolTexts } from "./tool-texts.ts";

/** The tools of one task as the Model Context Protocol offers them. */
export const mcpTools = (offer: Offer, session: Session): McpTools => ({
	list: () => offer.names.map(declaration),
	call: (asked) => callTool(asked, { offer, session }),
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
	{ offer, session }: { offer: Offer; session: Session },
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
