import { z } from "zod";
import { freeRecord } from "#domain";
import type { ChatMessage, ToolDeclaration } from "#models";
import { actionTools, type EpisodeSession, type SessionStep } from "#training";
import { componentsOf } from "../environment/components.ts";
import { contentOf, resultOf } from "../environment/tool-result.ts";

const Part = z.union([
	z.object({ type: z.literal("text"), text: z.string() }),
	z.object({ type: z.literal("image"), data: z.string().describe("base64"), mimeType: z.string() }),
]);

/** What a policy reads next. */
export const Observation = z.object({
	task: z.string().describe("Id of the task."),
	messages: z.array(z.object({ role: z.enum(["system", "user", "assistant", "tool"]), content: z.array(Part) })),
	text: z.string().describe("The texts of the messages, for clients that read nothing else."),
	last: z.boolean().describe("The next move may only answer."),
	valid: z.boolean().describe("Whether the move could be carried out as it was made."),
	stop: z.array(z.string()).describe("Strings behind which the policy should stop."),
	metadata: freeRecord(z.unknown()).describe("When it is over: why, and what the reward was made from."),
});
export type Observation = z.infer<typeof Observation>;

/** The answer to a reset or a step. */
export interface Observed {
	observation: object;
	reward: number | null;
	done: boolean;
}

/** What is shown first; `metadata` holds it too, since clients of tools read nothing else of a reset. */
export function firstObserved({ task, opening, stop }: EpisodeSession): Observed {
	const text = textOf(opening);
	const about = { task, text, stop };
	const observation = { ...about, messages: messagesOf(opening), last: false, valid: true, metadata: about };
	return { observation: observation satisfies Observation, reward: null, done: false };
}

/** What a move led to. */
export function observedOf(step: SessionStep, session: EpisodeSession): Observed & { observation: Observation } {
	const { observation, last, valid, dropped, moves, over, reward } = step;
	const end = reward ? { stop: session.trajectory().stop, components: componentsOf(reward) } : {};
	return {
		observation: {
			task: session.task,
			messages: messagesOf(observation),
			text: textOf(observation),
			last,
			valid,
			stop: session.stop,
			metadata: { dropped, moves, ...end },
		},
		reward: reward?.value ?? null,
		done: over,
	};
}

/** The same as the result of a tool, in the form of the Model Context Protocol; `data` is what a plain client returns. */
export function toolResultOf(step: SessionStep) {
	const content = resultOf(step);
	const data = content.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
	return { content, isError: !step.valid, data };
}

/** The tools of an episode as the standard lists them. */
export const toolsOf = (declared: readonly ToolDeclaration[]) =>
	actionTools(declared).map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));

const messagesOf = (messages: readonly ChatMessage[]) =>
	messages.map((message) => ({ role: message.role, content: contentOf(message) }));

const textOf = (messages: readonly ChatMessage[]) =>
	messages.flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? part.text : []))).join("\n");
