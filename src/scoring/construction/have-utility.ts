import { z } from "zod";
import { tokens } from "../answers/normalise.ts";
import { defineMetric, text } from "../metric.ts";

/** What a hop is to its chain. */
export type HopRole = "necessary" | "navigational" | "redundant";

/**
 * HAVE utility of a hop: how much worse the answer gets without its evidence, F1 with all evidence minus F1 without
 * this hop's, in [-1, 1]; and the hop's role.
 *
 * `necessary`: the utility reaches the threshold; `navigational`: it does not, but an entity of the hop's answer occurs
 * in a later sub-question; `redundant`: neither. The paper publishes no threshold, so there is no default.
 * Source: MC-Search, equations 2 and 3.
 */
export function haveUtility(
	f1: { with: number; without: number },
	options: { threshold: number; navigational: boolean },
): { value: number; role: HopRole } {
	const value = f1.with - f1.without;
	if (value >= options.threshold) return { value, role: "necessary" };
	return { value, role: options.navigational ? "navigational" : "redundant" };
}

/**
 * Whether one of the entities occurs in one of the questions, as whole words, whatever case, punctuation and a leading
 * article; Chinese and Japanese by characters. An entity without a letter or digit occurs nowhere.
 */
export function mentionsAny(entities: readonly string[], questions: readonly string[]): boolean {
	const asked = questions.map((question) => ` ${wordsOf(question)} `);
	return entities.some((entity) => {
		const name = wordsOf(entity).replace(/^(?:a|an|the) /, "");
		return name !== "" && asked.some((question) => question.includes(` ${name} `));
	});
}

/** Words by letters and digits, so that "Obama's" holds "Obama"; answer matching would join the two. */
function wordsOf(value: string): string {
	const words =
		value
			.normalize("NFKC")
			.toLowerCase()
			.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
	return tokens(words.join(" "), { cjkCharacters: true }).join(" ");
}

const share = z.number().min(0).max(1);
const texts = z.array(text.max(10_000)).max(100);

export const haveUtilityMetric = defineMetric({
	name: "have-utility",
	group: "construction",
	describe:
		"How much F1 is lost without a hop's evidence, and whether the hop is necessary, navigational or redundant.",
	formula: "with - without; redundant if below threshold and no answer entity occurs in a later question",
	range: "-1 to 1",
	edges: "A utility equal to the threshold is necessary. Without `navigational` no hop is navigational.",
	source: "MC-Search, equations 2 and 3 (no threshold is published)",
	example: {
		with: 0.8,
		without: 0.75,
		threshold: 0.1,
		navigational: { answerEntities: ["Christ Church"], laterQuestions: ["When was Christ Church built?"] },
	},
	input: z.strictObject({
		with: share,
		without: share,
		threshold: share,
		navigational: z.strictObject({ answerEntities: texts, laterQuestions: texts }).optional(),
	}),
	compute: ({ threshold, navigational, ...f1 }) => {
		const leads = navigational ? mentionsAny(navigational.answerEntities, navigational.laterQuestions) : false;
		const { value, role } = haveUtility(f1, { threshold, navigational: leads });
		return { value, role, navigational: leads, threshold };
	},
});
