import { readFile } from "node:fs/promises";
import { trainerVersions } from "./behaviours.ts";
import { createImageMeasure } from "./images.ts";
import type { Template } from "./lengths.ts";
import {
	type Behaviour,
	type Preflight,
	preflightOf,
	type ReadLine,
	type ReasonOf,
	type Report,
	type RowSize,
} from "./preflight.ts";
import { defaultMaxPixels, type RereadOptions } from "./writer.ts";

/** What rows are measured by. */
export interface RowMeasure {
	template: Template;
	cutoff: number | null;
	images: ReturnType<typeof createImageMeasure>;
}

interface ConversationCheck<Row, B extends Behaviour> {
	trainer: keyof typeof trainerVersions;
	/** Problems are told in the order of these. */
	behaviours: readonly B[];
	/** Whether images are cut into tiles by the model's processor. */
	tiles?: boolean;
	/** What the written configuration says, unless the options say otherwise. */
	cutoff?: number | null;
	maxPixels?: number | undefined;
	check(row: Row, report: Report<ReasonOf<B>>, measure: RowMeasure): RowSize | undefined | Promise<RowSize | undefined>;
}

/** Rows of messages and images as a trainer would read them. */
export function checkConversations<Row extends object, B extends Behaviour>(
	dir: string,
	lines: AsyncIterable<ReadLine<Row>>,
	options: RereadOptions,
	{ trainer, behaviours, tiles = true, check, ...told }: ConversationCheck<Row, B>,
): Promise<Preflight> {
	const { template = "qwen2_vl", cutoff = told.cutoff ?? null, signal } = options;
	const { maxPixels = told.maxPixels ?? defaultMaxPixels } = options;
	const measure = { template, cutoff, images: createImageMeasure(dir, { template, maxPixels, tiles }) };
	return preflightOf(lines, {
		trainer: trainerVersions[trainer],
		behaviours,
		template,
		cutoff,
		signal,
		idOf: (row) => ("id" in row && typeof row.id === "string" ? row.id : undefined),
		check: (row, report) => check(row, report, measure),
	});
}

/** The numbers that a written script sets, by what stands before each; undefined where it sets none. */
export async function numbersTold(file: string, setting: (name: string) => RegExp) {
	const script = await readFile(file, "utf8").catch(() => "");
	const told = (name: string) => {
		const found = setting(name).exec(script)?.[1];
		return found === undefined ? undefined : Number(found);
	};
	return { cutoff: told("max_length") ?? null, maxPixels: told("max_pixels") };
}
