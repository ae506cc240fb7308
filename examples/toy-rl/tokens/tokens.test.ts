import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { seededRandom } from "#scoring";
import { createAdam } from "../adam.ts";
import { type TokenToyCondition, tokenToyConditions } from "./conditions.ts";
import { createDemonstrator, usualNoise } from "./demonstrator.ts";
import { copying, demonstrate, fineTune } from "./fine-tune.ts";
import { improve } from "./improve.ts";
import { createLanguage, environmentOf, textOf } from "./language.ts";
import { playEpisode, type Stream } from "./play.ts";
import { runTokenToy } from "./run.ts";
import { tokenToyScale } from "./scale.ts";
import { createPolicySpeaker, placesFor } from "./speaker.ts";
import { createStart } from "./start.ts";
import { createTape } from "./tape.ts";
import { createVocabulary } from "./vocabulary.ts";
import { createWeights, drawWeights, type Weights } from "./weights.ts";
import { drawWorld } from "./world.ts";

const language = await createLanguage(4);
const shape = { vocabulary: language.vocabulary.tokens.length, silent: language.silent, hidden: 24, pointer: 12 };

describe("the vocabulary", () => {
	test("gives back what it encoded, to the letter, and refuses what it does not hold", () => {
		const { encode, decode, tokens } = language.vocabulary;
		fc.assert(
			fc.property(fc.array(fc.nat({ max: tokens.length - 1 })), (ids) => {
				expect(encode(decode(ids))).toEqual(ids);
			}),
		);
		expect(() => encode("<think> nobody")).toThrow("no token begins");
		expect(() => createVocabulary(["ab", "abc"])).toThrow('"ab" begins "abc"');
	});

	test("is the same for every turn budget, but for what the instructions say", async () => {
		const other = (await createLanguage(2)).vocabulary.tokens;
		expect(other.slice(1)).toEqual(language.vocabulary.tokens.slice(1));
		expect(other[0]).toContain("2 times");
	});
});

describe("a world", () => {
	test("is answered by looking its chain up, and shows no gold", async () => {
		const random = seededRandom(3);
		let found = 0;
		let three = 0;
		for (let at = 0; at < 300; at += 1) {
			const { task, knowledge, chain } = drawWorld(`w${at}`, random);
			if (chain.length === 3) three += 1;
			for (const { id, entity, relation } of chain) {
				const [first] = await knowledge.search({ text: `${entity} ${relation}`, target: "passage", k: 1 });
				if (first?.id === id) found += 1;
				else expect(first?.document).toBe(entity);
			}
			expect(task.question.split(" ")).toHaveLength(chain.length + 1);
			expect(task.question).not.toContain(task.answer.value);
		}
		expect(three / 300).toBeCloseTo(0.708, 1);
		expect(found / (three * 3 + (300 - three) * 4)).toBeCloseTo(0.95, 1);
	});
});

describe("an episode as tokens", () => {
	test("is what the environment recorded, and the mask is who said it", async () => {
		const random = seededRandom(8);
		const weights = drawWeights(shape, random);
		const tape = createTape(shape, placesFor(language));
		const penalties = new Set<boolean>();
		for (let at = 0; at < 40; at += 1) {
			const { task, knowledge } = drawWorld("w", random);
			const speaker =
				at % 2 === 0
					? createDemonstrator(language, usualNoise, random)
					: createPolicySpeaker(weights, tape, { language, random });
			const environment = environmentOf({ task, knowledge }, { limit: 4 });
			const { stream, trajectory, said } = await playEpisode(environment, {
				task: task.id,
				seed: 0,
				language,
				speaker,
			});
			const written = (by: (role: string) => boolean) => textOf(trajectory.messages.filter(({ role }) => by(role)));
			const decoded = (mask: 0 | 1) =>
				language.vocabulary.decode(stream.tokens.filter((_, place) => stream.mask[place] === mask));
			expect(decoded(1)).toBe(written((role) => role === "assistant"));
			expect(decoded(0)).toBe(written((role) => role !== "assistant"));
			expect(stream.trained).toBe(said);
			penalties.add(trajectory.steps.some(({ call }) => call?.valid === false));
		}
		expect(penalties.size).toBe(2);
	});

	test("that came back otherwise than it was said trains nothing", async () => {
		const { task, knowledge } = drawWorld("w", seededRandom(1));
		const tokens = language.vocabulary.encode("<answer> known</answer><think>");
		const speaker = { hear() {}, speak: () => ({ tokens, cut: false }) };
		const playing = playEpisode(environmentOf({ task, knowledge }, { limit: 4 }), {
			task: task.id,
			seed: 0,
			language,
			speaker,
		});
		await expect(playing).rejects.toThrow("4 tokens were sampled, 3 would be trained on");
	});
});

