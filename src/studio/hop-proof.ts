/** The words of the record in which a hop's value, or the one taken in its place, was seen. */
import { type Evidence, type Hop, type Step, shownAs, stepsOfHop } from "#domain";
import type { Quote, TaskHop } from "./pages.ts";
import { queryOf, textOf } from "./recorded-words.ts";
import { isSolved, judgedHop, type Known } from "./task-hops.ts";
import { excerptAround, holds, sentenceWith, type Values } from "./value-spans.ts";

const mostExcerpts = 24;

/** With the words that show its value, and where its values stand in the texts of its evidence and of what came back for it. */
export function withProof(hop: TaskHop, known: Known, texts: ReadonlyMap<string, Evidence | undefined>): TaskHop {
	const { task, record } = known;
	const gold = task.chain?.hops.find(({ id }) => id === hop.id);
	if (!gold) return hop;
	const all = valuesOf(hop, gold);
	// only what was misread was taken from a text
	const values = hop.verdict === "misread" ? all : { ...all, wrong: [] };
	const own = new Set(stepsOfHop(hop));
	const came = record.trajectory.steps.filter(({ index }) => own.has(index));
	const ids = [...new Set([...hop.wanted.map(({ id }) => id), ...came.flatMap(({ results }) => results.map(shownAs))])];
	const excerpts = ids.flatMap((id) => {
		const evidence = texts.get(id);
		const found = evidence && excerptAround(textOf(evidence), values);
		return found ? [[id, found] as const] : [];
	});
	const standing = came.flatMap(({ index, results }) =>
		results.map(shownAs).flatMap((id): Quote[] => {
			const text = excerptAround(textOf(texts.get(id)), { gold: [], wrong: values.wrong });
			return text ? [{ by: "evidence", step: index, evidence: id, text }] : [];
		}),
	);
	return {
		...hop,
		proof: [...quotesOfSteps(hop, gold, known), ...standing.slice(0, 1)],
		excerpts: Object.fromEntries(excerpts.slice(0, mostExcerpts)),
	};
}

const valuesOf = ({ gold, took }: TaskHop, { answer }: Hop): Values => ({
	gold: [gold, answer.value, ...answer.accepted.slice(0, 20)],
	wrong: took === null ? [] : [took],
});

/** The words in which a hop's value was seen, and those that carry another one on. */
function quotesOfSteps(shown: TaskHop, hop: Hop, { diagnosis, record }: Known): Quote[] {
	const said = judgedHop(diagnosis, hop.id);
	if (!said) return [];
	const { seen } = said;
	const { steps, answer } = record.trajectory;
	const values = valuesOf(shown, hop);
	const read =
		shown.read === null || !isSolved(shown.verdict) ? values : { ...values, gold: [...values.gold, shown.read] };
	const quote = (by: Quote["by"], step: Step | undefined, text: string | null | undefined, marked = read): Quote[] =>
		text ? [{ by, step: step?.index ?? null, evidence: null, text: sentenceWith(text, marked) }] : [];
	const at = steps.find(({ index }) => index === seen?.step);
	const first = firstOf(shown);
	const carrying = steps.find(
		(step) => step.index > first && shown.carried !== null && holds(queryOf(step), shown.carried),
	);
	const stating = steps.findLast(({ index, subAnswer }) => shown.aimed.includes(index) && subAnswer === shown.took);
	return [
		...(seen?.by === "sub-answer" ? quote("sub-answer", at, at?.subAnswer) : []),
		...(seen?.by === "query" && at ? quote("query", at, queryOf(at)) : []),
		...(seen?.by === "thought" ? quote("thought", at, at?.thought) : []),
		...(seen?.by === "answer" ? quote("answer", undefined, answer) : []),
		...(!seen && shown.took !== null ? quote("sub-answer", stating, stating?.subAnswer) : []),
		...(carrying && carrying !== at
			? quote("query", carrying, queryOf(carrying), { gold: [], wrong: [shown.carried ?? ""] })
			: []),
	];
}

/** The first step that has to do with a hop. */
const firstOf = ({ aimed, brought }: Pick<TaskHop, "aimed" | "brought">) => Math.min(...aimed, ...brought);
