/** One record in words: what was asked, what became of each hop, and what every claim rests on. */

import { clip, type Diagnosis, isBroken, plainLine, stepsOfHop } from "#domain";
import type { EvidenceView, Failure, HopView, StepView } from "../report-data.ts";
import { stylesOf, type TerminalOptions } from "../terminal-table.ts";
import { endingNames, modalityName, plural } from "../wording.ts";
import { causeText, findingWords, orBefore, primaryName, seenText, verdictWords } from "./diagnosis-words.ts";

/** `short`: only the verdicts up to the first broken hop, with the steps that show it. */
export function caseText(failure: Failure, options: TerminalOptions & { short?: boolean } = {}): string {
	const { wrap } = stylesOf(options);
	const { short = false } = options;
	const given = failure.given === null ? "nothing" : `“${failure.given}”`;
	const at = failure.hops.findIndex(({ id }) => id === failure.brokenHop);
	const hops = short && at >= 0 ? failure.hops.slice(0, at + 1) : failure.hops;
	const primary = failure.diagnosis ? `: ${primaryName(failure.diagnosis.primary)}` : "";
	const before = orBefore(hopsBefore(failure));
	return [
		`${failure.task}${failure.repeat > 0 ? ` (repeat ${failure.repeat})` : ""}${primary}`,
		...indented(`Question: ${failure.question}`),
		...indented(`Answered ${given} (${endingNames[failure.ending]}); right is “${failure.accepted[0] ?? ""}”.`),
		...(before === "" ? [] : indented(`${sentence(before)}`)),
		...(failure.error === null ? [] : indented(`Error: ${failure.error}`)),
		...(failure.plan === null || short ? [] : indented(`Plan: ${failure.plan}`)),
		...hops.flatMap((hop, place) => hopLines(hop, place, failure)),
		...settlingLines(failure),
		...(short ? [] : [...restOfFindings(failure), ...stepsInFull(failure), ...unjudged(failure)]),
	]
		.flatMap((line) => {
			const [margin = ""] = /^ */.exec(line) ?? [];
			return wrap(line.trimStart(), margin.length)
				.split("\n")
				.map((one) => margin + one);
		})
		.join("\n");
}

/** Why a hop has its verdict, in a sentence or two that stand behind the verdict's name. */
export function hopSentence(
	{ diagnosis: said, id }: Pick<HopView, "diagnosis" | "id">,
	{ diagnosis }: { diagnosis: Pick<Diagnosis, "findings"> | null },
): string {
	if (!said) return "";
	if (said.is === "not-judged") return sentence(said.reason);
	const { verdict, used, carried, cited = [], miss, brought, otherEvidence = [], why: unseen } = said;
	if (verdict === "solved" && said.seen?.by === "settled")
		return "Settled by re-running: given as solved, with all before it, it did not mend the answer.";
	const seen = seenText(said);
	const more = [
		...(carried === undefined ? [] : [`Later queries carry “${carried}” on.`]),
		...(cited.length > 0 ? [`The value stands in ${cited.map((id) => clip(id, 80)).join(", ")}.`] : []),
		...(seen === "" || verdict === "solved" ? [] : [sentence(seen)]),
		...(miss ? [sentence(causeText(miss))] : []),
	];
	if (verdict === "solved") {
		const by =
			otherEvidence.length > 0
				? `By other evidence: ${otherEvidence.map((id) => clip(id, 80)).join(", ")}`
				: brought[0] === undefined
					? "Its right answer is given"
					: `Step ${brought[0] + 1} brought its evidence`;
		return [
			`${by}${used === undefined ? "" : `; the value used is “${used}”`}${seen === "" ? "" : `; ${seen}`}.`,
			...more,
		].join(" ");
	}
	if (verdict === "unobserved" && unseen !== undefined) return sentence(unseen);
	const finding = diagnosis?.findings.find(({ is, hop }) => is === verdict && hop === id);
	const why = finding ? findingSentence(finding.says) : verdictWords[verdict].meaning;
	return [why, ...more].join(" ");
}

/** Places, from 1, of the hops that may have broken before the one that is named, or at all where none is. */
export function hopsBefore({
	hops,
	diagnosis,
	brokenHop,
}: Pick<Failure, "hops" | "diagnosis" | "brokenHop">): number[] {
	if (brokenHop === null) return [];
	const open = new Set(diagnosis?.unobserved);
	return hops.flatMap(({ id }, at) => (open.has(id) ? [at + 1] : []));
}

/** A finding's sentence without the hop that it names first: beside the hop that is said already. */
export const findingSentence = (says: string): string =>
	sentence(says.replace(/^Hop (?:[^“]{0,200}“[\s\S]*?”\)|\S+): /, ""));

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;

