import type { TrainingExample } from "../conversations/example.ts";
import type { Template } from "./lengths.ts";
import type { Preflight, ReadRow } from "./preflight.ts";

export type Many<T> = Iterable<T> | AsyncIterable<T>;

export interface WritingOptions {
	/** What the data set is called in the trainer's files, default `search_align`. */
	name?: string | undefined;
	/** Images of more pixels are scaled down by the trainer; written into its configuration. Default 768 x 768. */
	maxPixels?: number | undefined;
	signal?: AbortSignal | undefined;
}

/** What was written. Paths are relative to the folder. */
export interface Writing {
	files: string[];
	rows: number;
	/** Different image files. */
	images: number;
	/** Examples that the form cannot hold, each with its reason. */
	left: { id: string; reason: string }[];
	/** What the form has no place for, in sentences. */
	losses: string[];
	/** Estimated tokens of the longest row, by template. */
	longest: Record<Template, number>;
}

export interface RereadOptions {
	/** The chat template, and with it the model family, that the files will be trained with. Default `qwen2_vl`. */
	template?: Template | undefined;
	/** Tokens after which the trainer cuts or drops; without it what the written configuration says. */
	cutoff?: number | undefined;
	maxPixels?: number | undefined;
	signal?: AbortSignal | undefined;
}

/** A trainer's form of conversations: its files with a configuration, and what the trainer would make of them. */
export interface TrainingWriter {
	name: string;
	title: string;
	/** Writes into `dir`, images beside; the folder can be moved as a whole. */
	write(examples: Many<TrainingExample>, dir: string, options?: WritingOptions): Promise<Writing>;
	/** The rows as the trainer's model would be shown them, marks resolved. */
	read(dir: string): AsyncIterable<ReadRow>;
	/** Reads only what was written, and says what the trainer would drop, cut or stop at, and why. */
	reread(dir: string, options?: RereadOptions): Promise<Preflight>;
}

export const defaultName = "search_align";
/** LLaMA-Factory's own default; the same at training, in episodes and at evaluation, or boxes shift. */
export const defaultMaxPixels = 768 * 768;
