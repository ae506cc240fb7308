import { z } from "zod";
import type { RecordScorer, Scorer } from "./scorer.ts";

/** What a metric says of one input: a value, or null with the reason; further fields beside it. */
export type MetricResult =
	| { value: number | number[]; [field: string]: unknown }
	| { value: null; reason: string; [field: string]: unknown };

export const metricGroups = {
	answers: "Answers",
	retrieval: "Retrieval",
	chains: "Chains",
	behaviour: "Behaviour",
	construction: "Construction",
	training: "Training signals",
	agreement: "Agreement",
	uncertainty: "Uncertainty",
} as const;
export type MetricGroup = keyof typeof metricGroups;

/** What the reference says of a metric. */
interface MetricCard {
	/** As on the command line: `hopscope metric NAME`. */
	name: string;
	group: MetricGroup;
	/** What it measures, in one sentence. */
	describe: string;
	/** In plain text, in the words of the input's fields. */
	formula: string;
	/** Values that it can take, e.g. "0 to 1". */
	range: string;
	/** What it says where the formula alone does not. */
	edges: string;
	/** Whose definition it is, or whose program it agrees with. */
	source: string;
	/** An input that fits. */
	example: Record<string, unknown>;
}

/** A metric as a filter: one JSON object in, one out. */
export interface Metric extends MetricCard {
	/** The strict shape of its input. */
	input: z.ZodType;
	/** What it is as a score of a run's records; absent of metrics that are none. */
	scorer?: Scorer;
	/** Takes any value. One that does not fit `input` is unscored, with what is wrong in words, and `fits` is false. */
	measure(input: unknown): { fits: boolean; result: MetricResult };
}

/** What a metric that scores records says beside its card. */
type RecordPart =
	| Omit<RecordScorer, "name" | "source">
	| (Omit<Scorer, "name" | "source" | "score"> & { score?: never });

/**
 * A metric from its card, the shape of its input and its function; `record` makes it a score of records too. Whatever the function returns that JSON cannot hold
 * (NaN, infinities) becomes null with a reason.
 */
export function defineMetric<Input extends z.ZodType>(
	definition: MetricCard & { input: Input; compute(input: z.output<Input>): MetricResult; record?: RecordPart },
): Metric {
	const { compute, record, ...card } = definition;
	return {
		...card,
		...(record ? { scorer: { name: card.name, source: card.source, ...record } } : {}),
		measure(input) {
			const parsed = definition.input.safeParse(input);
			if (!parsed.success) return { fits: false, result: notScored(explain(parsed.error)) };
			const result = compute(parsed.data);
			if (result.value === null) return { fits: true, result: { ...result, is: "unscored" } };
			const values = [result.value].flat();
			if (values.every(Number.isFinite)) return { fits: true, result };
			return { fits: true, result: notScored("the value is not a finite number") };
		},
	};
}

/** Measures one line of JSON; a line that is none is unscored too. */
export function measureLine(metric: Metric, line: string): ReturnType<Metric["measure"]> {
	let input: unknown;
	try {
		input = JSON.parse(line);
	} catch {
		return { fits: false, result: notScored("this is not JSON") };
	}
	return metric.measure(input);
}

const notScored = (reason: string): MetricResult => ({ value: null, is: "unscored", reason });

/** The first few problems in words, each with the field it is about. */
function explain(error: z.ZodError): string {
	const lines = error.issues.slice(0, 3).map((issue) => {
		const path = issue.path.map(String).join(".");
		return path === "" ? issue.message : `${path}: ${issue.message}`;
	});
	return lines.join("; ").replace(/\s+/g, " ").slice(0, 1000);
}

/** Shapes that the inputs of several metrics share, bounded in size. */
export const text = z.string().max(1_000_000);
export const ids = z.array(z.string().max(512)).max(100_000);
export const idsByHop = z.array(ids).max(5_000);
/** A prediction; null where there is none, which is unscored. */
export const prediction = text.nullable();
export const acceptedAnswers = z.array(text).min(1).max(10_000);
export const values = z.array(z.number()).max(10_000_000);
/** Names of groups whose members share their luck, one for each value. */
export const clusterNames = z.array(z.union([z.string(), z.number().transform(String)])).max(10_000_000);

/** Of clusters that are given, that they are as many as what they group. */
export const asManyClusters = <Field extends string>(field: Field, noun: string = field) =>
	[
		(given: { clusters?: readonly string[] | undefined } & Partial<Record<Field, readonly unknown[] | undefined>>) =>
			given.clusters === undefined || given.clusters.length === given[field]?.length,
		{ message: `there must be as many clusters as ${noun}`, path: ["clusters"] as string[] },
	] as const;

export const noPrediction = { value: null, reason: "no prediction" } as const satisfies MetricResult;

/**
 * Values by name, at most `most`. As `z.record`, which leaves out the name "__proto__": in JSON it is one like any other.
 * What comes out is what went in, of which only own keys are to be read.
 */
export function valuesByName<Value extends z.ZodType>(value: Value, { most }: { most: number }) {
	const isObject = (given: unknown) => typeof given === "object" && given !== null && !Array.isArray(given);
	return z
		.custom<Readonly<Record<string, z.input<Value>>>>(isObject, "expected an object")
		.superRefine((given, context) => {
			const entries = Object.entries(given);
			if (entries.length > most) context.addIssue(`at most ${most} entries`);
			for (const [name, each] of entries) {
				const message = name.length > 512 ? "this name is too long" : problemOf(value.safeParse(each).error);
				if (message === undefined) continue;
				context.addIssue({ code: "custom", path: [name.slice(0, 50)], message });
				return;
			}
		});
}

const problemOf = (error: z.ZodError | undefined) => error?.issues[0]?.message;
