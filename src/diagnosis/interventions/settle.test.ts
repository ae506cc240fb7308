import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	askedOf,
	canBeSettled,
	type InterventionPlan,
	planSettling,
	type Rerun,
	type RerunItem,
	settled,
	settlingSize,
} from "#diagnosis";
import { Diagnosis, type HopDiagnosis, noUsage, type Outcome, type RunRecord, scored, Task, unscored } from "#domain";
import { longTest } from "../../../test/long.ts";

const text = (value: string) => ({ type: "string" as const, value, accepted: [value] });

/** Facts side by side, compared by a last hop that only computes. */
function taskOf(id: string, length: number): Task {
	const names = Array.from({ length }, (_, index) => `h${index + 1}`);
	const facts = names.map((name) => ({
		...{ id: name, question: `How large is ${name}?`, modality: "text", evidence: [`e-${name}`], answer: text(name) },
	}));
	const sink = {
		...{ id: "sink", question: "Which is largest?", modality: "compute", answer: text("largest") },
		needs: names.map((hop) => ({ hop, role: "operand" })),
	};
	// listed against the order of dependency
	return Task.parse({
		...{ id, question: "Which is largest?", answer: text("largest") },
		chain: { hops: [sink, ...facts], sink: "sink" },
	});
}

type Verdict = Extract<HopDiagnosis, { is: "judged" }>["verdict"];

/** A wrong answer; hops whose verdict is not named were seen to be solved. */
function diagnosisOf(
	task: Task,
	{
		verdicts = {},
		unobserved,
		repeat = 0,
	}: { verdicts?: Record<string, Verdict>; unobserved: string[]; repeat?: number },
): Diagnosis {
	const ids = [...(task.chain?.hops ?? []).map(({ id }) => id).filter((id) => id !== "sink"), "sink"];
	const hops = ids.map((hop): HopDiagnosis => {
		const came = hop !== "sink";
		const verdict = verdicts[hop] ?? (unobserved.includes(hop) ? "unobserved" : "solved");
		return {
			...{ is: "judged", hop, verdict, aimed: [], brought: came ? [0] : [], evidence: came ? [`e-${hop}`] : [] },
			...(verdict === "unobserved" ? { why: "nothing shows it" } : {}),
		};
	});
	const broken = ids.find((id) => verdicts[id] === "retrieval-miss") ?? null;
	return Diagnosis.parse({
		...{ version: 2, task: task.id, repeat, attempt: 0, diagnoser: "2", right: false, shows: "bare", hops },
		findings: broken
			? [{ is: "retrieval-miss", hop: broken, steps: [], evidence: [], says: "It missed." }]
			: [{ is: "unobserved", steps: [], evidence: [], says: "Nothing shows it." }],
		...{ firstBroken: broken, unobserved, primary: broken ? "retrieval-miss" : "unobserved", notJudged: [] },
	});
}

function itemOf(
	task: Task,
	outcome: Outcome,
	{ repeat = 0, held }: { repeat?: number; held?: string[] } = {},
): RerunItem {
	const accuracy = outcome === "error" ? unscored(outcome) : scored(outcome === "right" ? 1 : 0);
	const trajectory: RunRecord["trajectory"] = {
		...{ steps: [], answer: "x", abstained: false, stop: "answered", usage: noUsage, ms: 0, messages: [] },
		...(held ? { intervened: { held: held.length > 0, searches: 1, acted: held.length, hops: held } } : {}),
	};
	return {
		task,
		row: { version: 1, task: task.id, repeat, attempt: 0, scorer: "5", outcome, scores: { accuracy } },
		record: { version: 1, task: task.id, repeat, attempt: 0, at: "2026-01-01T00:00:00.000Z", trajectory },
	};
}

interface World {
	tasks: readonly Task[];
	/** How the agent answers a task with so many hops given. */
	answers(task: Task, given: number, repeat: number): Outcome;
	repeats?: number;
	control?: boolean;
	paired?: boolean;
}

const givenBy = ({ what }: InterventionPlan) => (what.is === "gold-prefix" ? what.hops : 0);

