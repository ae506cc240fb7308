import { agents, settingFor } from "#agents";
import type { Benchmark } from "#benchmarks";
import { seededRandom } from "#scoring";
import { createEnvironment, type Environment, type RewardOptions } from "#training";
import { createVocabulary, type Vocabulary } from "./vocabulary.ts";
import { drawWorld, entities, relations, type World } from "./world.ts";

const protocol = agents.tagged;

/** The environment of one world: the `tagged` protocol over its facts, one passage a search. */
export function environmentOf(
	{ task, knowledge }: Pick<World, "task" | "knowledge">,
	{ limit, reward }: { limit: number; reward?: RewardOptions },
): Environment {
	const benchmark = { dir: "", manifest: { name: "toy-worlds" }, tasks: [task] } as unknown as Benchmark;
	const setting = settingFor(protocol, { overrides: { limit, k: 1 } });
	return createEnvironment({ benchmark, knowledge, agent: protocol, setting, ...(reward ? { reward } : {}) });
}

/** The protocol's words as tokens: every tag is one, and so is whatever it always says in the same way. */
export interface Language {
	vocabulary: Vocabulary;
	/** How many tokens, the first ones, only the environment writes. */
	silent: number;
	/** Tokens behind which a turn ends: the strings that the protocol stops at. */
	stops: ReadonlySet<number>;
	/** Turns before the one that may only answer. */
	limit: number;
}

/**
 * The language of episodes with `limit` turns. What it always says (instructions, feedback, the last turn's notice) is asked
 * of the environment; ids are the same for every limit, so that a policy can be taken from one to another.
 */
export async function createLanguage(limit: number): Promise<Language> {
	const { task, knowledge } = drawWorld("words", seededRandom(0));
	const episode = await environmentOf({ task, knowledge }, { limit: 2 }).open(task.id);
	const feedback = textOf((await episode.take({ is: "says", text: "no action" })).observation);
	const last = textOf((await episode.take({ is: "says", text: "no action" })).observation);
	const opened = await environmentOf({ task, knowledge }, { limit }).open(task.id);
	const [instructions] = opened.opening;
	const tags = opened.stop.flatMap((close) => [close.replace("</", "<"), close]);
	// they hold tags: said by a policy they would be cut in the middle
	const silent = [textOf(instructions ? [instructions] : []), feedback, last.slice(feedback.length)];
	const vocabulary = createVocabulary([
		...silent,
		"Question:",
		"<information>\n1.",
		":",
		"\n</information>",
		"<information>\nNothing was found.\n</information>",
		"<think>",
		"</think>",
		...tags,
		" known",
		" unknown",
		...[...entities, ...relations].map((word) => ` ${word}`),
	]);
	const stops = new Set(opened.stop.map((stop) => vocabulary.idOf(stop)));
	return { vocabulary, silent: silent.length, stops, limit };
}

/** The words of messages, one after another; the toy's template puts nothing between them. */
export const textOf = (
	messages: readonly { content: readonly ({ type: "text"; text: string } | { type: string })[] }[],
) => messages.flatMap(({ content }) => content.map((part) => ("text" in part ? part.text : ""))).join("");
