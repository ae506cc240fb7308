import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ConversationWriter } from "./conversation-writer.ts";
import { llamaFactory } from "./llamafactory/llamafactory.ts";
import { preferencesFile, preferenceWriters } from "./preference.ts";
import { recordsIn } from "./records.ts";
import { retrieverFile, retrieverWriters } from "./retriever.ts";
import { swift } from "./swift/swift.ts";
import { trl } from "./trl/trl.ts";
import type { Trainer, TrainerForm } from "./writer.ts";

/** Fine-tuning files by trainer. */
export const trainingWriters: Record<Trainer, ConversationWriter> = { llamafactory: llamaFactory, swift, trl };

/** By which file a folder of conversations is known. */
export const trainerSigns: Record<Trainer, string> = {
	llamafactory: "dataset_info.json",
	swift: "train-swift.sh",
	trl: "train_trl.py",
};

/**
 * The re-reader of a folder, by its files; files of pairs are called the same for every trainer and are told apart by the
 * fields of their first row. `trainer`: of conversations and preferences that no file tells. Undefined where none fits.
 */
export async function rereaderOf(
	dir: string,
	trainer?: Trainer,
): Promise<Pick<TrainerForm<never>, "reread"> | undefined> {
	const holds = (file: string) => existsSync(join(dir, file));
	const signed = (Object.keys(trainerSigns) as Trainer[]).find((name) => holds(trainerSigns[name]));
	if (holds(preferencesFile)) {
		const told = trainer ?? signed ?? ((await fieldsOf(join(dir, preferencesFile))).has("prompt") ? "trl" : "swift");
		return preferenceWriters[told];
	}
	if (holds(retrieverFile)) {
		const fields = await fieldsOf(join(dir, retrieverFile));
		if (fields.has("messages")) return retrieverWriters.swift;
		return retrieverWriters[fields.has("pos") ? "flagembedding" : "sentence-transformers"];
	}
	const told = trainer ?? signed;
	return told === undefined ? undefined : trainingWriters[told];
}

async function fieldsOf(file: string): Promise<Set<string>> {
	for await (const { value } of recordsIn(file))
		return new Set(typeof value === "object" && value !== null ? Object.keys(value) : []);
	return new Set();
}
