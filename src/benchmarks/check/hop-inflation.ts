import { retrievalHops } from "#domain";
import type { BenchmarkCheck } from "./check.ts";
import type { FoundProblems } from "./finding.ts";

/**
 * Hops that a right answer did without: right after fewer searches than the chain has retrieval hops, or with a hop of
 * which no accepted evidence was ever retrieved. One run is a hint and no proof: a model may know the hop, or guess.
 */
export const hopInflationCheck: BenchmarkCheck = {
	name: "hop-inflation",
	about: "right answers took at least as many searches as the chain has hops (from the records of a run)",
	async run({ tasks, answered }) {
		if (!answered) return { skipped: "needs the records of a run: --run RUN" };
		const wanted = new Set(answered.map(({ task }) => task));
		const byId = new Map<string, { answer: string; hops: { id: string; evidence: string[] }[] }>();
		for await (const { id, answer, chain } of tasks)
			if (wanted.has(id))
				byId.set(id, {
					answer: answer.type,
					hops: retrievalHops(chain ?? { hops: [] }).map((hop) => ({ id: hop.id, evidence: hop.evidence })),
				});
		const findings: FoundProblems = [];
		let looked = 0;
		let fewer = 0;
		let without = 0;
		let unknown = 0;
		const tally = new Map<string, { right: number; fewest: number; unseen: Set<string> }>();
		for (const { task: id, right, searches, retrieved } of answered) {
			const task = byId.get(id);
			const hops = task?.hops ?? [];
			if (!right || hops.length < 2 || task?.answer === "none") continue;
			if (searches === undefined) {
				unknown += 1;
				continue;
			}
			looked += 1;
			const unseen = hops.filter(({ evidence }) => !evidence.some((one) => retrieved.has(one)));
			if (searches < hops.length) fewer += 1;
			if (unseen.length > 0) without += 1;
			if (searches >= hops.length && unseen.length === 0) continue;
			const known = tally.get(id) ?? { right: 0, fewest: Number.POSITIVE_INFINITY, unseen: new Set() };
			known.right += 1;
			known.fewest = Math.min(known.fewest, searches);
			for (const hop of unseen) known.unseen.add(hop.id);
			tally.set(id, known);
		}
		for (const [id, { right, fewest, unseen }] of tally) {
			const hops = byId.get(id)?.hops.length ?? 0;
			const isFewer = fewest < hops;
			const missed =
				unseen.size > 0
					? `${unseen.size === hops ? "without the evidence of any hop" : `without the evidence of hop ${[...unseen].join(", ")}`}`
					: "";
			const how = [isFewer ? `after ${fewest} of ${hops} searches` : "", missed].filter(Boolean).join(", ");
			findings.push({
				code: fewest === 0 ? "right-without-search" : isFewer ? "fewer-searches" : "hop-not-retrieved",
				...{ severity: "warning", task: id },
				message: `task ${id}: answered right ${how}${right > 1 ? ` (${right} times)` : ""}; the chain may be longer than the question`,
			});
		}
		const reason = "no right answer to a task of several hops has known searches";
		const share = (name: string, value: number) =>
			looked > 0 ? { name, value, of: looked } : { name, value: null, reason };
		return {
			...{ looked, findings },
			figures: [
				share("right answers after fewer searches than hops", fewer),
				share("right answers without the evidence of some hop", without),
			],
			...(unknown > 0 ? { notes: [`${unknown} right answers are known by their answer alone and left out`] } : {}),
		};
	},
};
