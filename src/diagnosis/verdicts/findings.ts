import { type Finding, type HopVerdict, isBroken, type Step, stepsOfHop, type Task, type Trajectory } from "#domain";
import type { ChainReading } from "../reading/chain-reading.ts";
import type { Seeking } from "../reading/seeking.ts";
import type { HopJudged } from "./hop-judged.ts";
import { brokenHopFinding, capital, mostIds, quoted, stepsInWords } from "./hop-words.ts";
import type { PlanReading } from "./plan.ts";

export interface FindingsInput {
	task: Task;
	trajectory: Trajectory;
	chain: ChainReading;
	hops: readonly HopJudged[];
	right: boolean | undefined;
	plan: PlanReading | undefined;
	/** What broke the trajectory off, if something did. */
	broken: string | undefined;
}

/** What can be said of a trajectory beside its gold chain. */
export function chainFindings(input: FindingsInput): Finding[] {
	const over = overExtension(input);
	return [
		...hopFindings(input),
		...prematureStop(input),
		...wrongOrder(input),
		...composition(input),
		...over,
		...spurious(input, new Set(over.flatMap(({ steps }) => steps))),
		...lucky(input),
		...badPlan(input),
	];
}

const indexesOf = (steps: Iterable<{ step: Pick<Step, "index"> }>): number[] =>
	[...new Set([...steps].map(({ step }) => step.index))].sort((a, b) => a - b);

/** The steps that aimed at a hop, and those that brought its evidence. */
export const stepsBy = ({ reading, tried }: HopJudged): { aimed: number[]; brought: number[] } => ({
	aimed: indexesOf(tried),
	brought: indexesOf(reading.brought),
});

const stepsOf = (judged: HopJudged): number[] => stepsOfHop(stepsBy(judged));

const verdictOf = (judged: HopJudged): HopVerdict | undefined => (judged.is === "judged" ? judged.verdict : undefined);

function hopFindings({ hops }: FindingsInput): Finding[] {
	return hops.flatMap((judged) => {
		if (judged.is !== "judged" || !isBroken(judged.verdict)) return [];
		const { reading, tried } = judged;
		return [brokenHopFinding(judged, judged.verdict, indexesOf(tried.length > 0 ? tried : reading.brought))];
	});
}

/** Ended by its own word, with a hop not planned and nothing planned of what needs it. */
function prematureStop({ task, trajectory, chain, hops, broken }: FindingsInput): Finding[] {
	if (trajectory.stop !== "answered" || broken !== undefined) return [];
	const { pairs } = chain.gold;
	const open = new Set(hops.flatMap((judged) => (verdictOf(judged) === "not-planned" ? [judged.reading.hop.id] : [])));
	const retrieving = hops.filter(({ reading }) => reading.retrieves);
	// in the listed order, in which branches are walked one after the other
	const listed = (task.chain?.hops ?? []).filter(({ evidence }) => evidence.length > 0).map(({ id }) => id);
	const left = retrieving.filter(({ reading: { hop } }) => {
		const following = pairs.filter(({ needed }) => needed === hop.id).map(({ needing }) => needing);
		return [hop.id, ...following, ...listed.slice(listed.indexOf(hop.id))].every((id) => open.has(id));
	});
	const [first] = left;
	if (!first) return [];
	const last = trajectory.steps.at(-1);
	const names = left.map(({ reading }) => reading.hop.id).join(", ");
	const many = left.length > 1;
	return [
		{
			is: "premature-stop",
			hop: first.reading.hop.id,
			steps: last ? [last.index] : [],
			evidence: left.flatMap(({ reading }) => reading.hop.evidence).slice(0, mostIds),
			says: `It stopped by itself, though hop${many ? "s" : ""} ${names} ${many ? "were" : "was"} still to be looked for.`,
		},
	];
}

/** A hop whose every step came before the one that solved a hop it needs, and which was solved all the same. */
function wrongOrder({ chain, hops }: FindingsInput): Finding[] {
	const solved = new Map(
		hops.flatMap((judged) => (verdictOf(judged) === "solved" ? [[judged.reading.hop.id, judged] as const] : [])),
	);
	return chain.gold.pairs.flatMap(({ needed, needing }): Finding[] => {
		const first = solved.get(needed);
		const then = solved.get(needing);
		if (first?.is !== "judged" || !then || first.solvedAt === undefined) return [];
		// its value may be said long after its evidence came
		const at = Math.min(first.solvedAt, first.reading.brought[0]?.place ?? Number.POSITIVE_INFINITY);
		const { own, brought } = then.reading;
		if (own.length === 0 || ![...own, ...brought].every(({ place }) => place < at)) return [];
		const steps = indexesOf([...own, ...first.reading.own]);
		const evidence = [...then.reading.evidence, ...first.reading.evidence].slice(0, mostIds);
		const says = `Hop ${needing} was solved in ${stepsInWords(indexesOf(own))}, before hop ${needed}, which it needs.`;
		return [{ is: "order", hop: needing, steps, evidence, says }];
	});
}

const isGot = (judged: HopJudged) => verdictOf(judged) === "solved" || verdictOf(judged) === "skipped-known";

