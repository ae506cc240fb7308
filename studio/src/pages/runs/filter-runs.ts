import type { RunLine } from "../../../../src/studio/pages.ts";

/** The runs that have every word of a filter somewhere in what the list shows of them. */
export function filterRuns(runs: readonly RunLine[], filter: string): RunLine[] {
	const words = filter.toLowerCase().split(/\s+/u).filter(Boolean);
	return runs.filter(({ id, agent, model, benchmark, tags, intervention, live }) => {
		const text = [id, agent, model ?? "", benchmark, ...tags, intervention?.what ?? "", live ? "live" : ""]
			.join("\n")
			.toLowerCase();
		return words.every((word) => text.includes(word));
	});
}
