/** Summaries of records that are counted by kind, against a plain reading of each record by itself. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { breakIn, type DiagnosedItem, errorViews, showsErrorType, summariseDiagnoses } from "#diagnosis";
import { type Diagnosis, FindingKind, type HopDiagnosis, HopVerdict, Task, tally } from "#domain";
import { clusterOf, interval } from "#scoring";
import { longTest } from "../../test/long.ts";

const answer = (value: string) => ({ type: "string" as const, value, accepted: [value] });

interface Shape {
	modalities: ("text" | "image" | "compute")[];
	cluster: string | null;
}

/** A chain one hop after the other; its hops are called otherwise in every task. */
function taskOf(at: number, { modalities, cluster }: Shape): Task {
	const id = (hop: number) => `t${at}-h${hop}`;
	return Task.parse({
		...{ id: `t${at}`, question: "?", answer: answer("a"), ...(cluster === null ? {} : { cluster }) },
		...(modalities.length === 0
			? {}
			: {
					chain: {
						sink: id(modalities.length - 1),
						hops: modalities.map((modality, hop) => ({
							...{ id: id(hop), question: "?", modality, answer: answer("a") },
							needs: hop === 0 ? [] : [{ hop: id(hop - 1), role: "bridge" }],
							evidence: modality === "compute" ? [] : [`t${at}-e${hop}`],
						})),
					},
				}),
	});
}

const hopDrawn = fc.record({
	verdict: fc.option(fc.constantFrom(...HopVerdict.options)),
	...{ aimed: fc.array(fc.nat(3), { maxLength: 2 }), came: fc.boolean(), other: fc.boolean() },
	by: fc.constantFrom("answer" as const, "query" as const, null),
	cause: fc.constantFrom("bad-query" as const, "not-in-knowledge-base" as const, null),
});
const kinds = fc.constantFrom(...FindingKind.options);
const found = fc.record({
	hops: fc.array(hopDrawn, { minLength: 4, maxLength: 4 }),
	right: fc.constantFrom(true, false, false, undefined),
	...{ primary: fc.option(kinds), findings: fc.array(kinds, { maxLength: 3 }) },
	...{ broken: fc.option(fc.nat(3)), unobserved: fc.uniqueArray(fc.nat(3), { maxLength: 2 }) },
	notJudged: fc.array(
		fc.record({
			what: fc.uniqueArray(kinds, { minLength: 1, maxLength: 2 }),
			reason: fc.constantFrom("a|b", "a", "b,"),
		}),
		{ maxLength: 2 },
	),
	plan: fc.option(fc.constantFrom(0, 0.5, 1), { nil: undefined }),
});
type Found = typeof found extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function diagnosisOf(task: Task, drawn: Found, repeat: number): Diagnosis {
	const ids = task.chain?.hops.map(({ id }) => id) ?? [];
	const hops = ids.map((hop, at): HopDiagnosis => {
		const { verdict, aimed, came, other, by, cause } = drawn.hops[at] as Found["hops"][number];
		if (verdict === null) return { is: "not-judged", hop, reason: came ? "too long" : "no texts" };
		return {
			...{ is: "judged", hop, verdict, aimed, brought: [], evidence: came ? [`${hop} evidence`] : [] },
			...(other ? { otherEvidence: ["other"] } : {}),
			...(by === null ? {} : { seen: { by, step: repeat } }),
			...(cause === "bad-query" ? { miss: { is: cause, rank: 1 + repeat } } : cause ? { miss: { is: cause } } : {}),
		};
	});
	const named = (at: number) => ids.slice(at, at + 1);
	return {
		...{ version: 2, task: task.id, repeat, attempt: 0, diagnoser: "test", shows: "bare", hops },
		...(drawn.right === undefined ? {} : { right: drawn.right }),
		findings: drawn.findings.map((is) => ({ is, steps: [repeat], evidence: [], says: `${repeat}` })),
		firstBroken: drawn.broken === null ? null : (named(drawn.broken)[0] ?? null),
		unobserved: drawn.unobserved.flatMap(named),
		primary: drawn.primary,
		...(drawn.plan === undefined
			? {}
			: { plan: { items: repeat, coverage: drawn.plan, spurious: 1, adherence: null, revised: null } }),
		notJudged: drawn.notJudged,
	};
}

const modality = fc.constantFrom("text" as const, "image" as const, "compute" as const);
const items = fc
	.record({
		shapes: fc.array(
			fc.record({
				modalities: fc.oneof(fc.constant<Shape["modalities"]>(["text", "text"]), fc.array(modality, { maxLength: 4 })),
				cluster: fc.constantFrom(null, "a", "b"),
			}),
			{ minLength: 1, maxLength: 6 },
		),
		// few, so that several records have the same
		pool: fc.array(found, { minLength: 1, maxLength: 4 }),
		records: fc.array(fc.record({ task: fc.nat(5), found: fc.option(fc.nat(3), { freq: 6 }) }), { maxLength: 30 }),
	})
	.map(({ shapes, pool, records }): DiagnosedItem[] => {
		const tasks = shapes.map((shape, at) => taskOf(at, shape));
		return records.map(({ task: at, found: one }, repeat) => {
			const task = tasks[at % tasks.length] as Task;
			if (one === null) return { task };
			return { task, diagnosis: diagnosisOf(task, pool[one % pool.length] as Found, repeat) };
		});
	});

