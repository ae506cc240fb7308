import type { Trajectory } from "#domain";
import { lossMask, tokenMask, type Writer } from "#scoring";
import type { Environment, EpisodeReward } from "#training";
import { type Language, textOf } from "./language.ts";

/** Whoever takes the turns of an episode, by tokens. */
export interface Speaker {
	/** What it reads: the opening, then observations. */
	hear(tokens: readonly number[]): void;
	/** One turn up to and with a stop token, or cut where it grew too long. */
	speak(): { tokens: number[]; cut: boolean };
}

/** An episode as tokens: all that stands in its history, and which of it the speaker said. */
export interface Stream {
	tokens: number[];
	/** 1 where the speaker said it: made from who wrote each text, by the project's own masks. */
	mask: (0 | 1)[];
	/** How many the mask takes. */
	trained: number;
	/** Tokens of the opening: no turn of anybody. */
	prompt: number;
}

export interface PlayedEpisode {
	stream: Stream;
	reward(): Promise<EpisodeReward>;
	trajectory: Trajectory;
	/** Tokens of all turns together, and how many turns there were. */
	said: number;
	turns: number;
}

/**
 * Plays one episode. The stream is encoded from what the environment gave back as history, not from what was sent: a token
 * that did not come back, came back otherwise, or is masked wrongly is an error here and never trains anything.
 */
export async function playEpisode(
	environment: Environment,
	{ task, seed, language, speaker }: { task: string; seed: number; language: Language; speaker: Speaker },
): Promise<PlayedEpisode> {
	const { vocabulary } = language;
	const segments: { text: string; by: Writer }[] = [];
	const sent: number[] = [];
	function hear(text: string, by: Writer) {
		segments.push({ text, by });
		const tokens = vocabulary.encode(text);
		speaker.hear(tokens);
		return tokens.length;
	}
	const episode = await environment.open(task, { seed });
	const prompt = hear(textOf(episode.opening), "prompt");
	let turns = 0;
	for (let over = false; !over; turns += 1) {
		const { tokens, cut } = speaker.speak();
		const turn = await episode.take({ is: "says", text: vocabulary.decode(tokens), ...(cut ? { cut } : {}) });
		sent.push(...tokens);
		segments.push({ text: textOf([turn.said]), by: "policy" });
		over = turn.over;
		if (!over) hear(textOf(turn.observation), turn.valid ? "observation" : "penalty");
	}
	const stream = { ...streamOf(segments, language), prompt };
	checkSaid(stream, sent);
	return { stream, reward: episode.reward, trajectory: episode.trajectory(), said: sent.length, turns };
}

export function streamOf(
	segments: readonly { text: string; by: Writer }[],
	{ vocabulary }: Language,
): Omit<Stream, "prompt"> {
	const tokens = vocabulary.encode(segments.map(({ text }) => text).join(""));
	let end = 0;
	const offsets = tokens.map((token): [number, number] => {
		const start = end;
		end += [...(vocabulary.tokens[token] ?? "")].length;
		return [start, end];
	});
	const { mask, trained } = tokenMask(lossMask(segments).spans, offsets);
	return { tokens, mask, trained };
}

function checkSaid({ tokens, mask, trained }: Omit<Stream, "prompt">, sent: readonly number[]): void {
	const masked = tokens.filter((_, at) => mask[at] === 1);
	if (trained !== sent.length || masked.some((token, at) => token !== sent[at]))
		throw new Error(`${sent.length} tokens were sampled, ${trained} would be trained on, and they are not the same`);
}
