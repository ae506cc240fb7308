import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Passage } from "#domain";
import { sha256 } from "#store";
import type { Played, player } from "./player.ts";

const Row = z.object({
	_id: z.string(),
	previous_question: z.string(),
	previous_answer: z.string(),
	question_decomposition: z.array(
		z.object({ question: z.string(), answer: z.string(), paragraph_support_title: z.string() }),
	),
	context: z.array(z.tuple([z.string(), z.array(z.string())])),
});

/** A question of two steps that people wrote and verified, with the paragraph behind each. */
export interface RealItem {
	question: string;
	answer: string;
	steps: { question: string; answer: string; passage: Passage }[];
}

/** The two-hop questions that MoreHopQA was made from, each once, where both paragraphs are given. */
export function realItems(file: string): RealItem[] {
	const rows = z.array(Row).parse(JSON.parse(readFileSync(file, "utf8")));
	const items = new Map<string, RealItem>();
	for (const row of rows) {
		const steps = row.question_decomposition
			.slice(0, 2)
			.flatMap(({ question, answer, paragraph_support_title: title }) => {
				const found = row.context.find(([one]) => one === title);
				return found ? [{ question, answer, passage: passageOf(row._id, title, found[1].join("")) }] : [];
			});
		if (steps.length < 2 || steps[0]?.passage.id === steps[1]?.passage.id) continue;
		items.set(row.previous_question, { question: row.previous_question, answer: row.previous_answer, steps });
	}
	return [...items.values()];
}

const passageOf = (row: string, title: string, text: string): Passage => ({
	...{ kind: "passage", id: `${row}/${title}`, document: row, title, language: "en", form: "prose", text },
	...{ sha256: sha256(text), provenance: { source: "MoreHopQA", licence: "CC-BY-4.0" } },
});

const of = ({ material }: Played, name: string): string => material[name] ?? "";

/** The parts of `mc-search`, played by the people who wrote the questions. */
export function realParts(items: readonly RealItem[]): Parameters<typeof player>[0] {
	const byQuestion = new Map(items.map((item) => [item.question, item]));
	return {
		"generate-chain"(played) {
			const item = items.find(({ steps }) => steps.every(({ passage }) => of(played, "texts").includes(passage.id)));
			if (!item) return { declined: "nothing to ask" };
			const chain = item.steps.map(({ question, answer, passage }, at) => ({
				...{ subquestion: question, answer, modality: "text", supporting_fact_id: passage.id },
				builds_on: at === 0 ? [] : [1],
			}));
			const { question, answer } = item;
			return { question, answer, image_ids: [], graph_type: "text-only-chain", subqa_chain: chain };
		},
		"answer-from-evidence"(played) {
			const item = byQuestion.get(of(played, "question"));
			const shown = item?.steps.every(({ passage }) => of(played, "evidence").includes(passage.text));
			return { answer: item && shown ? item.answer : null };
		},
		"key-entities": (played) => ({ key_entities: [of(played, "answer")] }),
		"find-confounders": () => ({ resolving: [] }),
		"score-chain": () => ({ factual: 5, necessity: 5, clarity: 5, alignment: 5, comment: "" }),
		"edit-answer": () => ({ answer: null }),
	};
}
