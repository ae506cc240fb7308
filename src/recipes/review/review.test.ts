import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Item, itemOf, questionOf, Review, type Task } from "#domain";
import {
	aboutOf,
	applyReviews,
	assign,
	gate,
	needsAdjudication,
	openReviewFolder,
	readReviewFile,
	reviewItemOf,
	runRecipe,
	settle,
	settlePolicies,
	spoil,
	writeBuild,
	writeReviewFile,
} from "#recipes";
import { recipeOf, rule, townInputs, towns, written } from "../../../test/support/recipes/towns.ts";
import { reviewAgreement } from "./agreement.ts";
import { checkPrecision } from "./review-standing.ts";

const capital = (n: number): Task => ({
	id: `towns-${String(n).padStart(10, "a")}`,
	question: `What is the capital of country ${n}?`,
	images: [],
	answer: { type: "string", value: `Town ${n}`, accepted: [`Town ${n}`, `T${n}`] },
	chain: {
		hops: [
			{
				id: "h1",
				question: `Which country is number ${n}?`,
				modality: "text",
				needs: [],
				evidence: ["p1"],
				answer: { type: "string", value: `Country ${n}`, accepted: [`Country ${n}`] },
			},
			{
				id: "h2",
				question: `What is its capital, "${n}"?`,
				modality: "text",
				needs: [{ hop: "h1", role: "bridge" }],
				evidence: ["p2"],
				answer: { type: "string", value: `Town ${n}`, accepted: [`Town ${n}`, `T${n}`] },
			},
		],
		sink: "h2",
	},
	tags: { language: "en" },
	source: "",
	rights: "",
});
const tasks = Array.from({ length: 12 }, (_, n) => capital(n));
const review = (item: string, reviewer: string, decision: Review["decision"], more: Partial<Review> = {}): Review =>
	Review.parse({ item, reviewer, decision, ...more });

describe("assignment", () => {
	const names = ["ana", "ben", "cho", "dee", "eli"];
	test("gives every item to as many different people as asked, everyone about equally many", () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 60 }),
				fc.integer({ min: 1, max: 5 }),
				fc.integer({ min: 1, max: 5 }),
				fc.nat(),
				(count, people, asked, seed) => {
					const reviewers = names.slice(0, people);
					const perItem = Math.min(asked, people);
					const items = Array.from({ length: count }, (_, n) => `i${n}`);
					const { queues } = assign(items, { reviewers, perItem, seed });
					for (const item of items)
						expect([...queues.values()].filter((queue) => queue.includes(item))).toHaveLength(perItem);
					for (const queue of queues.values()) expect(new Set(queue).size).toBe(queue.length);
					const lengths = [...queues.values()].map((queue) => queue.length);
					// one round through the groups gives everyone the same; a broken one differs by what a round gives
					expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(10);
					expect(assign(items, { reviewers, perItem, seed }).queues).toEqual(queues);
				},
			),
		);
	});
	test("lets every pair meet about equally often", () => {
		const items = Array.from({ length: 60 }, (_, n) => `i${n}`);
		const { queues } = assign(items, { reviewers: names.slice(0, 4), perItem: 2, seed: 1 });
		const together = (a: string, b: string) => queues.get(a)?.filter((item) => queues.get(b)?.includes(item)).length;
		for (const [a, b] of [
			["ana", "ben"],
			["ana", "dee"],
			["ben", "cho"],
			["cho", "dee"],
		] as const)
			expect(together(a, b)).toBe(10);
	});
	test("more reviewers an item than there are is an error", () => {
		expect(() => assign(["a"], { reviewers: ["ana"], perItem: 2, seed: 1 })).toThrow(/as many reviewers/);
	});
});

