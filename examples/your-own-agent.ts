/** An agent of your own, run on any benchmark of a workspace and scored hop by hop. */
import type { Agent, Workbench } from "hopscope";

/** Searches once with the question and answers with the last word of the best passage: simple, and often wrong. */
const lastWord: Agent = {
	name: "last-word",
	version: "1",
	summary: "one search, then the last word of the best passage",
	needs: { model: "none", gold: false },
	async answer({ question }, { tools, setting }) {
		const { results } = await tools.text_search({ query: question, k: setting.k });
		const answer = results[0]?.text.match(/\w+/g)?.at(-1) ?? null;
		const call = { tool: "text_search", arguments: { query: question }, valid: true };
		const found = results.map(({ id, score, rank }) => ({ id, score, rank }));
		const usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
		const steps = [{ index: 0, call, results: found, ms: 0 }];
		return { steps, answer, abstained: answer === null, stop: "answered", usage, ms: 0, messages: [] };
	},
};

export const runOwnAgent = (bench: Workbench, benchmark: string) => bench.run({ benchmark, agent: lastWord });
