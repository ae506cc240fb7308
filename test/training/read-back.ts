/** The rows that the writers of trainers' files wrote, read back as a trainer's model would be shown them. */
import { writeCall } from "#agents";
import { parseCalls, sharegptRows } from "../../src/training/writers/llamafactory/read-sharegpt.ts";
import {
	imageMark,
	llamaFactoryCallMarks,
	llamaFactoryMarks,
	swiftMarks,
	trlMarks,
} from "../../src/training/writers/marks.ts";
import { rowsOf } from "../../src/training/writers/preflight.ts";
import { recordsOfFolder } from "../../src/training/writers/records.ts";
import { isSaid, SwiftRow, swiftCall } from "../../src/training/writers/swift/check.ts";
import { TrlRow, wordsIn } from "../../src/training/writers/trl/check.ts";
import type { Trainer } from "../../src/training/writers/writer.ts";

/** A row as the trainer reads it: marks of images in the texts are gone, what was taken apart is whole again. */
export interface ReadRow {
	system: string;
	turns: ReadTurn[];
	/** Paths as they stand in the file. */
	images: string[];
}

interface ReadTurn {
	/** The trainer's own word. */
	role: string;
	text: string;
}

const shown = (text: string) => text.replaceAll(imageMark, "");

async function* readSharegpt(dir: string): AsyncGenerator<ReadRow> {
	for await (const read of sharegptRows(dir)) {
		if ("problem" in read) continue;
		const { system, turns, images, tags } = read.row;
		yield {
			system: llamaFactoryMarks.unescape(system),
			turns: turns.map(({ role, content }) => {
				const calls = role === tags.function_tag ? parseCalls(content) : undefined;
				if (!calls) return { role, text: llamaFactoryMarks.unescape(shown(content)) };
				const thought = llamaFactoryCallMarks.unescape(shown(calls.thought));
				const written = calls.calls.map((call) => writeCall(call.name, call.arguments as object));
				return { role, text: thought + llamaFactoryMarks.unescape(written.join("\n")) };
			}),
			images,
		};
	}
}

async function* readSwift(dir: string): AsyncGenerator<ReadRow> {
	for await (const read of rowsOf(recordsOfFolder(dir), SwiftRow)) {
		if ("problem" in read) continue;
		const { messages, images } = read.row;
		const first = messages[0]?.role === "system" ? messages.shift() : undefined;
		const turns: ReadTurn[] = [];
		for (const { role, content } of messages) {
			const call = role === "tool_call" ? swiftCall(swiftMarks.unescape(content)) : undefined;
			const text = call ? writeCall(call.name, call.arguments as object) : swiftMarks.unescape(shown(content));
			const last = turns.at(-1);
			if (last && (isSaid(role) ? isSaid(last.role) : last.role === role))
				// a thought brings its own line end
				turns[turns.length - 1] = { role, text: `${last.text}${last.role === "assistant" ? "" : "\n"}${text}` };
			else turns.push({ role, text });
		}
		yield { system: swiftMarks.unescape(first?.content ?? ""), turns, images: images ?? [] };
	}
}

async function* readTrl(dir: string): AsyncGenerator<ReadRow> {
	for await (const read of rowsOf(recordsOfFolder(dir), TrlRow)) {
		if ("problem" in read) continue;
		const { messages, images } = read.row;
		const first = messages[0]?.role === "system" ? messages.shift() : undefined;
		yield {
			system: trlMarks.unescape(wordsIn(first?.content)),
			turns: messages.map(({ role, content }) => ({ role, text: trlMarks.unescape(wordsIn(content)) })),
			images,
		};
	}
}

export const readBack: Record<Trainer, (dir: string) => AsyncGenerator<ReadRow>> = {
	llamafactory: readSharegpt,
	swift: readSwift,
	trl: readTrl,
};
