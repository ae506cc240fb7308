import { z } from "zod";
import { freeRecord } from "#domain";
import type { Found } from "../preflight.ts";
import { parsedRow } from "../records.ts";
import type { Entry } from "./files.ts";

/** A row by its columns' and tags' own names; of a preference, `turns` ends with the chosen and the rejected. */
export interface SharegptRow {
	id: string | undefined;
	system: string;
	tools: string;
	turns: { role: string; content: string }[];
	images: string[];
}

const Text = z.string().nullish();
const RowObject = freeRecord(z.unknown());
const Images = z.union([z.string(), z.array(z.string())]).nullish();

export function parseRow(
	value: unknown,
	{ columns, tags, ranking }: Entry,
): SharegptRow | { problem: Found<"no-json" | "wrong-shape"> } {
	const object = parsedRow(value, RowObject);
	if ("problem" in object) return object;
	const column = (name: string | undefined) => (name === undefined ? undefined : object.row[name]);
	const Message = z.object({ [tags.role_tag]: z.string(), [tags.content_tag]: z.string() });
	const Row = z.object({
		messages: z.array(Message),
		answers: z.array(Message),
		system: Text,
		tools: Text,
		images: Images,
	});
	const columnValues = {
		messages: column(columns.messages),
		answers: ranking ? [column(columns.chosen), column(columns.rejected)] : [],
		system: column(columns.system),
		tools: column(columns.tools),
		images: column(columns.images),
	};
	const read = parsedRow(columnValues, Row);
	if ("problem" in read) return read;
	const { messages, answers, system, tools, images } = read.row;
	const turns = [...messages, ...answers].map((message) => ({
		role: message[tags.role_tag] ?? "",
		content: message[tags.content_tag] ?? "",
	}));
	const first = turns[0]?.role === tags.system_tag ? turns.shift() : undefined;
	return {
		id: typeof object.row.id === "string" ? object.row.id : undefined,
		system: first?.content ?? system ?? "",
		tools: tools ?? "",
		turns,
		images: typeof images === "string" ? [images] : (images ?? []),
	};
}

const Call = z.object({ name: z.string(), arguments: z.unknown() });

/** Calls and what stands before them, as the function formatter takes a text apart; undefined where it would fail. */
export function parseCalls(content: string): { thought: string; calls: z.infer<typeof Call>[] } | undefined {
	const tagged = /<tool_call>([\s\S]*?)<\/tool_call>/.exec(content);
	const thought = tagged
		? content.replace(tagged[0], () => "")
		: (/<think>\n[\s\S]*?\n<\/think>\n\n/.exec(content)?.[0] ?? "");
	const json = tagged ? (tagged[1] ?? "") : content.replace(thought, () => "");
	try {
		const value: unknown = JSON.parse(json);
		const calls = z.array(Call).safeParse(Array.isArray(value) ? value : [value]);
		return calls.success && calls.data.every((call) => call.arguments !== undefined)
			? { thought, calls: calls.data }
			: undefined;
	} catch {
		return undefined;
	}
}
