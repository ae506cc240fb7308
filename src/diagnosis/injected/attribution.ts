import { type Diagnosis, grouped, type Prediction, recordKey, type Task, type TruthLine } from "#domain";
import { type Share, sharesBy } from "../shares.ts";

/**
 * What a method made of one injected record. Where something is broken, `right`: it names the kind and the hop; `partly`:
 * one of the two; `unobserved`: it says that the record does not show what became of the hop, and blames no other;
 * `off`: it blames another; `missed`: it blames nothing. Where nothing is broken, `right`: it blames nothing;
 * `unobserved`: nor does it vouch for all hops; `off`: a false alarm.
 */
export const attributionOutcomes = ["right", "partly", "unobserved", "off", "missed"] as const;
export type AttributionOutcome = (typeof attributionOutcomes)[number];

export interface Attributed {
	task: Task;
	truth: TruthLine;
	said: Prediction;
	outcome: AttributionOutcome;
}

/** What a diagnosis says of a record, as any method's prediction. */
export const predictionOf = (diagnosis: Diagnosis): Prediction => ({
	task: diagnosis.task,
	repeat: diagnosis.repeat,
	hop: diagnosis.firstBroken,
	kind: diagnosis.primary,
	unobserved: diagnosis.unobserved,
});

/** Predictions against the truth, every record of it once; a record without a prediction counts as nothing found. */
export function attribute(
	truths: readonly TruthLine[],
	{ tasks, predictions }: { tasks: readonly Task[]; predictions: readonly Prediction[] },
): Attributed[] {
	const saidOf = new Map(predictions.map((prediction) => [recordKey(prediction), prediction]));
	const byId = new Map(tasks.map((task) => [task.id, task]));
	return truths.flatMap((truth) => {
		const task = byId.get(truth.task);
		if (!task) return [];
		const { repeat } = truth;
		const said = saidOf.get(recordKey(truth)) ?? { task: task.id, repeat, hop: null, kind: null, unobserved: [] };
		return [{ task, truth, said, outcome: outcomeOf(truth, said) }];
	});
}

/** Names that an attribution may give where no hop is broken and nothing is claimed. */
const harmless: ReadonlySet<string> = new Set(["unobserved", "known"]);

/** Nothing is wrong in the record. */
export const isSound = ({ expected }: TruthLine): boolean => expected.every((kind) => harmless.has(kind));

function outcomeOf(truth: TruthLine, { hop, kind, unobserved }: Prediction): AttributionOutcome {
	const blames = hop !== null || (kind !== null && !harmless.has(kind));
	if (isSound(truth)) return blames ? "off" : unobserved.length > 0 ? "unobserved" : "right";
	const named = kind !== null && truth.expected.includes(kind);
	// what concerns no single hop is named by its kind alone
	if (truth.hop === null) return named ? "right" : blames ? "off" : unobserved.length > 0 ? "unobserved" : "missed";
	const found = hop === truth.hop;
	if (found && named) return "right";
	if (found || named) return "partly";
	if (hop === null && unobserved.includes(truth.hop)) return "unobserved";
	return blames ? "off" : "missed";
}

export interface AttributionRow {
	/** What its records have in common, by the keys asked for. */
	of: string[];
	records: number;
	shares: Record<AttributionOutcome, Share>;
}

/** Shares of the outcomes for records that have the same keys, in the order in which they first occur. */
export function attributionRows(
	records: readonly Attributed[],
	by: (record: Attributed) => readonly string[],
): AttributionRow[] {
	const groups = grouped(records, (record) => JSON.stringify(by(record)));
	return [...groups].map(([key, group]) => ({
		of: JSON.parse(key) as string[],
		records: group.length,
		shares: sharesBy(
			group.map(({ task, outcome }) => ({ task, kind: outcome })),
			attributionOutcomes,
		),
	}));
}

/** How many hops the unobserved sets hold: records by size, from 0. */
export function unobservedSizes(records: readonly Attributed[]): number[] {
	const sizes: number[] = [];
	for (const { said } of records) sizes[said.unobserved.length] = (sizes[said.unobserved.length] ?? 0) + 1;
	return Array.from(sizes, (count) => count ?? 0);
}