describe("settling", () => {
	const settled = (reviews: Review[], options: Partial<Parameters<typeof settle>[2]> = {}) =>
		settle(["a"], reviews, { perItem: 2, ...options })[0];
	test("waits for as many reviewers as were asked, and the last word of each counts", () => {
		expect(settled([review("a", "ana", "retain")])?.state).toBe("waiting");
		expect(settled([review("a", "ana", "retain"), review("a", "ana", "discard")])?.state).toBe("waiting");
		expect(
			settled([review("a", "ana", "discard"), review("a", "ben", "retain"), review("a", "ana", "retain")])?.state,
		).toBe("retain");
		expect(
			settled([review("a", "ana", "retain", { round: 2 }), review("a", "ben", "retain"), review("a", "ana", "discard")])
				?.state,
		).toBe("retain");
	});
	test("a tie is a conflict, which an adjudication ends", () => {
		const tie = [review("a", "ana", "retain"), review("a", "ben", "discard")];
		expect(settled(tie)?.state).toBe("conflict");
		expect(settled([...tie, review("a", "dora", "discard", { round: "adjudication" })])?.state).toBe("discard");
		expect(settled([...tie, review("a", "dora", "unsure", { round: "adjudication" })])?.state).toBe("conflict");
	});
	test("two to one, and two with one unsure, are what the policy makes of them", () => {
		const two = [review("a", "ana", "retain"), review("a", "ben", "retain")];
		const against = [...two, review("a", "cho", "discard")];
		const unsure = [...two, review("a", "cho", "unsure")];
		const by = (reviews: Review[]) =>
			settlePolicies.map((policy) => {
				const one = settled(reviews, { perItem: 3, policy });
				return [policy, one?.state, one && needsAdjudication(one)];
			});
		expect(by(against)).toEqual([
			["majority", "retain", true],
			["adjudicated", "conflict", true],
			["unanimous", "conflict", true],
			["fail-any", "discard", true],
		]);
		expect(by(unsure)).toEqual([
			["majority", "retain", false],
			["adjudicated", "retain", false],
			["unanimous", "conflict", true],
			["fail-any", "conflict", true],
		]);
		expect(settled(two, { perItem: 3 })).toMatchObject({ state: "waiting", split: false });
	});
	test("a consensus outweighs the votes and is kept with them", () => {
		const votes = [review("a", "ana", "retain"), review("a", "ben", "retain"), review("a", "cho", "discard")];
		const meeting = review("a", "meeting", "discard", { round: "adjudication", at: "2026-01-02T00:00:00Z" });
		for (const policy of settlePolicies) {
			const one = settled([...votes, meeting], { perItem: 3, policy });
			expect(one && needsAdjudication(one)).toBe(false);
			expect(one).toMatchObject({
				state: "discard",
				split: true,
				consensus: {
					by: "meeting",
					at: "2026-01-02T00:00:00Z",
					votes: [
						{ reviewer: "ana", decision: "retain" },
						{ reviewer: "ben", decision: "retain" },
						{ reviewer: "cho", decision: "discard" },
					],
				},
			});
		}
	});
	test("edits that are alike are one, others a conflict; nobody being sure settles nothing", () => {
		const edit = (reviewer: string, question: string) => review("a", reviewer, "edit", { edits: { question } });
		expect(settled([edit("ana", "Which town?"), edit("ben", "Which town?")])).toMatchObject({
			state: "edit",
			edits: { question: "Which town?" },
		});
		expect(settled([edit("ana", "Which town?"), edit("ben", "Which city?")])?.state).toBe("conflict");
		expect(settled([review("a", "ana", "unsure"), review("a", "ben", "unsure")])?.state).toBe("conflict");
	});
});

