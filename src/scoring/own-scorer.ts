import { z } from "zod";
import { usageError } from "#domain";
import { scorerOf } from "./metrics.ts";
import { workedRecord } from "./record-metric.ts";
import { scoreBy } from "./score-trajectory.ts";
import { scoredRecord } from "./scored-record.ts";
import { type Scorer, scorerNeeds, scorerTables } from "./scorer.ts";

const aFunction = <Wanted>() => z.custom<Wanted>((value) => typeof value === "function", "expected a function");

/** A scorer as its author writes it: a name and a function, and what should not be as it is by default. */
const OwnScorer = z.strictObject({
	name: z.string().regex(/^[a-z0-9][a-z0-9@.-]{0,59}$/, "must be of small letters, digits, -, . and @, at most 60"),
	heading: z.string().min(1).max(60).optional(),
	meaning: z.string().max(1000).default(""),
	source: z.string().max(1000).default("your own"),
	needs: z.array(z.enum(scorerNeeds).exclude(["judge"])).default([]),
	direction: z.enum(["higher", "lower", "neither"]).default("neither"),
	aggregation: z.enum(["share", "mean"]).default("mean"),
	unit: z.enum(["percent", "number"]).optional(),
	tables: z.array(z.enum(scorerTables)).optional(),
	example: z.number().optional(),
	applies: aFunction<NonNullable<Scorer["applies"]>>().optional(),
	score: aFunction<NonNullable<Scorer["score"]>>(),
});

/**
 * Scorers of one's own, as `--scorer FILE` and `scorers: [...]` take them: one or several. Throws (exit 2) where one does
 * not fit, is called like a registered score, or gives of the worked record another value than its example says.
 */
export async function ownScorers(given: unknown, where: string): Promise<Scorer[]> {
	const refuse = (problem: string) =>
		usageError("bad-scorer", `${where}: ${problem}`, 'A scorer is { name: "…", score: (record) => number }.');
	const scorers: Scorer[] = [];
	for (const each of [given].flat()) {
		const parsed = OwnScorer.safeParse(each);
		if (!parsed.success) {
			const [issue] = parsed.error.issues;
			throw refuse([issue?.path.join("."), issue?.message].filter(Boolean).join(": "));
		}
		const { name, aggregation, heading = name, unit, ...rest } = parsed.data;
		const scorer = {
			...rest,
			name,
			heading,
			aggregation,
			unit: unit ?? (aggregation === "mean" ? "number" : "percent"),
		};
		if (scorerOf(name) || scorers.some((other) => other.name === name))
			throw refuse(`a score is called "${name}" already`);
		const { task, trajectory, ...options } = workedRecord;
		const { example } = scorer;
		const worked = example === undefined ? undefined : await scoreBy(scorer, scoredRecord(task, trajectory, options));
		if (worked && !(worked.is === "scored" && Math.abs(worked.value - (example ?? 0)) < 1e-9))
			throw refuse(
				`its example says ${example}, the worked record gives ${worked.is === "scored" ? worked.value : worked.reason}`,
			);
		scorers.push(scorer);
	}
	return scorers;
}
