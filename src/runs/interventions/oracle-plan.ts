import {
	type Answer,
	addUsage,
	type Hop,
	identifyingHops,
	inDependencyOrder,
	noUsage,
	type Step,
	statementOf,
	type Task,
	type Trajectory,
} from "#domain";
import { isTypedRight } from "#scoring";
import { aroundSearches } from "./around-searches.ts";
import type { Intervene } from "./given.ts";
import { onlyImages } from "./only-images.ts";
import { replaceForms } from "./written-forms.ts";

/** One gold sub-question as the agent was asked it, and what it made of it. */
interface Asked {
	hop: Hop;
	question: string;
	/** Null where it gave none. */
	answer: string | null;
	trajectory: Trajectory;
}

/**
 * The agent answers each gold sub-question as a task of its own, in the order of dependency and with its whole budget. Its
 * own earlier answers stand in place of the gold ones: written into the sub-question, else stated before it. The sink's
 * answer is the task's.
 */
export const oraclePlan: Intervene = async (given) => {
	const { view, gold, context, note } = given;
	if (!gold.chain) {
		note.why = "the task has no gold chain";
		return given.ask(view);
	}
	const tools = aroundSearches(context.tools, (search) => {
		note.searched();
		return search.run();
	});
	const images = imagesByHop(gold);
	const crops = { made: 0 };
	const done = new Map<string, Asked>();
	for (const hop of inDependencyOrder(gold.chain)) {
		context.signal.throwIfAborted();
		const { question, asGold } = questionOf(hop, done, gold);
		const shown = images.get(hop.id) ?? [];
		const trajectory = await given.ask(
			{ ...view, question, images: shown.flatMap((index) => view.images[index] ?? []) },
			{
				tools: onlyImages(tools, { shown, of: view.images.length, crops }),
				gold: taskOf(hop, { gold, question, shown, asGold }),
			},
		);
		note.gave([hop.id]);
		done.set(hop.id, { hop, question, answer: trajectory.answer, trajectory });
		if (trajectory.stop === "error" || trajectory.stop === "budget") break;
	}
	return joined([...done.values()], gold.chain.sink);
};

/** How often the agent is asked for one task. */
export const timesAsked = (task: Task): number => task.chain?.hops.length ?? 1;

/** Of each hop the question images that it is asked with: those it identifies; all, where no hop is known to identify any. */
function imagesByHop(task: Task): Map<string, number[]> {
	const identified = identifyingHops(task);
	const all = [...task.images.keys()];
	return new Map(
		(task.chain?.hops ?? []).map(({ id }) => {
			const image = identified.get(id);
			if (identified.size === 0) return [id, all];
			return [id, image === undefined ? [] : [image]];
		}),
	);
}

/** The sub-question with the agent's answers in it; `asGold` says whether it still asks what the gold one asks. */
function questionOf(
	hop: Hop,
	done: ReadonlyMap<string, Asked>,
	{ tags: { language } }: Task,
): { question: string; asGold: boolean } {
	const needed = [...new Set(hop.needs.map((need) => need.hop))].flatMap((id) => done.get(id) ?? []);
	const asGold = needed.every(
		({ hop: { answer: gold }, answer }) => answer !== null && isTypedRight(answer, gold, { language }),
	);
	const { text, counts } = replaceForms(
		hop.question,
		needed.map(({ hop: { answer: gold }, answer, question }) => ({
			forms: gold.accepted,
			by: answer ?? `the answer to “${question}”`,
		})),
	);
	const stated = needed.flatMap(({ question, answer }, at) =>
		counts[at] === 0 && answer !== null ? [statementOf(question, answer)] : [],
	);
	return { question: [...stated, text].join("\n"), asGold };
}

const unknown: Answer = { type: "none", value: "unknown", accepted: ["unknown"] };

/**
 * The sub-question as a task, for agents that need the gold. Asked with a wrong value, it is another question than the gold
 * one, whose answer and evidence are not known.
 */
function taskOf(
	hop: Hop,
	{ gold, question, shown, asGold }: { gold: Task; question: string; shown: number[]; asGold: boolean },
): Task {
	const { id, modality, relation, compute } = hop;
	const known = asGold ? { answer: hop.answer, evidence: hop.evidence } : { answer: unknown, evidence: [] };
	const only: Hop = {
		...{ id, question, modality, needs: [], ...known },
		...(relation === undefined ? {} : { relation }),
		...(compute === undefined ? {} : { compute }),
	};
	return {
		...gold,
		question,
		images: shown.flatMap((index) => gold.images[index] ?? []),
		answer: known.answer,
		chain: { hops: [only], sink: id },
	};
}

function joined(asked: readonly Asked[], sink: string): Trajectory {
	const last = asked.at(-1);
	const ended = last && (last.trajectory.stop === "error" || last.trajectory.stop === "budget") ? last : undefined;
	const end = (ended ?? asked.find(({ hop }) => hop.id === sink))?.trajectory;
	const all = asked.map(({ trajectory }) => trajectory);
	const steps = asked.flatMap(stepsOf).map((step, index) => ({ ...step, index }));
	const cited = [...new Set(all.flatMap((one) => one.cited ?? []))];
	return {
		steps,
		answer: end?.answer ?? null,
		abstained: end?.abstained ?? false,
		stop: end?.stop ?? "answered",
		...(end?.error ? { error: end.error } : {}),
		...(all.length > 0 && all.every((one) => one.searchOnly) ? { searchOnly: true as const } : {}),
		...(all.length > 0 && all.every((one) => one.answerOnly) ? { answerOnly: true as const } : {}),
		usage: all.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
		ms: all.reduce((sum, { ms }) => sum + ms, 0),
		messages: asked.flatMap(({ hop, trajectory }) =>
			trajectory.messages.map((message) => ({
				...message,
				conversation: message.conversation === undefined ? `hop ${hop.id}` : `hop ${hop.id}, ${message.conversation}`,
			})),
		),
		...(cited.length > 0 ? { cited } : {}),
	};
}

/** The steps of one sub-question, which stands on each that says none of its own; its answer stands on the last. */
function stepsOf({ question, answer, trajectory }: Asked): Step[] {
	const steps: Step[] = trajectory.steps.length > 0 ? trajectory.steps : [{ index: 0, results: [], ms: 0 }];
	const searched = steps.findLastIndex(({ call }) => call?.valid);
	const answering = searched === -1 ? steps.length - 1 : searched;
	return steps.map((step, index) => ({
		...step,
		subQuestion: step.subQuestion ?? question,
		...(index === answering && answer !== null ? { subAnswer: answer } : {}),
	}));
}
