import type { Evidence } from "#domain";
import type { Media, ReadOptions } from "./format.ts";
import type { ReadRow, TaskInput } from "./reading.ts";
import type { BrokenRow, Row } from "./rows.ts";

/** Thrown while a row is read: the row is left out, for this reason. */
class RefusedRow extends Error {}

/** Leaves out the row that is being read. */
export function refuse(reason: string): never {
	throw new RefusedRow(reason);
}

/** What a row brings besides its task. Nothing of it remains of a row that is refused. */
export interface RowContext {
	at: Row;
	options: ReadOptions;
	/** Adds evidence that came with the row. Returns its id. */
	add(evidence: Evidence): string;
	/** An image file to be copied. */
	copy(media: Media): void;
	/** Says what was not carried over or had to be assumed. */
	lose(what: string): void;
}

/**
 * Makes the task of a row, with what it brings, or none where the row holds evidence alone; `refuse` anywhere within
 * leaves the row out.
 */
export async function taskRow(
	at: Row,
	options: ReadOptions,
	make: (context: RowContext) => TaskInput | undefined | Promise<TaskInput | undefined>,
): Promise<ReadRow> {
	const evidence: Evidence[] = [];
	const media: Media[] = [];
	const losses: string[] = [];
	const context: RowContext = {
		...{ at, options },
		add: (one) => {
			evidence.push(one);
			return one.id;
		},
		copy: (one) => void media.push(one),
		lose: (what) => void losses.push(what),
	};
	try {
		const task = await make(context);
		return { tasks: task ? [task] : [], evidence, media, losses };
	} catch (error) {
		if (error instanceof RefusedRow) return { refused: error.message };
		throw error;
	}
}

/** Rows that hold several questions, as one row a question. What holds no list of them is a broken row. */
export async function* eachWithin(
	rows: AsyncIterable<Row | BrokenRow>,
	within: (value: unknown) => unknown[] | undefined,
): AsyncGenerator<Row | BrokenRow> {
	for await (const row of rows) {
		if ("reason" in row) {
			yield row;
			continue;
		}
		const values = within(row.value);
		if (values === undefined) yield { file: row.file, row: row.row, reason: "holds no list of questions" };
		else for (const value of values) yield { ...row, value };
	}
}
