import type { Step, Trajectory } from "#domain";
import type { ChatMessage, ChatPart, ChatReply } from "#models";
import { textMessage } from "../driver/protocol.ts";
import { isUnknown } from "../driver/recorder.ts";
import type { Session } from "../driver/session.ts";
import { answerIn } from "../tool-call-format/final-answer.ts";
import { hashOf } from "../tool-call-format/hash-of.ts";
import { harmless } from "../tools/harmless.ts";
import type { ImagePart } from "../tools/images.ts";
import type { Observation } from "../tools/tools.ts";

/** One request of fixed form: instructions, and what they are about. */
export const onceAsked = (instructions: string, content: ChatPart[]): ChatMessage[] => [
	textMessage("system", instructions),
	{ role: "user", content },
];

/**
 * The only question to the model and the end of the task: the answer is what stands on the reply's answer line, and
 * "unknown" abstains. What the reply cost and reasoned stands on `step`, or on a step of its own.
 */
export async function askOnce(
	session: Session,
	{ messages, step }: { messages: ChatMessage[]; step?: Step },
): Promise<Trajectory> {
	const reply = await session.ask({ messages });
	const { answer, thought } = answerIn(reply);
	noteReply(session, reply, { thought, ...(step ? { step } : {}) });
	if (answer === undefined) return session.finish({ answer: null, abstained: false, stop: "turn-limit" });
	return finishWith(session, answer);
}

/** Characters of an answer and of a thought that are kept apart from the messages, which hold all of them. */
const longestAnswer = 2000;
const longestThought = 10_000;

/** Ends a task with what a model gave as its answer; "unknown" abstains, nothing at all is no answer. */
export function finishWith(session: Session, text: string, { cited = [] }: { cited?: string[] } = {}): Trajectory {
	const said = text.trim().slice(0, longestAnswer);
	if (said === "") return session.finish({ answer: null, abstained: false, stop: "turn-limit" });
	const abstained = isUnknown(said);
	return session.finish({ answer: abstained ? null : said, abstained, stop: "answered", cited });
}

/** Records what a reply cost and what it reasoned. */
export function noteReply(
	session: Session,
	{ usage, ms, thought: apart }: Pick<ChatReply, "usage" | "ms" | "thought">,
	{ thought, role, step }: { thought?: string; role?: string; step?: Step },
): Step {
	const thinking = (thought?.trim() || apart)?.slice(0, longestThought);
	const about = { ...(thinking ? { thought: thinking } : {}), ...(role ? { role } : {}), usage };
	if (step) return Object.assign(step, about, { ms: step.ms + ms });
	return session.recorder.note({ ...about, ms });
}

/** SHA-256 of all fixed words that a model reads. */
export const hashOfWords = (...words: unknown[]): string => hashOf(words);

/** One evidence as a reader is shown it. */
export interface Shown {
	title: string;
	text: string;
	picture?: ImagePart;
}

/** Evidence in order, counted from 1, each with its picture behind its words. */
export function evidenceParts(evidence: Shown[]): ChatPart[] {
	if (evidence.length === 0) return [{ type: "text", text: "Evidence: nothing was found." }];
	return evidence.flatMap(({ title, text, picture }, index): ChatPart[] => [
		{ type: "text", text: `Evidence ${index + 1} (${harmless(title, { longest: 300 })}): ${harmless(text)}` },
		...(picture ? [picture] : []),
	]);
}

/** What a search found, as a reader is shown it: pictures of images only, and none where the setting wants captions. */
export async function shownResults(session: Session, results: Observation["results"]): Promise<Shown[]> {
	const shown: Shown[] = [];
	for (const { id, kind, title, text } of results) {
		const picture = kind === "image" ? await pictureOf(session, id) : undefined;
		shown.push({ title, text, ...(picture ? { picture } : {}) });
	}
	return shown;
}

/** An evidence as a picture for a model with eyes. */
export async function pictureOf(session: Session, id: string): Promise<ImagePart | undefined> {
	return session.context.setting.images === "captions" ? undefined : session.picture(id);
}
