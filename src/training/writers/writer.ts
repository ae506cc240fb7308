import { writeJsonl } from "#store";
import type { Template } from "./lengths.ts";
import type { Preflight } from "./preflight.ts";
import type { Device, Tuning } from "./setup.ts";

export type Many<T> = Iterable<T> | AsyncIterable<T>;

/** Trainers of policies; retrievers have trainers of their own. */
export type Trainer = "llamafactory" | "swift" | "trl";

export interface WritingOptions {
	/** What the data set is called in the trainer's files. */
	name?: string | undefined;
	/** Images of more pixels are scaled down by the trainer; written into its configuration. Default 768 x 768. */
	maxPixels?: number | undefined;
	/** What is trained; without it what each configuration's source has. */
	tuning?: Tuning | undefined;
	/** Where it will run, default a GPU. */
	device?: Device | undefined;
	signal?: AbortSignal | undefined;
}

/** What was written. Paths are relative to the folder. */
export interface FilesWritten {
	files: string[];
	rows: number;
	/** Different image files. */
	images: number;
	/** Examples that the form cannot hold, each with its reason. */
	left: { id: string; reason: string }[];
	/** Conversion warnings, in sentences: what the form has no place for. */
	losses: string[];
}

export interface RereadOptions {
	/** The chat template, and with it the model family, that the files will be trained with. Default `qwen2_vl`. */
	template?: Template | undefined;
	/** Tokens after which the trainer cuts or drops; without it what the written configuration says. */
	cutoff?: number | undefined;
	maxPixels?: number | undefined;
	/** Where it will run, default a GPU. */
	device?: Device | undefined;
	/** The folder of the model's files, to see whether it takes these rows. */
	model?: string | undefined;
	signal?: AbortSignal | undefined;
}

/** A trainer's form of something to learn from: its files, and what the trainer would make of them. */
export interface TrainerForm<
	Item,
	Options extends WritingOptions = WritingOptions,
	Written extends FilesWritten = FilesWritten,
> {
	name: string;
	title: string;
	/** Writes into `dir`, images beside; the folder can be moved as a whole. */
	write(items: Many<Item>, dir: string, options?: Options): Promise<Written>;
	/** Reads only what was written, and says what the trainer would drop, cut or stop at, and why. */
	reread(dir: string, options?: RereadOptions): Promise<Preflight>;
}

/** LLaMA-Factory's own default; the same at training, in episodes and at evaluation, or boxes shift. */
export const defaultMaxPixels = 768 * 768;

/** Writes the rows that items come to, one after another; an item whose rows cannot be made is left out, with the reason. */
export async function writeRows<Item extends { id: string }>(
	file: string,
	items: Many<Item>,
	{ rowsOf, signal }: { rowsOf(item: Item): Promise<object[]>; signal?: AbortSignal | undefined },
): Promise<Pick<FilesWritten, "rows" | "left">> {
	const left: FilesWritten["left"] = [];
	async function* rows() {
		for await (const item of items) {
			signal?.throwIfAborted();
			try {
				yield* await rowsOf(item);
			} catch (error) {
				signal?.throwIfAborted();
				left.push({ id: item.id, reason: (error as Error).message });
			}
		}
	}
	const { count } = await writeJsonl(file, rows());
	return { rows: count, left };
}
