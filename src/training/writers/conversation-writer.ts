import { join } from "node:path";
import type { TrainingExample } from "../conversations/example.ts";
import { createImages, createScribe, type Scribe } from "./images.ts";
import { imageTokens, type Size, type Template, templates, textTokens, toolsTokens, turnTokens } from "./lengths.ts";
import { wellFormed } from "./marks.ts";
import type { Preflight } from "./preflight.ts";
import type { Device, Tuning } from "./setup.ts";
import { type Alternation, alternation, callArguments, plainText } from "./turns.ts";
import {
	defaultMaxPixels,
	type FilesWritten,
	type RereadOptions,
	type TrainerForm,
	type WritingOptions,
	writeRows,
} from "./writer.ts";

/** What was written of conversations. */
export interface Writing extends FilesWritten {
	/** Estimated tokens of the longest row, by template. */
	longest: Record<Template, number>;
}

/** A trainer's form of conversations, its configuration among the files. */
export type ConversationWriter = TrainerForm<TrainingExample, WritingOptions, Writing>;

/** A conversation in a trainer's words. */
interface ConversationRow {
	messages: object[];
	/** The tools as they are told to the model. */
	toolsText: string;
	/** Columns beside messages and images. */
	columns?: object;
}

/** What a trainer's configuration is made of. */
export interface Written {
	/** The data set's name, and its file. */
	name: string;
	file: string;
	maxPixels: number;
	longest: Record<Template, number>;
	/** Different image files. */
	images: number;
	/** Whether any row calls declared functions. */
	calls: boolean;
	tuning?: Tuning | undefined;
	device: Device;
}

interface ConversationForm {
	name: string;
	title: string;
	/** Whether images are cut into tiles by the model's processor. */
	tiles: boolean;
	/** Whether each message says if it is to be learned. */
	ownLoss?: boolean;
	rowOf(conversation: Alternation, example: TrainingExample, scribe: Scribe): Promise<ConversationRow>;
	/** Writes what the trainer reads beside the rows; returns the names of the files. */
	configure(dir: string, written: Written): Promise<string[]>;
	reread(dir: string, options?: RereadOptions): Promise<Preflight>;
}

export function conversationWriter(form: ConversationForm): ConversationWriter {
	const { name: trainer, title, tiles, rowOf, configure, reread } = form;
	return {
		name: trainer,
		title,
		reread,
		async write(examples, dir, options = {}) {
			const { name = "search_align", maxPixels = defaultMaxPixels, tuning, device = "gpu", signal } = options;
			const images = createImages(dir);
			const longest: Record<Template, number> = { qwen2_vl: 0, qwen3_vl: 0, intern_vl: 0 };
			const losses = createLosses(form);
			let calls = false;
			async function rowsOf(example: TrainingExample) {
				const made = alternation(example);
				if (typeof made === "string") throw new Error(made);
				const scribe = createScribe(example.images, images);
				const { messages, toolsText, columns } = await rowOf(made, example, scribe);
				const sizes = scribe.placed.map(({ size }) => size);
				const words = wordTokens(made, example, toolsText);
				for (const template of templates)
					longest[template] = Math.max(longest[template], words + pictureTokens(sizes, template, { maxPixels, tiles }));
				calls ||= made.turns.some(({ messages }) => messages.some((message) => (message.calls ?? []).length > 0));
				losses.count(example, made, sizes.length);
				return [{ id: wellFormed(example.id), messages, images: scribe.placed.map(({ path }) => path), ...columns }];
			}
			const file = `${name}.jsonl`;
			const { rows, left } = await writeRows(join(dir, file), examples, { rowsOf, signal });
			const made = { name, file, maxPixels, longest, images: images.count, calls };
			const beside = await configure(dir, { ...made, tuning, device });
			return { files: [file, ...beside], rows, images: images.count, left, losses: losses.told(), longest };
		},
	};
}

/** Of every text of a row that the model reads or writes. */
function wordTokens({ system, turns }: Alternation, { tools = [] }: TrainingExample, toolsText: string): number {
	const texts = turns.map(({ messages }) =>
		messages
			.map((message) => plainText(message) + (message.calls ?? []).map((call) => call.name + call.arguments).join(""))
			.join("\n"),
	);
	const around = tools.length > 0 ? toolsTokens : 0;
	return [system + toolsText, ...texts].reduce((sum, text) => sum + textTokens(text) + turnTokens, around);
}

const pictureTokens = (sizes: readonly Size[], template: Template, limits: { maxPixels: number; tiles: boolean }) =>
	sizes.reduce((sum, size) => sum + imageTokens(size, template, limits), 0);

/** Counts the rows that lose something in a form. */
function createLosses({ ownLoss = false }: Pick<ConversationForm, "ownLoss">) {
	const lost = { trained: 0, trailing: 0, unread: 0, images: 0 };
	const means = {
		trained: "have turns that are not to be learned; this trainer learns every turn of the policy",
		trailing: "end in what the policy is shown; that end is left out",
		unread: "hold a call whose arguments are no JSON object; they are written as text",
		images: "bring images that no turn shows; those are left out",
	};
	return {
		count({ messages, images }: TrainingExample, { turns, trailing }: Alternation, placed: number): void {
			if (trailing > 0) lost.trailing += 1;
			const said = turns.flatMap(({ messages }) => messages);
			const calls = said.flatMap((message) => message.calls ?? []);
			if (calls.some((call) => typeof callArguments(call.arguments) === "string")) lost.unread += 1;
			if (!ownLoss && said.some(({ role, train }) => role === "assistant" && !train)) lost.trained += 1;
			const shown = messages.flatMap(({ content }) => content.flatMap((part) => ("image" in part ? part.image : [])));
			if (placed < shown.length || images.some((_, index) => !shown.includes(index))) lost.images += 1;
		},
		told: (): string[] =>
			(Object.keys(means) as (keyof typeof means)[]).flatMap((what) =>
				lost[what] === 0 ? [] : [`${lost[what]} ${lost[what] === 1 ? "row" : "rows"}: ${means[what]}`],
			),
	};
}
