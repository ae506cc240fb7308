import { type ChatModel, type ChatRequest, type ReplyServer, replyServer } from "#models";

/**
 * Scripted players behind a real server on loopback: the model `NAME` of its address is played by the player of that name,
 * on the very messages that were sent.
 */
export async function servedPlayers(players: Readonly<Record<string, ChatModel | undefined>>): Promise<ReplyServer> {
	return replyServer(async ({ model, body }) => {
		const player = players[model];
		if (!player) return { is: "status", status: 404, message: `nobody is called ${model}` };
		const format = body.response_format as { json_schema?: { name: string } } | undefined;
		const request = {
			messages: body.messages.map(({ role, content }) => ({ role, content: partsOf(content) })),
			output: { name: format?.json_schema?.name ?? "", schema: {} },
		} as unknown as ChatRequest;
		try {
			return (await player.complete(request, {})).text;
		} catch (error) {
			return { is: "status", status: 400, message: String(error) };
		}
	});
}

function partsOf(content: unknown): object[] {
	const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content as { type: string }[]);
	return parts.map((part) => (part.type === "text" ? part : { type: "image" }));
}
