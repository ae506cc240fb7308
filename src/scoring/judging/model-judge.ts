import { addUsage, type Judgement, noUsage } from "#domain";
import { askForJson, type ChatModel, type ChatReply, ModelError } from "#models";
import { hashOf } from "./hash-of.ts";
import type { Judge, JudgedReply } from "./rubric.ts";

const longestReply = 20_000;

/**
 * A judge that asks a model at temperature 0, once and one repair turn. A provider's failure and a reply in no usable
 * form are outcomes of their own, never scores.
 */
export function createModelJudge(model: ChatModel): Judge {
	return {
		id: model.id,
		prompt: (rubric) => rubric.prompt,
		async judge(shown, { rubric, run, seed, signal }) {
			const why = rubric.inapplicable?.(shown);
			if (why !== undefined) return unasked({ is: "unscored", because: "inapplicable", reason: why });
			const settled = rubric.settled?.(shown);
			if (settled) return unasked(settled);
			const messages = rubric.messages(shown);
			const drawn = hashOf([seed, run, rubric.prompt, messages]).slice(0, 7);
			const request = { messages, temperature: 0, sample: run, seed: Number.parseInt(drawn, 16) };
			const replies: ChatReply[] = [];
			// counted one by one: what a first reply cost is known also when the repair turn fails
			const counting: ChatModel = {
				id: model.id,
				async complete(asked, options) {
					const reply = await model.complete(asked, options);
					replies.push(reply);
					return reply;
				},
			};
			const ended = (judgement: Judgement): JudgedReply => {
				const last = replies.at(-1);
				return {
					judgement,
					...(last ? { reply: last.text.slice(0, longestReply), served: last.model } : {}),
					usage: replies.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
					ms: replies.reduce((sum, { ms }) => sum + ms, 0),
				};
			};
			try {
				const schema = { name: "judgement", schema: rubric.reply, sole: true };
				const asked = await askForJson(counting, request, schema, signal ? { signal } : {});
				if (asked.is === "misfit") return ended({ is: "unscored", because: "unparsed", reason: asked.problem });
				return ended(rubric.read(asked.value, shown));
			} catch (error) {
				signal?.throwIfAborted();
				if (!(error instanceof ModelError)) throw error;
				return ended({ is: "unscored", because: "model", reason: error.message.slice(0, 500) || "failed" });
			}
		},
	};
}

const unasked = (judgement: Judgement): JudgedReply => ({ judgement, usage: noUsage, ms: 0 });
