import {
	ancestorsOf,
	type Diagnosis,
	type Finding,
	type HopDiagnosis,
	retrievalHops,
	type SecondReading,
	stepsOfHop,
	type Task,
} from "#domain";
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
	const unobserved = unobservedOf(task, { hops, right: diagnosis.right });
	const findings = [...diagnosis.findings.flatMap((finding) => stillHolds(finding, { hops, unobserved })), ...broken];
	findings.push(...concluded({ ...diagnosis, hops, findings, unobserved }, task));
	return { ...diagnosis, hops, findings, unobserved, ...namedFirst({ hops, findings }) };
}

/** See `unobserved` of `Diagnosis`. */
function unobservedOf(task: Task, { hops, right }: Pick<Diagnosis, "hops" | "right">): string[] {
	const open = hops.flatMap((hop) => (hop.is === "judged" && hop.verdict === "unobserved" ? [hop.hop] : []));
	const first = hops.find((hop) => brokenOf(hop) !== undefined);
	if (!first) return right === false ? open : [];
	const needed = task.chain && ancestorsOf(task.chain).get(first.hop);
	return open.filter((id) => needed?.has(id));
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
function concluded({ right, hops, findings }: Diagnosis, task: Task): Finding[] {
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