const shareOf = (some: readonly { task: Task; is: boolean }[]) =>
	interval(
		some.map(({ is }) => Number(is)),
		{ clusters: some.map(({ task }) => clusterOf(task)), share: true },
	);

longTest("counts and shares are those of each record read by itself", () => {
	fc.assert(
		fc.property(items, (all) => {
			const summary = summariseDiagnoses(all);
			const recorded = all.flatMap(({ task, diagnosis }) => (diagnosis ? [{ task, diagnosis }] : []));
			expect(summary.recorded).toBe(recorded.length);
			for (const kind of FindingKind.options) {
				const own = recorded.map(({ task, diagnosis: { primary } }) => ({ task, is: primary === kind }));
				const { value, low, high, groups } = shareOf(own);
				if (own.some(({ is }) => is)) expect(summary.primary[kind]).toMatchObject({ value, low, high, groups });
				else expect(summary.primary[kind]).toBeUndefined();
				const having = recorded.filter(({ diagnosis }) => diagnosis.findings.some(({ is }) => is === kind));
				expect(summary.findings[kind]?.count ?? 0).toBe(having.length);
			}
			for (const verdict of HopVerdict.options) {
				const hops = recorded.flatMap(({ diagnosis }) => diagnosis.hops);
				const having = hops.filter((hop) => hop.is === "judged" && hop.verdict === verdict);
				// of a misread hop without texts that is no word on "unsupported"
				if (having.length > 0) expect(summary.hops.verdicts[verdict].count).toBe(having.length);
			}
			const breaks = recorded.filter(({ diagnosis }) => diagnosis.hops.some(({ is }) => is === "judged")).map(breakIn);
			expect(summary.unbroken.of).toBe(breaks.length);
			for (const { place, share, verdicts } of summary.firstBroken) {
				const own = breaks.filter((one) => one.place === place);
				expect(share).toMatchObject({ count: own.length, least: own.filter(({ open }) => open.size === 0).length });
				expect(verdicts).toEqual(tally(own.flatMap(({ verdict }) => verdict ?? [])));
			}
			for (const type of Object.keys(errorViews["mc-search"].types)) {
				const shows = recorded.map(({ task, diagnosis }) =>
					showsErrorType(diagnosis, { view: "mc-search", type, task }),
				);
				expect(summary.types["mc-search"][type]?.count).toBe(shows.filter(Boolean).length);
			}
			const wrong = recorded.filter(({ task, diagnosis }) => diagnosis.right === false && task.chain);
			expect(summary.failures.failures + summary.failures.left.notJudged).toBe(wrong.length);
			const reasons = recorded.flatMap(({ diagnosis }) => diagnosis.notJudged.map((one) => JSON.stringify(one)));
			expect(
				Object.fromEntries(summary.notJudged.map(({ records, ...one }) => [JSON.stringify(one), records])),
			).toEqual(tally(reasons));
		}),
	);
});

longTest("records that share a diagnosis are counted like records with one each", () => {
	fc.assert(
		fc.property(items, (all) => {
			const shared = new Map<string, Diagnosis>();
			const sharing = all.map(({ task, diagnosis }, repeat): DiagnosedItem => {
				if (!diagnosis) return { task };
				// all that a summary does not read: of the first record that is alike
				const { repeat: _, findings, hops, plan, ...rest } = diagnosis;
				const key = JSON.stringify([
					rest,
					findings.map(({ is }) => is),
					hops.map((hop) => ("seen" in hop ? { ...hop, seen: hop.seen?.by, miss: hop.miss?.is } : { ...hop, miss: 0 })),
					plan?.coverage,
				]);
				const one = shared.get(key) ?? diagnosis;
				shared.set(key, one);
				return { task, diagnosis: one, repeat, attempt: 0 };
			});
			expect(summariseDiagnoses(sharing)).toEqual(summariseDiagnoses(all));
		}),
	);
});

test("a judge's word is that on the record, not on the one that it shares a diagnosis with", () => {
	const task = taskOf(0, { modalities: ["text"], cluster: null });
	const drawn: Found = {
		...{
			hops: [],
			right: false,
			primary: "misread",
			findings: ["misread"],
			broken: null,
			unobserved: [],
			notJudged: [],
		},
		plan: undefined,
	};
	const diagnosis = { ...diagnosisOf(taskOf(0, { modalities: [], cluster: null }), drawn, 0), task: task.id };
	const verdict = (repeat: number, grade: "right" | "wrong") => ({
		...{ version: 1 as const, task: task.id, repeat, attempt: 0, run: 0, at: "", replies: [] },
		judge: { model: "m", rubric: "r", prompt: "p", seed: 0 },
		judgement: { is: "judged" as const, grade, score: 1, labels: [] },
	});
	const verdicts = [verdict(0, "right"), verdict(1, "wrong")] as never;
	const items = [0, 1].map((repeat) => ({ task, diagnosis, repeat, attempt: 0 }));
	const { types } = summariseDiagnoses(items, { verdicts });
	expect(types.vistahop["normalisation-boundary"]).toMatchObject({ count: 1, of: 2 });
});
