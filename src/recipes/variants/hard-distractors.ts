import type { TextReading } from "#benchmarks";
import { type Evidence, retrievalHops, type Task } from "#domain";
import { seeded } from "../seeded.ts";
import { heldEvidence } from "../stages/picture-of.ts";
import { createRenaming } from "./renaming.ts";
import { saysAnswer, textOf } from "./states-hop.ts";

/** What is handed out with a question: gold evidence among what looks like it. */
export interface HandedOut {
	/** In drawn order. */
	context: string[];
	distractors: string[];
	/** What was searched with: the questions, their names taken out. */
	queries: string[];
}

interface DistractorOptions {
	evidence(id: string): Promise<Evidence | undefined>;
	search(text: string, options: { k: number }): Promise<Evidence[]>;
	reading: TextReading;
	/** How many are wanted. */
	count: number;
	seed: number;
	/** Results of each search that are looked at. */
	depth?: number;
}

/**
 * The best passages for the task's questions with their names taken out, that hold no answer of any hop: they are worded
 * like what is looked for, and about others. Masking is what keeps them from being about the very entities.
 * Source: MuSiQue, hard distractors by the composed question with its intermediate answers masked.
 */
export async function hardDistractors(
	task: Task,
	options: DistractorOptions,
): Promise<HandedOut | { why: "no-chain" | "none-found" }> {
	const { chain } = task;
	if (!chain) return { why: "no-chain" };
	const { search, reading, count, seed, depth = Math.max(20, 3 * count) } = options;
	const { language } = task.tags;
	const gold = [...new Set(retrievalHops(chain).flatMap(({ evidence }) => evidence))];
	const shown = await heldEvidence(options, gold);
	const answers = chain.hops.map(({ answer }) => answer);
	const names = [
		...answers.filter(({ type }) => type === "string").flatMap(({ accepted }) => accepted),
		...shown.flatMap(({ title }) => [title, title.replace(/\s*\([^()]*\)$/u, "")]),
	];
	const masking = createRenaming([{ forms: names, to: "" }]);
	const masked = (question: string) => masking.rename(question).replace(/\s+/g, " ").trim();
	const queries = [...new Set([task.question, ...retrievalHops(chain).map(({ question }) => question)].map(masked))];
	const texts = new Set(shown.map(({ sha256 }) => sha256));
	const seen = new Set(gold);
	const lists: string[][] = [];
	for (const found of await Promise.all(queries.map((query) => search(query, { k: depth })))) {
		const list: string[] = [];
		for (const one of found) {
			if (seen.has(one.id) || texts.has(one.sha256)) continue;
			if (answers.some((answer) => saysAnswer(textOf(one), answer, { reading, language }))) continue;
			seen.add(one.id);
			list.push(one.id);
		}
		lists.push(list);
	}
	// each question's best in turn, so that every hop has some of its own
	const distractors: string[] = [];
	for (let at = 0; at < depth && distractors.length < count; at += 1)
		distractors.push(...lists.flatMap((list) => list[at] ?? []).slice(0, count - distractors.length));
	if (distractors.length === 0) return { why: "none-found" };
	const given = gold.filter((id) => shown.some((one) => one.id === id));
	return { context: seeded("context", seed, task.id).shuffle([...given, ...distractors]), distractors, queries };
}
