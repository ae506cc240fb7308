import { join } from "node:path";
import { writeJson, writeJsonl } from "#store";
import { createImages } from "../images.ts";
import { createScribe } from "../marked-text.ts";
import { llamaFactoryMarks, wellFormed } from "../marks.ts";
import { rowWriter, textsOf } from "../rows.ts";
import { defaultMaxPixels, defaultName, type TrainingWriter } from "../writer.ts";
import { writeConfigurations } from "./configuration.ts";
import { readSharegpt, rereadSharegpt } from "./reread.ts";
import { sharegptInfo, sharegptTurn, toolsText } from "./rows.ts";

/**
 * LLaMA-Factory's sharegpt form with its `dataset_info.json` and Search-Align's configurations.
 *
 * Not its `openai` form, whose converter replaces what an assistant said by the JSON of its calls, so that thoughts are lost.
 */
export const llamaFactory: TrainingWriter = {
	name: "llamafactory",
	title: "LLaMA-Factory (sharegpt)",
	async write(examples, dir, { name = defaultName, maxPixels = defaultMaxPixels, signal } = {}) {
		const images = createImages(dir);
		let calls = false;
		const writer = rowWriter(
			async (example, alternation) => {
				const scribe = createScribe(example.images, images);
				const messages = [];
				for (const turn of alternation.turns) messages.push(await sharegptTurn(turn, scribe));
				calls ||= messages.some(({ role }) => role === "function_call");
				const tools = toolsText(example.tools);
				const system = llamaFactoryMarks.escape(alternation.system);
				return {
					row: { id: wellFormed(example.id), messages, images: scribe.placed.map(({ path }) => path), system, tools },
					texts: textsOf(alternation, tools),
					sizes: scribe.placed.map(({ size }) => size),
				};
			},
			{ maxPixels, tiles: false, signal },
		);
		const file = `${name}.jsonl`;
		const { count } = await writeJsonl(join(dir, file), writer.rows(examples));
		await writeJson(join(dir, "dataset_info.json"), { [name]: { file_name: file, ...sharegptInfo } });
		const { longest, left } = writer;
		const configurations = await writeConfigurations(dir, { name, maxPixels, longest, calls });
		return {
			files: [file, "dataset_info.json", ...configurations],
			rows: count,
			images: images.count,
			left,
			losses: writer.losses(),
			longest,
		};
	},
	read: readSharegpt,
	reread: rereadSharegpt,
};