function hopLines(hop: HopView, place: number, failure: Failure): string[] {
	const { steps, brokenHop } = failure;
	const first = hop.id === brokenHop ? ", the first broken" : "";
	const said = hop.diagnosis?.is === "judged" ? hop.diagnosis : undefined;
	const broken = said !== undefined && isBroken(said.verdict);
	const own = broken ? steps.filter(({ index }) => stepsOfHop(said).includes(index)).slice(0, 3) : [];
	const [wanted] = hop.evidence;
	return [
		...indented(`Hop ${place + 1} (${modalityName(hop.modality)}${first}): ${hop.question} → ${hop.answer}`),
		...(hop.diagnosis ? indented(`${verdictName(hop)}: ${hopSentence(hop, failure)}`, 4) : []),
		...own.flatMap((step) => indented(stepLine(step), 4)),
		...(broken && wanted && said.evidence.length === 0 ? indented(`Wanted: ${evidenceName(wanted)}`, 4) : []),
	];
}

/** What re-runs left open; what they settled stands with its hop. */
function settlingLines({ diagnosis }: Failure): string[] {
	const { settling } = diagnosis ?? {};
	if (!settling || settling.is === "settled") return [];
	const control = settling.asked.find(({ upTo }) => upTo === null);
	const share = control ? `right ${control.right} of ${plural(control.of, "time")}` : "right";
	return indented(
		settling.is === "by-itself"
			? `Asked again without any change it was ${share}: it recovers by itself, and no hop is settled.`
			: "Re-runs did not tell which of the hops not observed broke.",
	);
}

const verdictName = ({ diagnosis }: HopView) =>
	diagnosis?.is === "judged" ? verdictWords[diagnosis.verdict].name : "not judged";

function stepLine(step: StepView): string {
	const results = step.results.slice(0, 3).map(({ evidence }) => evidenceName(evidence));
	const brought = results.length === 0 ? "nothing" : results.join("; ");
	const read = step.subAnswer === null ? "" : `; it read “${step.subAnswer}”`;
	return `Step ${step.index + 1} ${step.tool ?? ""} “${step.query || (step.subQuestion ?? "")}” brought ${brought}${read}.`;
}

const evidenceName = ({ kind, title, id, externalId = id }: EvidenceView) =>
	`${kind === "unknown" || title === "" ? "" : `${clip(title, 60)} `}[${clip(id, 80)}${externalId === id ? "" : `, came as ${clip(externalId, 80)}`}]`;

/** Findings that are no verdict on a hop. */
function restOfFindings({ diagnosis, hops }: Failure): string[] {
	const verdicts = new Set(
		hops.map((hop) => (hop.diagnosis?.is === "judged" ? `${hop.diagnosis.verdict} ${hop.id}` : "")),
	);
	const rest = (diagnosis?.findings ?? []).filter(({ is, hop }) => !verdicts.has(`${is} ${hop}`));
	if (rest.length === 0) return [];
	const line = ({ is, says, steps, evidence }: (typeof rest)[number]) => {
		const shown = [
			...(steps.length > 0 ? [`steps ${steps.map((step) => step + 1).join(", ")}`] : []),
			...(evidence.length > 0 ? [`evidence ${evidence.map((id) => clip(id, 80)).join(", ")}`] : []),
		];
		return `${findingWords[is].name}: ${says}${shown.length > 0 ? ` (${shown.join("; ")})` : ""}`;
	};
	return ["  Findings beside:", ...rest.flatMap((finding) => indented(line(finding), 4))];
}

function stepsInFull({ steps, moreSteps }: Failure): string[] {
	if (steps.length === 0) return ["  It took no step."];
	return [
		"  Steps:",
		...steps.flatMap((step) => [
			...indented(
				`${step.index + 1}. ${step.tool ?? "no call"}${step.query === "" ? "" : ` “${step.query}”`}${step.subQuestion !== null && step.subQuestion !== step.query ? `, for: ${step.subQuestion}` : ""}`,
				4,
			),
			...(step.error === null ? [] : indented(`error: ${step.error}`, 7)),
			...step.results.flatMap(({ rank, gold, evidence }) =>
				indented(`${gold ? "*" : " "} ${rank}. ${evidenceName(evidence)}`, 7),
			),
			...(step.more > 0 ? indented(`and ${plural(step.more, "result")} more`, 7) : []),
			...(step.subAnswer === null ? [] : indented(`sub-answer: ${step.subAnswer}`, 7)),
		]),
		...(moreSteps > 0 ? indented(`and ${plural(moreSteps, "step")} more`, 4) : []),
		"  * gold evidence",
	];
}

function unjudged({ diagnosis }: Failure): string[] {
	return (diagnosis?.notJudged ?? []).flatMap(({ what, reason }) =>
		indented(`Not judged: ${what.map((kind) => findingWords[kind].name).join(", ")}, since ${reason}.`),
	);
}

/** A line of a case, which is wrapped within its margin in the end. */
const indented = (text: string, by = 2): string[] => [" ".repeat(by) + plainLine(text, 2000)];