/** Asks round after round until nothing is left. */
function settleAll(
	diagnoses: readonly Diagnosis[],
	{ tasks, answers, repeats = 1, control = false, paired = true }: World,
) {
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const reruns: Rerun[] = [];
	const rounds: InterventionPlan[][] = [];
	for (;;) {
		const plans = planSettling(diagnoses, { tasks, reruns, control, paired });
		if (plans.length === 0) break;
		rounds.push(plans);
		for (const plan of plans) {
			const items = plan.tasks.flatMap((id) =>
				Array.from({ length: repeats }, (_, repeat) => {
					const task = byId.get(id);
					if (!task) throw new Error(id);
					return itemOf(task, answers(task, givenBy(plan), repeat), { repeat });
				}),
			);
			reruns.push({ what: plan.what, items });
		}
	}
	const joined = diagnoses.map((diagnosis) => {
		const task = byId.get(diagnosis.task);
		return task ? settled(diagnosis, { task, asked: askedOf(diagnosis, { task, reruns, paired }) }) : diagnosis;
	});
	return { joined, rounds, reruns };
}

const verdictsOf = ({ hops }: Diagnosis) =>
	Object.fromEntries(hops.map((hop) => [hop.hop, hop.is === "judged" ? [hop.verdict, hop.seen?.by ?? null] : null]));

