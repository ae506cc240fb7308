import { describe, expect, test } from "vitest";
import {
	errorAgreement,
	errorTypesOf,
	errorViews,
	judgedRightIn,
	showsErrorType,
	summariseDiagnoses,
} from "#diagnosis";
import { type Diagnosis, FindingKind, noUsage, type Task, type Verdict } from "#domain";
import { rubrics, stampOf } from "#scoring";
import { bridge, hop, said, taskOf } from "../../test/support/diagnosis/sample-chains.ts";
import { diagnoserVersion } from "./diagnose.ts";

const flag = hop("h1", "Whose flag is shown?", "Chad", { modality: "image" });
const chart = hop("h3", "How high is the tower in the chart?", "9", { modality: "image", needs: [bridge("h2")] });
const image = { id: "i", file: "i.png", width: 1, height: 1, sha256: "0".repeat(64) };
const task = taskOf([flag, hop("h2", "Which tower stands there?", "Tor", { needs: [bridge("h1")] }), chart], {
	images: [image],
});

function diagnosed(
	parts: Partial<Diagnosis> & { kinds?: FindingKind[]; broken?: Record<string, string> } = {},
): Diagnosis {
	const { kinds = [], broken = {}, ...rest } = parts;
	const first = Object.keys(broken)[0] ?? null;
	return {
		...{ version: 2, task: "t", repeat: 0, attempt: 0, diagnoser: diagnoserVersion, right: false, shows: "stated" },
		hops: ["h1", "h2", "h3"].map((id) => ({
			...{ is: "judged" as const, hop: id, aimed: [], brought: [], evidence: [] },
			verdict: (broken[id] ?? "solved") as "solved",
		})),
		findings: kinds.map((is) => ({ is, steps: [], evidence: [], says: "" })),
		firstBroken: first,
		unobserved: [],
		primary: kinds[0] ?? null,
		notJudged: [],
		...rest,
	};
}

test("each kind of finding shows one type of a list, or none for a reason; types are those that its judge may give", () => {
	for (const { types, none, rubric } of Object.values(errorViews)) {
		const shown = Object.values<readonly FindingKind[]>(types).flat();
		expect([...shown, ...Object.keys(none)].sort()).toEqual([...FindingKind.options].sort());
		expect(Object.keys(types)).toEqual(Object.keys(rubrics[rubric]?.labels ?? {}));
	}
});

test("MC-Search: all types that the findings show, once each and in the list's order", () => {
	const types = (...kinds: FindingKind[]) => errorTypesOf(diagnosed({ kinds }), { view: "mc-search", task });
	expect(types("misread", "retrieval-miss", "unsupported", "unsupported-answer")).toEqual([
		...["retrieval-failure", "hallucinated-entity", "evidence-misinterpretation"],
	]);
	expect(types("lucky", "invalid-call", "broken-off")).toEqual([]);
});

test("VistaHop: the earliest dominant type of an answer that is not right", () => {
	const of = (diagnosis: Diagnosis, judgedRight?: boolean, other: Task = task) =>
		errorTypesOf(diagnosis, { view: "vistahop", task: other, judgedRight });
	expect(of(diagnosed({ kinds: ["retrieval-miss"], broken: { h2: "retrieval-miss" } }))).toEqual(["retrieval-drift"]);
	expect(of(diagnosed({ kinds: ["misread"], broken: { h1: "misread" } }))).toEqual(["visual-anchor"]);
	// the chart is no anchor: what is asked of it was found out before
	expect(of(diagnosed({ kinds: ["misread"], broken: { h3: "misread" } }))).toEqual(["fusion-calculation"]);
	expect(of(diagnosed({ kinds: ["premature-stop"], broken: { h3: "not-planned" } }))).toEqual(["planning-collapse"]);
	expect(of(diagnosed({ kinds: ["composition"] }))).toEqual(["fusion-calculation"]);
	expect(of(diagnosed({ kinds: ["composition"] }), true)).toEqual(["normalisation-boundary"]);
	expect(of(diagnosed({ kinds: ["composition"], right: true }))).toEqual([]);
	expect(of(diagnosed({ kinds: ["broken-off"] }))).toEqual([]);
	expect(of(diagnosed())).toEqual([]);
	const { right: _, ...unknown } = diagnosed({ kinds: ["misread"] });
	expect(of(unknown)).toEqual([]);
	// without question images the first image hop is the anchor, where it is the first that broke
	const without = { ...task, images: [] };
	expect(of(diagnosed({ kinds: ["misread"], broken: { h1: "misread" } }), undefined, without)).toEqual([
		"visual-anchor",
	]);
});

function verdictOf(
	rubric: string,
	task: string,
	{ labels = [], grade = null, run = 0 }: { labels?: string[]; grade?: "right" | "wrong" | null; run?: number },
): Verdict {
	const found = rubrics[rubric];
	if (!found) throw new Error(`no rubric ${rubric}`);
	return {
		...{ version: 2, task, repeat: 0, attempt: 0, run },
		judge: stampOf({ judge: "model-a", rubric: found, seed: 0 }),
		shown: { first: "reference", evidence: [], withoutText: 0 },
		judgement: { is: "judged", by: "model", value: null, grade, scores: {}, labels, reason: "" },
		...{ usage: noUsage, ms: 0, at: "2026-01-01T00:00:00Z" },
	};
}

