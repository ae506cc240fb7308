import { succession, visualDependence } from "#scoring";
import { askedOf, type Check, defineCheck, fail, pass } from "../engine/check.ts";
import { answerFromEvidence } from "../stages/prompts.ts";
import { closedBook, imageMasked } from "./conditions.ts";
import { trialsOf } from "./probe.ts";
import { type Condition, cannot, type ProbeSources } from "./view.ts";

interface ImageDependence {
	name?: string;
	above?: number;
	samples?: number;
	masked?: Condition;
}

/**
 * The image makes the right answer likelier: its probability with the image over that with the image masked must be above
 * `above`. Both are estimated from samples by the rule of succession, since few servers give log-probabilities.
 * Source: VistaHop, equation 6.
 */
export function dependsOnImage(
	{ name = "depends-on-image", above = 1.2, samples = 5, masked = imageMasked() }: ImageDependence,
	sources: ProbeSources,
): Check {
	const shown = closedBook();
	const params = { above, samples, shown: shown.name, masked: masked.name, scorer: "stated", threshold: 1 };
	return defineCheck("probe", name, 1, {
		params,
		calls: [{ role: "solver", each: 2 * samples, prompt: answerFromEvidence.hash }],
		lacks: masked.lacks,
		async look(item, context) {
			const sampled = async (condition: Condition) => {
				const views = await condition.views(item, sources);
				const [view] = "lacking" in views ? [] : views;
				if ("lacking" in views || !view) return { lacking: "lacking" in views ? views.lacking : condition.name };
				return trialsOf(item, view, { samples, temperature: 1, sources: "own" }, { context, sources });
			};
			const seen = await sampled(shown);
			if ("lacking" in seen) return cannot(seen);
			const blind = await sampled(masked);
			if ("lacking" in blind) return cannot(blind);
			const share = ({ trials }: typeof seen) =>
				succession({ right: trials.filter(({ score }) => score >= 1).length, n: trials.length });
			// never null: the rule of succession gives no 0
			const ratio = visualDependence(share(seen), share(blind)) ?? 0;
			const about = {
				score: ratio,
				threshold: above,
				trials: [...seen.trials, ...blind.trials],
				...askedOf(...seen.asked, ...blind.asked),
			};
			return ratio > above ? pass(about) : fail("low_visual_dependence", `ratio ${ratio.toFixed(2)}`, about);
		},
	});
}
