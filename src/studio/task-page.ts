/** One answer with everything that was recorded and found of it, as its page shows it. */
import {
	clip,
	counted,
	cut,
	type Diagnosis,
	type Evidence,
	inDependencyOrder,
	type OtherSpan,
	type RunManifest,
	type RunRecord,
	type ScoreRow,
	type StopReason,
	type Task,
	topologyOf,
	type Verdict,
} from "#domain";
import { causeText, findingSentence, findingWords, orBefore, stopWords, topologyName, verdictMarks } from "#reports";
import { scorers } from "#scoring";
import { answerSource } from "./answer-source.ts";
import { cardsOf, foundIn } from "./evidence-cards.ts";
import { withNotes } from "./hop-notes.ts";
import { withProof } from "./hop-proof.ts";
import { imageMedia } from "./media-names.ts";
import type { TaskHop, TaskPage, TaskStep } from "./pages.ts";
import { listed } from "./recorded-words.ts";
import { hopOf } from "./task-hops.ts";
import { stepOf } from "./task-steps.ts";

export interface AnswerShown {
	manifest: RunManifest;
	task: Task;
	record: RunRecord;
	row: ScoreRow | undefined;
	diagnosis: Diagnosis | undefined;
	verdicts: readonly Verdict[];
	evidence(id: string): Promise<Evidence | undefined>;
}

const mostSteps = 400;

export async function taskPage(shown: AnswerShown): Promise<TaskPage> {
	const { manifest, task, record, row, diagnosis } = shown;
	const { trajectory } = record;
	const chain = task.chain && (diagnosis ? inDependencyOrder(task.chain) : task.chain.hops);
	const bare = (chain ?? []).map((hop, at) => hopOf(hop, at + 1, shown));
	const steps = trajectory.steps.slice(0, mostSteps).map((step) => stepOf(step, bare, shown));
	const texts = await textsOf(bare, steps, shown);
	const hops = bare.map((hop) => withProof(withNotes(hop, { ...shown, hops: bare }), shown, texts));
	const { usage } = trajectory;
	return {
		run: manifest.id,
		task: task.id,
		repeat: record.repeat,
		repeats: manifest.repeats,
		attempt: record.attempt,
		tags: tagsOf(task),
		question: cut(task.question, 20_000),
		images: task.images.map((image) => imageMedia(task, image)),
		outcome: row?.outcome ?? "missing",
		answer: trajectory.answer === null ? null : cut(trajectory.answer, 4000),
		answerFrom: answerSource({ hops, steps, texts }, shown),
		accepted: task.answer.accepted.slice(0, 20).map((answer) => clip(answer, 400)),
		...headOf(hops, shown),
		hops,
		steps,
		evidence: await cardsOf(texts, hops, shown),
		findings: otherFindings(hops, shown),
		notJudged: (diagnosis?.notJudged ?? []).map(
			({ what, reason }) => `${what.map((kind) => findingWords[kind].name).join(", ")}: ${clip(reason, 400)}`,
		),
		others: (trajectory.others ?? []).slice(0, mostOthers).map(otherLine),
		plan: trajectory.plan === undefined ? null : cut(trajectory.plan, 4000),
		error: trajectory.error ? `${trajectory.error.boundary}: ${clip(trajectory.error.message, 2000)}` : null,
		stop: trajectory.stop,
		ms: trajectory.ms,
		tokens: usage.inputTokens + usage.outputTokens,
		calls: usage.calls,
		cost: usage.cost ?? null,
		currency: manifest.price?.currency ?? null,
		scores: scoresOf(row),
		judged: shown.verdicts.map(judgedLine),
		messages: trajectory.messages.length,
	};
}

const mostOthers = 200;

function otherLine({ name, kind, step, error }: OtherSpan): string {
	const place = step === 0 ? "before step 1" : `after step ${step} began`;
	return `${clip(name, 200)} (${kind}), ${place}${error === undefined ? "" : `: ${clip(error, 400)}`}`;
}

function tagsOf({ tags, chain }: Task): string[] {
	const { language, ...others } = tags;
	const shape = chain ? [topologyName(topologyOf(chain)), counted(chain.hops.length, "hop")] : ["no gold chain"];
	return [...(language === "und" ? [] : [language]), ...shape, ...Object.values(others).slice(0, 6)].map((tag) =>
		clip(tag, 40),
	);
}

