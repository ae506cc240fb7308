import { z } from "zod";
import { exitCodes, HopscopeError } from "#domain";
import { exactMatch } from "./answers/exact-match.ts";
import { matchModes } from "./answers/normalise.ts";
import { tokenF1 } from "./answers/token-f1.ts";
import { hitAt } from "./chain/hit.ts";
import { hitsPerStep, hpsModes } from "./chain/hits-per-step.ts";
import { rolloutDeviation } from "./chain/rollout-deviation.ts";
import { interval } from "./statistics/interval.ts";
import { GoldAnswer } from "./typed/gold-answer.ts";
import { typedAccuracy } from "./typed/typed-accuracy.ts";
import { typedModes } from "./typed/typed-mode.ts";

/** What a metric says of one input: a value, or null with the reason; further fields beside it. */
export interface MetricResult {
	value: number | null;
	reason?: string;
	[field: string]: unknown;
}

/** A metric as a filter: one JSON object in, one out. */
export interface Metric {
	name: string;
	/** One line for a list of metrics. */
	describe: string;
	/** An input that fits. */
	example: Record<string, unknown>;
	/** The strict shape of its input. */
	input: z.ZodType;
	/** Takes any value; one that does not fit `input` is a `HopscopeError` with exit code 2. */
	compute(input: unknown): MetricResult;
}

const text = z.string().max(1_000_000);
const ids = z.array(z.string().max(512)).max(100_000);
const hops = z.array(ids).max(10_000);
const matching = {
	prediction: text.nullable(),
	accepted: z.array(text).min(1).max(10_000),
	mode: z.enum(matchModes).optional(),
	nfkc: z.boolean().optional(),
	unicodePunctuation: z.boolean().optional(),
	cjkCharacters: z.boolean().optional(),
};
const unanswered = { value: null, reason: "no prediction" };

/** The metrics of `hopscope metric NAME`, by name. */
export const metrics: Readonly<Record<string, Metric>> = byName([
	metric({
		name: "em",
		describe: "Exact match of a prediction with any accepted answer, after normalisation: 0 or 1.",
		example: { prediction: "The Beatles!", accepted: ["Beatles"] },
		input: z.strictObject(matching),
		measure: ({ prediction, accepted, ...options }) =>
			prediction === null
				? unanswered
				: { value: exactMatch(prediction, accepted, options), mode: options.mode ?? "hopscope" },
	}),
	metric({
		name: "f1",
		describe: "Token F1 of a prediction, the best over the accepted answers: 0 to 1.",
		example: { prediction: "Barack Obama, the 44th president", accepted: ["Barack Obama"] },
		input: z.strictObject(matching),
		measure: ({ prediction, accepted, ...options }) =>
			prediction === null
				? unanswered
				: { value: tokenF1(prediction, accepted, options), mode: options.mode ?? "hopscope" },
	}),
	metric({
		name: "typed",
		describe: "Typed accuracy: strings, numbers, times, yes or no, lists each by their own rule: 0 or 1.",
		example: {
			prediction: "about 125 km",
			answer: { type: "number", value: "120 km", number: { value: 120, unit: "km" } },
		},
		input: z.strictObject({
			prediction: text.nullable(),
			answer: GoldAnswer,
			mode: z.enum(typedModes).optional(),
			language: z.string().max(35).optional(),
		}),
		measure: ({ prediction, answer, ...options }) => {
			if (prediction === null) return unanswered;
			const { details, ...verdict } = typedAccuracy(prediction, answer, options);
			return { ...verdict, mode: options.mode ?? "relative-10", ...details };
		},
	}),
	metric({
		name: "hps",
		describe: "Hit per step: gold hops matched one to one with retrieval steps, over the gold hops: 0 to 1.",
		example: { gold: [["a"], ["b"], ["b"], ["c"]], steps: [["b"], ["x"], ["a"]] },
		input: z.strictObject({ gold: hops, steps: hops, mode: z.enum(hpsModes).optional() }),
		measure: ({ gold, steps, mode }) => {
			const { value, reason, hits, gold: counted } = hitsPerStep(gold, steps, { mode });
			return { value, ...(reason === undefined ? {} : { reason }), mode: mode ?? "matching", hits, gold: counted };
		},
	}),
	metric({
		name: "rollout-deviation",
		describe: "Rollout deviation: how many retrieval steps more or fewer than gold hops; delta has the sign.",
		example: { gold: 3, steps: 5 },
		input: z.strictObject({ gold: z.int().min(0), steps: z.int().min(0) }),
		measure: ({ gold, steps }) => rolloutDeviation(gold, steps),
	}),
	metric({
		name: "hit",
		describe: "hit@k: whether the first k results hold acceptable evidence of every hop: 0 or 1.",
		example: { hops: [["p1", "p7"], ["p4"]], ranked: ["p4", "p9", "p7"], k: 3 },
		input: z.strictObject({ hops, ranked: ids, k: z.int().positive() }),
		measure: ({ hops, ranked, k }) => {
			const value = hitAt(hops, ranked, k);
			return value === null ? { value, reason: "no hop needs retrieval" } : { value };
		},
	}),
	metric({
		name: "interval",
		describe:
			"Mean with its 95 % interval; values of one cluster depend on one another; values all 0 or 1 are taken as outcomes (Wilson where independent and fewer than 100, or all equal).",
		example: { values: [1, 0, 1, 1], clusters: ["a", "a", "b", "c"] },
		input: z
			.strictObject({
				values: z.array(z.number()).max(10_000_000),
				clusters: z.array(z.union([z.string(), z.number().transform(String)])).optional(),
			})
			.refine(({ values, clusters }) => clusters === undefined || clusters.length === values.length, {
				message: "there must be as many clusters as values",
				path: ["clusters"],
			}),
		measure: ({ values, clusters }) => ({ ...interval(values, { clusters }) }),
	}),
]);

