/** Which failures a report shows, and each of them hop by hop. */
import {
	clip,
	type Evidence,
	excerpt,
	type HopDiagnosis,
	inDependencyOrder,
	retrievalHops,
	retrievalSteps,
	type Step,
	shownAs,
	stepsOfHop,
	type Task,
	type Trajectory,
	topologyOf,
	usageError,
} from "#domain";
import { clusterOf } from "#scoring";
import type { Ending, EvidenceView, Failure, HopView, ReportRun, RunReport, StepView } from "./report-data.ts";
import {
	isSummarised,
	type SummarisedItem,
	type SummarisedRun,
	summarised,
	type WholeRecord,
} from "./summarised-run.ts";

const mostFailures = 12;
const mostHops = 16;
const mostSteps = 10;
const mostResults = 5;
const mostEvidence = 2;
const mostFindings = 12;
const failing: Ending[] = ["wrong", "partly-right", "context-limit", "budget", "error"];

interface Candidate {
	task: Task;
	repeat: number;
	ending: Ending;
	hps: number | null;
	/** For each hop of the chain that retrieves, in order, the index of the step it is matched with. */
	matched: (number | null)[];
	/** Place of the first broken hop, beyond the last where there is none; without a diagnosis, as evidence came back. */
	broken: number;
	topology: string;
}

/**
 * The worst failures of a run, at most twelve. Worst is: a wrong answer before one that a budget or an error ended, then
 * the lowest HPS, then the earliest broken hop. They are dealt round over topologies, and tasks of one cluster or nested question series
 * stand in line behind the first of them, so that the list shows different ways of failing.
 */
export async function worstFailures(
	run: SummarisedRun,
	{ most = mostFailures }: { most?: number } = {},
): Promise<RunReport["failures"]> {
	const failed = run.items.filter(({ row }) => row && failing.includes(row.outcome));
	const shown: Failure[] = [];
	if (most === 0) return { of: failed.length, shown };
	const chosen = dealOver(failed.map(candidateOf).sort(worseFirst)).slice(0, most);
	const whole = await run.whole(chosen);
	for (const [at, candidate] of chosen.entries()) shown.push(await showFailure(run, candidate, whole[at] ?? {}));
	return { of: failed.length, shown };
}

/** Steps of a record that is looked at alone. */
const mostStepsAlone = 60;

/** One record of a run, right or wrong, hop by hop. Throws (exit 2) where the run has none of that task and repeat. */
export async function caseOf(
	run: ReportRun | SummarisedRun,
	{ task: id, repeat }: { task: string; repeat: number },
): Promise<Failure> {
	const whole = isSummarised(run) ? run : summarised(run);
	const item = whole.items.find((one) => one.task.id === id && one.repeat === repeat);
	const [{ record, ...kept } = {} as WholeRecord] = item ? await whole.whole([item]) : [];
	if (!item || !record)
		throw usageError(
			"no-record",
			`run ${run.manifest.id} has no record of task ${id}${repeat > 0 ? `, repeat ${repeat}` : ""}`,
			run.tasks.some((task) => task.id === id)
				? "It was not answered yet, or was not planned."
				: "Give the id of a task as the report shows it.",
			{ facts: { task: id, repeat } },
		);
	const candidate = candidateOf({ ...item, ...kept });
	return showFailure(whole, candidate, { record, ...kept }, { mostSteps: mostStepsAlone });
}

function candidateOf({
	task,
	repeat,
	row,
	diagnosis,
}: Pick<SummarisedItem, "task" | "repeat" | "row" | "diagnosis">): Candidate {
	const hps = row?.scores.hps;
	const gold = task.chain ? retrievalHops(task.chain).length : 0;
	const steps = hps?.is === "scored" ? hps.details?.steps : undefined;
	const listed: unknown[] = Array.isArray(steps) ? steps : [];
	const matched = Array.from({ length: gold }, (_, index) => {
		const step = listed[index];
		return typeof step === "number" ? step : null;
	});
	const places = diagnosis?.hops.map(({ hop }) => hop);
	const broken = places ? places.indexOf(diagnosis?.firstBroken ?? "") : matched.indexOf(null);
	return {
		task,
		repeat,
		ending: row?.outcome ?? "missing",
		hps: hps?.is === "scored" ? hps.value : null,
		matched,
		broken: broken < 0 ? (places?.length ?? gold) : broken,
		topology: task.chain ? topologyOf(task.chain) : "",
	};
}

function worseFirst(a: Candidate, b: Candidate): number {
	return (
		failing.indexOf(a.ending) - failing.indexOf(b.ending) ||
		(a.hps ?? 2) - (b.hps ?? 2) ||
		a.broken - b.broken ||
		(a.task.id < b.task.id ? -1 : a.task.id > b.task.id ? 1 : a.repeat - b.repeat)
	);
}

