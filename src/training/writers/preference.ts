import { join } from "node:path";
import { toolsSection } from "#agents";
import { writeJson } from "#store";
import type { PreferencePair } from "../pairs/pair.ts";
import { fillTrainerFile } from "../trainer-files.ts";
import { createImages, createScribe, type Images } from "./images.ts";
import { checkSharegpt } from "./llamafactory/check.ts";
import { sharegptInfo, sharegptTurn, toolsText } from "./llamafactory/rows.ts";
import { llamaFactoryMarks, type Marks, swiftMarks, trlMarks, wellFormed } from "./marks.ts";
import { checkSwiftPreferences } from "./swift/check.ts";
import { swiftMessages } from "./swift/swift.ts";
import { checkTrlPreferences } from "./trl/check.ts";
import { trlMessage } from "./trl/trl.ts";
import { type Turn, turnsOf } from "./turns.ts";
import { defaultMaxPixels, type Trainer, type TrainerForm, writeRows } from "./writer.ts";

/** A trainer's form of preference pairs, for its direct preference optimisation. */
export type PreferenceWriter = TrainerForm<PreferencePair>;

interface Sides {
	system: string;
	prompt: Turn[];
	chosen: Turn[];
	rejected: Turn[];
}

const defaultName = "preferences";
/** As it is called unless another name was given. */
export const preferencesFile = `${defaultName}.jsonl`;

interface PreferenceForm extends Pick<PreferenceWriter, "name" | "title" | "reread"> {
	marks: Marks;
	/** One pair as a row; throws with the reason where the form cannot hold it. */
	rowOf(pair: PreferencePair, sides: Sides, images: Images): Promise<object>;
	/** What is lost of pairs whose sides go on behind the first reply; undefined where nothing is. */
	later?: string;
	/** Writes what the trainer reads beside the rows; returns the names of the files. */
	configure?(dir: string, name: string, maxPixels: number): Promise<string[]>;
}

function preferenceWriter(form: PreferenceForm): PreferenceWriter {
	return {
		name: form.name,
		title: form.title,
		reread: form.reread,
		async write(pairs, dir, { name = defaultName, maxPixels = defaultMaxPixels, signal } = {}) {
			const images = createImages(dir);
			let later = 0;
			async function rowsOf(pair: PreferencePair) {
				const sides = sidesOf(pair, form.marks);
				const row = await form.rowOf(pair, sides, images);
				if (sides.chosen.length > 1 || sides.rejected.length > 1) later += 1;
				return [{ id: wellFormed(pair.id), ...row }];
			}
			const file = `${name}.jsonl`;
			const { rows, left } = await writeRows(join(dir, file), pairs, { rowsOf, signal });
			const beside = (await form.configure?.(dir, name, maxPixels)) ?? [];
			const losses = later > 0 && form.later !== undefined ? [`${later} pairs: ${form.later}`] : [];
			return { files: [file, ...beside], rows, images: images.count, left, losses };
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

const llamaFactory = preferenceWriter({
	name: "llamafactory",
	title: "LLaMA-Factory (sharegpt, ranking)",
	marks: llamaFactoryMarks,
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
	later: "only the first reply of each side is ranked; what followed is left out",
	async configure(dir, name, maxPixels) {
		const columns = { ...sharegptInfo.columns, chosen: "chosen", rejected: "rejected" };
		const info = { [name]: { file_name: `${name}.jsonl`, ranking: true, ...sharegptInfo, columns } };
		await writeJson(join(dir, "dataset_info.json"), info);
		const configuration = "dpo-qwen2_5-vl-7b.yaml";
		const values = { dataset: name, max_pixels: maxPixels };
		await fillTrainerFile("llamafactory-dpo.yaml", join(dir, configuration), values);
		return ["dataset_info.json", configuration];
	},
	reread: checkSharegpt,
});

const swift = preferenceWriter({
	name: "swift",
	title: "ms-swift (messages and rejected_messages)",
	marks: swiftMarks,
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
	reread: (dir, options) => checkSwiftPreferences(dir, preferencesFile, options),
});

const trl = preferenceWriter({
	name: "trl",
	title: "TRL (prompt, chosen, rejected)",
	marks: trlMarks,
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
	later: "only the first reply of each side is compared; what followed is left out",
	reread: (dir, options) => checkTrlPreferences(dir, preferencesFile, options),
});

/** Preference files by trainer. */
export const preferenceWriters: Record<Trainer, PreferenceWriter> = { llamafactory: llamaFactory, swift, trl };