/**
 * Computes a metric from one line of JSON: its result, or the problem in words when the line is no JSON or does not fit
 * the metric's input. The caller knows which line it was.
 */
export function measure(metric: Metric, line: string): { result: MetricResult } | { problem: string } {
	let input: unknown;
	try {
		input = JSON.parse(line);
	} catch {
		return { problem: "this is not JSON" };
	}
	try {
		return { result: metric.compute(input) };
	} catch (error) {
		if (error instanceof HopscopeError) return { problem: error.message };
		throw error;
	}
}

function metric<Input extends z.ZodType>(definition: {
	name: string;
	describe: string;
	example: Record<string, unknown>;
	input: Input;
	measure(input: z.output<Input>): MetricResult;
}): Metric {
	const { measure: compute, ...shown } = definition;
	const made: Metric = {
		...shown,
		compute(input) {
			const parsed = definition.input.safeParse(input);
			if (parsed.success) return compute(parsed.data);
			throw misfit(made, explain(parsed.error), parsed.error);
		},
	};
	return made;
}

function misfit(metric: Metric, problem: string, cause: unknown): HopscopeError {
	return new HopscopeError(
		"metric-input",
		problem,
		`"${metric.name}" takes one object a line, such as ${JSON.stringify(metric.example)}.`,
		{ exitCode: exitCodes.usage, facts: { metric: metric.name }, cause },
	);
}

/** The first few problems in words, each with the field it is about. */
function explain(error: z.ZodError): string {
	const lines = error.issues.slice(0, 3).map((issue) => {
		const path = issue.path.map(String).join(".");
		return path === "" ? issue.message : `${path}: ${issue.message}`;
	});
	return lines.join("; ").replace(/\s+/g, " ");
}

function byName(list: Metric[]): Record<string, Metric> {
	return Object.fromEntries(list.map((each) => [each.name, each]));
}
