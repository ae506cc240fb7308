import {
	ancestorsOf,
	type BrokenVerdict,
	type Diagnosis,
	type FindingKind,
	type HopDiagnosis,
	isBroken,
	primaryOrder,
	type Task,
} from "#domain";

/** The verdict of a hop that was judged and is broken. */
export function brokenOf(hop: HopDiagnosis): BrokenVerdict | undefined {
	return hop.is === "judged" && isBroken(hop.verdict) ? hop.verdict : undefined;
}

/** What goes before any hop: it says that nothing can be said of the hops, or that they do not matter. */
const before = [
	"broken-off",
	"format-failure",
	"known",
	"endless-repetition",
] as const satisfies readonly FindingKind[];

/**
 * The first broken hop, the hops that may be it though nothing shows it, and what one would name first of the whole, by the
 * fixed order (see `primaryOrder`).
 */
export function namedFirst({
	task,
	hops,
	findings,
	right,
}: Pick<Diagnosis, "hops" | "findings"> & { task: Pick<Task, "chain">; right: boolean | undefined }): Pick<
	Diagnosis,
	"firstBroken" | "unobserved" | "primary"
> {
	const found = new Set(findings.map(({ is }) => is));
	const first = hops.find((hop) => brokenOf(hop) !== undefined);
	const verdict = first && brokenOf(first);
	const firstBroken = first?.hop ?? null;
	const needed = first && task.chain ? ancestorsOf(task.chain).get(first.hop) : undefined;
	const computing = new Set(task.chain?.hops.flatMap(({ id, evidence }) => (evidence.length === 0 ? [id] : [])));
	// of hops that compute, the one that gives the answer stands for all
	const open = hops
		.filter((hop) => hop.is === "judged" && hop.verdict === "unobserved")
		.map(({ hop }) => hop)
		.filter((hop) => !computing.has(hop) || hop === task.chain?.sink);
	const unobserved = first ? open.filter((hop) => needed?.has(hop)) : right === false ? open : [];
	const all = { firstBroken, unobserved };
	const over = before.find((kind) => found.has(kind));
	if (over) return { ...all, primary: over };
	const stoppedThere = findings.some(({ is, hop }) => is === "premature-stop" && hop === firstBroken);
	if (verdict !== undefined)
		return { ...all, primary: verdict === "not-planned" && stoppedThere ? "premature-stop" : verdict };
	const refused = hops.some((hop) => hop.is === "not-judged") && found.has("invalid-call");
	return { ...all, primary: refused ? "invalid-call" : (primaryOrder.find((kind) => found.has(kind)) ?? null) };
}
