/** Reads rows of a run's index back into what they were made of. */
import { withMisses } from "#diagnosis";
import {
	addUsage,
	type Diagnosis,
	type MissCause,
	noUsage,
	type Outcome,
	type RunManifest,
	type Score,
	type ScoreRow,
	type StopReason,
	type Usage,
} from "#domain";
import type { RecordHead } from "#reports";
import { scorers as registered, scorerVersion } from "#scoring";
import { type Category, keptColumns, type RecordForm, recordColumns, type Table, valueAt } from "#studio";

/** Of a planned task, by its place, and a repeat: the row of the last attempt. `foreign`: rows of no planned task. */
export function lastRows({ rows, categories, numbers }: Table, { tasks, repeats }: RunManifest) {
	const last = new Int32Array(tasks.length * repeats).fill(-1);
	const places = new Map(tasks.map((id, place) => [id, place]));
	const named = categories.get("task");
	const placeOf = (named?.dictionary ?? []).map((id) => places.get(id));
	const [repeatAt, attemptAt] = [numbers.get("repeat"), numbers.get("attempt")];
	let foreign = 0;
	for (let row = 0; row < rows; row++) {
		const place = placeOf[named?.codes[row] ?? -1];
		const repeat = repeatAt?.[row] ?? 0;
		if (place === undefined || repeat >= repeats) {
			foreign += 1;
			continue;
		}
		const at = place * repeats + repeat;
		const before = last[at] ?? -1;
		if (before < 0 || (attemptAt?.[row] ?? 0) >= (attemptAt?.[before] ?? 0)) last[at] = row;
	}
	const rowOf = (place: number, repeat: number): number | undefined => {
		const row = last[place * repeats + repeat] ?? -1;
		return row < 0 ? undefined : row;
	};
	return { rowOf, foreign };
}

/** Whether an attempt stands there twice. */
export function isDoubled({ rows, categories, numbers }: Table): boolean {
	const task = categories.get("task");
	const [repeat, attempt] = [numbers.get("repeat"), numbers.get("attempt")];
	const seen = new Set<number>();
	// tasks are fewer than two to the thirty, repeats below a thousand, attempts a few
	for (let row = 0; row < rows; row++)
		seen.add(((task?.codes[row] ?? 0) * 1024 + (repeat?.[row] ?? 0)) * 4096 + (attempt?.[row] ?? 0));
	return seen.size < rows;
}

/** Reads the value of a category in a row, made of its entry in the dictionary once. */
export function parsedCategory<Value>(column: Category | undefined, parse: (entry: string) => Value) {
	const parsed = column?.dictionary.map(parse) ?? [];
	return (row: number): Value | undefined => parsed[column?.codes[row] ?? -1];
}

/** What all attempts took. */
export function usedIn({ rows, numbers }: Table): Usage {
	const usageAt = usageReader(numbers);
	let used = noUsage;
	for (let row = 0; row < rows; row++) used = addUsage(used, usageAt(row));
	return used;
}

/** The fields that a record's usage holds. */
export function usageReader(numbers: Table["numbers"]): (row: number) => Usage {
	const prefix = keptColumns.usage("");
	const used = [...numbers].flatMap(([name, column]) =>
		name.startsWith(prefix) ? [[name.slice(prefix.length) as keyof Usage, column] as const] : [],
	);
	return (row) => {
		const usage: Usage = { ...noUsage };
		for (const [field, column] of used) {
			const value = column[row] ?? Number.NaN;
			if (!Number.isNaN(value)) usage[field] = value;
		}
		return usage;
	};
}

const noForm: RecordForm = { answered: false, answers: false, abstained: false, searchOnly: false, boundary: null };

export function headReader({ numbers, categories }: Table): (row: number) => RecordHead {
	const number = (name: string) => {
		const column = numbers.get(name);
		return (row: number) => column?.[row] ?? Number.NaN;
	};
	const form = parsedCategory(categories.get(keptColumns.form), (entry) => JSON.parse(entry) as RecordForm);
	const stop = parsedCategory(categories.get("stop"), (entry) => entry as StopReason);
	const [ms, actions, read, invalidCalls] = [keptColumns.ms, "actions", "readable", keptColumns.unread].map(number);
	const usageAt = usageReader(numbers);
	return (row) => {
		const { answered, answers, abstained, searchOnly, boundary } = form(row) ?? noForm;
		return {
			answered,
			answers,
			abstained,
			searchOnly,
			boundary,
			stop: stop(row) ?? "error",
			usage: usageAt(row),
			ms: ms?.(row) ?? 0,
			actions: actions?.(row) ?? 0,
			read: read?.(row) ?? 0,
			invalidCalls: invalidCalls?.(row) ?? 0,
		};
	};
}

