import type { Item, Reason, Trial } from "#domain";
import { askedOf, type Check, defineCheck, fail, pass } from "../engine/check.ts";
import type { Asked, Published, StageContext } from "../engine/stage.ts";
import { isComparison } from "../rules/comparison.ts";
import { answerFromEvidence, sourcesOfAnswers } from "../stages/prompts.ts";
import type { Scorer } from "./agreement.ts";
import { type Equivalence, judgingCalls, scored } from "./equivalence.ts";
import { type Condition, cannot, type ProbeSources, picturesOf, type View, written } from "./view.ts";

export interface ProbeOptions {
	name: string;
	given: Condition;
	/** What must come of every view: the right answer, or none that is right. */
	expect: "right" | "wrong";
	/** Why an item is dropped for which it does not. */
	reason: Reason;
	/** The solver's role, or several: the first is needed, the others are asked where there is a model for them. */
	role?: string | readonly string[];
	/** Independent answers of each solver to each view. */
	samples?: number;
	/** Above 0 where several samples are to differ. */
	temperature?: number;
	/** `given`: the solver is told to use the material alone. By default where it must answer from it. */
	sources?: keyof typeof sourcesOfAnswers;
	scorer?: Scorer;
	/** Agreement from which on an answer is right, for `f1`. */
	threshold?: number;
	/** Who says that an answer is right; the written forms by themselves where it is not said. */
	equivalence?: Equivalence;
	version?: number;
	published?: Published | undefined;
	concerns?: ((item: Item) => boolean) | undefined;
}

/** A question that is right by chance half of the time is asked so often, in both orders where it has two. */
const leastGuesses = 3;

/**
 * Asks a solver under a counterfactual and judges what comes of it. Views follow one another until one fails; every
 * answer is recorded. Skipped without a model, or where what must be shown cannot be.
 */
export function probe(options: ProbeOptions, sources: ProbeSources): Check {
	const { name, given, expect, reason, samples = 1, version = 3, published, concerns } = options;
	const roles = [options.role ?? "solver"].flat();
	const { scorer = "stated", threshold = 1, sources: from = null, temperature = null, equivalence = "forms" } = options;
	const params = {
		given: [given.name, given.params ?? {}],
		expect,
		samples,
		atLeast: null,
		scorer,
		threshold,
		from,
		temperature,
		...(equivalence === "forms" ? {} : { equivalence }),
	};
	const answers = given.expected * samples;
	return defineCheck("probe", name, version, {
		params,
		calls: [
			...roles.map((role, at) => ({
				role,
				each: answers,
				prompt: answerFromEvidence.hash,
				...(at > 0 ? { optional: true } : {}),
			})),
			...judgingCalls(equivalence, answers),
		],
		published,
		concerns,
		lacks: given.lacks,
		async look(item, context) {
			const views = await given.views(item, sources);
			if ("lacking" in views) return cannot(views);
			const trials: Trial[] = [];
			const asked: Asked<unknown>[] = [];
			for (const view of views) {
				const tried = await trialsOf(
					item,
					view,
					{ ...options, sources: from ?? (expect === "wrong" ? "own" : "given") },
					{ context, sources },
				);
				if ("lacking" in tried) return cannot(tried);
				trials.push(...tried.trials);
				asked.push(...tried.asked);
				const about = { ...(view.on ? { on: view.on } : {}), score: shareRight(tried.trials, threshold), trials };
				const problem = problemOf(tried.trials, { ...options, guessed: isGuessed(item, view) });
				if (problem) return fail(reason, `${view.condition}: ${problem}`, { ...about, ...askedOf(...asked) });
			}
			return pass({ score: shareRight(trials, threshold), trials, ...askedOf(...asked) });
		},
	});
}

const shareRight = (trials: readonly Trial[], threshold: number): number =>
	trials.length === 0 ? 0 : trials.filter(({ score }) => score >= threshold).length / trials.length;

const isGuessed = (item: Item, view: View): boolean => view.gold === item.answer && isComparison(item);

