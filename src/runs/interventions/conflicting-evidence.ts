import type { Answer, Hop, Task } from "#domain";
import { isTypedRight } from "#scoring";
import { aroundSearches } from "./around-searches.ts";
import { drawn } from "./drawn.ts";
import type { Intervene } from "./given.ts";
import { replaceForms, tellingForms } from "./written-forms.ts";

/**
 * The answer of one hop, drawn among those that are looked up, is replaced in every text that comes back by an answer that
 * another task of the benchmark gives to the same relation, or of the same type. Pictures stay as they are.
 */
export const conflictingEvidence: Intervene = ({ view, gold, tasks, context, seed, note, ask }) => {
	const chosen = choose(gold, tasks, seed);
	if (!chosen) {
		note.why = gold.chain ? "no hop's answer has another of its kind" : "the task has no gold chain";
		return ask(view);
	}
	const { hop, by } = chosen;
	const replaced = { hop: hop.id, by, results: 0 };
	note.replaced = replaced;
	const change = [{ forms: tellingForms(hop.answer.accepted), by: by.value }];
	const tools = aroundSearches(context.tools, async (search) => {
		note.searched();
		const observation = await search.run();
		const before = replaced.results;
		const results = observation.results.map((result) => {
			const [title, text, snippet] = [result.title, result.text, result.snippet].map((one) =>
				replaceForms(one, change),
			);
			if (!title || !text || !snippet || (title.counts[0] === 0 && text.counts[0] === 0)) return result;
			replaced.results += 1;
			return { ...result, title: title.text, text: text.text, snippet: snippet.text };
		});
		if (replaced.results > before) note.acted([hop.id]);
		return { ...observation, results };
	});
	note.why = "the answer to be replaced stood in nothing that came back";
	return ask(view, { tools });
};

/** Answers that a text states in words of their own: a yes or no stands in none. */
const replaceable = new Set<Answer["type"]>(["string", "number", "time"]);

function choose(gold: Task, tasks: readonly Task[], seed: number): { hop: Hop; by: Answer } | undefined {
	const answers = answersOf(tasks);
	const hops = (gold.chain?.hops ?? []).filter(
		({ evidence, answer }) =>
			evidence.length > 0 && replaceable.has(answer.type) && tellingForms(answer.accepted).length > 0,
	);
	const from = drawn(`${seed} ${gold.id}`, hops.length);
	for (const hop of [...hops.slice(from), ...hops.slice(0, from)]) {
		const others = (answers.get(kindOf(hop)) ?? []).filter((other) => !same(other, hop.answer));
		const by = others[drawn(`${seed} ${gold.id} ${hop.id}`, others.length)];
		if (by) return { hop, by };
	}
	return undefined;
}

const same = (one: Answer, other: Answer) => isTypedRight(one.value, other) || isTypedRight(other.value, one);

const kindOf = ({ answer, relation }: Hop) => JSON.stringify([answer.type, relation ?? ""]);

/** Answers by kind, each once, in the benchmark's order; kept by the list of tasks, which a whole run shares. */
function answersOf(tasks: readonly Task[]): ReadonlyMap<string, readonly Answer[]> {
	const known = kept.get(tasks);
	if (known) return known;
	const byKind = new Map<string, Map<string, Answer>>();
	for (const hop of tasks.flatMap(({ chain }) => chain?.hops ?? [])) {
		const kind = kindOf(hop);
		const answers = byKind.get(kind) ?? new Map<string, Answer>();
		byKind.set(kind, answers);
		if (hop.evidence.length > 0 && !answers.has(hop.answer.value)) answers.set(hop.answer.value, hop.answer);
	}
	const lists = new Map([...byKind].map(([kind, answers]) => [kind, [...answers.values()]]));
	kept.set(tasks, lists);
	return lists;
}

const kept = new WeakMap<readonly Task[], ReadonlyMap<string, readonly Answer[]>>();
