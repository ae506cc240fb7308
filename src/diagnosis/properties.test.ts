import fc from "fast-check";
import { expect, test } from "vitest";
import { diagnose, errorTypesOf } from "#diagnosis";
import { Diagnosis, type Hop, inDependencyOrder, type Task, type Trajectory } from "#domain";
import { longTest } from "../../test/long.ts";
import { bridge, hop, recordOf, said, taskOf, trajectoryOf } from "../../test/support/diagnosis/sample-chains.ts";

const runs = { numRuns: 60 };
const subjects = ["river Ouse", "castle Zorn", "poet Quist", "bridge Fjell", "opera Mirza", "duke Wex"];
const values = ["Albany", "Bremen", "Cuzco", "Delhi", "Essen", "Fargo"];
const tools = ["text_search", "image_search_by_text", "page_search", "image_search_by_image", "read"] as const;

/** A chain in which each hop needs some before it. */
const chains = fc
	.array(
		fc.record({
			needs: fc.uniqueArray(fc.nat(5), { maxLength: 2 }),
			modality: fc.constantFrom("text" as const, "image" as const, "page" as const),
			computes: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 6 },
	)
	.map((shapes): Hop[] =>
		shapes.map(({ needs, modality, computes }, index) =>
			hop(`h${index}`, `Where does the ${subjects[index]} lie?`, values[index] ?? "", {
				needs: needs.filter((need) => need < index).map((need) => bridge(`h${need}`)),
				...(computes && index > 0
					? { modality: "compute", evidence: [] }
					: { modality, evidence: [`e${index}`, `f${index}`] }),
			}),
		),
	);

const steps = fc.array(
	fc.record({
		subject: fc.constantFrom(...subjects, "weather"),
		tool: fc.constantFrom(...tools),
		valid: fc.boolean(),
		ids: fc.array(fc.constantFrom("e0", "e1", "e2", "e3", "e4", "f0", "x", "y"), { maxLength: 4 }),
		subAnswer: fc.option(fc.constantFrom(...values, "Nowhere", "yes"), { nil: undefined }),
	}),
	{ maxLength: 8 },
);

const attempts = fc
	.record({
		steps,
		answer: fc.option(fc.constantFrom(...values, "Nowhere")),
		stop: fc.constantFrom("answered" as const, "turn-limit" as const, "budget" as const, "error" as const),
		kind: fc.constantFrom("plain", "answerOnly", "searchOnly"),
		plan: fc.option(fc.constantFrom("1. Where does the castle Zorn lie?\n2. Sing", "none"), { nil: undefined }),
	})
	.map(({ steps, answer, stop, kind, plan }): Trajectory => {
		const made = steps.map(({ subject, tool, valid, ids, subAnswer }) => ({
			subQuestion: `Where does the ${subject} lie?`,
			call: { tool, arguments: { query: subject, k: 3 }, valid },
			ids,
			...(subAnswer === undefined ? {} : { subAnswer }),
		}));
		return trajectoryOf(made, {
			...{ answer, stop, abstained: answer === null },
			...(plan === undefined ? {} : { plan }),
			...(kind === "plain" ? {} : { [kind]: true }),
		});
	});

const taskFrom = (hops: Hop[]): Task => taskOf(hops, { question: "Where does it lie in the end?" });

test("every gold hop gets one verdict or one reason, in the order of dependency, and the form holds", async () => {
	await fc.assert(
		fc.asyncProperty(chains, attempts, async (hops, trajectory) => {
			const task = taskFrom(hops);
			const found = await diagnose({ task, record: recordOf(trajectory) });
			expect(Diagnosis.parse(found)).toEqual(found);
			expect(found.hops.map((one) => one.hop)).toEqual(inDependencyOrder({ hops, sink: "h0" }).map(({ id }) => id));
			const indexes = new Set(trajectory.steps.map(({ index }) => index));
			for (const { steps } of found.findings) for (const step of steps) expect(indexes).toContain(step);
			expect(found.primary === null || found.findings.some(({ is }) => is === found.primary)).toBe(true);
			for (const view of ["mc-search", "vistahop"] as const) errorTypesOf(found, { view, task });
		}),
		runs,
	);
});

test("other names of hops and evidence give the same verdicts", async () => {
	const other = (id: string) => `other ${id}`;
	await fc.assert(
		fc.asyncProperty(chains, attempts, async (hops, trajectory) => {
			const renamed = hops.map((one) => ({
				...one,
				id: other(one.id),
				evidence: one.evidence.map(other),
				needs: one.needs.map((need) => ({ ...need, hop: other(need.hop) })),
			}));
			const steps = trajectory.steps.map((step) => ({
				...step,
				results: step.results.map((result) => ({ ...result, id: other(result.id) })),
			}));
			const plain = await diagnose({ task: taskFrom(hops), record: recordOf(trajectory) });
			const after = await diagnose({ task: taskFrom(renamed), record: recordOf({ ...trajectory, steps }) });
			expect(after.hops.map((one) => one.is === "judged" && one.verdict)).toEqual(
				plain.hops.map((one) => one.is === "judged" && one.verdict),
			);
			expect(after.primary).toBe(plain.primary);
			expect(after.findings.map(({ is, steps }) => [is, steps])).toEqual(
				plain.findings.map(({ is, steps }) => [is, steps]),
			);
		}),
		runs,
	);
});

test("a replay of the gold chain is solved throughout, with nothing found", async () => {
	await fc.assert(
		fc.asyncProperty(chains, async (hops) => {
			const walked = inDependencyOrder({ hops, sink: "h0" }).map(({ question, evidence, answer, modality }) => ({
				subQuestion: question,
				subAnswer: answer.value,
				ids: evidence.slice(0, 1),
				...(evidence.length === 0
					? { call: undefined }
					: {
							tool: modality === "image" ? "image_search_by_text" : modality === "page" ? "page_search" : "text_search",
						}),
			}));
			const task = taskFrom(hops);
			const trajectory = trajectoryOf(walked, { answer: task.answer.value });
			const found = await diagnose({ task, record: recordOf(trajectory) });
			expect(found.hops.map((one) => one.is === "judged" && one.verdict)).toEqual(hops.map(() => "solved"));
			expect(found.findings).toEqual([]);
		}),
		runs,
	);
});

test("leaving out a step that brought a hop's evidence never solves a hop of protocols without sub-answers", async () => {
	await fc.assert(
		fc.asyncProperty(chains, attempts, fc.nat(), async (hops, whole, at) => {
			const plain = whole.steps.map(({ subAnswer: _, ...step }) => step);
			const trajectory = { ...whole, steps: plain, stop: "answered" as const, answer: null, abstained: true };
			const fewer = { ...trajectory, steps: plain.filter((_, index) => index !== at % Math.max(1, plain.length)) };
			const task = taskFrom(hops);
			const solvedIn = async (made: Trajectory) =>
				(await diagnose({ task, record: recordOf(made) })).hops.map(
					(one) => one.is === "judged" && one.verdict === "solved",
				);
			const before = await solvedIn(trajectory);
			const after = await solvedIn(fewer);
			for (const [index, solved] of after.entries()) if (solved) expect(before[index]).toBe(true);
		}),
		runs,
	);
});

longTest("hostile records: cycles, hops of one id, strange ids and arguments, huge texts and chains", async () => {
	const loop = [
		hop("a", "?", "", { needs: [bridge("b")], answer: said("") }),
		hop("b", "…", " ", { needs: [bridge("a"), bridge("nobody")] }),
		hop("b", "__proto__", "constructor", { evidence: ["__proto__"] }),
	];
	const strange = [
		{ subQuestion: "", ids: ["__proto__", ""], subAnswer: "\u0000" },
		{ call: { tool: "__proto__", arguments: { query: { deep: [1] }, image: Number.NaN }, valid: true } },
		{ call: { tool: "text_search", arguments: {}, valid: true }, subAnswer: "9".repeat(100_000) },
		{ subQuestion: "word ".repeat(50_000), ids: ["a/page"], subAnswer: "word ".repeat(50_000) },
	];
	const record = recordOf(trajectoryOf(strange, { answer: "(((".repeat(10_000), plan: "[{".repeat(10_000) }));
	const found = await diagnose({ task: taskOf(loop), record });
	expect(found.hops).toHaveLength(3);

	const long = Array.from({ length: 300 }, (_, index) => hop(`h${index}`, `Where is ${index}?`, `v${index}`));
	const many = Array.from({ length: 1500 }, (_, index) => ({
		subQuestion: `Where is ${index}?`,
		ids: [`h${index}/page`],
	}));
	const started = process.cpuUsage();
	const whole = await diagnose({ task: taskOf(long), record: recordOf(trajectoryOf(many)) });
	expect(whole.hops).toHaveLength(300);
	expect(whole.hops.at(-1)).toMatchObject({ is: "not-judged" });
	expect(whole.notJudged.map(({ reason }) => reason)).toContain(
		"the chain or the trajectory is too long to be read whole",
	);
	expect(process.cpuUsage(started).user / 1000).toBeLessThan(60_000);
	const empty = await diagnose({ task: taskOf([hop("a", "Where?", "b")]), record: recordOf(trajectoryOf([])) });
	expect(empty.primary).toBe("premature-stop");
});
