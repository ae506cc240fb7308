import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { usageError } from "#domain";

/** Whether all weights are trained, or an adapter beside them. */
export const tunings = ["full", "lora"] as const;
export type Tuning = (typeof tunings)[number];

/** Where training is to run: on a GPU in bfloat16, or on a processor in float32. */
export const devices = ["gpu", "cpu"] as const;
export type Device = (typeof devices)[number];

/** What a written script trains, read off its words: the same choice that it was written from. */
export interface Setup {
	tuning: Tuning | null;
	/** `as-found`: the script takes what the machine has. */
	precision: "bf16" | "float32" | "as-found";
}

/** Why training would end before its first row, whatever the rows are. */
export interface SetupProblem {
	reason: "precision" | "no-template" | "unmarked-template" | "text-model";
	means: string;
}

/** What is known of a model from the files of its folder. */
interface ModelFolder {
	looks: boolean;
	/** Undefined where there is none. */
	template: string | undefined;
}

/** Bytes of a model's small files. */
const mostBytes = 20_000_000;

const Configuration = z.looseObject({ vision_config: z.unknown().optional() });
const Tokenizer = z.looseObject({
	chat_template: z.union([z.string(), z.array(z.looseObject({ name: z.string(), template: z.string() }))]).nullish(),
});

/** A model as transformers finds it in a folder: whether it takes pictures, and its chat template. */
export async function readModelFolder(dir: string): Promise<ModelFolder> {
	const text = async (name: string) => {
		const read = await readFile(join(dir, name), "utf8").catch(() => undefined);
		return read !== undefined && read.length <= mostBytes ? read : undefined;
	};
	const json = async <T>(name: string, schema: z.ZodType<T>): Promise<T | undefined> => {
		try {
			return schema.safeParse(JSON.parse((await text(name)) ?? "null")).data;
		} catch {
			return undefined;
		}
	};
	const configuration = await json("config.json", Configuration);
	if (!configuration)
		throw usageError("no-model", `${dir} holds no config.json of a model`, "Name the folder of a model's files.");
	const told = (await json("tokenizer_config.json", Tokenizer))?.chat_template;
	const listed = Array.isArray(told) ? (told.find(({ name }) => name === "default") ?? told[0])?.template : told;
	const template = (await text("chat_template.jinja")) ?? (listed || undefined);
	return { looks: configuration.vision_config !== undefined, template };
}

/** What would end a training before its first row: what the script sets against the machine, and the model's files. */
export function setupProblems(
	{ precision }: Setup,
	{
		device,
		model,
		pictured,
		marksAssistant,
	}: {
		device: Device;
		model?: ModelFolder | undefined;
		/** Rows that show pictures. */
		pictured: number;
		/** The script learns what the template marks as the assistant's. */
		marksAssistant: boolean;
	},
): SetupProblem[] {
	const problems: SetupProblem[] = [];
	if (device === "cpu" && precision === "bf16")
		problems.push({
			reason: "precision",
			means: "bf16 is asked for, and without a GPU the trainer ends with an error: export with --device cpu",
		});
	if (!model) return problems;
	if (!model.looks && pictured > 0)
		problems.push({
			reason: "text-model",
			means: `the model takes no pictures, and rows show some (${pictured}): export with --text-only`,
		});
	if (!marksAssistant) return problems;
	if (model.template === undefined)
		problems.push({
			reason: "no-template",
			means: "the model's files hold no chat template, and the rows are written by one: take an instructed model",
		});
	else if (!isMarked(model.template, { pictured }))
		problems.push({
			reason: "unmarked-template",
			means:
				"the chat template marks no assistant's words ({% generation %}) and is no ChatML, whose marks the script knows: unless TRL knows it, training ends with an error",
		});
	return problems;
}

/** What the script's `mark_assistant` does, in its own words: ChatML of text models gets the marks that it lacks. */
const isMarked = (template: string, { pictured }: { pictured: number }): boolean =>
	template.includes("generation %}") || (template.includes("<|im_start|>") && pictured === 0);
