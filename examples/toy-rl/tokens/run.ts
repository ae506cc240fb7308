import { seededRandom } from "#scoring";
import { createAdam } from "../adam.ts";
import { type TokenToyName, tokenToyConditions } from "./conditions.ts";
import { evaluateTokens, type TokenEvaluation } from "./evaluate.ts";
import { type ImprovementRound, improve } from "./improve.ts";
import { createLanguage } from "./language.ts";
import { type TokenToyScale, tokenToyScale } from "./scale.ts";
import { placesFor } from "./speaker.ts";
import { createStart, startThresholds, type TokenStart } from "./start.ts";
import { createTape } from "./tape.ts";
import { createWeights } from "./weights.ts";

export interface TokenToyOptions {
	seed: number;
	condition: TokenToyName;
	scale?: Partial<TokenToyScale>;
	/** `done` of `of`, in rounds; words for what has none. */
	onProgress?: (progress: { words: string; done?: number; of?: number }) => void;
	signal?: AbortSignal;
}

/** One training of the token-level policy, as plain data. Synthetic: it says nothing about any model of a paper. */
export interface TokenToyResult {
	seed: number;
	condition: TokenToyName;
	parameters: number;
	vocabulary: number;
	start: Omit<TokenStart, "parameters" | "shape">;
	/** Why nothing was improved: fine-tuning alone was asked for, or its thresholds were not reached. */
	notStarted: string | null;
	/** At the end, with the condition's turns; null where improvement did not start as it should have. */
	evaluation: TokenEvaluation | null;
	rounds: ImprovementRound[];
	health: TokenToyHealth | null;
	ms: number;
}

/** Over all rounds; shares are in [0, 1]. */
export interface TokenToyHealth {
	/** Largest |ratio - 1| at the first epoch of any round; like the clips null where no round had an update. */
	ratioOff: number | null;
	/** Means over the updates, of their last epochs. */
	clippedHigh: number | null;
	clippedLow: number | null;
	/** At the first round and at the last. */
	entropy: [number, number];
	/** Mean over the rounds. */
	maskedTokens: number;
	/** Groups that entered no update, by hops; the share is null where none was sampled. */
	dropped: { hops: number; groups: number; dropped: number; share: number | null }[];
	allRight: number;
	allWrong: number;
	/** Rounds without any group to learn from. */
	idleRounds: number;
}

/** Trains one seed under one condition. The same seed, condition and scale give the same numbers, but for `ms`. */
export async function runTokenToy(options: TokenToyOptions): Promise<TokenToyResult> {
	const { seed, condition: name, onProgress, signal } = options;
	const condition = tokenToyConditions[name];
	const scale = { ...tokenToyScale, ...options.scale };
	const from = performance.now();
	const { parameters, shape, ...start } = await startOf(seed, { scale, onProgress, signal });
	const made = {
		seed,
		condition: name,
		parameters: parameters.length,
		vocabulary: shape.vocabulary,
		start,
		rounds: [],
		health: null,
	};
	const elapsed = () => performance.now() - from;
	if (!condition.improves)
		return { ...made, notStarted: "fine-tuning alone", evaluation: start.evaluation, ms: elapsed() };
	if (!start.passes) return { ...made, notStarted: belowThresholds(start), evaluation: null, ms: elapsed() };

	const weights = createWeights(shape, parameters.slice());
	const random = seededRandom(seed * 2 + 2);
	const training = { weights, gradient: createWeights(shape), adam: createAdam(parameters.length) };
	const { rounds: of, groups, size, epochs, rate } = scale;
	const onRound = (done: number) => onProgress?.({ words: `${name}, seed ${seed}`, done, of });
	const rounds = await improve(training, {
		condition,
		random,
		rounds: of,
		groups,
		size,
		epochs,
		rate,
		onRound,
		signal,
	});
	const language = await createLanguage(condition.limit);
	const tape = createTape(shape, placesFor(language));
	const evaluation = await evaluateTokens({ weights, tape }, { language, random, episodes: scale.evaluated, signal });
	return { ...made, notStarted: null, evaluation, rounds, health: healthOf(rounds), ms: elapsed() };
}

/** Starts made lately, by seed and scale: the conditions of a seed share one. */
const starts = new Map<string, Promise<TokenStart>>();
const mostStarts = 32;

function startOf(
	seed: number,
	{
		scale,
		onProgress,
		signal,
	}: {
		scale: TokenToyScale;
		onProgress: TokenToyOptions["onProgress"];
		signal: AbortSignal | undefined;
	},
): Promise<TokenStart> {
	const { rounds: _rounds, groups: _groups, size: _size, epochs: _epochs, rate: _rate, ...own } = scale;
	const key = JSON.stringify([seed, own]);
	const there = starts.get(key);
	if (there) return there;
	const start = createStart(seed, {
		scale,
		onProgress: (words) => onProgress?.({ words: `${words}, seed ${seed}` }),
		...(signal ? { signal } : {}),
	});
	starts.set(key, start);
	start.catch(() => starts.delete(key));
	for (const old of starts.keys()) if (starts.size > mostStarts) starts.delete(old);
	return start;
}

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
const belowThresholds = ({ steps, copying, evaluation }: Pick<TokenStart, "steps" | "copying" | "evaluation">) =>
	`not started: after ${steps} steps of fine-tuning it copies with ${percent(copying)} (${percent(startThresholds.copying)} needed) and ${percent(evaluation.wellFormed)} of its episodes are well-formed (${percent(startThresholds.wellFormed)} needed)`;

function healthOf(rounds: readonly ImprovementRound[]): TokenToyHealth {
	const updates = rounds.flatMap(({ update }) => update ?? []);
	const sum = <One>(list: readonly One[], of: (one: One) => number) => list.reduce((total, one) => total + of(one), 0);
	const meanOf = <One>(list: readonly One[], of: (one: One) => number) => sum(list, of) / Math.max(1, list.length);
	const groups = rounds.flatMap((round) => round.groups);
	return {
		...(updates.length === 0
			? { ratioOff: null, clippedHigh: null, clippedLow: null }
			: {
					ratioOff: Math.max(...updates.map(({ ratioOff }) => ratioOff)),
					clippedHigh: meanOf(updates, ({ clippedHigh }) => clippedHigh),
					clippedLow: meanOf(updates, ({ clippedLow }) => clippedLow),
				}),
		entropy: [rounds[0]?.entropy ?? 0, rounds.at(-1)?.entropy ?? 0],
		maskedTokens: meanOf(rounds, ({ maskedTokens }) => maskedTokens),
		dropped: [3, 4].map((hops) => {
			const own = groups.filter((group) => group.hops === hops);
			const all = sum(own, ({ sampled }) => sampled);
			const dropped = all - sum(own, ({ kept }) => kept);
			return { hops, groups: all, dropped, share: all === 0 ? null : dropped / all };
		}),
		allRight: sum(rounds, ({ allRight }) => allRight),
		allWrong: sum(rounds, ({ allWrong }) => allWrong),
		idleRounds: rounds.length - updates.length,
	};
}
