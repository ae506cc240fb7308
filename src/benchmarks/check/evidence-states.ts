import { type Evidence, type Hop, remembering, retrievalHops, type Task } from "#domain";
import { lookedUp, partsOf } from "../looked-up.ts";
import { statesAnswer } from "../text-reading.ts";
import type { BenchmarkCheck } from "./check.ts";
import type { CheckFigure, FoundProblems } from "./finding.ts";

/**
 * Hops whose gold evidence does not state the answer: in none of its texts stands an accepted form. Yes and no are
 * nowhere written, and what a picture shows is no text: such hops are counted apart, by modality.
 */
export const evidenceStatesCheck: BenchmarkCheck = {
	name: "evidence-states",
	about: "an accepted form of each hop's answer stands in its gold evidence, and in all of it",
	async run({ tasks, evidence, reading, signal }) {
		if (!evidence) return { skipped: "needs the knowledge base" };
		const findings: FoundProblems = [];
		const counts = new Map<string, { stated: number; looked: number; leftOut: number }>();
		// tasks that rest on one fact ask for the same answer in the same text
		const states = remembering(
			({ text, hop }: { text: Text; hop: Hop }) => statesAnswer(text.text, hop.answer, reading, text.language),
			{ keyOf: ({ text, hop }) => `${text.id}\n${JSON.stringify(hop.answer)}` },
		);
		for await (const { task, hop, texts } of hopsWithTexts(tasks, evidence)) {
			signal?.throwIfAborted();
			const count = counts.get(hop.modality) ?? { stated: 0, looked: 0, leftOut: 0 };
			counts.set(hop.modality, count);
			if (texts.length === 0) {
				count.leftOut += 1;
				continue;
			}
			count.looked += 1;
			const silent = texts.filter((text) => !states({ text, hop }));
			if (silent.length < texts.length) count.stated += 1;
			if (silent.length === 0) continue;
			const none = silent.length === texts.length;
			const ids = silent.map(({ id }) => id);
			findings.push({
				...{ code: none ? "answer-not-stated" : "some-evidence-silent", severity: none ? "warning" : "note" },
				...{ task: task.id, hop: hop.id, evidence: ids },
				message: none
					? `task ${task.id}: no gold evidence of hop "${hop.id}" holds "${hop.answer.value}" or another accepted form (${ids[0]}${ids.length > 1 ? ", …" : ""})`
					: `task ${task.id}: ${ids.length} of ${texts.length} gold evidences of hop "${hop.id}" do not hold "${hop.answer.value}" or another accepted form (${ids[0]}${ids.length > 1 ? ", …" : ""})`,
			});
		}
		const figures = [...counts]
			.sort(([a], [b]) => (a < b ? -1 : 1))
			.map(([modality, { stated, looked, leftOut }]): CheckFigure => {
				const name = `${modality} hops whose evidence states the answer`;
				const reason = `none has text to look at (${leftOut} left out)`;
				return looked > 0 ? { name, value: stated, of: looked } : { name, value: null, reason };
			});
		const sum = (of: "looked" | "leftOut") => [...counts.values()].reduce((total, count) => total + count[of], 0);
		const notes = sum("leftOut") > 0 ? [`${sum("leftOut")} hops are left out: yes or no, pictures, or no text`] : [];
		return { looked: sum("looked"), findings, figures, notes };
	},
};

const isReadable = ({ answer, modality }: Hop) =>
	modality !== "image" &&
	modality !== "graph" &&
	answer.type !== "boolean" &&
	answer.type !== "none" &&
	answer.type !== "text";

interface Text {
	id: string;
	text: string;
	language: string;
}

/** Every retrieving hop with the texts of its evidence, none where its answer would not stand there. */
async function* hopsWithTexts(
	tasks: AsyncIterable<Task>,
	evidence: (id: string) => Promise<Evidence | undefined>,
): AsyncGenerator<{ task: Task; hop: Hop; texts: Text[] }> {
	async function* all() {
		for await (const task of tasks) if (task.chain) for (const hop of retrievalHops(task.chain)) yield { task, hop };
	}
	for await (const part of partsOf(all())) {
		const read = new Map<string, Text>();
		const ids = part.flatMap(({ hop }) => (isReadable(hop) ? hop.evidence : []));
		for await (const { id, found } of lookedUp(ids, evidence)) {
			if (!found || found.kind === "image" || found.text.trim() === "") continue;
			const section = found.kind === "passage" ? (found.section ?? "") : "";
			read.set(id, { id, text: `${found.title}\n${section}\n${found.text}`, language: found.language });
		}
		for (const { task, hop } of part)
			yield { task, hop, texts: isReadable(hop) ? hop.evidence.flatMap((id) => read.get(id) ?? []) : [] };
	}
}