/**
 * The score rows of a table, one a row of it. Equal scores are one object, and all rows hold their scores in one order: what
 * goes through them a hundred times over finds each at the same place. A score that is not there is undefined.
 */
export function readRows(table: Table, { scoring }: RunManifest): ScoreRow[] {
	const { rows, numbers, categories } = table;
	const readers = registered.flatMap(({ name }) => {
		const read = scoreReader(table, name);
		return read ? [[name, read] as const] : [];
	});
	const none = Object.fromEntries(readers.map(([name]) => [name, undefined])) as unknown as ScoreRow["scores"];
	const task = parsedCategory(categories.get("task"), (entry) => entry);
	const outcome = parsedCategory(categories.get("outcome"), (entry) => entry as Outcome);
	const [repeat, attempt] = [numbers.get("repeat"), numbers.get("attempt")];
	const read = Array.from(
		{ length: rows },
		(_, row): ScoreRow => ({
			version: 1,
			task: task(row) ?? "",
			repeat: repeat?.[row] ?? 0,
			attempt: attempt?.[row] ?? 0,
			scorer: scorerVersion,
			...(scoring === undefined ? {} : { scoring }),
			outcome: outcome(row) ?? "error",
			scores: { ...none },
		}),
	);
	for (const [name, scoreAt] of readers)
		for (const [row, { scores }] of read.entries()) {
			const score = scoreAt(row);
			if (score) scores[name] = score;
		}
	return read;
}

function scoreReader({ numbers, categories }: Table, name: string): ((row: number) => Score | undefined) | undefined {
	const values = numbers.get(name);
	const reason = parsedCategory(
		categories.get(keptColumns.reason(name)),
		(entry): Score => ({ is: "unscored", reason: entry }),
	);
	if (!values) return reason;
	const details = parsedCategory(
		categories.get(keptColumns.details(name)),
		(entry) => JSON.parse(entry) as Record<string, unknown>,
	);
	const plain = new Map<number, Score>();
	const detailed = new Map<object, Map<number, Score>>();
	return (row) => {
		const value = values[row] ?? Number.NaN;
		if (Number.isNaN(value)) return reason(row);
		const beside = details(row);
		const known = beside ? (detailed.get(beside) ?? new Map<number, Score>()) : plain;
		if (beside) detailed.set(beside, known);
		const before = known.get(value);
		if (before) return before;
		const score: Score = { is: "scored", value, ...(beside ? { details: beside } : {}) };
		known.set(value, score);
		return score;
	};
}

/**
 * Diagnoses as summaries read them; equal ones of a task are one object, so their repeat says nothing. `misses`: causes that
 * were found since, by where the record stands.
 */
export function diagnosisReader(
	{ categories, numbers }: Table,
	misses: ReadonlyMap<number, ReadonlyMap<string, MissCause>> = new Map(),
): (row: number) => Diagnosis | undefined {
	const [tasks, found] = [categories.get("task"), categories.get(keptColumns.found)];
	const offset = numbers.get(recordColumns.offset);
	const known = new Map<number, Diagnosis>();
	const withCauses = new Map<string, Diagnosis>();
	const width = tasks?.dictionary.length ?? 0;
	return (row) => {
		const text = found && valueAt(found, row);
		if (!text) return undefined;
		const [task, entry] = [tasks?.codes[row] ?? 0, found.codes[row] ?? 0];
		const key = entry * width + task;
		const diagnosis =
			known.get(key) ??
			({
				...(JSON.parse(text) as Omit<Diagnosis, "version" | "task" | "repeat" | "attempt">),
				...{ version: 2, task: tasks?.dictionary[task] ?? "", repeat: 0, attempt: 0 },
			} satisfies Diagnosis);
		known.set(key, diagnosis);
		const causes = misses.get(offset?.[row] ?? -1);
		if (!causes) return diagnosis;
		const whole = `${key} ${JSON.stringify([...causes])}`;
		const joined = withCauses.get(whole) ?? withMisses(diagnosis, causes);
		withCauses.set(whole, joined);
		return joined;
	};
}
