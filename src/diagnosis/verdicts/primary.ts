import { type BrokenVerdict, type Diagnosis, type HopDiagnosis, isBroken, primaryOrder } from "#domain";

/** The verdict of a hop that was judged and is broken. */
export function brokenOf(hop: HopDiagnosis): BrokenVerdict | undefined {
	return hop.is === "judged" && isBroken(hop.verdict) ? hop.verdict : undefined;
}

/** The first broken hop and what one would name first of the whole, by the fixed order (see `primaryOrder`). */
export function namedFirst({ hops, findings }: Pick<Diagnosis, "hops" | "findings">): {
	firstBroken: string | null;
	primary: Diagnosis["primary"];
} {
	const found = new Set(findings.map(({ is }) => is));
	const first = hops.find((hop) => brokenOf(hop) !== undefined);
	const verdict = first && brokenOf(first);
	const firstBroken = first?.hop ?? null;
	if (found.has("broken-off")) return { firstBroken, primary: "broken-off" };
	const stoppedThere = findings.some(({ is, hop }) => is === "premature-stop" && hop === firstBroken);
	if (verdict !== undefined)
		return { firstBroken, primary: verdict === "not-planned" && stoppedThere ? "premature-stop" : verdict };
	return { firstBroken, primary: primaryOrder.find((kind) => found.has(kind)) ?? null };
}
