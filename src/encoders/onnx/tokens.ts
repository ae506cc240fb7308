import { Tokenizer } from "@huggingface/tokenizers";
import { usageError } from "#domain";
import type { TextConventions } from "../conventions-row.ts";
import type { ModelFolder } from "./model-folder.ts";

/** Turns texts into token ids as a model's own tokenizer does, cut to its limit, the special tokens kept. */
export interface Tokens {
	encode(text: string): number[];
	/** Fills up. */
	pad: number;
}

/** Longer than any token but a few: a text is cut to this many characters a token before it is looked at. */
const charactersPerToken = 32;

export function openTokens({ dir, tokenizer }: ModelFolder, conventions: TextConventions): Tokens {
	if (!tokenizer)
		throw usageError("missing-tokenizer", `${dir} holds no tokenizer.json`, "Put the model's own beside it.");
	const { endToken, maxTokens } = conventions;
	let inner: Tokenizer;
	let before: number[];
	let after: number[];
	try {
		inner = new Tokenizer(tokenizer.definition, tokenizer.config);
		[before, after] = specialsAround(inner);
	} catch (error) {
		throw usageError("bad-tokenizer", `${dir}/tokenizer.json cannot be used`, "Fetch it again.", { cause: error });
	}
	if (endToken !== undefined) {
		const end = inner.token_to_id(endToken);
		if (end === undefined)
			throw usageError(
				"bad-tokenizer",
				`${dir}/tokenizer.json knows no "${endToken}", with which each text must end`,
				"Give the model's own tokenizer, or name other conventions.",
			);
		if (after.at(-1) !== end) after = [...after, end];
	}
	const room = Math.max(1, maxTokens - before.length - after.length);
	return {
		encode(text) {
			const start = text.slice(0, maxTokens * charactersPerToken);
			const ids: number[] = inner.encode(start, { add_special_tokens: false }).ids;
			return [...before, ...ids.slice(0, room), ...after];
		},
		pad: padId(inner, tokenizer.config),
	};
}

/** The special tokens that the tokenizer puts around a text, seen on a text. */
function specialsAround(tokenizer: Tokenizer): [before: number[], after: number[]] {
	const bare: number[] = tokenizer.encode("a", { add_special_tokens: false }).ids;
	const whole: number[] = tokenizer.encode("a").ids;
	for (let start = 0; start + bare.length <= whole.length; start += 1)
		if (bare.every((id, index) => whole[start + index] === id))
			return [whole.slice(0, start), whole.slice(start + bare.length)];
	return [[], []];
}

function padId(tokenizer: Tokenizer, config: Record<string, unknown>): number {
	const named = config.pad_token;
	const token = typeof named === "string" ? named : (named as { content?: unknown } | undefined)?.content;
	for (const candidate of [token, "[PAD]", "<pad>", "<|endoftext|>"]) {
		const id = typeof candidate === "string" ? tokenizer.token_to_id(candidate) : undefined;
		if (id !== undefined) return id;
	}
	return 0;
}
