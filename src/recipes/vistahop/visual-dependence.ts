import { questionOf } from "#domain";
import { visualDependence as ratioOf } from "#scoring";
import { askedOf, type Check, fail, pass } from "../engine/check.ts";
import type { Asked, Published, StageContext } from "../engine/stage.ts";
import { closedBook, imageMasked, regionMasked } from "../probes/conditions.ts";
import { dependsOnImage } from "../probes/depends-on-image.ts";
import type { ProbeSources, View } from "../probes/view.ts";
import { confirmAnswerPrompt } from "./prompts.ts";

export interface VisualDependence {
	/** The ratio that must be exceeded. */
	above: number;
	/** Samples of each kind where the server gives no log-probabilities. */
	samples: number;
	/** What is made grey: the whole image, or only the region that the question begins at. */
	mask: "image" | "region";
	published?: Published | undefined;
}

/**
 * How much likelier the right answer is with the image than with it masked. Where the server gives log-probabilities, the
 * probability that the solver puts on the answer being right; else the share of right answers among samples, by the rule
 * of succession. The verdict's detail says which.
 */
export function visualDependence(options: VisualDependence, sources: ProbeSources): Check {
	const { above, samples, mask, published } = options;
	const masked = mask === "image" ? imageMasked() : regionMasked();
	const sampled = dependsOnImage({ name: "visual-dependence", above, samples, masked }, sources);
	return {
		...sampled,
		params: [sampled.params, { mask }],
		calls: [...(sampled.calls ?? []), { role: "solver", each: 2, prompt: confirmAnswerPrompt.hash }],
		published,
		lacks: masked.lacks,
		async look(item, context) {
			const views = await Promise.all([closedBook(), masked].map((condition) => condition.views(item, sources)));
			const [shown, blind] = views.map((one) => ("lacking" in one ? undefined : one[0]));
			if (shown && blind) {
				const proposed = { question: questionOf(item), proposed: item.answer.value };
				const a = await confirmed(shown, proposed, context);
				const b = a && (await confirmed(blind, proposed, context));
				const ratio = a && b ? ratioOf(a.probability, b.probability) : null;
				if (a && b && ratio !== null) {
					const about = { score: ratio, threshold: above, ...askedOf(a.asked, b.asked) };
					const detail = `ratio ${ratio.toFixed(2)}, by log-probabilities`;
					return ratio > above ? pass({ ...about, detail }) : fail("low_visual_dependence", detail, about);
				}
			}
			const verdict = await sampled.look(item, context);
			if (verdict.verdict === "skipped") return verdict;
			return {
				...verdict,
				detail: `ratio ${verdict.score?.toFixed(2)}, of ${samples} samples by the rule of succession`,
			};
		},
	};
}

/** The probability of "right", from the token that says so; undefined where the server gives none. */
async function confirmed(
	{ images }: View,
	values: { question: string; proposed: string },
	context: StageContext,
): Promise<{ probability: number; asked: Asked<unknown> } | undefined> {
	const asked = await context.ask("solver", confirmAnswerPrompt, values, { images, logprobs: true });
	const said = (asked.logprobs ?? []).findLast(({ token }) => /^\W*(true|false)\W*$/.test(token));
	if (!said) return undefined;
	const probability = Math.exp(said.logprob);
	return { probability: /true/.test(said.token) ? probability : 1 - probability, asked };
}
