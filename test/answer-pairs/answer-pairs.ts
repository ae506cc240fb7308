import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Answer } from "#domain";

/**
 * Answers labelled by hand as right or wrong, in two halves: `tune` may be looked at, `held` only counted. The rows hold
 * nothing of the data they were made from: what comes from there is a place to look up, so the pairs are whole only
 * where `../shared/data` stands.
 */
export interface AnswerPair {
	id: string;
	kind: "names" | "numbers" | "dates" | "yes/no" | "lists" | "none";
	question: string;
	gold: Answer;
	/** The language of the reply. */
	language: string;
	reply: string;
	label: 0 | 1;
	why: string;
	origin: string;
}

export const answerPairsData = "../shared/data";

/** A string of the data: a line of a JSONL file (from 1) or a whole JSON file, a JSON pointer in it, UTF-16 units of it. */
interface Place {
	file: string;
	line?: number;
	pointer: string;
	span?: [number, number];
}
type Text = string | Place | { parts: (string | Place)[] };

type Gold<T extends Answer["type"]> = Extract<Answer, { type: T }>;

interface Row extends Omit<AnswerPair, "question" | "gold" | "reply"> {
	question: Text;
	gold: {
		type: Answer["type"];
		value: Text;
		/** Other forms that the source accepts. */
		also?: Text[];
		items?: Text[];
		number?: Gold<"number">["number"];
		time?: { iso: Text; precision: Gold<"time">["time"]["precision"] };
	};
	reply: Text;
}

const files = new Map<string, unknown[]>();

function rowsOf(file: string): unknown[] {
	let rows = files.get(file);
	if (!rows) {
		const text = readFileSync(join(answerPairsData, file), "utf8");
		rows = file.endsWith(".jsonl")
			? text.split("\n").flatMap((line) => (line ? [JSON.parse(line)] : []))
			: [JSON.parse(text)];
		files.set(file, rows);
	}
	return rows;
}

function lookUp({ file, line = 1, pointer, span }: Place): string {
	let value = rowsOf(file)[line - 1];
	for (const key of pointer.split("/").slice(1)) value = (value as Record<string, unknown> | undefined)?.[key];
	if (value === undefined) throw new Error(`${file}:${line} has nothing at ${pointer}`);
	return span ? String(value).slice(...span) : String(value);
}

function textOf(text: Text): string {
	if (typeof text === "string") return text;
	return "parts" in text ? text.parts.map(textOf).join("") : lookUp(text);
}

function pairOf({ question, gold, reply, ...rest }: Row): AnswerPair {
	const value = textOf(gold.value);
	const pair = {
		...rest,
		question: textOf(question),
		gold: Answer.parse({
			...gold,
			value,
			accepted: [value, ...(gold.also ?? []).map(textOf)],
			...(gold.items && { items: gold.items.map(textOf) }),
			...(gold.time && { time: { ...gold.time, iso: textOf(gold.time.iso) } }),
		}),
		reply: textOf(reply),
	};
	// a label belongs to these words and no others
	const words = [pair.question, pair.gold.type, pair.gold.value, pair.reply].join("\0");
	const id = createHash("sha256").update(words).digest("hex").slice(0, 10);
	if (id !== pair.id) throw new Error(`answer pair ${pair.id}: the data have changed under its label`);
	return pair;
}

/** Whether the data are there that the pairs refer to. */
export const answerPairsPresent = existsSync(answerPairsData);

/** One half; without the data, only the pairs about public facts, which refer to none. */
export function answerPairs(half: "tune" | "held"): AnswerPair[] {
	const lines = readFileSync(join(import.meta.dirname, `${half}.jsonl`), "utf8")
		.trim()
		.split("\n");
	const rows = lines.map((line): Row => JSON.parse(line));
	return rows.filter(({ origin }) => answerPairsPresent || origin === "public fact").map(pairOf);
}