/** One of each topology in turn; within a topology, later members of a cluster come after every cluster's first. */
function dealOver(candidates: Candidate[]): Candidate[] {
	const seen = new Map<string, number>();
	const hands = new Map<string, { candidate: Candidate; turn: number }[]>();
	for (const candidate of candidates) {
		const { task, topology } = candidate;
		const kin = clusterOf(task);
		const turn = seen.get(kin) ?? 0;
		seen.set(kin, turn + 1);
		const hand = hands.get(topology) ?? [];
		hands.set(topology, hand);
		hand.push({ candidate, turn });
	}
	const sorted = [...hands.values()].map((hand) => hand.sort((a, b) => a.turn - b.turn));
	const longest = Math.max(0, ...sorted.map((hand) => hand.length));
	return Array.from({ length: longest }, (_, place) => sorted.flatMap((hand) => hand[place]?.candidate ?? [])).flat();
}

async function showFailure(
	run: SummarisedRun,
	candidate: Candidate,
	{ record, diagnosis }: WholeRecord,
	options: { mostSteps: number } = { mostSteps },
): Promise<Failure> {
	const { task, matched } = candidate;
	const trajectory = record?.trajectory;
	const searches = trajectory ? retrievalSteps(trajectory) : [];
	const retrieving = task.chain ? retrievalHops(task.chain) : [];
	const wanted = new Map(retrieving.flatMap((hop) => hop.evidence.map((id) => [id, hop.answer.accepted] as const)));
	const view = (id: string, length: number) => evidenceView(run, id, { accepted: wanted.get(id) ?? [], length });
	const said = new Map(diagnosis?.hops.map((hop) => [hop.hop, hop]));
	const hops: HopView[] = [];
	// as the diagnosis counts them
	const chain = task.chain && diagnosis ? inDependencyOrder(task.chain) : (task.chain?.hops ?? []);
	for (const hop of chain.slice(0, mostHops)) {
		const place = retrieving.indexOf(hop);
		const own = searches[matched[place] ?? -1];
		const any = own ?? searches.find((step) => step.results.some(({ id }) => hop.evidence.includes(id)));
		hops.push({
			id: hop.id,
			question: clip(hop.question, 400),
			modality: hop.modality,
			answer: clip(hop.answer.value, 200),
			evidence: await Promise.all(broughtFirst(hop.evidence, any).map((id) => view(id, 320))),
			more: Math.max(0, hop.evidence.length - mostEvidence),
			state: place < 0 ? "computed" : own ? "found" : any ? "shared" : "missed",
			step: any?.index ?? null,
			diagnosis: shortened(said.get(hop.id)),
		});
	}
	const findings = (diagnosis?.findings ?? []).slice(0, mostFindings).map((finding) => ({
		...finding,
		steps: finding.steps.slice(0, mostListed),
		evidence: finding.evidence.slice(0, mostListed),
		says: clip(finding.says, 400),
	}));
	const telling = new Set([...findings, ...hops.flatMap((hop) => hop.diagnosis ?? [])].flatMap(stepsIn));
	const shownSteps = stepsToShow(trajectory, { hops, telling, most: options.mostSteps });
	const steps: StepView[] = [];
	for (const step of shownSteps) steps.push(await stepView(step, wanted, view));
	return {
		task: clip(task.id, 200),
		repeat: candidate.repeat,
		ending: candidate.ending,
		topology: task.chain ? candidate.topology : null,
		question: clip(task.question, 700),
		images: task.images
			.slice(0, 4)
			.map(({ id, file, alteration }) => ({ id, file, alteration: alteration ? clip(alteration, 200) : null })),
		given: trajectory?.answer === null || !trajectory ? null : clip(trajectory.answer, 300),
		accepted: task.answer.accepted.slice(0, 6).map((answer) => clip(answer, 200)),
		error: trajectory?.error ? `${trajectory.error.boundary}: ${clip(trajectory.error.message, 300)}` : null,
		hps: candidate.hps,
		brokenHop: diagnosis ? diagnosis.firstBroken : (retrieving[candidate.broken]?.id ?? null),
		diagnosis: diagnosis
			? {
					primary: diagnosis.primary,
					unobserved: diagnosis.unobserved.slice(0, mostHops),
					shows: diagnosis.shows,
					findings,
					plan: diagnosis.plan,
					settling: diagnosis.settling,
					notJudged: diagnosis.notJudged.slice(0, mostListed),
				}
			: null,
		plan: trajectory?.plan === undefined ? null : clip(trajectory.plan, 700),
		hops,
		steps,
		moreSteps: (trajectory?.steps.length ?? 0) - shownSteps.length,
	};
}

