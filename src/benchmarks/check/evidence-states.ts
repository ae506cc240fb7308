import { type Evidence, grouped, type Hop, retrievalHops, type Task } from "#domain";
import { lookedUp, partsOf } from "../looked-up.ts";
import { statesAnswer, type TextReading } from "../text-reading.ts";
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
		for await (const { task, hop, texts } of hopsWithTexts(tasks, { evidence, reading })) {
			signal?.throwIfAborted();
			const count = counts.get(hop.modality) ?? { stated: 0, looked: 0, leftOut: 0 };
			counts.set(hop.modality, count);
			if (texts.length === 0) {
				count.leftOut += 1;
				continue;
			}
			count.looked += 1;
			const silent = texts.filter(({ states }) => !states);
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

/** Evidence with a text, and whether that states the answer of a hop. */
interface Text {
	id: string;
	states: boolean;
}

/** More answers in their evidence are not remembered. */
const mostRemembered = 100_000;

/**
 * Every retrieving hop with the texts of its evidence, none where its answer would not stand there. Tasks that rest on one
 * fact ask for the same answer in the same text: that is looked up and read once.
 */
async function* hopsWithTexts(
	tasks: AsyncIterable<Task>,
	{ evidence, reading }: { evidence(id: string): Promise<Evidence | undefined>; reading: TextReading },
): AsyncGenerator<{ task: Task; hop: Hop; texts: Text[] }> {
	async function* all() {
		for await (const task of tasks)
			if (task.chain)
				for (const hop of retrievalHops(task.chain)) {
					const answer = isReadable(hop) ? JSON.stringify(hop.answer) : "";
					const asked = isReadable(hop) ? hop.evidence.map((id) => ({ id, key: `${id}\n${answer}` })) : [];
					yield { task, hop, asked };
				}
	}
	/** Null where there is no text. */
	const known = new Map<string, boolean | null>();
	for await (const part of partsOf(all())) {
		if (known.size > mostRemembered) known.clear();
		const fresh = grouped(
			part.flatMap(({ hop, asked }) => asked.flatMap(({ id, key }) => (known.has(key) ? [] : [{ hop, id, key }]))),
			({ id }) => id,
		);
		for await (const { id, found } of lookedUp(fresh.keys(), evidence))
			for (const { hop, key } of fresh.get(id) ?? [])
				if (!known.has(key)) known.set(key, found ? statedIn(found, { hop, reading }) : null);
		for (const { task, hop, asked } of part) {
			const texts = asked.flatMap(({ id, key }) => {
				const states = known.get(key) ?? null;
				return states === null ? [] : [{ id, states }];
			});
			yield { task, hop, texts };
		}
	}
}

function statedIn(found: Evidence, { hop, reading }: { hop: Hop; reading: TextReading }): boolean | null {
	if (found.kind === "image" || found.text.trim() === "") return null;
	const section = found.kind === "passage" ? (found.section ?? "") : "";
	return statesAnswer(`${found.title}\n${section}\n${found.text}`, hop.answer, reading, found.language);
}