describe("settling", () => {
	const task = taskOf("t", 4);
	const unobserved = ["h1", "h2", "h3", "h4"];
	const broken = diagnosisOf(task, { unobserved });
	const from = (hops: number) => (_: Task, given: number) => (given >= hops ? "right" : "wrong") as Outcome;

	test("halves the unobserved hops, and names the one that broke", () => {
		const { joined, rounds } = settleAll([broken], { tasks: [task], answers: from(3) });
		expect(rounds.map((plans) => plans.map((plan) => [plan.what, plan.tasks]))).toEqual([
			[[{ is: "gold-prefix", hops: 2 }, ["t"]]],
			[[{ is: "gold-prefix", hops: 3 }, ["t"]]],
		]);
		const [one] = joined;
		expect(one).toMatchObject({ firstBroken: "h3", primary: "misread", unobserved: [] });
		expect(one && verdictsOf(one)).toEqual({
			...{ h1: ["solved", "settled"], h2: ["solved", "settled"], h3: ["misread", "settled"] },
			...{ h4: ["unobserved", null], sink: ["solved", null] },
		});
		expect(one?.findings.map(({ is, hop }) => [is, hop])).toEqual([["misread", "h3"]]);
		expect(one?.findings[0]?.says).toMatch(/right .* \(1 of 1\), and wrong .* \(0 of 1\)/);
		expect(one?.settling).toEqual({
			is: "settled",
			asked: [
				{ upTo: "h2", right: 0, of: 1 },
				{ upTo: "h3", right: 1, of: 1 },
			],
		});
		expect(one && Diagnosis.parse(one)).toEqual(one);
	});

	test("a first hop that broke is wrong before it as it was recorded", () => {
		const [one] = settleAll([broken], { tasks: [task], answers: from(1) }).joined;
		expect(one).toMatchObject({ firstBroken: "h1" });
		expect(one?.findings[0]?.says).toContain("(as recorded)");
	});

	test("where no prefix recovers it, every hop was read and what was made of them is wrong", () => {
		const [one] = settleAll([broken], { tasks: [task], answers: () => "wrong" }).joined;
		expect(one).toMatchObject({ firstBroken: null, primary: "composition", unobserved: [] });
		expect(one?.findings.map(({ is }) => is)).toEqual(["composition"]);
		for (const hop of unobserved) expect(one && verdictsOf(one)[hop]).toEqual(["solved", "settled"]);
	});

	test("a hop seen to be broken stays the first where those before it recover nothing", () => {
		const miss = diagnosisOf(task, { unobserved: ["h1", "h2"], verdicts: { h3: "retrieval-miss", h4: "solved" } });
		const after = settleAll([miss], { tasks: [task], answers: () => "wrong" }).joined[0];
		expect(after).toMatchObject({ firstBroken: "h3", primary: "retrieval-miss", unobserved: [] });
		expect(after?.findings.map(({ is }) => is)).toEqual(["retrieval-miss"]);
		const before = settleAll([miss], { tasks: [task], answers: from(2) }).joined[0];
		expect(before).toMatchObject({ firstBroken: "h2", primary: "misread", unobserved: [] });
		expect(before?.findings.map(({ is, hop }) => [is, hop])).toEqual([
			["retrieval-miss", "h3"],
			["misread", "h2"],
		]);
	});

	test("a hop that only computes is never misread: at the end it is not asked for, between it is composition", () => {
		const whole = diagnosisOf(task, { unobserved: ["h4", "sink"] });
		const asked = settleAll([whole], { tasks: [task], answers: () => "wrong" });
		expect(asked.rounds.map(([plan]) => plan?.what)).toEqual([{ is: "gold-prefix", hops: 4 }]);
		expect(asked.joined[0]).toMatchObject({ primary: "composition", unobserved: [] });
		expect(canBeSettled(diagnosisOf(task, { unobserved: ["sink"] }))).toBe(false);
		const between = Diagnosis.parse({
			...broken,
			hops: broken.hops.map((hop) => (hop.hop === "h2" ? { ...hop, brought: [], evidence: [] } : hop)),
		});
		const [one] = settleAll([between], { tasks: [task], answers: from(2) }).joined;
		expect(one).toMatchObject({ firstBroken: null, primary: "composition", unobserved: [] });
		expect(one?.findings.map(({ is, hop }) => [is, hop])).toEqual([["composition", "h2"]]);
	});

	test("what is right when only asked again recovers by itself, and no prefix is asked", () => {
		const tasks = [task, taskOf("u", 4)];
		const diagnoses = tasks.map((one) => diagnosisOf(one, { unobserved }));
		const { joined, rounds } = settleAll(diagnoses, {
			...{ tasks, control: true, paired: false, repeats: 3 },
			answers: ({ id }, given, repeat) => ((given === 0 ? id === "t" && repeat === 2 : given >= 4) ? "right" : "wrong"),
		});
		expect(rounds[0]).toEqual([{ what: { is: "again" }, tasks: ["t", "u"] }]);
		expect(rounds.slice(1).every((plans) => plans.every((plan) => plan.tasks.join() === "u"))).toBe(true);
		expect(joined[0]).toEqual({
			...diagnoses[0],
			settling: { is: "by-itself", asked: [{ upTo: null, right: 1, of: 3 }] },
		});
		expect(joined[1]).toMatchObject({ firstBroken: "h4", primary: "misread" });
	});

	test("repeats vote, and a tie leaves open what it could have told", () => {
		const vote = (ends: Record<number, number>) => (_: Task, given: number, repeat: number) =>
			(repeat < (ends[given] ?? 0) ? "right" : "wrong") as Outcome;
		const asking = { tasks: [task], control: false, paired: false };
		const most = settleAll([broken], { ...asking, repeats: 5, answers: vote({ 1: 2, 2: 3 }) }).joined[0];
		expect(most).toMatchObject({ firstBroken: "h2" });
		expect(most?.settling?.asked).toEqual([
			{ upTo: "h1", right: 2, of: 5 },
			{ upTo: "h2", right: 3, of: 5 },
		]);
		const tie = settleAll([broken], { ...asking, repeats: 4, answers: vote({ 2: 1, 3: 2 }) });
		expect(tie.joined[0]).toMatchObject({
			...{ firstBroken: null, primary: "unobserved", unobserved: ["h3", "h4"], settling: { is: "open" } },
			findings: broken.findings,
		});
		expect(tie.joined[0] && verdictsOf(tie.joined[0])).toMatchObject({
			...{ h2: ["solved", "settled"], h3: ["unobserved", null] },
		});
	});

	test("a re-run that ended by an error, or in which nothing was given, tells nothing", () => {
		const failing = settleAll([broken], { tasks: [task], answers: () => "error" });
		expect(failing.rounds).toHaveLength(1);
		expect(failing.joined).toEqual([broken]);
		const what = { is: "gold-prefix", hops: 2 } as const;
		const asked = (held: string[], outcome: Outcome = "wrong") =>
			askedOf(broken, { task, reruns: [{ what, items: [itemOf(task, outcome, { held })] }], paired: true });
		expect(asked([])).toEqual([]);
		expect(asked(["h2"])).toEqual([]);
		expect(asked(["h1", "h2"])).toEqual([{ upTo: "h2", right: 0, of: 1 }]);
		expect(asked(["h2"], "right")).toEqual([{ upTo: "h2", right: 1, of: 1 }]);
	});

	test("a re-run's repeats speak for the records of the same repeat, or vote on all", () => {
		const diagnoses = [0, 1].map((repeat) => diagnosisOf(task, { unobserved, repeat }));
		const world = {
			tasks: [task],
			repeats: 2,
			answers: (_: Task, given: number, repeat: number) => from(repeat + 2)(_, given),
		};
		const paired = settleAll(diagnoses, { ...world, paired: true });
		expect(paired.joined.map(({ firstBroken }) => firstBroken)).toEqual(["h2", "h3"]);
		const voting = settleAll(diagnoses, { ...world, paired: false });
		expect(voting.joined.map(({ settling }) => settling?.is)).toEqual(["open", "open"]);
	});

	test("answers that contradict one another settle nothing", () => {
		const asked = [
			{ upTo: "h1", right: 1, of: 1 },
			{ upTo: "h3", right: 0, of: 1 },
		];
		expect(settled(broken, { task, asked })).toEqual({ ...broken, settling: { is: "open", asked } });
	});

	test("nothing is asked of right answers, of observed failures and of answers that nobody can judge", () => {
		const seen = diagnosisOf(task, { unobserved: [], verdicts: { h1: "retrieval-miss" } });
		const { right: _, ...unjudged } = broken;
		for (const one of [seen, { ...broken, right: true }, unjudged]) {
			expect(planSettling([one], { tasks: [task], reruns: [], control: true, paired: true })).toEqual([]);
			expect(settled(one, { task, asked: [{ upTo: "h1", right: 1, of: 1 }] })).toEqual(one);
		}
	});
});