/** Steps and ids that one claim names. */
const mostListed = 8;

function shortened(hop: HopDiagnosis | undefined): HopDiagnosis | null {
	if (!hop) return null;
	if (hop.is === "not-judged") return { ...hop, reason: clip(hop.reason, 300) };
	const { used, carried, why, aimed, brought, evidence, otherEvidence, cited, ...rest } = hop;
	return {
		...rest,
		aimed: aimed.slice(0, mostListed),
		brought: brought.slice(0, mostListed),
		evidence: evidence.slice(0, mostListed),
		...(otherEvidence ? { otherEvidence: otherEvidence.slice(0, mostListed) } : {}),
		...(cited ? { cited: cited.slice(0, mostListed) } : {}),
		...(used === undefined ? {} : { used: clip(used, 200) }),
		...(carried === undefined ? {} : { carried: clip(carried, 200) }),
		...(why === undefined ? {} : { why: clip(why, 300) }),
	};
}

const stepsIn = (said: { steps: number[] } | HopDiagnosis): number[] =>
	"steps" in said ? said.steps : said.is === "judged" ? stepsOfHop(said) : [];

/** A few of a hop's acceptable evidence, that which came back before the rest. */
function broughtFirst(evidence: readonly string[], step: Step | undefined): string[] {
	const brought = new Set(step?.results.map(({ id }) => id));
	return [...evidence].sort((a, b) => Number(brought.has(b)) - Number(brought.has(a))).slice(0, mostEvidence);
}

/** The steps that hops refer to, then those that claims rest on, then the first of the others, in order. */
function stepsToShow(
	trajectory: Trajectory | undefined,
	{ hops, telling, most }: { hops: HopView[]; telling: ReadonlySet<number>; most: number },
): Step[] {
	const all = trajectory?.steps ?? [];
	const needed = new Set(hops.flatMap((hop) => (hop.state === "found" && hop.step !== null ? [hop.step] : [])));
	for (const { index } of all) if (needed.size < most && telling.has(index)) needed.add(index);
	let room = Math.max(0, most - needed.size);
	return all.filter((step) => needed.has(step.index) || room-- > 0);
}

async function stepView(
	step: Step,
	wanted: ReadonlyMap<string, string[]>,
	view: (id: string, length: number) => Promise<EvidenceView>,
): Promise<StepView> {
	const results = [...step.results].sort((a, b) => a.rank - b.rank).slice(0, mostResults);
	return {
		index: step.index,
		tool: step.call ? clip(step.call.tool, 60) : null,
		query: step.call ? clip(queryOf(step.call.arguments), 300) : "",
		subQuestion: step.subQuestion === undefined ? null : clip(step.subQuestion, 300),
		subAnswer: step.subAnswer === undefined ? null : clip(step.subAnswer, 200),
		error: step.error === undefined ? null : clip(step.error, 300),
		results: await Promise.all(
			results.map(async (result) => ({
				rank: result.rank,
				gold: wanted.has(result.id),
				evidence: { ...(await view(shownAs(result), 140)), ...calledElsewhere(result) },
			})),
		),
		more: step.results.length - results.length,
	};
}

const calledElsewhere = ({ externalId }: Step["results"][number]): Pick<EvidenceView, "externalId"> =>
	externalId === undefined ? {} : { externalId: clip(externalId, 120) };

/** What a call asked for, in words: its query, else its arguments as they were given. */
function queryOf(given: Record<string, unknown>): string {
	const { query, k: _, ...rest } = given;
	if (typeof query === "string") return query;
	if (typeof rest.image === "number") return `question image ${rest.image + 1}`;
	return Object.keys(rest).length === 0 ? "" : JSON.stringify(rest);
}

async function evidenceView(
	run: Pick<ReportRun, "evidence">,
	id: string,
	options: { accepted: string[]; length: number },
): Promise<EvidenceView> {
	const evidence = await found(run, id);
	const shortId = clip(id, 120);
	if (!evidence) return { id: shortId, kind: "unknown", title: "", text: "", picture: false };
	const text =
		evidence.kind === "image"
			? clip(evidence.caption, options.length)
			: excerpt(evidence.text, options.accepted, options.length);
	return { id, kind: evidence.kind, title: clip(evidence.title, 120), text, picture: evidence.kind === "image" };
}

/** A knowledge base that cannot be read costs the snippets, not the report. */
async function found(run: Pick<ReportRun, "evidence">, id: string): Promise<Evidence | undefined> {
	try {
		return await run.evidence(id);
	} catch {
		return undefined;
	}
}