/** The headline of an answer, with what it rests on. */
function headOf(
	hops: readonly TaskHop[],
	{ task, record, row, diagnosis }: AnswerShown,
): Pick<TaskPage, "title" | "tone" | "summary" | "before"> {
	const first = hops.find((hop) => hop.first);
	const right = row?.outcome === "right";
	const ungraded = row?.outcome === "ungraded";
	const open = hops.flatMap(({ possible, place }) => (possible ? [place] : []));
	if (first) {
		const said = diagnosis?.hops.find((one) => one.hop === first.id);
		const plainly = verdictMarks[first.verdict as keyof typeof verdictMarks].plainly;
		const miss = said?.is === "judged" && said.miss ? ` (${causeText(said.miss)})` : "";
		const took = first.took === null ? "" : `, took “${first.took}”`;
		return {
			title: `${right ? "Right by luck; breaks" : "Breaks"} at hop ${first.place}: ${plainly}`,
			tone: "bad",
			summary: `${first.question} It needed “${first.gold}”${took}${miss}.`,
			before: orBefore(open),
		};
	}
	const worst = diagnosis?.findings.find(({ is }) => is === diagnosis.primary);
	const says = worst ? findingSentence(worst.says) : "";
	const primary = diagnosis?.primary ? findingWords[diagnosis.primary] : undefined;
	if (right && !primary) {
		const none = open.length > 0 ? "; of some hops nothing shows how they were read" : "";
		return {
			title: hops.length > 0 ? "Right, and no hop is seen to be broken" : "Right",
			tone: "ok",
			summary: says || `It answered as expected${none}.`,
			before: "",
		};
	}
	const places =
		open.length === 0
			? ""
			: ` It may have broken at hop ${listed(open, "or")} already: nothing shows what was read there.`;
	const stop = stopWords[record.trajectory.stop];
	const limited = diagnosis?.primary === "ended-without-answer" && record.trajectory.stop !== "answered";
	const ended =
		record.trajectory.answer === null
			? "No answer was given"
			: right
				? "Right"
				: row?.outcome === "wrong"
					? "Wrong"
					: ungraded
						? "Not graded"
						: "Not scored as right";
	return {
		title: primary
			? `${ended}: ${limited ? stop.plainly : primary.name}`
			: task.chain
				? `${ended}, and no hop is seen to be broken`
				: `${ended}; the task has no gold chain`,
		tone: right ? "ok" : open.length > 0 || !row || (ungraded && !primary) ? "dim" : "bad",
		summary: `${(limited && stop.meaning) || says || primary?.meaning || (ungraded ? "Nobody has said what the right answer is." : "Nothing in the record shows where it went wrong.")}${places}`,
		before: "",
	};
}

/** Findings that are no verdict on a hop: the main one first, and behind it what else is wrong with its steps. */
function otherFindings(
	hops: readonly TaskHop[],
	{ diagnosis, record: { trajectory } }: AnswerShown,
): TaskPage["findings"] {
	const verdicts = new Set(hops.map(({ id, verdict }) => `${verdict} ${id}`));
	const others = (diagnosis?.findings ?? []).filter(({ is, hop }) => !verdicts.has(`${is} ${hop}`));
	const main = others.find(({ is }) => is === diagnosis?.primary);
	const isAlso = (finding: (typeof others)[number]) =>
		main !== undefined && finding !== main && finding.steps.every((step) => main.steps.includes(step));
	return [...others]
		.sort((a, b) => Number(b === main) - Number(a === main) || Number(isAlso(b)) - Number(isAlso(a)))
		.slice(0, 40)
		.map((finding) => ({
			kind: finding.is,
			also: isAlso(finding),
			says: clip(findingSays(finding, { stop: trajectory.stop, hops }), 600),
			steps: finding.steps.slice(0, 60),
			evidence: finding.evidence.slice(0, 20),
		}));
}

/** The sentence of a finding: the limit that ended an answer is named, hops by their places, errors at their steps. */
function findingSays(
	{ is, says, steps }: Diagnosis["findings"][number],
	{ stop, hops }: { stop: StopReason; hops: readonly TaskHop[] },
): string {
	if (is === "ended-without-answer" && stop !== "answered") return stopWords[stop].meaning;
	const places = new Map(hops.map(({ id, place }) => [id, place]));
	const placed = says.replace(/\bhop (\S+?)(?=[\s,.;:]|$)/g, (all, id) =>
		places.has(id) ? `hop ${places.get(id)}` : all,
	);
	return is === "invalid-call" && steps.length > 1 ? placed.replace(/ \(“[\s\S]*”\)\.$/, ".") : placed;
}

function scoresOf(row: ScoreRow | undefined): TaskPage["scores"] {
	if (!row) return [];
	const headings = new Map(scorers.map(({ name, heading }) => [name, heading]));
	return Object.entries(row.scores).map(([name, score]) => ({
		name,
		heading: headings.get(name) ?? name,
		...(score.is === "scored" ? { value: score.value } : { value: null, reason: clip(score.reason, 300) }),
	}));
}

function judgedLine({ judge, judgement }: Verdict): TaskPage["judged"][number] {
	const { model, rubric } = judge;
	const named = { judge: clip(model, 80), rubric };
	if (judgement.is === "unscored") return { ...named, said: "not scored", reason: clip(judgement.reason, 1000) };
	const said = judgement.grade ?? (judgement.labels.join(", ") || "no label");
	return { ...named, said, reason: cut(judgement.reason, 2000) };
}

/** What hops want and what steps brought, by id. */
async function textsOf(
	hops: readonly TaskHop[],
	steps: readonly TaskStep[],
	{ evidence }: AnswerShown,
): Promise<Map<string, Evidence | undefined>> {
	const ids = new Set([
		...hops.flatMap(({ wanted }) => wanted.map(({ id }) => id)),
		...steps.flatMap(({ results }) => results.map(({ id }) => id)),
	]);
	return new Map(await Promise.all([...ids].map(async (id) => [id, await foundIn(evidence, id)] as const)));
}