const tasks = ["a", "b", "c", "d"].map((id) => ({ ...task, id, answer: said("9") }));
const misread: Partial<Diagnosis> & { kinds: FindingKind[] } = { kinds: ["misread"] };
const missed: Partial<Diagnosis> & { kinds: FindingKind[] } = { kinds: ["retrieval-miss"] };

test("agreement of the rules with a judge, by label and over all", () => {
	const diagnoses = [
		diagnosed({ ...misread, task: "a" }),
		diagnosed({ ...misread, task: "b" }),
		diagnosed({ ...missed, task: "c" }),
		diagnosed({ ...missed, task: "d" }),
	];
	const label = (id: string, ...labels: string[]) => verdictOf("mc-search-errors", id, { labels });
	const verdicts = [
		label("a", "evidence-misinterpretation"),
		label("b", "retrieval-failure"),
		label("c", "retrieval-failure"),
		label("d", "retrieval-failure"),
	];
	const { judges, reason } = errorAgreement(diagnoses, verdicts, { view: "mc-search", tasks });
	expect(reason).toBeUndefined();
	expect(judges).toHaveLength(1);
	const [found] = judges;
	expect(found).toMatchObject({ judge: "model-a", records: 4, same: 3 });
	const failure = found?.labels.find((one) => one.label === "retrieval-failure");
	// observed 3/4, by chance 1/2 * 3/4 + 1/2 * 1/4 = 1/2
	expect(failure).toMatchObject({ rules: 2, judge: 3, both: 2 });
	expect(failure?.kappa.value).toBeCloseTo(0.5, 12);
	expect(found?.labels.find((one) => one.label === "step-omission")?.kappa.value).toBeNull();
	// 32 decisions: 30 agree; both raters hold 4 labels, so by chance (4/32)^2 + (28/32)^2
	expect(found?.overall.value).toBeCloseTo((30 / 32 - (16 + 784) / 1024) / (1 - (16 + 784) / 1024), 12);
	expect(found?.overall.n).toBe(32);
});

test("dominant failures: one label each; records to which the rules give none are left out", () => {
	const diagnoses = [
		diagnosed({ ...misread, task: "a" }),
		diagnosed({ ...missed, task: "b" }),
		diagnosed({ ...missed, task: "c", right: true }),
	];
	const label = (id: string, name: string, run = 0) => verdictOf("vistahop-failures", id, { labels: [name], run });
	const verdicts = [
		label("a", "fusion-calculation"),
		...["retrieval-drift", "fusion-calculation", "retrieval-drift"].map((name, run) => label("b", name, run)),
		label("c", "retrieval-drift"),
	];
	const { judges } = errorAgreement(diagnoses, verdicts, { view: "vistahop", tasks });
	expect(judges[0]).toMatchObject({ records: 2, same: 2, overall: { value: 1, n: 2 } });
});

test("nothing to compare with is said", () => {
	expect(errorAgreement([], [], { view: "vistahop", tasks })).toEqual({
		judges: [],
		reason: "no judge has judged by the rubric vistahop-failures",
	});
});

test("a judge's word on an answer is that of most of its runs", () => {
	const grade = (grade: "right" | "wrong", run: number) => verdictOf("vistahop", "a", { grade, run });
	const of = judgedRightIn([grade("right", 0), grade("wrong", 1), grade("right", 2)]);
	expect(of({ task: "a", repeat: 0, attempt: 0 })).toBe(true);
	expect(of({ task: "b", repeat: 0, attempt: 0 })).toBeUndefined();
	expect(judgedRightIn([grade("right", 0), grade("wrong", 1)])({ task: "a", repeat: 0, attempt: 0 })).toBe(false);
});

test("a type none of whose findings was looked for is neither shown nor absent, and no share counts the record", () => {
	const chainless = diagnosed({
		kinds: ["repeated-query"],
		hops: [],
		notJudged: [
			{ what: ["misread", "retrieval-miss", "unsupported"], reason: "the task has no gold chain" },
			{ what: ["wrong-modality", "composition"], reason: "the task has no gold chain" },
		],
	});
	const bare: Task = { ...task, chain: undefined };
	const shows = (type: string, view: "mc-search" | "vistahop" = "mc-search", judgedRight?: boolean) =>
		showsErrorType(chainless, { view, type, task: bare, judgedRight });
	expect(shows("spurious-step")).toBe(true);
	expect(shows("evidence-misinterpretation")).toBeNull();
	expect(shows("retrieval-failure")).toBeNull();
	// of final answers it was looked for, of hops it was not
	expect(shows("hallucinated-entity")).toBeNull();
	expect(shows("visual-anchor", "vistahop")).toBeNull();
	expect(shows("normalisation-boundary", "vistahop")).toBeNull();
	expect(shows("normalisation-boundary", "vistahop", true)).toBe(true);
	const { types } = summariseDiagnoses([
		{ task: bare, diagnosis: chainless },
		{ task, diagnosis: diagnosed(misread) },
	]);
	expect(types["mc-search"]["evidence-misinterpretation"]).toMatchObject({ count: 1, of: 1 });
	expect(types["mc-search"]["spurious-step"]).toMatchObject({ count: 1, of: 2 });
	expect(types.vistahop["normalisation-boundary"]).toMatchObject({ value: null, of: 0 });
});

