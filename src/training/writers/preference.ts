import { join } from "node:path";
import { toolsSection } from "#agents";
import { writeJson, writeJsonl, writeWhole } from "#store";
import type { PreferencePair } from "../pairs/pair.ts";
import { createImages, type Images } from "./images.ts";
import { rereadSharegpt } from "./llamafactory/reread.ts";
import { sharegptInfo, sharegptTurn, toolsText } from "./llamafactory/rows.ts";
import { createScribe } from "./marked-text.ts";
import { llamaFactoryMarks, type Marks, swiftMarks, trlMarks, wellFormed } from "./marks.ts";
import type { Preflight } from "./preflight.ts";
import type { Trainer } from "./registry.ts";
import { rereadSwiftPreferences } from "./swift/reread-pairs.ts";
import { swiftMessages } from "./swift/rows.ts";
import { rereadTrlPreferences } from "./trl/reread-preferences.ts";
import { trlMessage } from "./trl/trl.ts";
import { type Turn, turnsOf } from "./turns.ts";
import { defaultMaxPixels, type Many, type RereadOptions, type Writing, type WritingOptions } from "./writer.ts";

export type PreferenceWriting = Omit<Writing, "longest">;

/** A trainer's form of preference pairs, for its direct preference optimisation. */
export interface PreferenceWriter {
	name: string;
	title: string;
	write(pairs: Many<PreferencePair>, dir: string, options?: WritingOptions): Promise<PreferenceWriting>;
	/** Reads only what was written, and says what the trainer would drop, cut or stop at, and why. */
	reread(dir: string, options?: RereadOptions): Promise<Preflight>;
}

interface Sides {
	system: string;
	prompt: Turn[];
	chosen: Turn[];
	rejected: Turn[];
}

const defaultName = "preferences";
/** As it is called unless another name was given. */
export const preferencesFile = `${defaultName}.jsonl`;

/** One pair as a row; throws with the reason where the form cannot hold it. */
type RowOf = (pair: PreferencePair, sides: Sides, images: Images) => Promise<object>;

function preferenceWriter(
	about: { name: string; title: string; marks: Marks; beside(name: string, maxPixels: number): [string, unknown][] },
	{ rowOf, lossesOf, reread }: { rowOf: RowOf; lossesOf(later: number): string[]; reread: PreferenceWriter["reread"] },
): PreferenceWriter {
	return {
		name: about.name,
		title: about.title,
		reread,
		async write(pairs, dir, { name = defaultName, maxPixels = defaultMaxPixels, signal } = {}) {
			const images = createImages(dir);
			const left: Writing["left"] = [];
			let later = 0;
			async function* rows() {
				for await (const pair of pairs) {
					signal?.throwIfAborted();
					try {
						const sides = sidesOf(pair, about.marks);
						const row = await rowOf(pair, sides, images);
						if (sides.chosen.length > 1 || sides.rejected.length > 1) later += 1;
						yield { id: wellFormed(pair.id), ...row };
					} catch (error) {
						signal?.throwIfAborted();
						left.push({ id: pair.id, reason: (error as Error).message });
					}
				}
			}
			const file = `${name}.jsonl`;
			const { count } = await writeJsonl(join(dir, file), rows());
			const beside = about.beside(name, maxPixels);
			for (const [path, content] of beside)
				await (typeof content === "string"
					? writeWhole(join(dir, path), content)
					: writeJson(join(dir, path), content));
			const files = [file, ...beside.map(([path]) => path)];
			return { files, rows: count, images: images.count, left, losses: lossesOf(later) };
		},
	};
}

function sidesOf({ system = "", prompt, chosen, rejected }: PreferencePair, marks: Marks): Sides {
	const sides = { prompt: turnsOf(prompt), chosen: turnsOf(chosen), rejected: turnsOf(rejected) };
	if (sides.prompt[0]?.side !== "shown" || sides.prompt.at(-1)?.side !== "shown")
		throw new Error("the prompt does not begin and end with what the policy is shown");
	for (const side of [sides.chosen, sides.rejected]) {
		if (side[0]?.side !== "said") throw new Error("a side does not begin with what the policy says");
		if (side.at(-1)?.side === "shown") side.pop();
	}
	if (JSON.stringify(sides.chosen) === JSON.stringify(sides.rejected)) throw new Error("both sides are the same");
	return { system: marks.escape(system), ...sides };
}

const firstOf = ([first]: Turn[]): Turn => {
	if (!first) throw new Error("a side is empty");
	return first;
};

