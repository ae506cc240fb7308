import { z } from "zod";
import { freeObject, freeRecord } from "#domain";

/*
 * The part of the Model Context Protocol that offers tools, over streamable HTTP without sessions or streams: one JSON
 * answer to each request, which the protocol allows and every client reads.
 */

/** Revisions that these messages fit, the newest first. */
const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
const [newest] = revisions;

const Message = z.object({
	jsonrpc: z.literal("2.0"),
	id: z.union([z.string().max(1000), z.number()]).optional(),
	method: z.string().max(200).optional(),
	params: freeObject({}).optional(),
});
const Initialize = z.object({ protocolVersion: z.string() });
const CallTool = z.object({
	name: z.string().max(200),
	arguments: z.unknown().optional(),
	_meta: freeRecord(z.unknown()).optional(),
});
export type McpCall = z.infer<typeof CallTool>;

/** Tools as a client of the protocol lists and calls them. */
export interface McpTools {
	list(): object[] | Promise<object[]>;
	/** A call that was wrong is a result that says so; what breaks is thrown. */
	call(asked: McpCall): Promise<{ content: McpContent[]; isError?: true; _meta?: object }>;
}

export type McpContent = { type: "text"; text: string } | { type: "image"; data: string; mimeType: string };

/** The code of a message or call that does not fit, by JSON-RPC. */
const codes = { badMessage: -32600, noMethod: -32601, badParams: -32602, failed: -32603 } as const;

/** Whether the revision that a client names in its header is spoken here. */
export const speaks = (revision: string): boolean => revisions.some((one) => one === revision);

/**
 * The answer to one message of a client; undefined where none is due (a notification, a response). A tool that breaks
 * is thrown on, a call that was wrong is a result that says so.
 */
export async function answerMcp(message: unknown, tools: McpTools): Promise<object | undefined> {
	const parsed = Message.safeParse(message);
	if (!parsed.success) return failure(null, codes.badMessage, "this is no JSON-RPC message");
	const { id, method, params } = parsed.data;
	if (id === undefined || method === undefined) return undefined;
	const result = (value: object) => ({ jsonrpc: "2.0", id, result: value });
	switch (method) {
		case "initialize": {
			const asked = Initialize.safeParse(params);
			const wanted = asked.success && speaks(asked.data.protocolVersion) ? asked.data.protocolVersion : newest;
			return result({
				protocolVersion: wanted,
				capabilities: { tools: {} },
				serverInfo: { name: "hopscope", version: "1" },
			});
		}
		case "ping":
			return result({});
		case "tools/list":
			return result({ tools: await tools.list() });
		case "tools/call": {
			const asked = CallTool.safeParse(params);
			if (!asked.success) return failure(id, codes.badParams, "name a tool and give its arguments");
			return result(await tools.call(asked.data));
		}
		default:
			return failure(id, codes.noMethod, `there is no method ${method}`);
	}
}

const failure = (id: string | number | null, code: number, message: string) => ({
	jsonrpc: "2.0",
	id,
	error: { code, message },
});
