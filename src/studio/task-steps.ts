/** A step of an agent as its page shows it: what it asked for, what came back, and what was read from it. */
import { type Chain, clip, cut, type Hop, isSearch, type Step, type Task } from "#domain";
import type { TaskHop, TaskStep } from "./pages.ts";
import { queryOf } from "./recorded-words.ts";
import { isRightFor, judgedHop, type Known } from "./task-hops.ts";
import { holds, markValues } from "./value-spans.ts";

const mostResults = 20;

export function stepOf(step: Step, hops: readonly TaskHop[], known: Known): TaskStep {
	const { task, diagnosis } = known;
	const aimed = hops.filter((hop) => hop.aimed.includes(step.index)).map(({ id }) => id);
	const brought = hops.filter((hop) => hop.brought.includes(step.index)).map(({ id }) => id);
	const wantedBy = (id: string) =>
		(task.chain?.hops ?? []).filter(({ evidence }) => evidence.includes(id)).map((hop) => hop.id);
	const listed = [...step.results].sort((a, b) => a.rank - b.rank);
	const results = listed.slice(0, mostResults).map(({ id, rank, score, externalId, readAs }) => {
		const wanting = wantedBy(id);
		// evidence of a hop that another step was made for is another hop's, unless no step was made for anything
		const own = wanting.some((hop) => aimed.includes(hop));
		return {
			id,
			rank,
			score,
			hops: wanting,
			...(externalId === undefined ? {} : { externalId }),
			...(readAs === undefined ? {} : { readAs }),
			is: wanting.length === 0 ? "other" : own || aimed.length === 0 ? "gold" : "other-hop",
		} as const;
	});
	const repeated =
		diagnosis?.findings.some(({ is, steps }) => is === "repeated-query" && steps.includes(step.index)) ?? false;
	const searches = step.call !== undefined && isSearch(step.call.tool);
	const query = spansOf(queryOf(step), step.index, hops);
	const failed = step.error !== undefined;
	const isStray =
		diagnosis !== undefined && hops.length > 0 && searches && !failed && aimed.length + brought.length === 0;
	return {
		index: step.index,
		round: step.round ?? null,
		role: step.role ?? null,
		tool: step.call ? clip(step.call.tool.replaceAll("_", " "), 60) : null,
		query,
		subQuestion: step.subQuestion === undefined ? null : clip(step.subQuestion, 600),
		thought: step.thought === undefined ? null : cut(step.thought, 4000),
		read: readOf(step, hops, known),
		ms: step.ms,
		tokens: step.usage ? step.usage.inputTokens + step.usage.outputTokens : null,
		error: step.error === undefined ? null : clip(step.error, 1000),
		results,
		more: listed.length - results.length,
		aimed,
		brought,
		// one that carries a wrong value on was led astray by the break: it may have been for a hop behind it
		stray: isStray && !query.some(({ is }) => is === "wrong"),
		repeated,
		call: step.call ? cut(JSON.stringify(step.call.arguments, null, 2), 2000) : null,
		crop: cropOf(step, task),
	};
}

/** The part of a question image that was cut out. */
function cropOf({ crop }: Step, { images }: Task): TaskStep["crop"] {
	const image = images.findIndex(({ id, file }) => id === crop?.image || file === crop?.image);
	return crop && image >= 0 ? { image, box: crop.box } : null;
}

/** A query in pieces: values that were taken wrongly in earlier steps are told apart. */
function spansOf(query: string, index: number, hops: readonly TaskHop[]): TaskStep["query"] {
	if (query === "") return [];
	const isGold = (value: string) => hops.some(({ gold }) => gold.toLowerCase() === value.toLowerCase());
	const wrong = hops
		.filter(({ aimed, brought }) => index > Math.min(...aimed, ...brought))
		.flatMap(({ took, carried, gold }) => {
			const value = carried ?? took;
			return value !== null && value.length > 1 && !isGold(value) && !holds(query, gold) ? [value] : [];
		});
	return markValues(query, { gold: [], wrong });
}

/** What was read in a step: what it states, else what the diagnosis saw of a hop that it was made for. */
function readOf(step: Step, hops: readonly TaskHop[], known: Known): TaskStep["read"] {
	const { task } = known;
	const made = hops.filter(({ aimed }) => aimed.includes(step.index));
	const own = made.length > 0 ? made : hops.filter(({ brought }) => brought.includes(step.index));
	const seen = step.subAnswer === undefined ? own.find((hop) => readAt(hop, known) === step.index) : undefined;
	const text = step.subAnswer ?? seen?.read;
	if (text === undefined || text === null) return null;
	const isOf = ({ id }: TaskHop) => {
		const gold = goldOf(task.chain, id);
		return gold !== undefined && isRightFor(gold, text, task);
	};
	const said = (is: NonNullable<TaskStep["read"]>["is"], hop: number | null = null) => ({
		text: clip(text, 300),
		is,
		hop,
	});
	if (own.some(isOf) || (seen && seen.verdict === "solved")) return said("gold");
	const other = hops.find(isOf);
	if (other) return said("other-hop", other.place);
	if (own.length === 0 || (seen && seen.took === null)) return said("unsaid");
	return said(own.some(({ verdict }) => verdict === "unsupported") ? "made-up" : "wrong");
}

/**
 * The step from which a hop's value was read, where no step states it: the last one for the hop before the words that show
 * it, for those stand in a later query or before a later step.
 */
function readAt({ id, read, aimed, brought }: TaskHop, { diagnosis, record }: Known): number | undefined {
	const seen = judgedHop(diagnosis, id)?.seen;
	const stated = record.trajectory.steps.some(({ subAnswer, index }) => subAnswer === read && aimed.includes(index));
	if (read === null || stated || seen?.by === "sub-answer") return undefined;
	const before = (index: number) => seen?.step === undefined || seen.by === "answer" || index < seen.step;
	return aimed.filter(before).at(-1) ?? brought.filter(before).at(-1);
}

const goldOf = (chain: Chain | undefined, id: string): Hop | undefined => chain?.hops.find((hop) => hop.id === id);
