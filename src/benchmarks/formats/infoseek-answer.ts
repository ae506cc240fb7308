import { z } from "zod";
import type { Answer } from "#domain";
import { refuse } from "./row-context.ts";
import { answerOfType } from "./stated-type.ts";

const Numeric = z.object({
	wikidata: z.union([z.number(), z.array(z.number()).min(1).max(1)]),
	range: z.tuple([z.number(), z.number()]),
});

/**
 * InfoSeek's `answer_eval`, of three kinds: texts that all count, or one number with the interval that counts. `given`
 * are the texts of its `answer`. With the type Time, a plain year or date becomes a time.
 */
export function evaluatedAnswer(given: readonly string[], evaluated: unknown, type?: string): Answer {
	const listed = Array.isArray(evaluated) ? evaluated : [evaluated];
	const [first] = listed;
	if (typeof first === "object" && first !== null) {
		const numeric = Numeric.safeParse(first);
		if (!numeric.success || listed.length > 1)
			return refuse("its answer_eval is neither texts nor one number with a range");
		const { wikidata, range } = numeric.data;
		const value = Array.isArray(wikidata) ? (wikidata[0] ?? Number.NaN) : wikidata;
		if (range[0] > range[1]) return refuse(`its range ${range.join(" to ")} is empty`);
		const accepted = given.length > 0 ? [...given] : [`${value}`];
		return { type: "number", value: accepted[0] ?? `${value}`, accepted, number: { value, range } };
	}
	const texts = z.array(z.union([z.string(), z.number()]).transform(String)).safeParse(listed);
	if (!texts.success) return refuse("its answer_eval is neither texts nor one number with a range");
	const accepted = [...new Set([...given, ...texts.data])].filter((text) => text.trim() !== "");
	const [value] = accepted;
	if (value === undefined) return refuse("its answer is not public, as in the test split");
	if (type === "Time") {
		const time = [...accepted].map((text) => answerOfType(text, /^\d{4}$/.test(text) ? "year" : "date").answer);
		const typed = time.find((answer) => answer.type === "time");
		if (typed) return { ...typed, value, accepted: [...new Set([...accepted, ...typed.accepted])] };
	}
	return { type: "string", value, accepted };
}