describe("agreement", () => {
	// three people, four items: all keep; two keep; none keeps; one keeps
	const said = ["rrr", "rrd", "ddd", "rdd"];
	const reviews = said.flatMap((row, item) =>
		[...row].map((one, person) =>
			review(`i${item}`, ["ana", "ben", "cho"][person] ?? "", one === "r" ? "retain" : "discard", {
				reasons: one === "d" ? ["ambiguous"] : [],
				ms: 1000 * (item + 1),
			}),
		),
	);
	test("is what the published worked example says", () => {
		// Fleiss' kappa of [3,0], [2,1], [0,3], [1,2] is 1/3 (scoring/agreement/kappa-fleiss.ts)
		const { decision, reasons, items, reviews: count } = reviewAgreement(reviews);
		expect({ items, count }).toEqual({ items: 4, count: 12 });
		expect(decision.fleiss.value).toBeCloseTo(1 / 3, 10);
		expect(decision.percent.value).toBeCloseTo((1 + 1 / 3 + 1 + 1 / 3) / 4, 10);
		// by hand: Do = (2 + 2) / 2 / 12 * 2 = 1/3, De = 72/132, so alpha = 1 - (1/3) / (72/132)
		expect(decision.alpha.value).toBeCloseTo(1 - 1 / 3 / (72 / 132), 10);
		expect(decision.prevalence).toBe(0.5);
		expect(decision.cohen).toBeNull();
		expect(reasons.ambiguous).toMatchObject({ given: 6, alpha: { value: decision.alpha.value } });
	});
	test("is that of the votes before anybody was told what others said", () => {
		const first = [review("a", "ana", "retain"), review("a", "ben", "discard")];
		const later = [
			review("a", "ben", "retain", { blind: false }),
			review("a", "ben", "retain", { round: 2 }),
			review("a", "dora", "retain", { round: "adjudication" }),
		];
		expect(reviewAgreement([...first, ...later]).decision.percent.value).toBe(0);
	});

	test("tells each reviewer's traps and how often the outcome was theirs", () => {
		const settled = settle(["i0", "i1", "i2", "i3"], reviews, { perItem: 3 });
		const withTrap = [...reviews, review("t", "ana", "discard"), review("t", "ben", "retain")];
		const { reviewers } = reviewAgreement(withTrap, { settled, traps: new Set(["t"]) });
		expect(reviewers.map(({ reviewer, traps, caught }) => [reviewer, traps, caught])).toEqual([
			["ana", 1, 1],
			["ben", 1, 0],
			["cho", 0, 0],
		]);
		// ana alone kept i3, which was discarded
		expect(reviewers.map(({ withSettled }) => withSettled.value)).toEqual([0.75, 1, 0.75]);
		expect(reviewers[0]?.ms).toBe(2000);
	});
	test("an interval of agreement stays a share, however few items there are", () => {
		const few = reviews.filter(({ item }) => item !== "i3");
		const { percent } = reviewAgreement(few).decision;
		expect(percent.low).toBeGreaterThanOrEqual(0);
		expect(percent.high).toBeLessThanOrEqual(1);
	});
	test("without reviews there is nothing to say, and no number", () => {
		const { decision, reviewers } = reviewAgreement([]);
		expect(decision.alpha.value).toBeNull();
		expect(decision.percent.value).toBeNull();
		expect(reviewers).toEqual([]);
	});
});

describe("traps", () => {
	test("have another task's answer, an id like the others', and come again with the same seed", () => {
		const traps = spoil(tasks, { share: 0.25, seed: 3 });
		expect(traps).toHaveLength(3);
		expect(spoil(tasks, { share: 0.25, seed: 3 })).toEqual(traps);
		for (const { id, task, from } of traps) {
			const original = tasks.find((one) => one.id === from);
			expect(task.answer.value).not.toBe(original?.answer.value);
			expect(task.question).toBe(original?.question);
			expect(id).toMatch(/^towns-/);
			expect(tasks.map((one) => one.id)).not.toContain(id);
		}
	});
	test("nothing is spoilt where every answer is the same", () => {
		expect(spoil([capital(1), capital(1)], { share: 1, seed: 1 })).toEqual([]);
	});
});

