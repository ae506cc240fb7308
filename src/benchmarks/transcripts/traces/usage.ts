import type { Usage } from "#domain";
import { countIn } from "./values.ts";

/** Tokens of one call to a model; undefined where none are told. */
export function usageOf({
	input,
	output,
	cached,
	reasoning,
}: Record<"input" | "output" | "cached" | "reasoning", unknown>): Usage | undefined {
	const [inputTokens, outputTokens] = [countIn(input), countIn(output)];
	if (inputTokens === undefined && outputTokens === undefined) return undefined;
	const [cachedTokens, reasoningTokens] = [countIn(cached), countIn(reasoning)];
	return {
		...{ calls: 1, inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 },
		...(cachedTokens === undefined ? {} : { cachedTokens }),
		...(reasoningTokens === undefined ? {} : { reasoningTokens }),
	};
}
