import { z } from "zod";
import type { ChatMessage, ChatModel, ChatReply, ChatRequest, JsonSchema } from "./chat-model.ts";
import { jsonObjects } from "./first-json.ts";

/** Every reply that was made counts, a misfit too; `messages` are the conversation with the replies in it. */
export type JsonReply<T> = { replies: ChatReply[]; messages: ChatMessage[] } & (
	| { is: "value"; value: T }
	| { is: "misfit"; problem: string }
);

/**
 * Asks for one JSON object that fits `schema`. A code fence or sentences around the object are tolerated; a reply that
 * does not fit is answered once with what is wrong. Of several objects that fit the first counts; with `sole` they must
 * agree, so that one quoted from the material is not taken for the reply. Rejects only with a `ModelError` or an abort.
 */
export async function askForJson<T>(
	model: ChatModel,
	request: Omit<ChatRequest, "output" | "continues">,
	{ name, schema, sole = false }: { name: string; schema: z.ZodType<T>; sole?: boolean },
	options: { signal?: AbortSignal } = {},
): Promise<JsonReply<T>> {
	const output = { name, schema: jsonSchemaOf(schema) };
	const replies: ChatReply[] = [];
	let { messages } = request;
	for (;;) {
		const reply = await model.complete({ ...request, messages, output }, options);
		replies.push(reply);
		messages = [...messages, said(reply)];
		const read = readJson(reply, schema, sole);
		if ("value" in read) return { is: "value", value: read.value, replies, messages };
		// Whoever refused will not be argued with.
		if (replies.length > 1 || reply.finish === "other")
			return { is: "misfit", problem: read.problem, replies, messages };
		messages = [...messages, { role: "user", content: [{ type: "text", text: repair(read.problem, output.schema) }] }];
	}
}

function said({ text, opaque }: ChatReply): ChatMessage {
	return {
		role: "assistant",
		content: [{ type: "text", text }],
		...(opaque === undefined ? {} : { opaque }),
	};
}

function readJson<T>(
	{ text, finish }: ChatReply,
	schema: z.ZodType<T>,
	sole: boolean,
): { value: T } | { problem: string } {
	let problem: string | undefined;
	let found: { value: T } | undefined;
	for (const object of jsonObjects(text)) {
		const parsed = schema.safeParse(object);
		if (!parsed.success) problem ??= describe(parsed.error);
		else if (!sole) return { value: parsed.data };
		else if (found && JSON.stringify(found.value) !== JSON.stringify(parsed.data))
			return { problem: "the reply holds several objects that fit and differ" };
		else found = { value: parsed.data };
	}
	if (found) return found;
	if (finish === "other") return { problem: "the model refused" };
	if (finish === "length") return { problem: "the reply was cut by the token limit" };
	return { problem: problem ?? "the reply holds no JSON object" };
}

function describe({ issues }: z.ZodError): string {
	const said = issues.slice(0, 5).map(({ path, message }) => `${path.join(".") || "the object"}: ${message}`);
	const more = issues.length - said.length;
	return `${said.join("; ").slice(0, 600)}${more > 0 ? `; and ${more} more` : ""}`;
}

const repair = (problem: string, schema: JsonSchema) =>
	[
		`Your reply cannot be used: ${problem}.`,
		"Write it again as one JSON object and nothing else, whole and no longer than needed.",
		`It must fit this JSON Schema: ${JSON.stringify(schema)}`,
	].join("\n");

const schemas = new WeakMap<z.ZodType, JsonSchema>();

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
	let made = schemas.get(schema);
	if (made === undefined) {
		const { $schema: _, ...rest } = z.toJSONSchema(schema, { unrepresentable: "any" }) as JsonSchema;
		made = rest;
		schemas.set(schema, made);
	}
	return made;
}
