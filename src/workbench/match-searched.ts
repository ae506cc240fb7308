import { type ExecuteOptions, keepMatched, matchSearched } from "#runs";
import { heldIn } from "./knowledge-of.ts";
import { ownKnowledge } from "./own-knowledge.ts";
import type { Bench } from "./work.ts";

/**
 * What a run found in a search engine elsewhere, matched to the benchmark's evidence where it has other ids there. Until then
 * its hops would all count as missed.
 */
export async function matchFound({ dir, benchmark, knowledge }: ExecuteOptions, bench: Bench): Promise<void> {
	const { service, name } = knowledge.manifest;
	if (!service || service.kind === "hopscope") return;
	const own = await ownKnowledge(bench.workspace, benchmark);
	try {
		const counts = await matchSearched(dir, { benchmark, knowledge: own, held: own && (await heldIn(own)) });
		if (!counts) return;
		await keepMatched(dir, counts);
		const { results, unmapped } = counts;
		bench.say(
			own
				? `${name} has other ids than the benchmark: ${results - unmapped} of ${results} results are matched to its evidence`
				: `${name} has other ids than the benchmark, whose knowledge base ${benchmark.manifest.knowledge} is not here: no result is matched to its evidence by text`,
		);
	} finally {
		await own?.close();
	}
}