function composition({ trajectory, hops, right, broken }: FindingsInput): Finding[] {
	const retrieving = hops.filter(({ reading }) => reading.retrieves);
	if (right !== false || broken !== undefined || trajectory.answer === null || trajectory.abstained) return [];
	const last = trajectory.steps.at(-1);
	const steps = last ? [last.index] : [];
	const evidence = retrieving.flatMap(({ reading }) => reading.evidence).slice(0, mostIds);
	const wrong = `the final answer ${quoted(trajectory.answer)} is wrong`;
	if (retrieving.every(isGot))
		return [{ is: "composition", steps, evidence, says: `Every hop was seen to be solved, but ${wrong}.` }];
	const open = hops.filter((judged) => verdictOf(judged) === "unobserved");
	if (open.length === 0 || hops.some((judged) => judged.is === "judged" && isBroken(judged.verdict))) return [];
	const names = open.map(({ reading }) => reading.hop.id).join(", ");
	const says = `No hop is seen to be broken, but ${wrong}; nothing shows how ${open.length > 1 ? "hops" : "hop"} ${names} ${open.length > 1 ? "were" : "was"} read.`;
	return [{ is: "unobserved", steps, evidence, says }];
}

/** Searches that no hop has use for, after the last hop was solved. */
function overExtension({ chain, hops, right }: FindingsInput): Finding[] {
	const retrieving = hops.filter(({ reading }) => reading.retrieves);
	// with a right answer, what came back was not in vain, seen or not
	const isDone = (verdict: HopVerdict) => verdict === "solved" || (right === true && verdict === "unobserved");
	const solved = retrieving.flatMap((judged) => (judged.is === "judged" && isDone(judged.verdict) ? [judged] : []));
	if (retrieving.length === 0 || solved.length < retrieving.length) return [];
	const needed = new Set(solved.flatMap(({ reading }) => reading.aligned ?? []));
	const end = Math.max(
		...solved.map(({ solvedAt, reading }) =>
			Math.max(solvedAt ?? reading.brought[0]?.place ?? -1, reading.aligned?.place ?? -1),
		),
	);
	const after = chain.searches.filter((seeking) => seeking.place > end && !needed.has(seeking));
	if (after.length === 0) return [];
	const steps = indexesOf(after);
	const says = `Every hop was solved by step ${end + 1}, and ${stepsInWords(steps)} searched on.`;
	return [{ is: "over-extension", steps, evidence: idsOf(after), says }];
}

const idsOf = (seekings: readonly Seeking[]): string[] =>
	[...new Set(seekings.flatMap(({ step }) => step.results.map(({ id }) => id)))].slice(0, mostIds);

function spurious({ chain }: FindingsInput, said: ReadonlySet<number>): Finding[] {
	const loose = chain.searches.filter((seeking) => !chain.tied.has(seeking) && !said.has(seeking.step.index));
	if (loose.length === 0) return [];
	const steps = indexesOf(loose);
	const verb = loose.length === 1 ? "aims at no hop and brought" : "aim at no hop and brought";
	const says = `${capital(stepsInWords(steps))} ${verb} nothing that a hop needs.`;
	return [{ is: "spurious-step", steps, evidence: idsOf(loose), says }];
}

function lucky({ trajectory, hops, right }: FindingsInput): Finding[] {
	const broken = hops.filter((judged) => judged.is === "judged" && isBroken(judged.verdict));
	if (right !== true || broken.length === 0) return [];
	const steps = [...new Set(broken.flatMap(stepsOf))].sort((a, b) => a - b);
	const names = broken.map(({ reading }) => reading.hop.id).join(", ");
	const many = broken.length > 1;
	const says = `The final answer ${quoted(trajectory.answer ?? "none")} is right, though hop${many ? "s" : ""} ${names} ${many ? "are" : "is"} broken.`;
	return [{ is: "lucky", steps, evidence: [], says }];
}

/** Below this share of its items carried out, a plan was not followed. */
const leastAdherence = 0.5;

/** A plan that leaves out hops which then broke, or that was not followed and after misses not revised either. */
function badPlan({ plan, hops }: FindingsInput): Finding[] {
	if (!plan) return [];
	const lost = hops.filter(
		(judged) => judged.is === "judged" && isBroken(judged.verdict) && plan.leftOut.has(judged.reading.hop.id),
	);
	const { adherence, revised } = plan.figures;
	const dropped = adherence !== null && adherence < leastAdherence && !revised;
	if (lost.length === 0 && !dropped) return [];
	const names = lost.map(({ reading }) => reading.hop.id).join(", ");
	const left = lost.length > 0 ? [`leaves out hop${lost.length > 1 ? "s" : ""} ${names}, which then broke`] : [];
	const kept = dropped ? [`was carried out to ${Math.round((adherence ?? 0) * 100)} % and not revised`] : [];
	const says = `The stated plan ${[...left, ...kept].join(", and ")}.`;
	const evidence = lost.flatMap(({ reading }) => reading.hop.evidence).slice(0, mostIds);
	return [{ is: "bad-plan", steps: [...new Set(lost.flatMap(stepsOf))], evidence, says }];
}
