import type { Ability, Endpoint, Usage } from "#domain";
import type { ChatModel } from "../chat-model.ts";
import { mostOfTrials, tryOut } from "./trials.ts";

/** Abilities that nothing is known of. */
const openIn = ({ can }: Endpoint): Ability[] =>
	(Object.keys(can) as Ability[]).filter((ability) => can[ability].is === "unknown");

/** What the test calls of what an endpoint leaves open take at most; tokens of the requests are estimated. */
export function trialCost(endpoint: Endpoint): { calls: number; inputTokens: number; outputTokens: number } {
	const most = mostOfTrials(openIn(endpoint));
	// a sentence, a declared function, and a picture of 224 pixels a side, which takes some hundred tokens
	return { ...most, inputTokens: most.calls * 100 + 400 };
}

/** The endpoint with what test calls of the model showed of what it does not declare. Their failure is a `ModelError`. */
export async function probeEndpoint(
	model: ChatModel,
	declared: Endpoint,
	options: { signal?: AbortSignal | undefined } = {},
): Promise<{ endpoint: Endpoint; usage: Usage }> {
	const { seen, usage } = await tryOut(model, openIn(declared), options);
	return { endpoint: { ...declared, can: { ...declared.can, ...seen }, tested: new Date().toISOString() }, usage };
}
