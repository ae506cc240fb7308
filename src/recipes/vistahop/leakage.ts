import { Item, questionOf } from "#domain";
import { askedOf, type Check, defineCheck, fail, nothingFor, pass, type RuleCheck } from "../engine/check.ts";
import type { Failed } from "../engine/repair.ts";
import { asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { agreement } from "../probes/agreement.ts";
import { withoutOne } from "../probes/conditions.ts";
import type { Condition } from "../probes/view.ts";
import { rewordedWithClues } from "./ask.ts";
import { hideCluesPrompt, judgeLeakPrompt, solveBlindPrompt } from "./prompts.ts";

export interface Leakage {
	/** What must hold of every wording before anyone is asked: names, answer, the words for the image. */
	rules: readonly RuleCheck[];
	/**
	 * When a right blind answer is a leak: always, as the paper's text says, or only if a part of the question was enough,
	 * as its judge's prompt says.
	 */
	policy: "right" | "part";
	/** Independent blind answers. */
	samples: number;
}

const faults = { ambiguous: "ambiguous", "under-specified": "under_specified", "non-unique": "ambiguous" } as const;

/**
 * Nobody can answer from the text alone, and a judge finds the question sound. The rules are looked at first in every
 * round: a rewriter may give away more than it hides.
 */
export function leakage({ rules, policy, samples }: Leakage): Check {
	return defineCheck("probe", "leakage", 1, {
		params: { rules: rules.map(({ name, version, params }) => [name, version, params ?? null]), policy, samples },
		calls: [
			{ role: "solver", each: samples, prompt: solveBlindPrompt.hash },
			{ role: "verifier", each: 1, prompt: judgeLeakPrompt.hash },
		],
		published: {
			rate: 0.271,
			of: "questions for which the text-only solver finds a shortcut",
			share: "other",
			source: "VistaHop, Table 7",
		},
		async look(item, context) {
			for (const rule of rules) {
				if (nothingFor(rule, item) !== undefined) continue;
				const verdict = rule.look(item);
				if (verdict.verdict === "fail")
					return { ...verdict, on: "item", detail: `${rule.name}: ${verdict.detail ?? ""}` };
			}
			const question = questionOf(item);
			const asked = [];
			const trials = [];
			let clues = "";
			for (let sample = 0; sample < samples; sample += 1) {
				const sampling = samples > 1 ? { sample, temperature: 1 } : {};
				const blind = await context.ask("solver", solveBlindPrompt, { question }, sampling);
				const output = blind.value.answer ?? "";
				const score = agreement(output, item.answer, { scorer: "stated", language: item.tags.language });
				asked.push(blind);
				trials.push({ condition: "text-only", model: blind.model, output, score });
				if (sample === 0 || score === 1) clues = blind.value.clues;
			}
			const right = trials.find(({ score }) => score === 1);
			const judged = await context.ask("verifier", judgeLeakPrompt, {
				question,
				answer: item.answer.value,
				blind: right?.output ?? trials[0]?.output ?? "(nothing)",
				clues: clues || "(none)",
			});
			const { verdict, feedback } = judged.value;
			const about = { trials, score: right ? 1 : 0, ...askedOf(...asked, judged) };
			if (right && (policy === "right" || verdict === "leaks"))
				return fail("text_only", feedback || `"${right.output}" was told from the text`, about);
			if (verdict in faults) return fail(faults[verdict as keyof typeof faults], feedback, about);
			return pass(about);
		},
	});
}

/** The question without one of its clues, and without its image: still nobody may come to the answer. */
export const withoutClueBlind: Condition = {
	...withoutOne("clue"),
	name: "without-one-clue-blind",
	async views(item, sources) {
		const views = await withoutOne("clue").views({ ...item, images: [] }, sources);
		return "lacking" in views ? views : views.map((view) => ({ ...view, images: [] }));
	},
};

/** Rewrites what a check found to leak or to be unclear, the way and the answer kept. */
export function hideClues(name: string, { phrase }: { phrase: string }): Stage<Failed, Item> {
	return defineStage("rewrite", name, 1, {
		params: { phrase },
		output: Item,
		calls: [{ role: "generator", each: 1, prompt: hideCluesPrompt.hash }],
		async run({ item, verdict }, context) {
			const { value } = await context.ask("generator", hideCluesPrompt, {
				phrase,
				question: questionOf(item),
				problem: `${verdict.reason ?? ""}: ${verdict.detail ?? ""}`,
				chain: item.chain.hops.map(({ question, answer }) => `${question} ${answer.value}`).join("\n"),
				answer: item.answer.value,
			});
			const why = verdict.reason ?? "other";
			return [asPiece(rewordedWithClues(item, { ...value, by: name, why }))];
		},
	});
}
