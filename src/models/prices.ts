import { z } from "zod";
import { type Usage, withoutServer } from "#domain";
import type { Price } from "./provider.ts";

const money = z.number().min(0).max(1e6);

/**
 * Prices as a person writes them down, for a million tokens. None are shipped: providers change them. A model is named
 * by its id, `openai:NAME` or `openai:NAME@http://host/v1`; a name without server holds for every server.
 */
export const Prices = z.strictObject({
	/** Any word, e.g. `USD`; it is shown beside sums and never converted. */
	currency: z.string().trim().min(1).max(12),
	models: z
		.record(
			z.string(),
			z.strictObject({
				input: money,
				/** Of input tokens that the provider had cached; `input` where absent. */
				cached: money.optional(),
				output: money,
			}),
		)
		.superRefine((models, { addIssue }) => {
			for (const name of Object.keys(models))
				if (!/^[a-z]+:\S+$/.test(name))
					addIssue({ code: "custom", path: [name], message: "name the model as openai:NAME" });
		}),
});
export type Prices = z.infer<typeof Prices>;

/** The price of a model by its id, or undefined where none is written down. */
export function priceOf(id: string, { models }: Pick<Prices, "models">): Price | undefined {
	const without = withoutServer(id);
	const name = [id, without].find((one) => Object.hasOwn(models, one));
	const price = name === undefined ? undefined : models[name];
	if (!price) return undefined;
	const { input, cached, output } = price;
	return { input, output, ...(cached === undefined ? {} : { cached }) };
}

/** What a usage costs: (input − cached) · input + cached · cached + output · output, for a million tokens each. */
export function costOf(
	{ inputTokens, cachedTokens = 0, outputTokens }: Pick<Usage, "inputTokens" | "cachedTokens" | "outputTokens">,
	{ input, cached = input, output }: Price,
): number {
	const reused = Math.min(cachedTokens, inputTokens);
	return ((inputTokens - reused) * input + reused * cached + outputTokens * output) / 1e6;
}
