import type { TrainingExample } from "../conversations/example.ts";
import { imageTokens, type Size, type Template, templates, textTokens, toolsTokens, turnTokens } from "./lengths.ts";
import { type Alternation, alternation, plainText } from "./turns.ts";
import { defaultMaxPixels, type Many, type Writing } from "./writer.ts";

/** A row of some trainer with what its length is estimated from. */
export interface Row {
	row: object;
	texts: string[];
	sizes: readonly Size[];
}

/**
 * Passes examples through `rowOf`, one after another, and keeps account: what cannot be written is left out with its
 * reason, what the form has no place for is counted.
 */
export function rowWriter(
	rowOf: (example: TrainingExample, alternation: Alternation) => Promise<Row>,
	options: { maxPixels?: number | undefined; tiles: boolean; signal?: AbortSignal | undefined; ownLoss?: boolean },
) {
	const { maxPixels = defaultMaxPixels, tiles, signal, ownLoss = false } = options;
	const left: Writing["left"] = [];
	const longest: Record<Template, number> = { qwen2_vl: 0, qwen3_vl: 0, intern_vl: 0 };
	const lost = { trailing: 0, unread: 0, trained: 0, images: 0 };
	async function* rows(examples: Many<TrainingExample>): AsyncGenerator<object> {
		for await (const example of examples) {
			signal?.throwIfAborted();
			const made = alternation(example);
			if (typeof made === "string") {
				left.push({ id: example.id, reason: made });
				continue;
			}
			try {
				const { row, texts, sizes } = await rowOf(example, made);
				const around = (example.tools?.length ?? 0) > 0 ? toolsTokens : 0;
				const words = texts.reduce((sum, text) => sum + textTokens(text) + turnTokens, around);
				for (const template of templates) {
					const pictures = sizes.reduce((sum, size) => sum + imageTokens(size, template, { maxPixels, tiles }), 0);
					longest[template] = Math.max(longest[template], words + pictures);
				}
				count(example, made, sizes.length);
				yield row;
			} catch (error) {
				signal?.throwIfAborted();
				left.push({ id: example.id, reason: (error as Error).message });
			}
		}
	}
	function count({ messages, images }: TrainingExample, { turns, trailing }: Alternation, shown: number) {
		if (trailing > 0) lost.trailing += 1;
		const said = turns.flatMap(({ messages }) => messages);
		const calls = said.flatMap((message) => message.calls ?? []);
		if (calls.some((call) => !isObject(call.arguments))) lost.unread += 1;
		if (!ownLoss && said.some(({ role, train }) => role === "assistant" && !train)) lost.trained += 1;
		const marks = messages.flatMap(({ content }) => content.filter(({ type }) => type === "image")).length;
		if (shown < marks || images.some((_, index) => !names(messages, index))) lost.images += 1;
	}
	return {
		rows,
		left,
		longest,
		losses: (): string[] => [
			...told(lost.trained, "have turns that are not to be learned; this trainer learns every turn of the policy"),
			...told(lost.trailing, "end in what the policy is shown; that end is left out"),
			...told(lost.unread, "hold a call whose arguments are no JSON object; they are written as text"),
			...told(lost.images, "bring images that no turn shows; those are left out"),
		],
	};
}

const told = (count: number, what: string) =>
	count === 0 ? [] : [`${count} ${count === 1 ? "row" : "rows"}: ${what}`];

const names = (messages: TrainingExample["messages"], index: number) =>
	messages.some(({ content }) => content.some((part) => part.type === "image" && part.image === index));

function isObject(text: string): boolean {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value);
	} catch {
		return false;
	}
}

/** Every text of a row that the model reads or writes. */
export const textsOf = ({ system, turns }: Alternation, tools: string): string[] => [
	system + tools,
	...turns.map(({ messages }) =>
		messages
			.map((message) => plainText(message) + (message.calls ?? []).map((call) => call.name + call.arguments).join(""))
			.join("\n"),
	),
];
