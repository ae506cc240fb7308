import { type Chain, type Evidence, type RunRecord, type Step, shownAs, type Task, type Trajectory } from "#domain";
import { typedAccuracy } from "../typed/typed-accuracy.ts";
import { most } from "./material.ts";
import type { Rubric, Shown, ShownEvidence, ShownStep } from "./rubric.ts";
import { drawnOrder, firstOf } from "./shown-order.ts";

type Find = (id: string) => Promise<Evidence | undefined>;

/**
 * What a judge is shown of one record by a rubric, in an order drawn from seed, record and run. `withoutText` counts
 * evidence found whose text is not at hand, such as images without a caption. Only what the rubric looks at is looked up.
 */
export async function shownOf(
	{ task, record }: { task: Task; record: Pick<RunRecord, "trajectory" | "repeat"> },
	{ rubric, seed, run, evidence: find }: { rubric: Rubric; seed: number; run: number; evidence: Find },
): Promise<{ shown: Shown; withoutText: number }> {
	const { trajectory, repeat } = record;
	const parts = [seed, task.id, repeat, run];
	const typedRight = isTypedRight(task, trajectory);
	const shown: Shown = {
		question: task.question,
		reference: task.answer.type === "none" ? [] : task.answer.accepted,
		submitted: trajectory.answer,
		first: firstOf(parts),
		evidence: [],
		...(typedRight === undefined ? {} : { typedRight }),
		...(trajectory.searchOnly ? { searchOnly: true } : {}),
	};
	if (trajectory.searchOnly) return { shown, withoutText: 0 };
	let withoutText = 0;
	if (rubric.needs.evidence) {
		const found = await textsOf(trajectory, find);
		({ withoutText } = found);
		const texts = found.texts.slice(0, most.evidence);
		shown.evidence = drawnOrder(texts, { parts, nameOf: ({ id }) => `evidence ${id}` });
	}
	if (rubric.needs.steps) {
		const titlesOf = (ids: string[]) =>
			Promise.all(ids.slice(0, most.titles).map(async (id) => (await find(id))?.title || "(untitled)"));
		if (task.chain) shown.goldSteps = await goldSteps(task.chain, titlesOf);
		if (!trajectory.answerOnly) shown.steps = await stepsMade(trajectory, titlesOf);
	}
	return { shown, withoutText };
}

/** By the typed metric; undefined where there is no answer, or nothing that it could compare. */
function isTypedRight({ question, answer: gold, tags }: Task, { answer, abstained }: Trajectory): boolean | undefined {
	if (answer === null) return undefined;
	if (abstained) return gold.type === "none";
	const { value } = typedAccuracy(answer, gold, { language: tags.language, question });
	return value === null ? undefined : value === 1;
}

async function textsOf({ steps }: Trajectory, find: Find): Promise<{ texts: ShownEvidence[]; withoutText: number }> {
	const ids = new Set(steps.flatMap(({ results }) => results.map(shownAs)));
	const texts: ShownEvidence[] = [];
	let withoutText = 0;
	for (const id of ids) {
		const found = await find(id);
		const text = found?.kind === "image" ? found.caption : found?.text;
		if (found && text) texts.push({ id, title: found.title, text });
		else withoutText += 1;
	}
	return { texts, withoutText };
}

type TitlesOf = (ids: string[]) => Promise<string[]>;

const goldSteps = ({ hops }: Chain, titlesOf: TitlesOf): Promise<ShownStep[]> =>
	Promise.all(
		hops.slice(0, most.steps).map(async ({ question, modality, answer, evidence }) => ({
			...{ question, search: modality, answer: answer.value },
			found: await titlesOf(evidence),
		})),
	);

const stepsMade = ({ steps }: Trajectory, titlesOf: TitlesOf): Promise<ShownStep[]> =>
	Promise.all(
		steps
			.filter(({ call, subQuestion, subAnswer }) => call ?? subQuestion ?? subAnswer)
			.slice(0, most.steps)
			.map(async (step) => ({
				question: askedIn(step),
				search: searchIn(step),
				answer: step.subAnswer ?? "",
				found: await titlesOf(step.results.map(shownAs)),
			})),
	);

/** The sub-question as stated, with the words that were searched for. */
function askedIn({ subQuestion, call }: Step): string {
	const words = Object.values(call?.arguments ?? {}).filter((value) => typeof value === "string");
	return [...new Set([...(subQuestion === undefined ? [] : [subQuestion]), ...words])].join(" / ");
}

function searchIn({ call, error }: Step): string {
	if (!call) return "none";
	return call.valid && error === undefined ? call.tool : `${call.tool} (failed)`;
}