/** A policy before and after a short fine-tuning. */
const random = seededRandom(2);
const blank = drawWeights(shape, random);
const shown = createWeights(shape, blank.flat.slice());

beforeAll(async () => {
	const demonstrations: Stream[] = [];
	while (demonstrations.length < 250) demonstrations.push(await demonstrate(language, { random }));
	const adam = createAdam(shown.flat.length);
	const training = {
		weights: shown,
		gradient: createWeights(shape),
		tape: createTape(shape, placesFor(language)),
		adam,
	};
	await fineTune(training, { demonstrations, random, steps: 130, batch: 8, rate: 0.01 });
});

test("a short fine-tuning learns to copy", async () => {
	const tape = createTape(shape, placesFor(language));
	const measured = (weights: Weights) =>
		copying({ weights, tape }, { language, random: seededRandom(77), episodes: 20 });
	expect(await measured(blank)).toBeLessThan(0.1);
	expect(await measured(shown)).toBeGreaterThan(0.3);
});

describe("improvement", () => {
	const improveOnce = (condition: Partial<TokenToyCondition>, from = shown) => {
		const weights = createWeights(shape, from.flat.slice());
		const options = { rounds: 2, groups: 3, size: 3, epochs: 2, rate: 0.01, random: seededRandom(4) };
		const training = { weights, gradient: createWeights(shape), adam: createAdam(weights.flat.length) };
		return improve(training, { ...options, condition: { ...tokenToyConditions["filter-none"], ...condition } });
	};

	test("trains on exactly what was sampled, by the policy that sampled it, and the same from the same seed", async () => {
		const rounds = await improveOnce({});
		for (const { sampledTokens, trainedTokens, update, groups } of rounds) {
			expect(trainedTokens).toBe(sampledTokens);
			expect(update?.ratioOff).toBeLessThan(1e-3);
			expect(groups.reduce((sum, { sampled }) => sum + sampled, 0)).toBe(3);
		}
		expect(rounds.some(({ update }) => (update?.moved ?? 0) !== 0)).toBe(true);
		expect(await improveOnce({})).toEqual(rounds);
	});

	test("without masks takes what the environment wrote too, and is on its policy all the same", async () => {
		for (const { sampledTokens, trainedTokens, update } of await improveOnce({ masked: false })) {
			expect(trainedTokens).toBeGreaterThan(sampledTokens);
			expect(update?.ratioOff).toBeLessThan(1e-3);
		}
	});

	test("learns nothing where every group is wrong and filtered", async () => {
		const [round] = await improveOnce({ filter: "paper" }, blank);
		expect(round).toMatchObject({ accuracy: 0, allWrong: 3, update: null });
		expect(round?.groups.every(({ kept }) => kept === 0)).toBe(true);
	});
});

describe("a run", () => {
	const small = { hidden: 12, pointer: 8, demonstrations: 60, copied: 5, evaluated: 12, batch: 4 };
	const scale = { ...small, steps: 90, mostSteps: 90, fineTuningRate: 0.02, rounds: 2, groups: 2, size: 3 };

	test("that fine-tuning did not get far enough for is not started, and says why", async () => {
		const result = await runTokenToy({ seed: 1, condition: "full", scale: { ...scale, steps: 1, mostSteps: 2 } });
		expect(result.notStarted).toMatch(/^not started: after 2 steps/);
		expect(result).toMatchObject({ evaluation: null, health: null, rounds: [], start: { passes: false, steps: 2 } });
	});

	test("begins the same from the same seed, and otherwise from another", async () => {
		const tiny = { ...tokenToyScale, ...scale, steps: 3, mostSteps: 3 };
		const [one, same, other] = [
			await createStart(1, { scale: tiny }),
			await createStart(1, { scale: tiny }),
			await createStart(2, { scale: tiny }),
		];
		expect(same).toEqual(one);
		expect(other.parameters).not.toEqual(one.parameters);
	});

	test("can be stopped", async () => {
		const signal = AbortSignal.abort(new Error("enough"));
		await expect(runTokenToy({ seed: 4, condition: "full", scale, signal })).rejects.toThrow("enough");
	});

	test("every condition keeps the published one but for what its name says", () => {
		const { full, ...others } = tokenToyConditions;
		for (const [name, condition] of Object.entries(others)) {
			const differing = Object.entries(condition).filter(
				([key, value]) => JSON.stringify(value) !== JSON.stringify(full[key as keyof typeof full]),
			);
			expect(
				differing.map(([key]) => key).filter((key) => key !== "summary"),
				name,
			).toHaveLength(1);
		}
	});
});
