import type { z } from "zod";
import type { Evidence, ImageRef, PendingImage } from "#domain";
import type { Media, ReadOptions, WaitingPicture } from "./format.ts";
import { type NamedFiles, namedFiles } from "./named-files.ts";
import { problemOf, type ReadRow, type TaskInput } from "./reading.ts";
import type { BrokenRow, Row } from "./rows.ts";

/** Thrown while a row is read: the row is left out, for this reason. */
class RefusedRow extends Error {}

/** Leaves out the row that is being read. */
export function refuse(reason: string): never {
	throw new RefusedRow(reason);
}

/** The value as the schema reads it; leaves out the row where it does not fit. */
export function mustFit<T>(schema: z.ZodType<T>, value: unknown): T {
	const parsed = schema.safeParse(value);
	return parsed.success ? parsed.data : refuse(problemOf(parsed.error));
}

/** What a row brings besides its task. Nothing of it remains of a row that is refused. */
export interface RowContext {
	at: Row;
	options: ReadOptions;
	/** The folder of images, where one is named. */
	images: NamedFiles | undefined;
	/** Adds evidence that came with the row. Returns its id. */
	add(evidence: Evidence): string;
	/** An image file to be copied. */
	copy(media: Media): void;
	/** Keeps what is known of evidence whose picture is not there. Returns its id. */
	wait(picture: WaitingPicture): string;
	/** Says what was not carried over or had to be assumed. */
	warn(what: string): void;
}

/** A question image, or what stands for it until its file is attached. */
export type QuestionImage = ImageRef | Omit<PendingImage, "place">;

/** A task as a row makes it: some of its images may wait to be attached. */
export type RowTaskInput = Omit<TaskInput, "images" | "pending"> & { images?: QuestionImage[] };

/** A task's images, those that wait to be attached apart, with their places. */
function imagesOf(images: readonly QuestionImage[]): Pick<TaskInput, "images" | "pending"> {
	const waiting = images.flatMap((image, place) => ("sourceName" in image ? [{ ...image, place }] : []));
	return {
		images: images.flatMap((image) => ("sourceName" in image ? [] : [image])),
		...(waiting.length > 0 ? { pending: { images: waiting } } : {}),
	};
}

/** Makes the tasks of a row, with what they bring; `refuse` anywhere within leaves the row out. */
export async function taskRow(
	at: Row,
	options: ReadOptions,
	make: (context: RowContext) => Promise<RowTaskInput[]>,
	images: NamedFiles | undefined = options.images === undefined ? undefined : namedFiles(options.images),
): Promise<ReadRow> {
	const evidence: Evidence[] = [];
	const media: Media[] = [];
	const waiting: WaitingPicture[] = [];
	const losses: string[] = [];
	const context: RowContext = {
		...{ at, options, images },
		add: (one) => {
			evidence.push(one);
			return one.id;
		},
		copy: (one) => void media.push(one),
		wait: (one) => {
			waiting.push(one);
			return one.id;
		},
		warn: (what) => void losses.push(what),
	};
	try {
		const made = await make(context);
		const tasks = made.map(({ images, ...task }) => ({ ...task, ...(images ? imagesOf(images) : {}) }));
		return { tasks, evidence, media, waiting, losses };
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
