import { z } from "zod";
import { questionOf } from "#domain";
import { asDrop, asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { yearSaidIn } from "../final-gate/said-values.ts";
import { aliases, extractors, yearBehind } from "./extractors.ts";
import { extractValuePrompt } from "./prompts.ts";
import { Related } from "./related-items.ts";

const Value = z.object({ method: z.string(), value: z.number(), claimed: z.number().nullable() });
/** Related items, each with the number that its answer comes to. */
export const Valued = Related.extend({ values: z.array(Value) });
export type Valued = z.infer<typeof Valued>;

export interface Extracting {
	/** Ways of making a number of an answer, by name. */
	extractors: readonly string[];
	/** The year that `founding_tolddiff` counts back from. */
	year: number;
	/** A model's number that is not the one computed here: replaced, or the group dropped. */
	arithmetic: "correct" | "drop";
}

/**
 * Makes a number of the answer of each part: the model chooses among the ways that give one, the number is computed here.
 * A way that takes the answer's year is not offered where the part's question says that year, as Table 26 has it.
 */
export function extractValues(options: Extracting): Stage<Related, Valued> {
	const { extractors: names, year, arithmetic } = options;
	return defineStage("extract", "extract-values", 2, {
		params: { names, year, arithmetic },
		output: Valued,
		calls: [{ role: "generator", each: 2, prompt: extractValuePrompt.hash }],
		async run(related, context) {
			const values: z.infer<typeof Value>[] = [];
			const does = (name: string) => extractors[name]?.does.replace("{year}", String(year)) ?? "";
			for (const item of related.items) {
				const { answer } = item;
				const question = questionOf(item);
				const given = (name: string) => {
					const own = yearBehind(name, answer);
					return own === undefined ? undefined : yearSaidIn(question, own, { language: item.tags.language ?? "en" });
				};
				const offered = names.filter((name) => extractors[name]?.of(answer, { year }) !== undefined && !given(name));
				if (offered.length === 0) return [asDrop("unit_mismatch", `no number can be made of "${answer.value}"`)];
				const methods = offered.map((name) => `- ${name}: ${does(name)}`).join("\n");
				const asked = { methods, question, answer: answer.value };
				const { value: said } = await context.ask("generator", extractValuePrompt, asked);
				const method = aliases[said.method] ?? said.method;
				const told = names.includes(method) ? given(method) : undefined;
				if (told !== undefined)
					return [asDrop("intermediate_in_question", `${method}: the part's question says "${told}"`)];
				const value = names.includes(method) ? extractors[method]?.of(answer, { year }) : undefined;
				if (value === undefined) return [asDrop("unit_mismatch", `${said.method} gives nothing of "${answer.value}"`)];
				if (arithmetic === "drop" && said.value !== value)
					return [asDrop("arithmetic_wrong", `${method} of "${answer.value}" is ${value}, not ${said.value}`)];
				values.push({ method, value, claimed: said.value });
			}
			return [asPiece({ ...related, values })];
		},
	});
}