/**
 * Why the answers to one view are not what is expected. One right answer is one too many where it is not wanted, more than
 * half must be right where it is, and of a comparison all count, since half of all guesses are right.
 */
function problemOf(
	trials: readonly Trial[],
	{ expect, threshold = 1, guessed }: Pick<ProbeOptions, "expect" | "threshold"> & { guessed: boolean },
): string | undefined {
	const right = trials.filter(({ score }) => score >= threshold).length;
	const usual = expect === "wrong" ? 1 : Math.floor(trials.length / 2) + 1;
	const needed = Math.min(guessed ? trials.length : usual, trials.length);
	if (expect === "wrong") return right >= needed ? `${right} of ${trials.length} answers are right` : undefined;
	return right >= needed ? undefined : `${right} of ${trials.length} answers are right, ${needed} are needed`;
}

interface TrialOptions
	extends Pick<ProbeOptions, "role" | "samples" | "temperature" | "scorer" | "sources" | "equivalence"> {
	/** How a solver is asked, where not for the bare fact. */
	prompt?: typeof answerFromEvidence;
}

/** The answers of every solver to one view, each scored: what probes and other measures of evidence judge by. */
export async function trialsOf(
	item: Item,
	view: View,
	options: TrialOptions,
	{ context, sources }: { context: StageContext; sources: ProbeSources },
): Promise<{ trials: Trial[]; asked: Asked<unknown>[] } | { lacking: string }> {
	const { scorer = "stated", sources: from = "given", equivalence = "forms", prompt = answerFromEvidence } = options;
	const { language } = item.tags;
	const pictures = await picturesOf(view.evidence, sources);
	if (!pictures) return { lacking: "an image among the evidence cannot be shown" };
	const trials: Trial[] = [];
	const asked: Asked<unknown>[] = [];
	for (const { question, samples } of askings(item, view, options.samples ?? 1))
		for (const role of [options.role ?? "solver"].flat().filter((one) => context.has(one)))
			for (let sample = 0; sample < samples; sample += 1) {
				const values = { sources: sourcesOfAnswers[from], question, evidence: written(view.evidence, view.told) };
				const asking = {
					images: [...view.images, ...pictures],
					temperature: options.temperature ?? (samples > 1 ? 1 : 0),
					...(samples > 1 ? { sample } : {}),
				};
				const reply = await context.ask(role, prompt, values, asking);
				const output = (reply.value.answer ?? "").slice(0, 2000);
				const about = { question, output, gold: view.gold };
				const { asked: judging, ...found } = await scored(about, { equivalence, scorer, language }, context);
				trials.push({ condition: view.condition, model: reply.model, output, ...found });
				asked.push(reply, ...judging);
			}
	return { trials, asked };
}

/** A choice between two is asked in both orders; one that cannot be turned round, and a yes or no, more often. */
function askings(item: Item, { gold, question }: View, samples: number): { question: string; samples: number }[] {
	if (gold !== item.answer || !isComparison(item)) return [{ question, samples }];
	const other = inOtherOrder(question);
	if (other === undefined) return [{ question, samples: Math.max(samples, leastGuesses) }];
	return [
		{ question, samples },
		{ question: other, samples },
	];
}

/**
 * The question with the two things that it offers in the other order ("…, A or B?" as "…, B or A?"): an answer by
 * position changes with it, one by knowledge does not. Undefined where the two cannot be told apart from the rest.
 */
export function inOtherOrder(question: string): string | undefined {
	const found =
		/^(?<head>.*[,:;–—]\s*)(?<first>[^,:;?]{1,120}?)(?<or> (?:or|o|ou|oder) )(?<second>[^,:;?]{1,120}?)(?<tail>\s*\?.*)?$/su.exec(
			question,
		)?.groups;
	if (!found) return undefined;
	const { head = "", first = "", or = "", second = "", tail = "" } = found;
	const article = /^(?:the|a|an) /i;
	// "was it the bridge or the tower" keeps its words; a capital belongs to the name
	return article.test(first) === article.test(second) ? `${head}${second}${or}${first}${tail}` : undefined;
}
