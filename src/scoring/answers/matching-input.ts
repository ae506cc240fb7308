import { z } from "zod";
import { acceptedAnswers, prediction } from "../metric.ts";
import { matchModes } from "./normalise.ts";

/** The input of metrics that compare a prediction with accepted answers by their words. */
export const matching = z.strictObject({
	prediction,
	accepted: acceptedAnswers,
	mode: z.enum(matchModes).optional(),
	nfkc: z.boolean().optional(),
	unicodePunctuation: z.boolean().optional(),
	cjkCharacters: z.boolean().optional(),
	arabicForms: z.boolean().optional(),
});
