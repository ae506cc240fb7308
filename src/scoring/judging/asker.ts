import type { z } from "zod";
import { addUsage, noUsage, type Usage } from "#domain";
import { askForJson, type ChatMessage, type ChatModel, type ChatReply, ModelError } from "#models";
import { hashOf } from "./hash-of.ts";

const longestReply = 20_000;

/** One question to a judge's model. `run` and `seed` make samples of it independent and repeatable. */
export interface Question<T> {
	messages: ChatMessage[];
	/** The shape of the reply, with all that can be checked of it. */
	reply: z.ZodType<T>;
	/** SHA-256 over the fixed words of the question. */
	prompt: string;
	run: number;
	seed: number;
}

/** What came of it, a repair turn included: `model`: the provider failed; `unparsed`: no usable reply. */
export type Asked<T> = (
	| { is: "value"; value: T }
	| { is: "unscored"; because: "unparsed" | "model"; reason: string }
) & {
	reply?: string;
	served?: string;
	usage: Usage;
	/** Milliseconds. */
	ms: number;
};

/** A model that is asked for judgements, at temperature 0, once and one repair turn. Only an abort is thrown. */
export interface Asker {
	/** The model's id. */
	id: string;
	ask<T>(question: Question<T>, options?: { signal?: AbortSignal | undefined }): Promise<Asked<T>>;
}

export function createAsker(model: ChatModel): Asker {
	return {
		id: model.id,
		async ask({ messages, reply, prompt, run, seed }, { signal } = {}) {
			const drawn = hashOf([seed, run, prompt, messages]).slice(0, 7);
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
			const spent = () => {
				const last = replies.at(-1);
				return {
					...(last ? { reply: last.text.slice(0, longestReply), served: last.model } : {}),
					usage: replies.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
					ms: replies.reduce((sum, { ms }) => sum + ms, 0),
				};
			};
			try {
				const schema = { name: "judgement", schema: reply, sole: true };
				const asked = await askForJson(counting, request, schema, signal ? { signal } : {});
				return asked.is === "misfit"
					? { is: "unscored", because: "unparsed", reason: asked.problem, ...spent() }
					: { is: "value", value: asked.value, ...spent() };
			} catch (error) {
				signal?.throwIfAborted();
				if (!(error instanceof ModelError)) throw error;
				return { is: "unscored", because: "model", reason: error.message.slice(0, 500) || "failed", ...spent() };
			}
		},
	};
}