describe("files", () => {
	const shown = () =>
		Promise.all(
			tasks.slice(0, 3).map((task) =>
				reviewItemOf(task, {
					evidence: async (id) =>
						id === "p1"
							? {
									...{ kind: "passage", id, document: "d", title: '=A, "title"', language: "en", form: "prose" },
									...{ sha256: "0".repeat(64), provenance: { source: "d" }, text: "A text\nof two lines." },
								}
							: undefined,
				}),
			),
		);
	const by = { round: 1, blind: true } as const;
	test("a sheet shows the hops and their evidence, and gives back what was filled in", async () => {
		const dir = await mkdtemp(join(tmpdir(), "review-"));
		const [file = ""] = await writeReviewFile(dir, { reviewer: "ana", items: await shown(), form: "csv" });
		const text = await readFile(file, "utf8");
		expect(text).toContain("h2 (text, needs h1)");
		expect(text).toContain("A text\nof two lines.");
		expect(text).toContain("(not in the knowledge base)");
		const rows = text.split(",,,,,\r\n");
		expect(rows).toHaveLength(4);
		const decisions = ["retain,,,,,1.5", "edit,under_specified | Ambiguous,Which town?,,say which,", "keep,,,,,"];
		await writeFile(file, rows.map((row, index) => (index < 3 ? `${row}${decisions[index]}\r\n` : row)).join(""));
		const read = await readReviewFile(file, by);
		expect(read.problems).toEqual(['row 4: "keep" is no decision: write retain, discard, edit or unsure']);
		expect(read.reviews).toEqual([
			review(tasks[0]?.id ?? "", "ana", "retain", { ms: 90_000 }),
			review(tasks[1]?.id ?? "", "ana", "edit", {
				reasons: ["under_specified", "ambiguous"],
				edits: { question: "Which town?" },
				comment: "say which",
			}),
		]);
	});
	test("an edit that says nothing, and a wording without edit, are refused", async () => {
		const dir = await mkdtemp(join(tmpdir(), "review-"));
		const file = join(dir, "review-ana.csv");
		await writeFile(file, "item,decision,new question\na,edit,\nb,retain,Which?\n,retain,\n");
		const { reviews, problems } = await readReviewFile(file, by);
		expect(reviews).toEqual([]);
		expect(problems).toHaveLength(3);
	});
	test("JSON lines come back as they were filled in", async () => {
		const dir = await mkdtemp(join(tmpdir(), "review-"));
		const [file = ""] = await writeReviewFile(dir, { reviewer: "ben", items: await shown(), form: "jsonl" });
		const lines = (await readFile(file, "utf8")).trim().split("\n");
		const [first, second] = lines.map((line) => JSON.parse(line) as { review: object; shown: object });
		await writeFile(
			file,
			`${JSON.stringify({ ...first, review: { ...first?.review, decision: "discard", reasons: ["duplicate"] } })}\n${JSON.stringify(second)}\nnot json\n`,
		);
		const { reviews, problems } = await readReviewFile(file, by);
		expect(reviews).toEqual([review(tasks[0]?.id ?? "", "ben", "discard", { reasons: ["duplicate"] })]);
		expect(problems).toHaveLength(1);
	});
	test("Label Studio's export is read, skipped and nameless labels aside", async () => {
		const dir = await mkdtemp(join(tmpdir(), "review-"));
		const [file = "", view = ""] = await writeReviewFile(dir, {
			reviewer: "all",
			items: await shown(),
			form: "label-studio",
		});
		const labelling = await readFile(view, "utf8");
		const given = JSON.parse(await readFile(file, "utf8")) as { data: Record<string, unknown> }[];
		// every field that the interface shows is in the tasks
		for (const [, field = ""] of labelling.matchAll(/value(?:List)?="\$(\w+)"/g))
			expect(given[0]?.data).toHaveProperty(field);
		const result = (decision: string, extra: object[] = []) => [
			{ from_name: "decision", to_name: "question", type: "choices", value: { choices: [decision] } },
			...extra,
		];
		const labelled = given.map((task, index) => ({
			...task,
			id: index,
			annotations: [
				[
					{
						completed_by: { email: "ana@example.org" },
						lead_time: 12.5,
						result: result("edit", [
							{ from_name: "reasons", type: "choices", value: { choices: ["fluency"] } },
							{ from_name: "new_answers", type: "textarea", value: { text: ["Town 0", "The town"] } },
						]),
					},
					{ completed_by: 7, was_cancelled: true, result: [] },
				],
				[{ result: result("retain") }],
				[{ completed_by: 3, result: result("perhaps") }],
			][index],
		}));
		await writeFile(file, JSON.stringify(labelled));
		const { reviews, problems } = await readReviewFile(file, by);
		expect(reviews).toEqual([
			review(tasks[0]?.id ?? "", "ana@example.org", "edit", {
				reasons: ["fluency"],
				edits: { accepted: ["Town 0", "The town"] },
				ms: 12_500,
			}),
		]);
		expect(problems).toHaveLength(2);
		expect((await readReviewFile(file, { ...by, reviewer: "ben" })).reviews.map(({ reviewer }) => reviewer)).toEqual([
			"ben",
			"ben",
		]);
	});
	test("no file makes it fail otherwise than in words", async () => {
		const dir = await mkdtemp(join(tmpdir(), "review-"));
		await fc.assert(
			fc.asyncProperty(fc.string(), fc.constantFrom(".csv", ".jsonl", ".json"), async (text, ending) => {
				const file = join(dir, `review-x${ending}`);
				await writeFile(file, text);
				const read = await readReviewFile(file, by).catch((error: unknown) => error);
				if (read instanceof Error) expect(read).toHaveProperty("code", "bad-review-file");
			}),
			{ numRuns: 60 },
		);
	});
	test("a queue of before keeps what its policy meant, and a consensus is dated once", async () => {
		const dir = await mkdtemp(join(tmpdir(), "review-"));
		const folder = openReviewFolder(dir);
		const plan = {
			benchmark: { name: "a", hash: "h" },
			reviewers: ["ana"],
			perItem: 1,
			seed: 0,
			queues: { ana: ["a"] },
		};
		await folder.start({ ...plan, version: 2, policy: "unanimous" }, []);
		expect(await folder.plan()).toMatchObject({ version: 2, policy: "unanimous" });
		await writeFile(join(folder.dir, "queue.json"), JSON.stringify({ ...plan, version: 1, policy: "unanimous" }));
		expect(await folder.plan()).toMatchObject({ version: 2, policy: "fail-any" });
		const consensus = review("a", "meeting", "retain", { round: "adjudication" });
		expect(await folder.add([consensus])).toBe(1);
		expect(await folder.add([consensus])).toBe(0);
		expect((await folder.reviews()).reviews[0]?.at).toMatch(/^\d{4}-/);
	});

	test("decisions are kept once, whoever gives them again", async () => {
		const folder = openReviewFolder(await mkdtemp(join(tmpdir(), "review-")));
		const one = review("a", "ana", "retain");
		expect(await folder.add([one, one])).toBe(1);
		expect(await folder.add([one, review("a", "ana", "discard")])).toBe(1);
		await writeFile(
			join(folder.dir, "reviews.jsonl"),
			`${await readFile(join(folder.dir, "reviews.jsonl"), "utf8")}{"torn`,
		);
		const { reviews, damaged } = await folder.reviews();
		expect(reviews).toHaveLength(2);
		expect(damaged).toBe(1);
	});
});

