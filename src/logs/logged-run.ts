import {
	type Diagnosis,
	type Evidence,
	type Message,
	parseJson,
	type RunManifest,
	type RunRecord,
	roundsOf,
	type ScoreRow,
	type Step,
	type Task,
	type Trajectory,
} from "#domain";

/** A run as it is written for other tools: every answer with what was found of it. */
export interface LoggedRun {
	manifest: RunManifest;
	answers: readonly LoggedAnswer[];
	/** What stands under an id of its searches; undefined where it is not at hand. */
	evidence(id: string): Promise<Evidence | undefined>;
}

/** The final attempt at one task and repeat, with its scores and its diagnosis where there are any. */
export interface LoggedAnswer {
	task: Task;
	record: RunRecord;
	row?: ScoreRow | undefined;
	diagnosis?: Diagnosis | undefined;
}

/** One reply of the agent with the steps that were made in it. */
export interface Turn {
	steps: Step[];
	/** The messages that it came of; absent where the record does not tell which these were. */
	said?: { before: Message[]; reply: Message };
}

/** How much of a conversation stands before a reply: the messages nearest to it, in characters of their text. */
const mostBefore = 200_000;

/**
 * The turns of a trajectory, in order. Replies are told apart in one conversation that has as many of them as there are
 * rounds of steps; a conversation that was recorded otherwise is no turn's own.
 */
export function turnsOf({ steps, messages }: Pick<Trajectory, "steps" | "messages">): Turn[] {
	const rounds = roundsOf(steps);
	const replies = messages.flatMap(({ role }, place) => (role === "assistant" ? [place] : []));
	const isOne = messages.every(({ conversation }) => conversation === undefined);
	const told = isOne && replies.length === rounds.length;
	return rounds.map((made, round) => {
		const reply = told ? messages[replies[round] ?? -1] : undefined;
		return { steps: made, ...(reply ? { said: { before: lastOf(messages, replies[round] ?? 0), reply } } : {}) };
	});
}

function lastOf(messages: readonly Message[], end: number): Message[] {
	let characters = 0;
	let from = end;
	while (from > 0 && characters < mostBefore) {
		from -= 1;
		characters += textOf(messages[from] as Message).length;
	}
	return messages.slice(from, end);
}

/** The text of a message; an image by its file. */
export const textOf = ({ content }: Pick<Message, "content">): string =>
	content.map((part) => (part.type === "text" ? part.text : `[image ${part.file}]`)).join("\n");

/** What a search or another call was given, as words: its query where that is all, else its arguments. */
export function askedOf({ call }: Step): string {
	const query = call?.arguments.query;
	return typeof query === "string" ? query : JSON.stringify(call?.arguments ?? {});
}

/** A document that came back, in plain fields; with its id alone where its text is not at hand. */
export interface LoggedDocument {
	id: string;
	score: number;
	title?: string;
	text?: string;
	/** 0-based page. */
	page?: number;
	/** Of the web. */
	address?: string;
}

/** The longest text of a document that is written. */
const mostText = 20_000;

export async function documentsOf(
	{ results }: Step,
	{ evidence }: Pick<LoggedRun, "evidence">,
): Promise<LoggedDocument[]> {
	return Promise.all(
		results.map(async ({ id, score }) => {
			const found = await evidence(id);
			if (!found) return { id, score };
			const text = found.kind === "image" ? found.caption : found.text;
			const { source } = found.provenance;
			return {
				...{ id, score, title: found.title, text: text.slice(0, mostText) },
				...(found.kind === "page" ? { page: found.page } : {}),
				...(/^https?:\/\//.test(source) ? { address: source } : {}),
			};
		}),
	);
}

/** Provider and name of the model, without its server; null of an agent without one. */
export function modelOf({ model }: Pick<RunManifest, "model">): { provider: string; name: string } | null {
	if (model === null) return null;
	const [, provider = "unknown", name = model] = /^([a-z]+):(\S+?)(?:@https?:\/\/\S+)?$/.exec(model) ?? [];
	return { provider, name };
}

/** Arguments as the model wrote them: JSON where they are. */
export const argumentsOf = (text: string): unknown => parseJson(text) ?? text;

/** The score that says how right an answer is: what others show first. */
export const headline = "accuracy";

/** Scores that are there, the headline before the others. */
export function scoresOf({ row }: LoggedAnswer): { name: string; value: number }[] {
	return Object.entries(row?.scores ?? {})
		.flatMap(([name, score]) => (score.is === "scored" ? [{ name, value: score.value }] : []))
		.sort((a, b) => Number(b.name === headline) - Number(a.name === headline));
}

/** The verdict of each gold hop that was judged. */
export const verdictsOf = ({ diagnosis }: LoggedAnswer): { hop: string; verdict: string }[] =>
	(diagnosis?.hops ?? []).flatMap((hop) => (hop.is === "judged" ? [{ hop: hop.hop, verdict: hop.verdict }] : []));

/** When an answer began and was recorded, in milliseconds since 1970. */
export function spanOf({ record }: LoggedAnswer): { start: number; end: number } {
	const end = Date.parse(record.at);
	return { start: end - record.trajectory.ms, end };
}
