import {
	type Diagnosis,
	type Finding,
	type HopDiagnosis,
	retrievalHops,
	type SecondReading,
	stepsOfHop,
	type Task,
} from "#domain";
import { foldedWords, holdsWords } from "../reading/folded-words.ts";
import { mostIds, quoted } from "../verdicts/hop-words.ts";
import { brokenOf, namedFirst } from "../verdicts/primary.ts";
import { type ReadVerdict, verdictOf } from "./reader-agreement.ts";
import type { ReadingOf } from "./readings.ts";

type Judged = Extract<HopDiagnosis, { is: "judged" }>;

/** A diagnosis with a reader's verdicts on the hops that are `unobserved`; the same where it has none on them. */
export function joinedWith(diagnosis: Diagnosis, { task, readingOf }: { task: Task; readingOf: ReadingOf }): Diagnosis {
	const broken: Finding[] = [];
	const hops = diagnosis.hops.map((hop): HopDiagnosis => {
		const reading = hop.is === "judged" && hop.verdict === "unobserved" ? readingOf(diagnosis, hop.hop) : undefined;
		const verdict = reading && verdictOf(reading, task);
		if (hop.is !== "judged" || verdict === undefined || reading?.outcome.is !== "read") return hop;
		if (verdict !== "solved") broken.push(brokenFinding(reading, { verdict, task, hop }));
		const { why: _why, ...rest } = hop;
		const { value, written } = reading.outcome;
		const seen = { by: "judge" as const, ...(written.step === undefined ? {} : { step: written.step }) };
		return { ...rest, verdict, seen, used: value };
	});
	if (hops.every((hop, at) => hop === diagnosis.hops[at])) return diagnosis;
	const right = isBlameless(diagnosis, task) ? true : diagnosis.right;
	const vouched = vouchedFor(hops, { task, before: diagnosis.hops });
	const { unobserved } = namedFirst({ task, hops: vouched, findings: [], right });
	const findings = diagnosis.findings.flatMap((finding) => stillHolds(finding, { hops: vouched, unobserved }));
	findings.push(...broken);
	findings.push(...concluded({ right, hops: vouched, findings }, task));
	return { ...diagnosis, hops: vouched, findings, ...namedFirst({ task, hops: vouched, findings, right }) };
}

/** The rules found the right answer in a form that the score does not take: no hop is to blame for that. */
function isBlameless({ hops, right, unobserved }: Diagnosis, task: Task): boolean {
	if (right !== false || unobserved.length > 0) return false;
	const blamed = namedFirst({ task, hops, findings: [], right });
	return blamed.firstBroken === null && blamed.unobserved.length > 0;
}

/**
 * What a hop that the reader saw solved vouches for: those that it needs were read rightly, as the rules say of what they
 * see. A yes or no, and what stands in the question, say nothing of them.
 */
function vouchedFor(
	hops: readonly HopDiagnosis[],
	{ task, before }: { task: Task; before: readonly HopDiagnosis[] },
): HopDiagnosis[] {
	const asked = foldedWords(task.question);
	const byId = new Map(task.chain?.hops.map((hop) => [hop.id, hop]));
	const told = new Set<string>();
	const result = [...hops];
	for (let at = result.length - 1; at >= 0; at--) {
		let one = result[at];
		if (one?.is !== "judged") continue;
		// another value that was stated for it outweighs what follows of a later one
		if (one.verdict === "unobserved" && one.used === undefined && told.has(one.hop)) {
			const { why: _why, ...rest } = one;
			one = { ...rest, verdict: "solved", seen: { by: "implied" } };
			result[at] = one;
		}
		const hop = byId.get(one.hop);
		if (!hop || one === before[at] || one.verdict !== "solved" || hop.answer.type === "boolean") continue;
		if (holdsWords(asked, foldedWords(hop.answer.value))) continue;
		for (const need of hop.needs) told.add(need.hop);
	}
	return result;
}

/** A finding that nothing shows how hops were read holds while there are such and none is seen to be broken. */
function stillHolds(finding: Finding, { hops, unobserved }: Pick<Diagnosis, "hops" | "unobserved">): Finding[] {
	if (finding.is !== "unobserved") return [finding];
	if (unobserved.length === 0 || hops.some((hop) => brokenOf(hop) !== undefined)) return [];
	if (finding.hop !== undefined) return unobserved.includes(finding.hop) ? [finding] : [];
	const many = unobserved.length > 1;
	const says = `The final answer is wrong, no hop is seen to be broken, and nothing shows how hop${many ? "s" : ""} ${unobserved.join(", ")} ${many ? "were" : "was"} read.`;
	return [{ ...finding, says }];
}

/** What follows of the whole once all is seen: a wrong answer from solved hops, or a right one from a broken chain. */
function concluded({ right, hops, findings }: Pick<Diagnosis, "right" | "hops" | "findings">, task: Task): Finding[] {
	const has = (is: Finding["is"]) => findings.some((finding) => finding.is === is);
	const broken = hops.filter((hop) => brokenOf(hop) !== undefined);
	if (right === true && broken.length > 0 && !has("lucky")) {
		const steps = broken.flatMap((hop) => (hop.is === "judged" ? stepsOfHop(hop) : []));
		const says = `The final answer is right, though ${broken.map(({ hop }) => hop).join(", ")} went wrong.`;
		return [{ is: "lucky", steps: ascending(steps), evidence: [], says }];
	}
	const got = new Set(hops.flatMap((hop) => (isGot(hop) ? [hop.hop] : [])));
	const retrieving = task.chain ? retrievalHops(task.chain) : [];
	if (right !== false || has("composition") || !retrieving.every(({ id }) => got.has(id))) return [];
	const says = "Every hop was solved, as far as a second reader sees, but the final answer is wrong.";
	return [{ is: "composition", steps: [], evidence: [], says }];
}

const isGot = (hop: HopDiagnosis) =>
	hop.is === "judged" && (hop.verdict === "solved" || hop.verdict === "skipped-known");

function brokenFinding(
	{ outcome, reader }: SecondReading,
	{ verdict, task, hop }: { verdict: Exclude<ReadVerdict, "solved">; task: Task; hop: Judged },
): Finding {
	const gold = task.chain?.hops.find(({ id }) => id === hop.hop);
	const found = outcome.is === "read" ? outcome : undefined;
	const step = found?.written.step;
	const place = verdict === "unsupported" ? ", which stands nowhere in what had come back" : "";
	return {
		...{ is: verdict, hop: hop.hop },
		steps: ascending([...stepsOfHop(hop), ...(step === undefined ? [] : [step])]),
		evidence: [...new Set([...(found?.read ? [found.read.evidence] : []), ...hop.evidence])].slice(0, mostIds),
		says: `Hop ${hop.hop} (${quoted(gold?.question ?? "")}): its evidence came back, and ${quoted(found?.value ?? "")} was taken for it${place}, as the second reader ${quoted(reader.model)} sees in ${quoted(found?.written.quote ?? "")}; right is ${quoted(gold?.answer.value ?? "")}.`,
	};
}

const ascending = (steps: readonly number[]) => [...new Set(steps)].sort((a, b) => a - b);