longTest(
	"one broken hop among any unobserved ones is found in as many questions as were planned, and joining again changes nothing",
	() => {
		const one = fc.integer({ min: 1, max: 9 }).chain((length) =>
			fc.record({
				length: fc.constant(length),
				hidden: fc.uniqueArray(fc.integer({ min: 1, max: length }), { minLength: 1 }),
				// beyond the last: none of them broke
				at: fc.nat(),
			}),
		);
		fc.assert(
			fc.property(fc.array(one, { minLength: 1, maxLength: 12 }), (drawn) => {
				const failures = drawn.map(({ length, hidden, at }, index) => {
					const task = taskOf(`t${index}`, length);
					const places = hidden.sort((a, b) => a - b);
					const decisive = places[at % (places.length + 1)];
					return { task, decisive, diagnosis: diagnosisOf(task, { unobserved: places.map((place) => `h${place}`) }) };
				});
				const decisive = new Map(failures.map((failure) => [failure.task.id, failure.decisive]));
				const { joined, reruns } = settleAll(
					failures.map(({ diagnosis }) => diagnosis),
					{
						tasks: failures.map(({ task }) => task),
						answers: ({ id }, given) => (given >= (decisive.get(id) ?? Infinity) ? "right" : "wrong"),
					},
				);
				for (const [index, after] of joined.entries()) {
					const failure = failures[index];
					if (!failure) throw new Error("as many as before");
					const { task, diagnosis } = failure;
					expect(after.firstBroken).toBe(failure.decisive === undefined ? null : `h${failure.decisive}`);
					expect(after.primary).toBe(failure.decisive === undefined ? "composition" : "misread");
					expect(after.unobserved).toEqual([]);
					const asked = askedOf(diagnosis, { task, reruns, paired: true });
					const size = settlingSize(diagnosis, { asked: [], control: true });
					expect(asked.length).toBeLessThanOrEqual(size.most);
					expect(size.most).toBe(Math.ceil(Math.log2(diagnosis.unobserved.length + 1)));
					expect(size.expected).toBeLessThanOrEqual(size.most);
					expect(settlingSize(diagnosis, { asked, control: true })).toEqual({ most: 0, expected: 0, control: false });
					expect(settled(after, { task, asked })).toEqual(after);
					expect(settled(diagnosis, { task, asked: [...asked].reverse() }).firstBroken).toBe(after.firstBroken);
				}
			}),
		);
	},
);
