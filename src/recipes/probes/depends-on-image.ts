import type { Item, Reason } from "#domain";
import { succession, visualDependence } from "#scoring";
import { askedOf, type Check, defineCheck, fail, pass } from "../engine/check.ts";
import { answerFromEvidence } from "../stages/prompts.ts";
import { closedBook, imageMasked } from "./conditions.ts";
import { type ProbeOptions, trialsOf } from "./probe.ts";
import { type Condition, cannot, type ProbeSources } from "./view.ts";

/**
 * The image makes the right answer likelier: its probability with the image over that with the image masked must be above
 * `above`. Both are estimated from samples by the rule of succession, since few servers give log-probabilities.
 * Source: VistaHop, equation 6.
 */
export function dependsOnImage(
	options: {
		name?: string;
		reason?: Reason;
		above?: number;
		samples?: number;
		shown?: Condition;
		masked?: Condition;
		temperature?: number;
	} & Pick<ProbeOptions, "role" | "scorer" | "threshold" | "published">,
	sources: ProbeSources,
): Check {
	const { name = "depends-on-image", reason = "low_visual_dependence", above = 1.2, samples = 5 } = options;
	const { shown = closedBook(), masked = imageMasked(), threshold = 1, temperature = 1, published } = options;
	const role = [options.role ?? "solver"].flat();
	const params = {
		above,
		samples,
		shown: shown.name,
		masked: masked.name,
		scorer: options.scorer ?? "stated",
		threshold,
	};
	return defineCheck("probe", name, 1, {
		params,
		calls: role.map((one, at) => ({
			role: one,
			each: 2 * samples,
			prompt: answerFromEvidence.hash,
			...(at > 0 ? { optional: true } : {}),
		})),
		published,
		concerns: (item: Item) => item.images.length > 0,
		async look(item, context) {
			const sampled = async (condition: Condition) => {
				const views = await condition.views(item, sources);
				const [view] = "lacking" in views ? [] : views;
				if ("lacking" in views || !view) return { lacking: "lacking" in views ? views.lacking : condition.name };
				return trialsOf(item, view, { ...options, samples, temperature, sources: "own" }, { context, sources });
			};
			const seen = await sampled(shown);
			if ("lacking" in seen) return cannot(seen);
			const blind = await sampled(masked);
			if ("lacking" in blind) return cannot(blind);
			const share = ({ trials }: typeof seen) =>
				succession({ right: trials.filter(({ score }) => score >= threshold).length, n: trials.length });
			// never null: the rule of succession gives no 0
			const ratio = visualDependence(share(seen), share(blind)) ?? 0;
			const about = {
				score: ratio,
				threshold: above,
				trials: [...seen.trials, ...blind.trials],
				...askedOf(...seen.asked, ...blind.asked),
			};
			return ratio > above ? pass(about) : fail(reason, `ratio ${ratio.toFixed(2)}`, about);
		},
	});
}