const llamaFactory = preferenceWriter(
	{
		name: "llamafactory",
		title: "LLaMA-Factory (sharegpt, ranking)",
		marks: llamaFactoryMarks,
		beside: (name, maxPixels) => [
			[
				"dataset_info.json",
				{
					[name]: {
						file_name: `${name}.jsonl`,
						ranking: true,
						...sharegptInfo,
						columns: { ...sharegptInfo.columns, chosen: "chosen", rejected: "rejected" },
					},
				},
			],
			["dpo-qwen2_5-vl-7b.yaml", dpoConfiguration(name, maxPixels)],
		],
	},
	{
		async rowOf({ tools, images }, { system, prompt, chosen, rejected }, folder) {
			const scribe = createScribe(images, folder);
			const messages = [];
			for (const turn of prompt) messages.push(await sharegptTurn(turn, scribe));
			const shown = scribe.placed.length;
			const [better, worse] = [
				await sharegptTurn(firstOf(chosen), scribe),
				await sharegptTurn(firstOf(rejected), scribe),
			];
			if (scribe.placed.length > shown) throw new Error("a reply shows an image, which a ranked reply cannot");
			const paths = scribe.placed.map(({ path }) => path);
			return { messages, chosen: better, rejected: worse, images: paths, system, tools: toolsText(tools) };
		},
		lossesOf: (later) =>
			later === 0 ? [] : [`${later} pairs: only the first reply of each side is ranked; what followed is left out`],
		reread: rereadSharegpt,
	},
);

const swift = preferenceWriter(
	{
		name: "swift",
		title: "ms-swift (messages and rejected_messages)",
		marks: swiftMarks,
		beside: () => [],
	},
	{
		async rowOf({ tools, images }, { system, prompt, chosen, rejected }, folder) {
			async function side(turns: Turn[]) {
				const scribe = createScribe(images, folder);
				const messages: object[] = system === "" ? [] : [{ role: "system", content: system }];
				// learned is what differs; what both said before is given
				for (const turn of prompt)
					for (const message of await swiftMessages(turn, scribe))
						messages.push("loss" in message ? { ...message, loss: false } : message);
				for (const turn of turns) messages.push(...(await swiftMessages(turn, scribe)));
				return { messages, images: scribe.placed.map(({ path }) => path) };
			}
			const [better, worse] = [await side(chosen), await side(rejected)];
			const text = toolsText(tools, swiftMarks);
			return {
				...better,
				rejected_messages: worse.messages,
				rejected_images: worse.images,
				// what is not said of the rejected side by name, it does not have
				...(text === "" ? {} : { tools: text, rejected_tools: text }),
			};
		},
		lossesOf: () => [],
		reread: (dir, options) => rereadSwiftPreferences(dir, preferencesFile, options),
	},
);

const trl = preferenceWriter(
	{ name: "trl", title: "TRL (prompt, chosen, rejected)", marks: trlMarks, beside: () => [] },
	{
		async rowOf({ tools, images }, { system, prompt, chosen, rejected }, folder) {
			const scribe = createScribe(images, folder);
			const first = [system, toolsSection(tools ?? [])].filter((text) => text !== "").join("\n\n");
			const begun: object[] = first === "" ? [] : [{ role: "system", content: [{ type: "text", text: first }] }];
			for (const turn of prompt) begun.push(await trlMessage(turn, scribe));
			const shown = scribe.placed.length;
			const side = async (turns: Turn[]) => [await trlMessage(firstOf(turns), scribe)];
			const [better, worse] = [await side(chosen), await side(rejected)];
			if (scribe.placed.length > shown) throw new Error("a reply shows an image, which TRL's collator cannot place");
			return { prompt: begun, chosen: better, rejected: worse, images: scribe.placed.map(({ path }) => path) };
		},
		lossesOf: (later) =>
			later === 0 ? [] : [`${later} pairs: only the first reply of each side is compared; what followed is left out`],
		reread: (dir, options) => rereadTrlPreferences(dir, preferencesFile, options),
	},
);

/** No paper sets these: LLaMA-Factory's own example of the method, with our cutoff. */
const dpoConfiguration = (
	name: string,
	maxPixels: number,
) => `# Run in this folder: llamafactory-cli train dpo-qwen2_5-vl-7b.yaml
# No paper of these protocols trains on preferences: all values are our choice, for a start.
model_name_or_path: Qwen/Qwen2.5-VL-7B-Instruct
template: qwen2_vl

stage: dpo
do_train: true
finetuning_type: lora
lora_target: all
pref_beta: 0.1
pref_loss: sigmoid

dataset: ${name}
dataset_dir: .
media_dir: .
cutoff_len: 8192
image_max_pixels: ${maxPixels}

learning_rate: 5.0e-6
num_train_epochs: 1.0
lr_scheduler_type: cosine
warmup_ratio: 0.1
per_device_train_batch_size: 1
gradient_accumulation_steps: 8
bf16: true
output_dir: output/dpo-qwen2_5-vl-7b
`;

/** Preference files by trainer. */
export const preferenceWriters: Record<Trainer, PreferenceWriter> = { llamafactory: llamaFactory, swift, trl };