describe("what reviews make of items", () => {
	const item = itemOf(tasks[0] as Task);
	const checked: Item = {
		...item,
		checks: [{ check: "short-answer", version: 1, on: "item", verdict: "pass", about: aboutOf(item) }],
	};
	const done = (state: "retain" | "discard" | "edit" | "waiting", edits?: Review["edits"]) =>
		applyReviews([checked], [{ item: item.id, state, split: false, reviews: [], ...(edits ? { edits } : {}) }]);
	test("keeps, drops and leaves open what was settled so", () => {
		expect(done("retain").retained).toEqual([checked]);
		expect(done("discard").discarded).toEqual([checked]);
		expect(done("waiting").open).toEqual([checked]);
		expect(applyReviews([checked], []).open).toEqual([checked]);
	});
	test("an edit keeps the earlier wording and makes every check void", () => {
		const { edited } = done("edit", { question: "Which town is it?", accepted: ["The town"] });
		expect(edited[0]?.stale.map(({ check }) => check)).toEqual(["short-answer"]);
		const after = edited[0]?.item;
		expect(after && questionOf(after)).toBe("Which town is it?");
		expect(after?.questions).toHaveLength(2);
		expect(after?.answer.accepted).toEqual(["Town 0", "The town"]);
		expect(after?.chain.hops.at(-1)?.answer.accepted).toEqual(["Town 0", "The town"]);
	});
	test("a benchmark made anew keeps what people decided, and its card tells of it", async () => {
		const place = await mkdtemp(join(tmpdir(), "review-"));
		const [build, dir] = [join(place, "build"), join(place, "benchmark")];
		const failing = rule("sometimes", (n) => n !== 1);
		const recipe = recipeOf((inputs) =>
			towns(inputs)
				.to(written)
				.to(gate([failing], { onFail: "flag" })),
		);
		const about = { name: "b", title: "T", description: "D", licence: "CC0-1.0", sources: [], knowledge: "k" };
		const make = async () => {
			const { items } = await runRecipe(recipe, townInputs(3), build, { models: {} });
			return { items, ...(await writeBuild(build, dir, { recipe, benchmark: about, date: "2026-11-22" })) };
		};
		const { items, card: before } = await make();
		expect(before).toContain("Nobody has reviewed these items");
		const decisions = items.map(({ id }, n) => review(id, "ana", n === 1 ? "discard" : "retain"));
		await openReviewFolder(dir).add(decisions);
		const { card } = await make();
		expect((await openReviewFolder(dir).reviews()).reviews).toEqual(decisions);
		expect(card).toContain(
			"3 reviews of 3 tasks by 1 person, 1 a task, settled by the majority: 2 retained, 0 edited, 1 d",
		);
		expect(card).toMatch(
			/Check `sometimes`: of 2 that passed people keep 100.0 % .*; of 1 that failed they discard 100.0 %/,
		);
		expect(card).not.toContain("ana");
	});
	test("the checks' precision counts only what is settled", () => {
		const failed: Item = {
			...item,
			id: "b",
			checks: [{ ...(checked.checks[0] as Item["checks"][number]), verdict: "fail", reason: "long_answer" }],
		};
		const [precision] = checkPrecision(
			[checked, failed, { ...failed, id: "c" }],
			[
				{ item: item.id, state: "retain", split: false, reviews: [] },
				{ item: "b", state: "discard", split: false, reviews: [] },
				{ item: "c", state: "conflict", split: false, reviews: [] },
			],
		);
		expect(precision).toMatchObject({
			check: "short-answer",
			passedKept: { value: 1, n: 1 },
			failedDiscarded: { value: 1, n: 1 },
		});
	});
});

test("what its reviewer takes back counts no more, and the decision before it stands again", async () => {
	const folder = openReviewFolder(await mkdtemp(join(tmpdir(), "withdrawn-")));
	const said = (decision: Review["decision"]) =>
		Review.parse({ item: "i", reviewer: "ana", decision, at: `2026-01-0${decision.length}` });
	const back = { withdrawn: true, item: "i", reviewer: "ana", round: 1, at: "2026-01-09" } as const;
	await Promise.all([folder.add([said("retain")]), folder.add([{ ...said("unsure"), reviewer: "ben" }])]);
	await folder.add([said("discard")]);
	const standing = async () =>
		(await folder.reviews()).reviews.map(({ reviewer, decision }) => `${reviewer} ${decision}`);
	expect(await folder.withdraw(back)).toBe(true);
	expect((await standing()).sort()).toEqual(["ana retain", "ben unsure"]);
	expect(await folder.withdraw(back)).toBe(true);
	expect(await folder.withdraw(back)).toBe(false);
	expect(await standing()).toEqual(["ben unsure"]);
	expect((await folder.reviews()).lines).toHaveLength(5);
});
