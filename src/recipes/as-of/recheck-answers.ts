import { z } from "zod";
import { type Answer, type Item, itemOf, type Task } from "#domain";
import type { ChatModel } from "#models";
import { buildFaults } from "../engine/build-folder.ts";
import { byItem, source } from "../engine/flow.ts";
import type { Recipe, RecipeInputs } from "../engine/recipe.ts";
import { runBuild } from "../engine/run-recipe.ts";
import { asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { answerFromEvidence, judgeSameAnswerPrompt } from "../stages/prompts.ts";
import { HopLook } from "./hop-look.ts";
import { type LookSources, lookAtChain } from "./look-at-chain.ts";

/** What has become of one task's answer. */
export interface TaskLook {
	task: string;
	/** The day for which the answer was found right; null where none is written down. */
	asOf: string | null;
	/** The worst of its hops: changed, then gone, then open. */
	is: "holds" | "changed" | "gone" | "open";
	/** The answer of today, where it changed and every changed hop has one. */
	now?: Answer;
	hops: HopLook[];
}

export interface AnswersReport {
	day: string;
	tasks: number;
	/** Tasks that say for which day their answer was found right. */
	dated: number;
	counts: Record<TaskLook["is"], number>;
	looks: TaskLook[];
	/** Could not be looked at, for trouble with a model or a source. */
	waiting: { task: string; message: string }[];
}

const Looked = z.object({ id: z.string(), hops: z.array(HopLook) });
type Looked = z.infer<typeof Looked>;

/**
 * Looks again at answers that were found right on a day (all, with `undated`), against the knowledge of today. Nothing is
 * changed; replies of models are kept in `dir` as a build's are.
 */
export async function recheckAnswers(
	tasks: readonly Task[],
	sources: LookSources,
	options: {
		dir: string;
		models?: Readonly<Record<"solver" | "judge", ChatModel>> | undefined;
		undated?: boolean | undefined;
		signal?: AbortSignal | undefined;
		onProgress?: (looked: number) => void;
	},
): Promise<AnswersReport> {
	const { dir, models, signal, undated } = options;
	const dated = tasks.filter((task) => dayOf(task) !== null);
	const asked = new Map((undated ? tasks : dated).map((task) => [task.id, task]));
	const looks: TaskLook[] = [];
	const looking = lookingStage(sources);
	const recipe: Recipe = {
		name: "recheck",
		version: "1",
		title: "Recheck",
		description: "Answers looked at again.",
		paper: "",
		params: z.object({}),
		roles: {
			solver: { does: "answers from the evidence of today", optional: true },
			judge: { does: "tells another answer from other words", optional: true },
		},
		needs: [],
		build: () =>
			source({ name: "tasks", version: 1 }, () => [...asked.values()].map(asItem)).to(
				byItem<Item, Item>([looking], async (item, engine) => {
					const [looked] = await engine.perform(looking, item);
					const task = asked.get(item.id);
					if (looked && task) looks.push(taskLook(task, looked));
					options.onProgress?.(looks.length);
					return [];
				}),
			),
	};
	// what its looks read they hold themselves
	await runBuild(recipe, {} as RecipeInputs, dir, { models: { ...models }, signal });
	const waiting: AnswersReport["waiting"] = [];
	for await (const { input, error } of buildFaults(dir)) waiting.push({ task: input, message: error });
	const counts = { holds: 0, changed: 0, gone: 0, open: 0 };
	for (const { is } of looks) counts[is] += 1;
	const order = new Map([...asked.keys()].map((id, at) => [id, at]));
	looks.sort((a, b) => (order.get(a.task) ?? 0) - (order.get(b.task) ?? 0));
	return { day: sources.day, tasks: tasks.length, dated: dated.length, counts, looks, waiting };
}

function lookingStage(sources: LookSources): Stage<Item, Looked> {
	const { knowledge, encyclopedia, stamps, searched, day } = sources;
	return defineStage("annotate", "look-again", 2, {
		output: Looked,
		params: {
			knowledge: knowledge.manifest.hash,
			encyclopedia: encyclopedia?.id,
			stamps: [...(stamps ?? [])],
			searched,
			day,
		},
		calls: [
			{ role: "solver", optional: true, each: 1, prompt: answerFromEvidence.hash },
			{ role: "judge", optional: true, each: 1, prompt: judgeSameAnswerPrompt.hash },
		],
		async run(item, context) {
			return [asPiece({ id: item.id, hops: await lookAtChain(item, context, sources) })];
		},
	});
}

/** The earliest day that its answers name. */
export function dayOf({ answer, chain }: Pick<Task, "answer" | "chain">): string | null {
	const days = [answer, ...(chain?.hops ?? []).map((hop) => hop.answer)].flatMap(({ asOf }) => asOf ?? []);
	return days.sort()[0] ?? null;
}

/** The task as an item; one without a chain rests on what its source marks as supporting. */
function asItem(task: Task): Item {
	const item = itemOf(task);
	if (task.chain || !task.supporting) return item;
	const hops = item.chain.hops.map((hop) => ({ ...hop, evidence: task.supporting ?? [] }));
	return { ...item, chain: { ...item.chain, hops } };
}

function taskLook(task: Task, { hops }: Looked): TaskLook {
	const changed = hops.filter(({ is }) => is === "changed" || is === "rests-on-changed");
	const is =
		changed.length > 0
			? "changed"
			: ((["gone", "open"] as const).find((worst) => hops.some((hop) => hop.is === worst)) ?? "holds");
	const isMended = hops.every((hop) => hop.is === "holds" || (hop.is === "changed" && hop.now));
	const last = hops.find(({ hop }) => hop === (task.chain?.sink ?? hops[0]?.hop));
	const now = last?.now ?? task.answer;
	return { task: task.id, asOf: dayOf(task), is, hops, ...(is === "changed" && isMended ? { now } : {}) };
}
