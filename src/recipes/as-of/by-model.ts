import type { TextReading } from "#benchmarks";
import { type Evidence, type Hop, plainLine } from "#domain";
import type { ImagePart } from "#models";
import { typedAnswer } from "../answers/typed-answer.ts";
import type { StageContext } from "../engine/stage.ts";
import { written } from "../probes/view.ts";
import { answerFromEvidence, judgeSameAnswerPrompt, sourcesOfAnswers } from "../stages/prompts.ts";
import { agrees, type HopLook } from "./hop-look.ts";

/**
 * What a model reads from the evidence as it is today. What it answers in words that no rule finds equal to the answer, it
 * is shown beside it: the same fact in other words has not changed.
 */
export async function byModel(
	hop: Hop,
	context: StageContext,
	options: { evidence: readonly Evidence[]; images: readonly ImagePart[]; language: string; reading: TextReading },
): Promise<HopLook> {
	const { evidence, images, language } = options;
	const about = { hop: hop.id, by: "model" as const };
	const { value } = await context.ask(
		"solver",
		answerFromEvidence,
		{ sources: sourcesOfAnswers.given, question: hop.question, evidence: written(evidence) },
		images.length > 0 ? { images } : {},
	);
	const said = value.answer;
	if (said === null) return { ...about, is: "open", says: "it cannot be told from the evidence of today" };
	const says = `it reads "${plainLine(said, 200)}"`;
	if (agrees(said, hop.answer, options)) return { ...about, is: "holds", says };
	const { question, answer } = hop;
	const judged = await context.ask("judge", judgeSameAnswerPrompt, { question, earlier: answer.value, today: said });
	if (judged.value.same) return { ...about, is: "holds", says: `${says}, the same in other words` };
	const now = typedAnswer(said, { question, language });
	return { ...about, is: "changed", says, ...("vague" in now ? {} : { now }) };
}
