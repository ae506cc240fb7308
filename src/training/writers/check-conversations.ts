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
import { readModelFolder, type Setup, setupProblems, type Tuning, tunings } from "./setup.ts";
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
	/** What the written script trains. */
	setup?: Setup | undefined;
	/** The script learns what the chat template marks as the assistant's. */
	marksAssistant?: boolean;
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
	const { device = "gpu", model } = options;
	const { setup, marksAssistant = false } = told;
	const measure = { template, cutoff, images: createImageMeasure(dir, { template, maxPixels, tiles }) };
	return preflightOf(lines, {
		trainer: trainerVersions[trainer],
		behaviours,
		setup,
		async endsOf(pictured) {
			if (!setup) return [];
			const folder = model === undefined ? undefined : await readModelFolder(model);
			return setupProblems(setup, { device, model: folder, pictured, marksAssistant });
		},
		template,
		cutoff,
		signal,
		idOf: (row) => ("id" in row && typeof row.id === "string" ? row.id : undefined),
		check: (row, report) => check(row, report, measure),
	});
}

/** What a written script sets, by what stands before each; undefined where it sets none. */
export async function toldBy(file: string, setting: (name: string) => RegExp) {
	const script = await readFile(file, "utf8").catch(() => "");
	const told = (name: string) => setting(name).exec(script)?.[1];
	const number = (name: string) => {
		const found = Number(told(name));
		return Number.isFinite(found) ? found : undefined;
	};
	return { cutoff: number("max_length") ?? null, maxPixels: number("max_pixels"), told };
}

export const tuningTold = (text: string | undefined): Tuning | null => tunings.find((one) => one === text) ?? null;
