import { z } from "zod";
import type { ChatMessage } from "#models";
import { hashOf } from "./hash-of.ts";
import { bounds, fieldsInWords, materialOf } from "./material.ts";
import type { Judged, Rubric, Shown } from "./rubric.ts";

/** What a reply or a rule comes to; what is left out does not apply. */
export type Finding = Partial<Omit<Judged, "is" | "by">>;

interface Definition<Reply extends z.ZodType>
	extends Pick<Rubric, "name" | "describe" | "source" | "needs" | "headline" | "scale" | "inapplicable" | "oneLabel"> {
	labels?: Rubric["labels"];
	scores?: Rubric["scores"];
	times?: number;
	/** Who the judge is, in a sentence. */
	role: string;
	/** How to decide, and what to reply. */
	task: string;
	reply: Reply;
	read(reply: z.output<Reply>, shown: Shown): Finding;
	settled?(shown: Shown): Finding | undefined;
	rule?(shown: Shown): Finding;
}

/** A rubric from its words, the shape of its reply and how that is read. Its prompt's hash covers every fixed word. */
export function defineRubric<Reply extends z.ZodType>(definition: Definition<Reply>): Rubric {
	const { name, describe, source, needs, headline, scale, oneLabel, inapplicable, settled, rule, reply } = definition;
	const instructions = [definition.role, fieldsInWords(needs), definition.task].join("\n\n");
	const messages = (shown: Shown): ChatMessage[] => [
		{ role: "system", content: [{ type: "text", text: instructions }] },
		{ role: "user", content: [{ type: "text", text: materialOf(shown, needs) }] },
	];
	// an example's messages hold the names of all fields
	const words = [messages(everything), messages(nothing), bounds, z.toJSONSchema(reply, { unrepresentable: "any" })];
	return {
		...{ name, describe, source, needs, reply, messages },
		labels: definition.labels ?? {},
		scores: definition.scores ?? {},
		times: definition.times ?? 1,
		prompt: hashOf(words),
		...(headline === undefined ? {} : { headline }),
		...(scale ? { scale } : {}),
		...(oneLabel ? { oneLabel } : {}),
		inapplicable: (shown) => (shown.searchOnly ? "the agent only searches" : inapplicable?.(shown)),
		...(settled
			? {
					settled(shown) {
						const finding = settled(shown);
						return finding && judged(finding, "rule");
					},
				}
			: {}),
		...(rule ? { rule: (shown) => judged(rule(shown), "rule") } : {}),
		read: (said, shown) => judged(definition.read(reply.parse(said), shown), "model"),
	};
}

const judged = (finding: Finding, by: Judged["by"]): Judged => ({
	...{ is: "judged", by, value: null, grade: null, scores: {}, labels: [], reason: "" },
	...finding,
});

/** A sentence or two: enough to look a verdict up by, too little to argue. */
export const reason = z.string().max(4000);

/** A whole number on a scale; text and fractions are refused. */
export const whole = (least: number, most: number) => z.int().min(least).max(most);

const step = { question: "q", search: "s", answer: "a", found: ["f"] };
const nothing: Shown = { question: "q", reference: [], submitted: null, first: "reference", evidence: [] };
const everything: Shown = {
	...{ question: "q", reference: ["r"], submitted: "s", first: "submitted" },
	...{ evidence: [{ id: "i", title: "t", text: "x" }], goldSteps: [step], steps: [step] },
};
