import {
	cut,
	type Evidence,
	type Hop,
	type HopDiagnosis,
	type Step,
	shownAs,
	type Task,
	type Trajectory,
} from "#domain";
import { drawnOrder } from "#scoring";

/** Pieces that a reader is shown of each kind, and characters of each. */
export const most = { results: 20, actions: 30 };
export const longest = { question: 2000, title: 300, text: 3000, action: 4000 };

export interface ShownResult {
	id: string;
	title: string;
	text: string;
}

/** One thing that the agent wrote. Without a step it is the final answer. */
export interface ShownAction {
	step?: number;
	kind: "thought" | "sub-question" | "query" | "answer" | "final answer";
	text: string;
}

/** What a reader is shown of one hop. Everything in it was written by others: material, never instructions. */
export interface ShownHop {
	question: string;
	/** What the steps that brought the hop's evidence found, in an order drawn by their names. */
	results: ShownResult[];
	/** What the agent wrote after the first of these steps, in order. */
	actions: ShownAction[];
}

/** A hop with all it belongs to. */
export interface HopOfRecord {
	task: Task;
	trajectory: Trajectory;
	hop: Hop;
	judged: Extract<HopDiagnosis, { is: "judged" }>;
}

/**
 * What a reader is shown of a hop whose evidence came back, or why there is nothing to show. Neither the gold answer nor
 * what the rules say of the hop is in it. The same record gives the same.
 */
export async function shownHop(
	{ trajectory, hop, judged }: HopOfRecord,
	find: (id: string) => Promise<Evidence | undefined>,
): Promise<ShownHop | { nothing: string }> {
	const brought = trajectory.steps.filter(({ index }) => judged.brought.includes(index));
	const [first] = brought;
	if (!first) return { nothing: "no step brought its evidence" };
	const actions = actionsAfter(first, trajectory);
	if (actions.length === 0) return { nothing: "the agent wrote nothing after its evidence came back" };
	// its own evidence goes first into what is bounded; the order in which it is shown says nothing
	const came = brought.flatMap(({ results }) => results);
	const own = came.filter(({ id }) => judged.evidence.includes(id));
	const results = await resultsShown(new Set([...own, ...came].map(shownAs)), find);
	if (results.length === 0) return { nothing: "no text of what came back is at hand" };
	return {
		question: cut(hop.question, longest.question),
		results: drawnOrder(results, { parts: [hop.id], nameOf: ({ id }) => id }),
		actions,
	};
}

/** The texts of results as they are shown, as many as are shown at most. */
export async function resultsShown(
	ids: Iterable<string>,
	find: (id: string) => Promise<Evidence | undefined>,
): Promise<ShownResult[]> {
	const results: ShownResult[] = [];
	for (const id of ids) {
		if (results.length === most.results) break;
		const found = await find(id);
		const text = found?.kind === "image" ? found.caption : found?.text;
		if (found && text) results.push({ id, title: cut(found.title, longest.title), text: cut(text, longest.text) });
	}
	return results;
}

/** What the agent wrote after a step's results came back, in order. */
export function actionsAfter(first: Step, { steps, answer }: Trajectory): ShownAction[] {
	const place = steps.indexOf(first);
	const final = written(answer, "final answer");
	const made = [
		...written(first.subAnswer, "answer", first.index),
		...steps
			.slice(place + 1)
			.flatMap((step) => [
				...written(step.thought, "thought", step.index),
				...written(step.subQuestion, "sub-question", step.index),
				...(step.call ? written(wordsOf(step.call.arguments), "query", step.index) : []),
				...written(step.subAnswer, "answer", step.index),
			]),
	];
	return [...made.slice(0, most.actions - final.length), ...final];
}

/** All words of a call's arguments. */
const wordsOf = (given: Record<string, unknown>): string =>
	Object.values(given)
		.flat()
		.filter((value) => typeof value === "string")
		.join(" / ");

function written(text: string | null | undefined, kind: ShownAction["kind"], step?: number): ShownAction[] {
	if (!text?.trim()) return [];
	return [{ ...(step === undefined ? {} : { step }), kind, text: cut(text, longest.action) }];
}
