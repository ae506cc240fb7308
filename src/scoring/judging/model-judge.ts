import { type Judgement, noUsage } from "#domain";
import type { ChatModel } from "#models";
import { createAsker } from "./asker.ts";
import type { Judge, JudgedReply } from "./rubric.ts";

/** A judge that asks a model. A provider's failure and a reply in no usable form are outcomes of their own, never scores. */
export function createModelJudge(model: ChatModel): Judge {
	const asker = createAsker(model);
	return {
		id: model.id,
		prompt: (rubric) => rubric.prompt,
		async judge(shown, { rubric, run, seed, signal }) {
			const why = rubric.inapplicable?.(shown);
			if (why !== undefined) return unasked({ is: "unscored", because: "inapplicable", reason: why });
			const settled = rubric.settled?.(shown);
			if (settled) return unasked(settled);
			const { reply: shape, prompt } = rubric;
			const messages = rubric.messages(shown);
			const asked = await asker.ask({ messages, reply: shape, prompt, run, seed }, { signal });
			const { reply, served, usage, ms } = asked;
			const spent = {
				...(reply === undefined ? {} : { reply }),
				...(served === undefined ? {} : { served }),
				usage,
				ms,
			};
			if (asked.is === "value") return { judgement: rubric.read(asked.value, shown), ...spent };
			const { is, because, reason } = asked;
			return { judgement: { is, because, reason }, ...spent };
		},
	};
}

const unasked = (judgement: Judgement): JudgedReply => ({ judgement, usage: noUsage, ms: 0 });
