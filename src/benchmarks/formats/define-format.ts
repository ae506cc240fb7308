import type { z } from "zod";
import type { Task } from "#domain";
import { writeJsonl } from "#store";
import type { Format, ReadOptions, Written } from "./format.ts";
import { writtenAnswer } from "./given-answer.ts";
import { type NamedFiles, namedFiles } from "./named-files.ts";
import { readingOf } from "./reading.ts";
import { type RowContext, type RowTaskInput, taskRow } from "./row-context.ts";
import { type BrokenRow, type Row, type RowOptions, readRows } from "./rows.ts";
import { writeArray } from "./write-array.ts";

/** A form whose rows each become tasks or evidence. */
interface RowFormat<Record, Known>
	extends Pick<Format, "name" | "title" | "files" | "scoring" | "write">,
		Partial<Pick<Format, "verified" | "conventions" | "losses">> {
	/** What tasks name as their source, where that is not the title; its terms, and where it is published. */
	source?: string;
	licence: string;
	attribution: string;
	url?: string;
	/** Under which terms its tasks may be used; the licence where not told otherwise. */
	rights?: string;
	/** Where a JSON file is one object: the field that holds the rows, or `values`. */
	object?: NonNullable<RowOptions["object"]>;
	/** The rows of files, where they are not simply those that stand there. */
	rows?(files: readonly string[], options: ReadOptions): AsyncIterable<Row | BrokenRow>;
	/** What the files say of rows wherever those stand: looked up before any row is read. */
	known?(files: readonly string[], options: ReadOptions): Known | Promise<Known>;
	schema: z.ZodType<Record>;
	/** Rows name no id, and some stand there twice: each is kept. Else the second of an id is refused. */
	repeats?: "kept";
	/** What a row becomes; nothing where it holds evidence alone. Source, rights and English are filled in. */
	task(row: Record, context: RowContext, known: Known): Made | Promise<Made>;
}

/** A task as a row gives it: what all rows of a set have in common need not be said. */
export type RowTask = Omit<RowTaskInput, "tags" | "source" | "rights"> &
	Partial<Pick<RowTaskInput, "source" | "rights">> & { tags?: { [tag: string]: string } };
type Made = RowTask | RowTask[] | undefined;

/** A format over rows. A row may be refused, or warn of what is not carried over, anywhere within `task`. */
export function defineFormat<Record, Known = undefined>(about: RowFormat<Record, Known>): Format {
	const { source: sourceName, licence, attribution, url, rights = licence, object, rows, ...rest } = about;
	const { known: lookUp, schema, repeats, task, ...format } = rest;
	const source = { name: sourceName ?? format.title, licence, attribution, ...(url === undefined ? {} : { url }) };
	return {
		verified: "description",
		source,
		conventions: {},
		losses: [],
		...format,
		async read(files, options = {}) {
			const known = (await lookUp?.(files, options)) as Known;
			const readAll = (images?: NamedFiles) =>
				readingOf(rows?.(files, options) ?? readRows(files, { ...(object ? { object } : {}), ...signalOf(options) }), {
					...{ schema, source },
					...(repeats ? { repeats } : {}),
					read: (row, at) =>
						taskRow(
							at,
							options,
							async (context) => {
								const made = [(await task(row, context, known)) ?? []].flat();
								return made.map((one) => ({
									...{ source: source.name, rights },
									...one,
									tags: { language: "en", ...one.tags },
								}));
							},
							images,
						),
				});
			if (options.images === undefined) return readAll();
			const images = namedFiles(options.images);
			const reading = await readAll(images);
			const shared = images.shared();
			// which rows name one file between them is known in the end only: they are refused as the rows are read again
			return shared.size === 0 ? reading : readAll(namedFiles(options.images, shared));
		},
	};
}

/** The signal of reading options, as the readers of rows take it. */
export const signalOf = ({ signal }: ReadOptions): Pick<ReadOptions, "signal"> => (signal ? { signal } : {});

/** What forms may have no place for, and what is told of a task that has it. */
const lost = {
	/** Pictures. */
	images: ({ images }: Task) => (images.length > 0 ? "its images are left out" : undefined),
	chain: ({ chain }: Task) => (chain ? "its chain is left out" : undefined),
	/** More than one form of an answer. */
	aliases({ answer }: Task) {
		const others = new Set(answer.accepted.filter((form) => form !== writtenAnswer(answer)));
		return others.size > 0 ? `${others.size} other accepted forms of its answer are left out` : undefined;
	},
};

/** What is lost of a task in a form that has no place for these. */
export const conversionWarnings = (task: Task, ...kinds: (keyof typeof lost)[]): string[] =>
	kinds.flatMap((kind) => lost[kind](task) ?? []);

/**
 * Writes a row a task into one file: an array where its name ends in `.json`, else JSON lines. `row` gives none where a task
 * does not fit the form, and says why; `without` names what the form has no place for.
 */
export function writeRows(
	file: string,
	about: {
		without?: readonly (keyof typeof lost)[];
		row(task: Task, content: Written, warn: (what: string) => void): unknown;
	},
): NonNullable<Format["write"]> {
	const { without = [], row } = about;
	return async (content, dir) => {
		const losses: string[] = [];
		async function* rows() {
			for (const task of content.tasks) {
				const warn = (what: string) => void losses.push(`${task.id}: ${what}`);
				const made: unknown = await row(task, content, warn);
				for (const what of conversionWarnings(task, ...without)) warn(what);
				if (made !== undefined) yield made;
			}
		}
		const place = `${dir}/${file}`;
		const count = file.endsWith(".json") ? await writeArray(place, rows()) : (await writeJsonl(place, rows())).count;
		return { files: [file], rows: count, losses };
	};
}