/** The first hop's reading was not seen; with `kinds` a later one is broken, or something else was found. */
const halfSeen = (parts: Parameters<typeof diagnosed>[0] = {}) => {
	const found = diagnosed({ ...parts, unobserved: ["h2"] });
	const hops = found.hops.map((one) =>
		one.is === "judged" && one.hop === "h2"
			? { ...one, verdict: "unobserved" as const, aimed: [0], brought: [0], evidence: ["h2/page"] }
			: one,
	);
	return { ...found, hops };
};

describe("what was not observed", () => {
	const of = (diagnosis: Diagnosis, view: "mc-search" | "vistahop") =>
		Object.fromEntries(
			Object.keys(errorViews[view].types).map((type) => [
				type,
				showsErrorType(diagnosis, { view, type, task, judgedRight: false }),
			]),
		);

	test("is neither fusion nor anything else by default", () => {
		const computing = taskOf([...(task.chain?.hops ?? []), hop("h4", "Sum?", "9", { evidence: [] })]);
		const found = halfSeen({ kinds: ["unobserved"] });
		const shows = (type: string, view: "mc-search" | "vistahop") =>
			showsErrorType(found, { view, type, task: computing, judgedRight: false });
		expect(errorTypesOf(found, { view: "vistahop", task: computing })).toEqual([]);
		expect(shows("fusion-calculation", "vistahop")).toBeNull();
		expect(shows("retrieval-drift", "vistahop")).toBeNull();
		expect(shows("planning-collapse", "vistahop")).toBe(false);
		expect(shows("evidence-misinterpretation", "mc-search")).toBeNull();
		expect(shows("step-omission", "mc-search")).toBe(false);
	});

	test("of a hop before the broken one leaves open which came first", () => {
		const found = halfSeen({ kinds: ["retrieval-miss"], broken: { h3: "retrieval-miss" } });
		expect(of(found, "vistahop")).toMatchObject({ "retrieval-drift": true, "fusion-calculation": null });
		expect(of(found, "mc-search")).toMatchObject({
			...{ "retrieval-failure": true, "evidence-misinterpretation": null, "multi-hop-failure": false },
		});
		const { types } = summariseDiagnoses([{ task, diagnosis: found }]);
		expect(types.vistahop["retrieval-drift"]).toMatchObject({ count: 1, least: 0, most: 1 });
		expect(types.vistahop["fusion-calculation"]).toMatchObject({ count: 0, most: 1, value: null });
	});

	test("belongs to no type where the tool failed or the form was missed; no answer is a plan that collapsed", () => {
		for (const kind of ["tool-failed", "format-failure"] as const)
			for (const view of ["mc-search", "vistahop"] as const)
				expect(errorTypesOf(diagnosed({ kinds: [kind] }), { view, task })).toEqual([]);
		const unanswered = diagnosed({ kinds: ["ended-without-answer"] });
		expect(errorTypesOf(unanswered, { view: "mc-search", task })).toEqual([]);
		expect(errorTypesOf(unanswered, { view: "vistahop", task })).toEqual(["planning-collapse"]);
		expect(errorTypesOf(diagnosed({ kinds: ["endless-repetition"] }), { view: "mc-search", task })).toEqual([
			"spurious-step",
		]);
		expect(errorTypesOf(diagnosed({ kinds: ["endless-repetition"] }), { view: "vistahop", task })).toEqual([
			"planning-collapse",
		]);
	});

	test("is left out of the agreement with a judge, and counted", () => {
		const seen = ["a", "b", "c", "d"].map((id, at) =>
			at < 2 ? diagnosed({ ...misread, task: id }) : { ...halfSeen({ kinds: ["unobserved"] }), task: id },
		);
		const verdicts = ["a", "b", "c", "d"].map((id) =>
			verdictOf("mc-search-errors", id, { labels: ["evidence-misinterpretation"] }),
		);
		const { judges } = errorAgreement(seen, verdicts, { view: "mc-search", tasks });
		const label = judges[0]?.labels.find((one) => one.label === "evidence-misinterpretation");
		expect(label).toMatchObject({ unseen: 2, rules: 2, judge: 2, both: 2 });
		expect(judges[0]).toMatchObject({ records: 4, same: 4 });
		// misread, unsupported and, since the last hop was solved, composition of two records each
		expect(judges[0]?.unseen).toBe(6);
	});
});
